// Runs as messages tell of them: what the buttons allow in each state, the curves' axes, and what the look back shows.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { box, prepare } from "../../pages/pictures/document.mjs";
import { readDrawing } from "../../pages/pictures/reading.mjs";

const ROLES = ["ink", "quiet", "background", "series-1", "series-2"];
const { window, roles } = prepare(ROLES);
Object.assign(box, { width: 900, height: 440 });
/** @type {any} */
let source;
Object.assign(globalThis, {
  EventSource: class {
    constructor(address) {
      Object.assign(this, { address });
      source = this;
    }
    close() {}
  },
});
const { default: runs } = await import("../../../ui/browser/runs.js");

const RUNS = [
  { name: "a", label: "LSTM", mine: true },
  { name: "b", label: "GRU", mine: true },
];
/** @type {any} */
let root;
let sent = [];
beforeEach(() => {
  const host = window.document.createElement("div");
  window.document.body.append(host);
  root = host.attachShadow({ mode: "open" });
  sent = [];
  const data = { runs: RUNS, recorded: [] };
  runs(/** @type {any} */ ({ data, parentElement: root, setTriggerValue: (_, value) => sent.push(value) }));
});

const tell = (message) => source.onmessage({ data: JSON.stringify(message) });
/** A run of 40 steps that halves its loss every 10 steps, from 4 nats on. */
const trained = (state) => ({
  state,
  step: 40,
  steps: 40,
  uniform: 5,
  since: [0, 0, 0],
  losses: Array.from({ length: 40 }, (_, i) => 4 / 2 ** (i / 10)),
  norms: Array(40).fill(1),
  evaluations: [0, 20, 40].map((step) => [step, 4 / 2 ** (step / 10), [], Math.exp(4 / 2 ** (step / 10))]),
  samples: [
    [0, "dog dog"],
    [40, "the dog runs"],
  ],
});
const allowed = (card) =>
  [...root.querySelectorAll(`[data-run=${card}] button[data-verb]`)].filter((each) => !each.disabled).map(word);
const word = (each) => each.textContent;
const lines = () => readDrawing(root.querySelector("svg.curves"), roles);

for (const [state, words] of /** @type {const} */ ([
  ["queued", ["Pause", "Stop"]],
  ["running", ["Pause", "Stop"]],
  ["copying", []],
  ["paused", ["One step", "Resume", "Stop"]],
  ["interrupted", ["One step", "Resume", "Stop"]],
  ["finished", []],
  ["diverged", []],
  ["stopped", []],
  ["failed", []],
  ["gone", []],
  ["away", []],
]))
  test(`a run that is ${state} takes ${words.join(", ") || "no order"}`, () => {
    tell({ a: trained(state) });
    assert.deepEqual(allowed("a"), words);
  });

test("a run that comes to rest reports it, one that is found at rest does not", () => {
  tell({ a: trained("running"), b: trained("finished") });
  assert.deepEqual(sent, []);
  tell({ a: { state: "interrupted" } });
  assert.deepEqual(sent, [
    [
      ["a", "interrupted"],
      ["b", "finished"],
    ],
  ]);
});

test("beside each loss on the left axis stands its perplexity on the right, e to the loss", () => {
  tell({ a: trained("running") });
  const texts = [...root.querySelectorAll("svg.curves text")];
  const losses = texts.filter((each) => each.getAttribute("class") === "nats");
  assert.ok(losses.length > 2);
  for (const loss of losses) {
    const [, beside] = texts.filter((each) => each.getAttribute("y") === loss.getAttribute("y"));
    const wanted = Math.exp(Number(word(loss)));
    const shown = Number(word(beside).replaceAll(",", ""));
    assert.ok(Math.abs(shown - wanted) <= 0.006 * wanted + 0.005, `${word(loss)}: ${word(beside)}, not ${wanted}`);
  }
});

test("a later part of a history begins where it says, and one sent again replaces what was there", () => {
  tell({ a: trained("running"), b: trained("running") });
  tell({ a: { since: [10, 1, 1], losses: [9, 9], norms: [2, 2], evaluations: [[12, 9, [], 8103]], samples: [] } });
  const range = root.querySelector("input[type=range]");
  assert.equal(range.max, "40"); // the other run's
  assert.match(word(root.querySelector("[data-run=a] .numbers")), /^batch 9 · validation 9 nats, perplexity 8,?103/);
  assert.match(
    root.querySelector("svg.curves").getAttribute("aria-label"),
    /LSTM: validation loss 9 nats after step 12/,
  );
});

test("the look back shows the losses and the text of an earlier step, with a line at that step", () => {
  tell({ a: trained("running") });
  const range = root.querySelector("input[type=range]");
  assert.equal(lines().filter((each) => each.includes("held")).length, 0);
  assert.match(word(root.querySelector("pre")), /the dog runs/);
  range.value = "20";
  range.dispatchEvent(new window.Event("input"));
  assert.match(word(root.querySelector("[data-run=a] .numbers")), /^batch 1\.07\d* · validation 1 nats/);
  assert.equal(word(root.querySelector("pre")), "dog dog");
  assert.equal(word(root.querySelector("output")), "20 of 40");
  assert.equal(lines().filter((each) => each.includes("held")).length, 1);
});

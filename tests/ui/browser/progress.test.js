// What was completed and answered is kept in the browser: a right answer stays right.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

/** @type {Map<string, string>} */
const stored = new Map();
Object.assign(globalThis, {
  localStorage: { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => void stored.set(name, value) },
  document: { documentElement: { dataset: {} } },
});
const { answers, donePages, forgetAnswers, forgetDone, markAnswer, markDone } =
  await import("../../../ui/browser/progress.js");
beforeEach(() => stored.clear());

test("a wrong answer becomes right, and a right one stays right", () => {
  markAnswer("neuron/sum", "wrong");
  markAnswer("lstm/gate", "right");
  assert.deepEqual(answers(), { "neuron/sum": "wrong", "lstm/gate": "right" });
  markAnswer("neuron/sum", "right");
  markAnswer("lstm/gate", "wrong");
  assert.deepEqual(answers(), { "neuron/sum": "right", "lstm/gate": "right" });
  forgetAnswers();
  assert.deepEqual(answers(), {});
});

test("a page is completed once, and what is not ours is no page", () => {
  markDone("neuron");
  markDone("rnn");
  markDone("neuron");
  assert.deepEqual(donePages(), ["neuron", "rnn"]);
  assert.equal(document.documentElement.dataset.done, "neuron rnn");
  forgetDone();
  assert.deepEqual(donePages(), []);
  for (const other of ["{", "7", '{"a": 1}', "[1, null]"]) {
    stored.set("lml-done", other);
    stored.set("lml-answers", other);
    assert.deepEqual([donePages(), answers()], [[], {}]);
  }
});

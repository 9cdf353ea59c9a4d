// The keys of a page turn its beats, whatever is drawn before the server has answered.

import assert from "node:assert/strict";
import { register } from "node:module";
import { beforeEach, test } from "node:test";

// served.js is written by the server: here it is empty.
const served = "data:text/javascript,export const PALETTE = {}, STYLE = ''";
const resolve = `export const resolve = (name, from, next) =>
  name.endsWith("/served.js") ? { url: ${JSON.stringify(served)}, shortCircuit: true } : next(name, from);`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);

const dataset = /** @type {Record<string, string>} */ ({});
const window = new EventTarget();
Object.assign(globalThis, {
  window,
  document: {
    documentElement: { dataset, classList: { contains: () => false, add() {}, remove() {} } },
    querySelector: () => null,
  },
  location: { pathname: "/masking", search: "?present=1" },
  CSSStyleSheet: class {
    replaceSync() {}
  },
});
const { default: keys } = await import("../../../ui/browser/keys.js");

let sent = [];
let page = {};
beforeEach(() => {
  sent = [];
  page = {};
});

/** Draw the page at a beat; it has answered the key press with that number, or none. */
function draw(beat, answered = 0, parentElement = page) {
  const data = { mode: "present", beat, last: 9, steps: [1, 2, 3, 4, 5], asked: "", verdict: "", answered };
  return keys(/** @type {any} */ ({ data, parentElement, setTriggerValue: (name, value) => sent.push(value) }));
}

function press(key, more = {}) {
  const event = /** @type {any} */ (new Event("keydown"));
  Object.assign(event, { key }, more);
  event.composedPath = () => [{ closest: () => null, matches: () => false }];
  window.dispatchEvent(event);
}

const turnedTo = () => sent.map(({ event, value }) => `${event} ${value}`);

test("keys that come faster than answers turn one beat each", () => {
  draw(2, performance.now());
  press("PageDown");
  press("PageDown");
  assert.deepEqual(turnedTo(), ["beat 3", "beat 4"]);
});

test("a page of an earlier beat, drawn before the answer, takes no beat back", () => {
  draw(2, performance.now());
  press("PageDown");
  press("PageDown");
  draw(2);
  press("PageUp");
  assert.deepEqual(turnedTo().at(-1), "beat 3");
});

test("once a key is answered, the page's own beat counts", () => {
  draw(2, performance.now());
  press("PageDown");
  draw(5, sent[0].turn);
  press("PageUp");
  assert.deepEqual(turnedTo(), ["beat 3", "beat 4"]);
});

test("keys stay alive where their new place is mounted before the old one is left", () => {
  const leaveOld = draw(2, performance.now());
  const leaveNew = draw(2, performance.now(), {});
  leaveOld();
  press("PageDown");
  assert.deepEqual(turnedTo(), ["beat 3"]);
  assert.equal(dataset.beat, "present 2");
  leaveNew();
  press("PageDown");
  assert.equal(sent.length, 1);
  assert.equal("beat" in dataset, false);
});

test("each key sends what it is for", () => {
  const keys = [["ArrowRight"], ["ArrowLeft"], [" "], ["PageUp"], ["n"], ["N", { shiftKey: true }], ["Escape"]];
  const does = ["beat 3", "beat 1", "beat 3", "beat 1", "example 1", "example -1", "leave 0"];
  for (const [key, more] of keys) {
    draw(2, performance.now(), {});
    press(key, more);
  }
  assert.deepEqual(turnedTo(), does);
});

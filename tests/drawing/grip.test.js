// A handle that is dragged to the right or upwards makes its number larger.

import assert from "node:assert/strict";
import { test } from "node:test";

import { grip } from "../../drawing/grip.js";
import { moveEvent } from "../../drawing/frames.js";

/** What a handle sends when it is dragged from one point to another. */
function dragged(way, [fromX, fromY], [toX, toY]) {
  const listeners = {};
  const svg = { addEventListener: (name, call) => (listeners[name] = call), setPointerCapture() {} };
  const target = { dataset: { n: "w", per: "2", way }, closest: (kind) => (kind === "[data-n]" ? target : null) };
  const sent = [];
  globalThis.window = /** @type {any} */ (new EventTarget());
  window.addEventListener(moveEvent("g"), (event) => sent.push(/** @type {any} */ (event).detail));
  grip({ svg: /** @type {any} */ (svg), unit: () => 5, value: () => 1, group: () => "g" });
  listeners.pointerdown({ target, button: 0, pointerId: 1, clientX: fromX, clientY: fromY });
  listeners.pointermove({ clientX: toX, clientY: toY });
  listeners.pointerup({ clientX: toX, clientY: toY });
  return sent;
}

test("to the right", () => {
  assert.deepEqual(dragged("x", [100, 100], [120, 160]), [
    { name: "w", value: 3, settled: false },
    { name: "w", value: 3, settled: true },
  ]);
});

test("upwards", () => {
  assert.equal(dragged("y", [100, 100], [160, 80]).at(-1)?.value, 3);
  assert.equal(dragged("y", [100, 100], [100, 110]).at(-1)?.value, 0);
});

test("a press that does not move sends nothing", () => {
  assert.deepEqual(dragged("x", [100, 100], [101, 100]), []);
});

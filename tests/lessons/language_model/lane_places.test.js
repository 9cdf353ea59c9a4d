// Where the words of a sentence stand, and how short their numbers are.

import assert from "node:assert/strict";
import { test } from "node:test";

import { clippedTo, shortNumber, windowOf } from "../../../lessons/language_model/lane_places.js";

test("what fits is shown whole, and else a window with the word looked at in its middle", () => {
  assert.deepEqual(windowOf(10, 12, 3, null), [0, 10]);
  assert.deepEqual(windowOf(30, 10, 0, null), [0, 10]);
  assert.deepEqual(windowOf(30, 10, 15, null), [10, 10]);
  assert.deepEqual(windowOf(30, 10, 30, null), [20, 10]);
  assert.deepEqual(windowOf(5, 0, 2, null), [2, 1]);
});

test("a window that was turned by hand begins there, and never leaves the sentence", () => {
  assert.deepEqual(windowOf(30, 10, 15, 0), [0, 10]);
  assert.deepEqual(windowOf(30, 10, 15, 28), [20, 10]);
  assert.equal(clippedTo(-3, 5), 0);
});

test("a probability has two digits, and what is nearly 1 is not printed as 1", () => {
  assert.deepEqual([0.5317, 0.0029283, 1.07e-5, 0.1, 0].map(shortNumber), ["0.53", "0.0029", "1.1×10⁻⁵", "0.1", "0"]);
  assert.deepEqual([1, 0.9997, 0.9949].map(shortNumber), ["1", "≈1", "0.99"]);
});

// The packed weights of a model's heads, and what the filters leave of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CODES, VALUES, decode, share, textOf } from "../../../lessons/heads/heads_codes.js";
import { codeAt, largestKeys, rowOf, viewOf, windowAround } from "../../../lessons/heads/heads_state.js";

test("two codes stand in three bytes", () => {
  assert.deepEqual(
    [...decode(new Uint8Array([0xab, 0xcd, 0xef, 0x12, 0x30, 0x00]), 3).subarray(0, 3)],
    [0xabc, 0xdef, 0x123],
  );
});

test("a larger code is a larger weight, from 0 to 1, and its text is the same number", () => {
  assert.equal(VALUES.length, CODES);
  assert.deepEqual([VALUES[0], VALUES[1], VALUES[CODES - 1]], [0, 0, 1]);
  assert.ok(VALUES.every((value, code) => code < 2 || value > VALUES[code - 1]));
  assert.ok(VALUES.every((value, code) => code < 2 || Math.abs(Number(textOf(code)) - value) < 1e-12));
  assert.deepEqual([0, 1, 2, CODES - 1].map(textOf), ["0", "< 0.00001", "0.000010", "1.000"]);
});

test("a faint weight is brought out by its root", () => {
  assert.deepEqual([share(0.25, { faint: false }), share(0.25, { faint: true })], [0.25, 0.5]);
});

const data = {
  tokens: ["[CLS]", "a", "[SEP]", "b"],
  special: [true, false, true, false],
  segments: [0, 0, 0, 1],
  hides: false,
  between: "all",
};

test("a code is found by layer, head, query and key", () => {
  const codes = Array.from({ length: 32 }, (_, i) => i);
  assert.equal(codeAt(codes, 2, 4, { layer: 0, head: 1 }, 2, 3), 16 + 2 * 4 + 3);
});

test("filters leave places, and all of them where they would leave none", () => {
  const view = (how) => viewOf({ ...data, ...how });
  assert.deepEqual(view({}).rows, [0, 1, 2, 3]);
  assert.deepEqual(view({ hides: true }), { rows: [1, 3], columns: [1, 3] });
  assert.deepEqual(view({ hides: true, between: "AB" }), { rows: [1], columns: [3] });
  assert.deepEqual(view({ segments: [0, 0, 0, 0], between: "BA" }).rows, [0, 1, 2, 3]);
});

test("a head has its own row of numbers", () => {
  const all = { names: ["w0", "w1"], heads: 3, numbers: Float64Array.from({ length: 12 }, (_, i) => i) };
  assert.deepEqual([...rowOf(/** @type {any} */ (all), { layer: 1, head: 2 })], [10, 11]);
});

test("of many keys those with the largest weights are shown, as they stand, and the marked one", () => {
  const weight = (j) => [0.1, 0.4, 0, 0.3, 0.2][j];
  assert.deepEqual(largestKeys([0, 1, 2, 3, 4], weight, 9), [0, 1, 2, 3, 4]);
  assert.deepEqual(largestKeys([0, 1, 2, 3, 4], weight, 3), [1, 3, 4]);
  assert.deepEqual(largestKeys([0, 1, 2, 3, 4], weight, 3, 2), [1, 2, 3]);
});

test("a window holds the place that is followed, and moves no further than it must", () => {
  assert.equal(windowAround(null, 10, 100, 50), 45);
  assert.equal(windowAround(45, 10, 100, 54), 45);
  assert.equal(windowAround(45, 10, 100, 60), 51);
  assert.equal(windowAround(45, 10, 100, 3), 3);
  assert.equal(windowAround(null, 10, 100, 99), 90);
  assert.equal(windowAround(null, 10, 4, 1), 0);
});

// The packed weights of a model's heads, and what the filters leave of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { CODES, VALUES, decode, share, textOf } from "../../../lessons/heads/heads_codes.js";
import { codeAt, followedNow, viewOf } from "../../../lessons/heads/heads_state.js";

test("two codes stand in three bytes", () => {
  assert.deepEqual([...decode(new Uint8Array([0xab, 0xcd, 0xef, 0x12, 0x30, 0x00]), 3).subarray(0, 3)], [0xabc, 0xdef, 0x123]);
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

const data = { layers: 1, heads: 2, tokens: ["[CLS]", "a", "[SEP]", "b"], special: [true, false, true, false], segments: [0, 0, 0, 1] };

test("a code is found by layer, head, query and key", () => {
  const codes = Array.from({ length: 32 }, (_, i) => i);
  assert.equal(codeAt({ codes, data }, { layer: 0, head: 1 }, 2, 3), 16 + 2 * 4 + 3);
});

test("filters leave places, and all of them where they would leave none", () => {
  const view = (at) => viewOf({ data, at: { special: false, between: "all", ...at } });
  assert.deepEqual(view({}).rows, [0, 1, 2, 3]);
  assert.deepEqual(view({ special: true }), { rows: [1, 3], columns: [1, 3] });
  assert.deepEqual(view({ special: true, between: "AB" }), { rows: [1], columns: [3] });
  assert.deepEqual(viewOf({ data: { ...data, segments: [0, 0, 0, 0] }, at: { special: false, between: "BA" } }).rows, [0, 1, 2, 3]);
});

test("what is pointed at is followed before what was pressed", () => {
  assert.deepEqual(followedNow({ at: { query: 1, key: 2 }, point: null }), { query: 1, key: 2 });
  assert.deepEqual(followedNow({ at: { query: 1, key: 2 }, point: { query: 3 } }), { query: 3, key: 2 });
});

// What becomes of words at given shares, and where their squares stand.

import assert from "node:assert/strict";
import test from "node:test";
import {
  blocksOf,
  countsOf,
  edgesOf,
  fatesOf,
  fieldOf,
  highest,
  sortedPlaces,
} from "../../../lessons/masking/fates_places.js";

const COUNT = 10000;
const BOX = { left: 20, top: 8, wide: 700, high: 440 };
const exact = Float32Array.from({ length: 2 * COUNT }, (_, i) => ((i * 7919) % 10007) / 10007);
const order = Uint16Array.from({ length: COUNT }, (_, i) => i).sort((a, b) => exact[a] - exact[b]);
const SHARES = [
  { chosen: 0.15, masked: 0.8, upto: 0.9 },
  { chosen: 0.15, masked: 1, upto: 1 },
  { chosen: 1, masked: 0.01, upto: 0.02 },
  { chosen: 0.5, masked: 0, upto: 1 },
  { chosen: 0, masked: 0.8, upto: 0.9 },
];

test("a number is compared with a share as float32", () => {
  const numbers = Float32Array.from([0.15, 0.1499, 0.1, 0.1, 0.8, 0.9, 0.85, 0.79999]);
  assert.deepEqual([...fatesOf(numbers, { chosen: 0.15, masked: 0.8, upto: 0.9 })], [0, 3, 2, 1]);
});

test("every square has a place of its own in the field, in both orders", () => {
  for (const sharp of [1, 1.67, 2, 3]) {
    const field = fieldOf(COUNT, BOX, sharp);
    assert.ok(field.columns * field.pitch <= BOX.wide + 1e-6 && field.rows * field.columns >= COUNT);
    for (const shares of SHARES) {
      const places = sortedPlaces(field, fatesOf(exact, shares), order);
      const taken = new Set(Array.from({ length: COUNT }, (_, i) => `${places[i]} ${places[COUNT + i]}`));
      assert.equal(taken.size, COUNT);
      assert.ok(Math.max(...places.subarray(0, COUNT)) < field.columns);
      assert.ok((Math.max(...places.subarray(COUNT)) + 1) * field.pitch <= BOX.high + 1e-6);
    }
  }
});

test("a phone has room for them, too", () => {
  const field = fieldOf(COUNT, { left: 8, top: 6, wide: 332, high: 220 }, 1);
  assert.ok(field.columns * field.pitch <= 332.01 && (field.rows + 5) * field.pitch <= 220.01);
  assert.ok(field.pitch > 2.3);
});

test("blocks are as large as their counts, and edges lie between them", () => {
  const field = fieldOf(COUNT, BOX, 2);
  for (const shares of SHARES) {
    const counts = countsOf(fatesOf(exact, shares));
    const blocks = blocksOf(field, counts);
    blocks.forEach((block, k) => {
      assert.equal(block === null, counts[k + 1] === 0);
      if (block) assert.ok(block.columns * block.rows >= counts[k + 1]);
    });
    const { first, second, below } = edgesOf(field, blocks);
    assert.ok(first <= second && below <= field.top + (highest(blocks) + 2) * field.pitch);
  }
});

test("a larger share moves no square that was chosen before it", () => {
  const field = fieldOf(COUNT, BOX, 2);
  const [before, after] = [0.15, 0.16].map((chosen) => fatesOf(exact, { chosen, masked: 0.8, upto: 0.9 }));
  before.forEach((fate, i) => assert.ok(fate === 0 || after[i] === fate));
  const turns = sortedPlaces(field, after, order);
  const last = order.filter((i) => after[i] === 1).at(-1);
  assert.equal(turns[COUNT + last], highest(blocksOf(field, countsOf(after))) - 1);
});

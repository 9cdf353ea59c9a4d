// Ticks, ranges and points: by hand, and what holds for any of them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { evenTicks, logarithmicTicks, lossRange, meanOfEvery, nearestPosition } from "../../drawing/scales.js";

test("even ticks are round numbers inside the range", () => {
  assert.deepEqual(evenTicks(0, 10), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(evenTicks(0, 1), [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(evenTicks(-3, 4, 3), [-2, 0, 2, 4]);
  assert.deepEqual(evenTicks(0, 3000, 3), [0, 1000, 2000, 3000]);
  assert.deepEqual(evenTicks(0.1, 0.32), [0.1, 0.15, 0.2, 0.25, 0.3]);
});

test("logarithmic ticks are at most eight, ascending and inside the range", () => {
  for (const [low, high] of [
    [0.001, 10],
    [0.5, 4],
    [1.1, 1.3],
    [2, 2.4],
    [0.01, 3],
  ]) {
    const ticks = logarithmicTicks(low, high);
    assert.ok(ticks.length >= 2 && ticks.length <= 8, `${low} to ${high}: ${ticks}`);
    assert.ok(ticks.every((tick, i) => tick >= low && tick <= high && (i === 0 || tick > ticks[i - 1])));
  }
  assert.deepEqual(logarithmicTicks(0.9, 4.5), [1, 1.5, 2, 3, 4]);
});

test("the mean of every two losses has the step at which it ends; no number has no mean", () => {
  assert.deepEqual(meanOfEvery([1, 3, 5, 7, 9], 2), [
    [2, 2],
    [4, 6],
  ]);
  assert.deepEqual(meanOfEvery([1, null, 5, 7], 2), [[4, 6]]);
});

test("the frame holds what was judged and the bounds; batches may leave it at the top", () => {
  const histories = [
    {
      evaluations: [
        [0, 3],
        [10, 2],
        [20, null],
      ],
    },
  ];
  const [low, high] = lossRange(
    [
      [
        [1, 50],
        [2, 1.5],
      ],
    ],
    histories,
    3.3,
    1.2,
  );
  assert.ok(low < 1.2 && high > 3.3 && high < 50);
});

test("the nearest position; the first of two that are as near", () => {
  assert.equal(nearestPosition([-1, 0, 1], 0.6), 2);
  assert.equal(nearestPosition([-1, 0, 1], 0.5), 1);
});

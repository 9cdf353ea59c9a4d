// Where numbers stand on the axes of the unit.

import assert from "node:assert/strict";
import { test } from "node:test";

import { barEnds, curveScales } from "../../../lessons/neuron/neuron_scales.js";

const BOX = { left: 100, right: 300, top: 50, foot: 250 };

test("z runs from the left of the box to its right, and what is off the axis stands at its end", () => {
  const { across } = curveScales({ reach: 6, low: -1, high: 1 }, BOX);
  assert.deepEqual([-6, 0, 6, 60, -60].map(across), [100, 200, 300, 300, 100]);
});

test("y runs from the bottom of the box to its top, with a little room beyond its ends", () => {
  const { down } = curveScales({ reach: 6, low: -1, high: 3 }, BOX);
  assert.equal(down(1), 150);
  assert.ok(down(-1) < 250 && down(-1) > 240);
  assert.ok(down(3) > 50 && down(3) < 60);
  assert.deepEqual([down(99), down(-99)], [50, 250]);
});

test("the bars' scale holds 0 and every sum, and ends at round numbers", () => {
  assert.deepEqual(barEnds([0, 0]), [0, 1]);
  assert.deepEqual(barEnds([0.3, 1.7]), [0, 2]);
  assert.deepEqual(barEnds([-0.4, 23]), [-0.5, 50]);
  assert.deepEqual(barEnds([-3, -0.1]), [-5, 0]);
});

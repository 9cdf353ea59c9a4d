// Where numbers stand on the axes of the unit.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PLOT, barScale, scalesOf, widen } from "../../../lessons/neuron/neuron_scales.js";

test("z runs from the left of the plot to its right, and what is off the axis stands at its end", () => {
  const { across } = scalesOf({ reach: 6, low: -1, high: 1 }, 100);
  assert.deepEqual([-6, 0, 6, 60, -60].map(across), [PLOT.left, 242, PLOT.right, PLOT.right, PLOT.left]);
});

test("y runs from the bottom of the frame to its top, and goes on a little beyond", () => {
  const { down } = scalesOf({ reach: 6, low: -1, high: 3 }, 100);
  const near = (y, expected) => assert.ok(Math.abs(y - expected) < 1e-9, `${y}`);
  near(down(-1), 100 + PLOT.curve);
  near(down(3), 100);
  near(down(1), 100 + PLOT.curve / 2);
  near(down(99), 100 - 0.02 * PLOT.curve);
  near(down(-99), 100 + 1.02 * PLOT.curve);
});

test("the bars' scale begins at 0, ends at a round number, and never shrinks", () => {
  const scale = { low: 0, high: 0 };
  assert.deepEqual(widen(scale, [0, 0]), { low: 0, high: 1 });
  assert.deepEqual(widen(scale, [0.3, 1.7]), { low: 0, high: 2 });
  assert.deepEqual(widen(scale, [-0.4, 23]), { low: -0.5, high: 50 });
  assert.deepEqual(widen(scale, [0.1]), { low: -0.5, high: 50 });
  assert.deepEqual([-0.5, 50, 1e6].map(barScale(scale)), [PLOT.left, PLOT.right, PLOT.right]);
});

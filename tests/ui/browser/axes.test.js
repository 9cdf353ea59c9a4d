// Where numbers stand on the axes of the unit and of the vanishing gradient.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PLOT as GAINS, apart, scalesOf as gainScales } from "../../../lessons/lstm/vanish_scales.js";
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

test("a power of ten is as far from the next everywhere, and what is beyond stays at the edge", () => {
  const { x, y } = gainScales({ steps: 50, low: -12, high: 6 }, 560);
  const step = (GAINS.bottom - GAINS.top) / 18;
  for (let power = -12; power <= 6; power++) {
    assert.ok(Math.abs(y(10 ** power) - (GAINS.top + (6 - power) * step)) < 1e-9, `10^${power}`);
  }
  assert.deepEqual([0, 1e-20, 1e9].map(y), [GAINS.bottom, GAINS.bottom, GAINS.top]);
  assert.deepEqual([0, 25, 50].map(x), [GAINS.left, 309, 560]);
});

test("the curve of gains has a point a step", () => {
  const { along } = gainScales({ steps: 2, low: -1, high: 1 }, 258);
  assert.equal(along([10, 1, 0.1]), "M58,12L158,171L258,330");
});

test("labels keep their order from the highest down, and none is on another", () => {
  assert.deepEqual(apart([200, 40, 44]), [205, 45, 62]);
  assert.deepEqual(apart([0, 0, 0]), [24, 41, 58]);
});

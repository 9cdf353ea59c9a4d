// Where numbers stand on the axes of the vanishing gradient.

import assert from "node:assert/strict";
import { test } from "node:test";

import { PLOT as GAINS, apart, scalesOf as gainScales } from "../../../lessons/lstm/vanish_scales.js";

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

// Where numbers stand on the axes of the vanishing gradient.

import assert from "node:assert/strict";
import { test } from "node:test";

import { apart, scalesOf } from "../../../lessons/lstm/vanish_scales.js";

const BOX = { left: 58, right: 560, top: 12, foot: 330 };

test("a power of ten is as far from the next everywhere, and what is beyond stays at the edge", () => {
  const { x, y } = scalesOf({ steps: 50, low: -12, high: 6 }, BOX);
  const step = (BOX.foot - BOX.top) / 18;
  for (let power = -12; power <= 6; power++) {
    assert.ok(Math.abs(y(10 ** power) - (BOX.top + (6 - power) * step)) < 1e-9, `10^${power}`);
  }
  assert.deepEqual([0, 1e-20, 1e9].map(y), [BOX.foot, BOX.foot, BOX.top]);
  assert.deepEqual([0, 25, 50].map(x), [BOX.left, 309, 560]);
});

test("the curve of gains has a point a step", () => {
  const { along } = scalesOf({ steps: 2, low: -1, high: 1 }, { ...BOX, right: 258 });
  assert.equal(along([10, 1, 0.1]), "M58,12L158,171L258,330");
});

test("labels keep their order from the highest down, none is on another, and all stay in the box", () => {
  const box = { top: 24, foot: 330 };
  assert.deepEqual(apart([200, 40, 44], 17, box), [205, 45, 62]);
  assert.deepEqual(apart([0, 0, 0], 17, box), [24, 41, 58]);
  assert.deepEqual(apart([330, 330, 330], 17, box), [296, 313, 330]);
});

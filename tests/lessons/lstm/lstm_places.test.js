// Where the parts of an LSTM cell stand, and how high a level is.

import assert from "node:assert/strict";
import { test } from "node:test";

import { levels, narrowPlaces, widePlaces } from "../../../lessons/lstm/lstm_places.js";

test("0 is in the middle of a pipe, ±reach at its walls, and what is beyond stays there", () => {
  const { y, mid, half } = levels({ top: 20, foot: 120 }, 2);
  assert.deepEqual([mid, half], [70, 50]);
  assert.deepEqual([2, 1, 0, -1, -2, 5, -5].map(y), [20, 45, 70, 95, 120, 20, 120]);
});

const SIZES = [
  [1036, 514],
  [1036, 420],
  [1036, 355],
  [1316, 514],
  [1070, 450],
];

for (const [width, height] of SIZES) {
  test(`in ${width} × ${height} pipes, valves and numbers stand below and beside one another`, () => {
    const { top, low, knobs, x, knob, knobWidth, out } = widePlaces({ width, height });
    assert.ok(top.foot < low.top && low.foot + 35 < knobs - 15 && knobs + 17 < height);
    assert.ok(x.start < x.forget && x.forget < x.join && x.joined < x.drop && x.dropped < x.end && x.end < width);
    assert.ok(
      x.candidate < x.input && x.input < x.join && x.squashed < x.drop && x.dropped < x.output && x.output < x.shown,
    );
    assert.ok(x.shown < out.x - out.r);
    assert.ok(knob.z_c - knob.z_f >= knobWidth && knob.z_i - knob.z_c >= knobWidth && knob.z_o - knob.z_i >= knobWidth);
  });
}

for (const [width, height] of [
  [372, 432],
  [344, 340],
  [344, 400],
]) {
  test(`on a phone, ${width} × ${height}, there is room for the gates' numbers above those of z`, () => {
    const { top, low, knobs, x } = narrowPlaces({ width, height });
    assert.ok(top.foot < low.top && low.foot + 22 < knobs - 15 && knobs + 40 < height);
    assert.ok(x.joined < x.squashed && x.shown < width && x.end < width);
  });
}

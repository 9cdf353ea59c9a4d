// Where the parts of the picture of a descent stand, and its scales.

import assert from "node:assert/strict";
import { test } from "node:test";

import { crossings } from "../../../drawing/crossings.js";
import {
  dataScale,
  levels,
  lossScale,
  lossTicks,
  places,
  surfaceScale,
} from "../../../lessons/descent/descent_places.js";

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 439, narrow: false },
  { width: 1069, height: 450, narrow: false },
  { width: 1316, height: 514, narrow: false },
  { width: 356, height: 392, narrow: true },
  { width: 330, height: 330, narrow: true },
];

test("every part lies within the drawing with room for its ticks, and none over another", () => {
  for (const room of ROOMS) {
    const { data, surface, rate, strip, player } = places(room);
    for (const box of [data, surface, rate, strip]) {
      assert.ok(box.left >= 30 && box.top >= 18 && box.wide > 60 && box.high > 20, JSON.stringify([room, box]));
      assert.ok(box.left + box.wide <= room.width && box.top + box.high + 17 <= room.height);
    }
    assert.ok(data.left + data.wide + 28 <= surface.left);
    assert.ok(Math.max(data.top + data.high, surface.top + surface.high) + 30 <= Math.min(rate.top, strip.top));
    assert.ok(room.narrow ? rate.top + rate.high + 30 <= strip.top : rate.left + rate.wide < player.x - 17);
    assert.ok(player.x + 17 < strip.left && player.y + 17 <= room.height);
  }
});

test("the surface has one scale for both axes, shows its square, and a place comes back", () => {
  const box = { left: 100, top: 50, wide: 500, high: 300 };
  const scale = surfaceScale(box, { center: [1, -2], half: 3 });
  assert.deepEqual([scale.x(1), scale.y(-2)], [350, 200]);
  assert.equal(scale.x(2) - scale.x(1), scale.y(-2) - scale.y(-1));
  assert.deepEqual([scale.y(1), scale.y(-5)], [50, 350]);
  assert.deepEqual(scale.back(scale.x(0.5), scale.y(-1)), [0.5, -1]);
  assert.deepEqual(scale.ends, [-4, 6, -5, 1]);
});

test("a point of the data comes back from where it is drawn", () => {
  const scale = dataScale({ left: 40, top: 30, wide: 200, high: 100 }, [-1, 3, 0, 2]);
  assert.deepEqual([scale.x(-1), scale.x(3), scale.y(0), scale.y(2)], [40, 240, 130, 30]);
  assert.deepEqual(scale.back(scale.x(0), scale.y(1.5)), [0, 1.5]);
});

test("a loss beyond the axis, or no number, is drawn at its upper end", () => {
  const y = lossScale(0.1, 10, true, { top: 100, high: 50 });
  assert.deepEqual(
    [0.1, 1, 10, 1e9, Infinity, NaN].map((loss) => Math.round(y(loss))),
    [150, 125, 100, 100, 100, 100],
  );
  assert.equal(y(-3), 150);
  assert.equal(Math.round(lossScale(-1, 3, false, { top: 100, high: 50 })(1)), 125);
});

test("a logarithmic axis has two to four round ticks", () => {
  for (const [low, high] of [
    [0.1, 28],
    [1e-5, 4],
    [0.3, 3],
    [2, 9],
    [0.001, 0.8],
  ]) {
    const ticks = lossTicks(low, high, true);
    assert.ok(ticks.length >= 2 && ticks.length <= 4, `${low} ${high}: ${ticks}`);
    assert.ok(ticks.every((tick) => tick >= low && tick <= high));
  }
});

test("contours of a bowl are at even distances", () => {
  const found = levels(1, 5, 2, 4).map((level) => Math.sqrt(level - 1));
  found.slice(1).forEach((distance, i) => assert.ok(Math.abs(distance - found[i] - 0.5) < 1e-12));
});

test("a slope is crossed once in each row, where it has the level", () => {
  const side = 5;
  const map = Array.from({ length: side * side }, (_, i) => i % side);
  const pieces = crossings(map, side, 1.5, [0, 4, 0, 4]);
  assert.equal(pieces.length, 4);
  for (const [x1, , x2] of pieces) assert.deepEqual([x1, x2], [1.5, 1.5]);
  assert.equal(crossings(map, side, 1.5, [0, 4, 1, 3]).length, 2);
});

// Distances on a map are those of its points.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mapScale } from "../../drawing/map_scale.js";

test("all points lie in the map, with one unit for both axes, whatever its shape", () => {
  const points = Float32Array.from([-1, 2, 3, -4, 0, 0, 7, 1]);
  for (const box of [
    { left: 100, top: 50, wide: 400, high: 300 },
    { left: 0, top: 0, wide: 1600, high: 200 },
    { left: 5, top: 9, wide: 200, high: 900 },
  ]) {
    const { x, y } = mapScale(points, box, 20);
    for (let i = 0; i < points.length; i += 2) {
      assert.ok(x(points[i]) >= box.left + 20 - 1e-9 && x(points[i]) <= box.left + box.wide - 20 + 1e-9);
      assert.ok(y(points[i + 1]) >= box.top + 20 - 1e-9 && y(points[i + 1]) <= box.top + box.high - 20 + 1e-9);
    }
    assert.ok(Math.abs(x(1) - x(0) - (y(0) - y(1))) < 1e-9);
  }
});

// Where packed inputs are drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { placesOf } from "../../../lessons/masking/packed_places.js";

for (const [width, height, narrow] of /** @type {[number, number, boolean][]} */ ([
  [1036, 480, false],
  [360, 440, true],
]))
  for (const [length, counts] of /** @type {[number, [number, number]][]} */ ([
    [8, [5, 6]],
    [16, [2, 3]],
    [40, [1, 3]],
  ]))
    test(`inputs of ${length} in ${width} × ${height} are inside their frames, which do not meet`, () => {
      const at = placesOf(width, height, narrow, length, counts);
      counts.forEach((count, group) => {
        const { left, right, top, foot } = at.frame(group);
        assert.ok(left >= 0 && right <= width && top >= 0 && foot <= height);
        assert.ok(at.x(0) > left && at.x(length) < right);
        assert.ok(at.top(group, 0) > top && at.top(group, count - 1) + at.high < foot);
      });
      assert.ok(at.frame(0).foot < at.frame(1).top);
    });

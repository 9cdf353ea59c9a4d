// Where the network, its floors and its freeze line are drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { barsPath, floorsOf, nearestLine, placesOf } from "../../../lessons/transfer/small_head_places.js";

const parts = [{ weights: 50 }, { weights: 200 }, { weights: 200 }];
const tokens = Array.from({ length: 14 }, (_, i) => `word${i}`);

test("the tokens stand below the network, and the head above it", () => {
  for (const shown of ["head", "freeze"]) {
    for (const [width, height, narrow] of [
      [1150, 496, false],
      [1036, 440, false],
      [360, 392, true],
    ]) {
      const at = placesOf({ data: { shown, tokens, parts }, width, height, narrow });
      assert.ok(at.slab.foot < at.words && at.words < height);
      assert.ok(at.zone.foot < at.vectors && at.vectors < at.slab.top && at.zone.top < at.zone.foot);
      assert.ok(at.x(0) > at.slab.left && at.x(13) < at.slab.right && at.slab.right <= width);
    }
  }
});

test("floors are as high as they have weights, and the line snaps to them", () => {
  const { line, floor } = floorsOf(parts, { left: 0, right: 100, top: 10, foot: 460 });
  assert.equal(line(0), 460);
  assert.equal(line(3), 10);
  assert.equal(floor(1).high / floor(0).high, 4);
  assert.equal(floor(0).top, line(1));
  for (const [y, count] of [[460, 0], [440, 0], [420, 1], [200, 2], [-40, 3]]) assert.equal(nearestLine(line, 3, y), count); // prettier-ignore
});

test("bars go up where positive", () => {
  const path = barsPath([1, -0.5], 1, { left: 0, right: 20, top: 0, foot: 10 });
  assert.equal(path, "M5.0 5.0v-5.0M15.0 5.0v2.5");
});

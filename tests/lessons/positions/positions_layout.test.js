// Where the parts of the picture of waves stand, in every window and with any words.

import assert from "node:assert/strict";
import test from "node:test";
import { chips, narrowPlaces, widePlaces } from "../../../lessons/positions/positions_layout.js";

const WINDOWS = [
  [1036, 514],
  [1036, 439],
  [1316, 514],
  [1070, 450],
  [1090, 516],
  [610, 439],
];

test("nothing stands over another part, and all of it within the picture", () => {
  for (const [width, height] of WINDOWS) {
    for (const rows of [2, 3, 4]) {
      const at = widePlaces(width, height, rows);
      assert.ok(at.waves.right < at.clocks - at.radius && at.clocks + at.radius < at.vectors.left);
      assert.ok(at.vectors.left + 2 * at.vectors.column <= at.vectors.right && at.vectors.right < at.orders.left);
      assert.ok(at.waves.foot < at.score.top && at.score.foot + 18 <= height);
      assert.ok(at.orders.foot <= at.lanes[0].top && at.lanes[0].foot < at.lanes[1].top && at.lanes[1].foot <= height);
      assert.ok(at.orders.right <= width && at.waves.left >= 0);
    }
  }
});

test("a phone has one part below the other", () => {
  for (const [width, height] of [
    [372, 392],
    [372, 430],
    [342, 400],
  ]) {
    const at = narrowPlaces(width, height, 4);
    assert.ok(at.rows <= 4 && at.row >= 30);
    assert.ok(at.orders.foot < at.waves.top && at.waves.foot + 15 < at.lanes[0].top);
    assert.ok(at.lanes[0].right < at.lanes[1].left && at.lanes[1].right <= width && at.lanes[1].foot <= height);
    assert.ok(at.waves.right < at.vectors.left && at.vectors.right <= width);
  }
});

test("the chips of any words fit, and of too many a part is shown", () => {
  for (const wide of [[20, 30], [20, 28, 14, 20, 30], [400, 10, 300], Array(24).fill(60), Array(9).fill(34)]) {
    for (const room of [330, 384, 480]) {
      const { from, found, all } = chips(wide, room, 99);
      assert.equal(all, found.length === wide.length);
      assert.equal(from, wide.length - found.length);
      found.forEach(({ left, width }, i) => {
        assert.ok(left >= -1e-6 && left + width <= room + 1e-6);
        if (i) assert.ok(left >= found[i - 1].left + found[i - 1].width - 1e-6);
      });
    }
  }
});

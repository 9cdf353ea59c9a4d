// Where the strips and the two sums of the head for pairs are drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { placesOf, spikes, wayOf } from "../../../lessons/bert/pair_head_places.js";

const COUNT = 8;
const values = (/** @type {string} */ name) => (name.startsWith("s0") ? 2 : -1);
const data = { rows: new Float64Array(2 * COUNT), choices: ["a", "b"] };

for (const [width, height, narrow] of [
  [1036, 460, false],
  [360, 470, true],
]) {
  test(`everything is inside a stage of ${width} × ${height}, and nothing overlaps`, () => {
    const scene = { data, width, height, narrow, values };
    const at = placesOf(/** @type {any} */ (scene));
    const boxes = [...at.rows.filter(Boolean), at.sums];
    for (const { left, right, top, foot } of boxes) {
      assert.ok(left >= 0 && right <= width && top >= 0 && foot <= height);
      assert.ok(foot - top > 20);
    }
    boxes.slice(1).forEach(({ top }, n) => assert.ok(top > boxes[n].foot));
    assert.equal(at.count, COUNT);
    assert.ok(at.y(2) >= at.sums.top && at.y(-2) <= at.sums.foot);
    assert.ok(at.y(2) < at.y(-1));
    assert.ok(narrow ? at.shares.top >= at.sums.foot : at.shares.left > at.sums.right);
  });
}

test("a spike goes up for a positive number and down for a negative one, no further than its strip", () => {
  const d = spikes({ left: 0, right: 10, top: 0, foot: 20 }, (i) => i, [1, -0.5, 9], 1);
  assert.equal(d, "M0.5 10.0V0.0M1.5 10.0V15.0M2.5 10.0V0.0");
});

test("a sum begins at its bias and ends at its last value", () => {
  const d = wayOf(
    0,
    [1, 3],
    (i) => 10 * i,
    (value) => -value,
  );
  assert.match(d, /^M0 0\.0|^M0 -0\.0/);
  assert.match(d, /H15\.0V-3\.0$/);
});

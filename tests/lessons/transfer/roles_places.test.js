import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "../../../lessons/transfer/roles_places.js";

const data = { uses: Array(6).fill(""), parts: Array(6).fill("") };

for (const [width, height, narrow] of [
  [1036, 440, false],
  [366, 420, true],
]) {
  test(`columns and rows fill the box and do not overlap, ${narrow ? "narrow" : "wide"}`, () => {
    const at = placesOf(/** @type {any} */ ({ data, width, height, narrow }));
    assert.ok(at.x(0) >= at.left && at.x(6) <= width);
    assert.ok(at.y(6) < at.bars.top && at.bars.foot <= height);
    assert.ok(at.row > 30 && at.column > 40);
  });
}

// Where the judgements on two texts are drawn.

import assert from "node:assert/strict";
import test from "node:test";
import { placesOf } from "../../../lessons/bert/judged_places.js";

const data = { judgements: [{}, {}, {}, {}] };

for (const [width, height, narrow] of [
  [1036, 430, false],
  [360, 440, true],
]) {
  test(`the rows follow one another in a stage of ${width} × ${height}, each with its bar`, () => {
    const at = placesOf(/** @type {any} */ ({ data, width, height, narrow }));
    let last = 0;
    data.judgements.forEach((_, n) => {
      const [row, bar] = [at.row(n), at.bar(n)];
      assert.ok(row.top > last && row.foot <= height && row.right <= width);
      assert.ok(bar.left > row.left && bar.right < row.right && bar.top > row.top && bar.foot < row.foot);
      assert.ok(bar.foot > bar.top);
      last = row.foot;
    });
    assert.ok(at.texts[0].foot < at.texts[1].top && at.texts[1].foot <= height);
    if (narrow) assert.ok(at.texts[1].foot < at.row(0).top);
    else
      assert.ok(
        at.texts[0].right < at.vector.x - at.vector.wide / 2 && at.vector.x + at.vector.wide / 2 < at.row(0).left,
      );
  });
}

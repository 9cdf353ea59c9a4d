// Where BART's five ways are drawn, in a wide stage and on a phone.

import assert from "node:assert/strict";
import test from "node:test";
import { placesOf, within } from "../../../lessons/masking/noises_places.js";

const dataOf = (/** @type {number} */ count) => ({ tokens: Array(count).fill("a"), ways: Array(5).fill({}) });

for (const [width, height, narrow] of [
  [1036, 480, false],
  [360, 430, true],
])
  for (const count of [1, 15, 60])
    test(`${count} tokens in ${width} × ${height}: every cell is inside, and no row meets another`, () => {
      const at = placesOf(/** @type {any} */ ({ data: dataOf(count), width, height, narrow }));
      assert.ok(at.shown >= 1 && at.shown <= count);
      for (let i = 0; i < at.shown; i++)
        for (const row of narrow ? [0, 1] : [0, 1, 2, 3, 4, 5, 6]) {
          const { left, right, top, foot } = at.cell(row, i, 1);
          assert.ok(left >= 0 && right <= width + 0.01 && top >= 0 && foot <= height + 0.01);
        }
      if (!narrow) for (let row = 0; row < 6; row++) assert.ok(at.row(row).foot < at.row(row + 1).top);
      for (let way = 0; way < 5; way++) {
        const { left, right, top, foot } = at.press(way);
        assert.ok(left >= 0 && right <= width && top >= 0 && foot <= height && foot - top >= 32);
      }
    });

test("what begins after the shown tokens is left out, and what goes beyond them is cut", () => {
  const cell = (/** @type {number} */ at, /** @type {number} */ wide) => ({
    text: "",
    at,
    wide,
    kind: "kept",
    part: -1,
  });
  const cells = within([cell(0, 2), cell(2, 5), cell(4, 0), cell(7, 1)], 4);
  assert.deepEqual(
    cells.map(({ at, wide }) => [at, wide]),
    [
      [0, 2],
      [2, 2],
      [4, 0],
    ],
  );
});

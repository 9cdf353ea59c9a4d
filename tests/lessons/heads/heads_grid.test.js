// Where the heads stand in their grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { underGrid } from "../../../lessons/heads/heads_grid.js";
import { places } from "../../../lessons/heads/heads_layout.js";
import { spans } from "../../../lessons/heads/heads_thumbs.js";

test("each pixel stands for at least one place, and all places have a pixel", () => {
  assert.deepEqual(spans(2, 4), [
    [0, 1],
    [0, 1],
    [1, 2],
    [1, 2],
  ]);
  assert.deepEqual(spans(5, 2), [
    [0, 2],
    [2, 5],
  ]);
  const seen = new Set(
    spans(31, 12).flatMap(([first, end]) => Array.from({ length: end - first }, (_, i) => first + i)),
  );
  assert.equal(seen.size, 31);
});

const WINDOWS = [
  [1036, 514, false],
  [1036, 439, false],
  [1316, 514, false],
  [1097, 450, false],
  [372, 436, true],
  [342, 350, true],
];
const of = (more) => ({ layers: 6, heads: 12, rows: 15, columns: 15, label: 70, whole: true, alone: false, ...more });

test("under the middle of every small picture is its own head, and the pair of tokens there", () => {
  const view = { rows: [0, 2, 4], columns: [1, 3] };
  const size = { layers: 3, heads: 4 };
  const { grid } = places(1036, 514, of({ ...size, narrow: false }));
  for (let layer = 0; layer < 3; layer++) {
    for (let head = 0; head < 4; head++) {
      assert.deepEqual(underGrid(grid, size, view, (head + 0.55) / 4, (layer + 0.5) / 3), {
        layer,
        head,
        query: 2,
        key: 3,
      });
    }
  }
  assert.deepEqual(underGrid(grid, size, view, 1, 1), { layer: 2, head: 3, query: 4, key: 3 });
});

test("the parts lie in the drawing and not over one another", () => {
  for (const [width, height, narrow] of WINDOWS) {
    for (const [layers, heads] of [
      [2, 4],
      [6, 12],
      [12, 12],
      [24, 16],
    ]) {
      for (const count of [3, 15, 26, 128]) {
        const at = places(width, height, of({ layers, heads, rows: count, columns: count, narrow }));
        assert.ok(
          at.map.right <= width && at.map.left >= 0 && at.map.top + at.map.height <= height,
          `${width} ${layers} ${count}`,
        );
        assert.ok(at.grid.right <= (narrow ? width : at.map.left - 70), `${width} ${layers} ${count}`);
        assert.ok(
          at.row.top >= at.grid.bottom && at.row.bottom - at.row.top > 120,
          `${width} × ${height}, ${layers} layers`,
        );
        assert.ok(at.grid.thumb.height > 1 && at.grid.thumb.width > 1);
      }
    }
  }
});

test("fifteen words have room for their names in every window, and a window of a long text has too", () => {
  for (const [width, height, narrow] of WINDOWS) {
    const at = places(width, height, of({ narrow, alone: true }));
    assert.ok(at.map.labelled && !at.map.near && !at.map.large, `${width} × ${height}`);
    const long = (whole) => places(width, height, of({ narrow, alone: true, rows: 128, columns: 128, whole })).map;
    assert.ok(long(true).large && !long(true).labelled && long(true).shown.rows === 128);
    assert.ok(long(false).near && long(false).labelled && long(false).shown.rows < 128 && long(false).shown.rows > 8);
  }
});

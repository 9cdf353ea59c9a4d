// Where the heads stand in their grid.

import assert from "node:assert/strict";
import { test } from "node:test";

import { spans, thumbAt, underGrid } from "../../../lessons/heads/heads_grid.js";

test("each pixel stands for at least one place, and all places have a pixel", () => {
  assert.deepEqual(spans(2, 4), [[0, 1], [0, 1], [1, 2], [1, 2]]);
  assert.deepEqual(spans(5, 2), [[0, 2], [2, 5]]);
  const seen = new Set(spans(31, 12).flatMap(([first, end]) => Array.from({ length: end - first }, (_, i) => first + i)));
  assert.equal(seen.size, 31);
});

test("under the middle of every small picture is its own head, and between them there is none", () => {
  const view = { rows: [0, 2, 4], columns: [1, 3] };
  const root = { thumb: 20, view, data: { layers: 3, heads: 4 } };
  for (let layer = 0; layer < 3; layer++) {
    for (let head = 0; head < 4; head++) {
      const [x, y] = thumbAt(root, layer, head);
      assert.deepEqual(underGrid(root, x + 11, y + 10), { layer, head, query: 2, key: 3 });
    }
  }
  assert.equal(underGrid(root, 5, 5), null);
});

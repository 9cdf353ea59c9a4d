import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf, wayOf } from "../../../lessons/contextual/pipeline_order_places.js";

const ROWS = [
  { stage: 0, task: 0 },
  { stage: 1, task: 1 },
  { stage: 1, task: 2 },
  { stage: 2, task: -1 },
  { stage: 3, task: 3 },
  { stage: -1, task: 4 },
];
const data = { rows: ROWS, stages: ["a", "b", "c", "d"], layers: 6 };

for (const [width, height, narrow] of [
  [1036, 440, false],
  [366, 420, true],
]) {
  const scene = /** @type {any} */ ({ data, final: () => 2, width, height, narrow });

  test(`rows and stairs fill the box, ${narrow ? "narrow" : "wide"}`, () => {
    const at = placesOf(scene);
    at.rows.forEach((row, n) => assert.ok(row.high > 14 && row.top >= (n ? at.rows[n - 1].foot - 1e-9 : at.top)));
    assert.ok(Math.abs(at.rows[5].foot - at.foot) < 1e-6 && at.foot <= height);
    assert.ok(at.x(0) >= at.left && at.x(6) < at.right - 40);
    if (narrow) return;
    at.stairs.forEach((stair, n) => assert.ok(!n || stair.left > at.stairs[n - 1].left));
    assert.ok(at.stairs[3].left + at.stairs[3].wide < at.name);
    assert.deepEqual([at.stairs[1].top, at.stairs[1].foot], [at.rows[1].top, at.rows[2].foot]);
  });

  test(`the way joins what was solved and stands on the slide, ${narrow ? "narrow" : "wide"}`, () => {
    const at = placesOf(scene);
    const way = wayOf(at, (task) => [0, 1, NaN, 2.5, 4][task]);
    assert.deepEqual(
      way.map(({ x }) => x),
      [0, 1, 2.5].map((layer) => at.x(layer)),
    );
  });
}

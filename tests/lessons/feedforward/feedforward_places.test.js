// What the picture of the feedforward page decides by itself: which words are shown, and where things stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { narrowPlaces, widePlaces } from "../../../lessons/feedforward/feedforward_places.js";
import { barRows, shownPlaces } from "../../../lessons/feedforward/ribbon.js";

const widths = (count, width = 50) => Array(count).fill(width);

test("a short text is shown whole", () => {
  assert.deepEqual(shownPlaces(widths(8), 3, 3, 900), [0, 7]);
});

test("of a long text the window and the next word are shown, and as much as fits", () => {
  for (const at of [0, 1, 20, 38, 39]) {
    const [from, to] = shownPlaces(widths(40), at, 3, 500);
    assert.ok(from <= Math.max(at - 2, 0) && to >= Math.min(at + 1, 39), `${at}: ${from} to ${to}`);
    assert.equal(to - from + 1, 10);
  }
});

test("a window wider than the line keeps the last word that was read", () => {
  const [from, to] = shownPlaces(widths(20, 100), 15, 16, 250);
  assert.ok(from <= 15 && to >= 15 && (to - from + 1) * 100 <= 250);
});

test("the text's own next word is always among the bars", () => {
  const best = ["a", "b", "c", "d"];
  assert.deepEqual(
    barRows(best, "c", 4).map((row) => row.word),
    best,
  );
  assert.deepEqual(
    barRows(best, "d", 3).map((row) => [row.word, row.i]),
    [
      ["a", 0],
      ["b", 1],
      ["d", 3],
    ],
  );
  assert.deepEqual(barRows(best, "z", 4).at(-1), { word: "z", i: -1, real: true });
  assert.equal(barRows(best, undefined, 7).length, 4);
});

const data = (cells, context = 3, rows = 282) => ({
  sizes: { context, width: 64, hidden: 128, types: rows },
  table: { rows },
  strips: Object.fromEntries(
    ["concatenated", "pre_activation", "hidden", "logits", "chances"].map((name, i) => [name, { cells: cells[i] }]),
  ),
});
const MODELS = [
  data([192, 128, 128, 282, 282]),
  data([40, 12, 12, 284, 284], 5, 284),
  data([288, 300, 300, 300, 300], 16, 300),
  data([2, 2, 2, 5, 5], 1, 5),
];

for (const [name, put, sizes] of [
  [
    "wide",
    widePlaces,
    [
      [1036, 514],
      [1036, 430],
      [1316, 514],
      [1070, 450],
    ],
  ],
  [
    "narrow",
    narrowPlaces,
    [
      [344, 340],
      [372, 400],
      [372, 470],
    ],
  ],
]) {
  test(`every part stands inside the ${name} picture, from left to right`, () => {
    for (const model of MODELS)
      for (const [width, height] of sizes) {
        const at = put(width, height, /** @type {any} */ (model));
        for (const box of [at.table, ...Object.values(at.strips)]) {
          assert.ok(
            box.left >= 0 && box.left + box.wide <= width && box.top >= 40 && box.top + box.high <= height,
            JSON.stringify([box, width, height]),
          );
        }
        assert.ok(at.bars.left + at.bars.wide <= width && at.bars.top + at.bars.high <= height);
        const order =
          put === widePlaces
            ? ["concatenated", "pre_activation", "hidden", "logits", "chances"]
            : ["again", "logits", "chances"];
        const lefts = order.map((each) => at.strips[each].left);
        assert.deepEqual(
          lefts,
          lefts.toSorted((a, b) => a - b),
        );
      }
  });
}

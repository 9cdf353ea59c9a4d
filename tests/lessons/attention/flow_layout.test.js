// Where the parts of the picture of one query stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { barScale, boxesIn, firstShown, narrowPlaces, places } from "../../../lessons/attention/flow_layout.js";

test("four panels stand side by side within the picture, whatever its width", () => {
  for (const width of [700, 1038, 1070, 1316]) {
    const { panels } = places(width, 514, 2);
    const all = Object.values(panels);
    assert.equal(all.length, 4);
    all.forEach(({ left, right }, i) => {
      assert.ok(left < right && left >= 12 && right <= width - 12 + 1e-9);
      if (i) assert.ok(left > all[i - 1].right);
    });
  }
});

test("every key has a row that can be pressed, or there are buttons for the others", () => {
  for (const height of [430, 439, 514, 788]) {
    for (let keys = 1; keys <= 16; keys++) {
      const at = places(1038, height, keys);
      assert.ok(at.row >= 24 && at.shown <= keys && at.shown >= 1);
      assert.ok(Math.abs(at.first + at.row * at.shown - at.last) < 1e-9);
      assert.equal(at.all, at.shown === keys);
      assert.ok(at.query < at.first && at.last < at.bottom);
    }
  }
});

test("on a phone the columns follow one another within the picture", () => {
  for (const width of [344, 372]) {
    const { stages, row, shown } = narrowPlaces(width, 360, 16);
    const all = Object.values(stages);
    all.forEach(({ left, right }, i) =>
      assert.ok(left < right && right <= width - 6 && (!i || left > all[i - 1].right)),
    );
    assert.ok(row >= 30 && shown < 16);
  }
});

test("of many keys the favoured one is among the first that are shown, and no row is past the end", () => {
  assert.equal(firstShown(undefined, { shown: 9 }, 16, 12), 7);
  assert.equal(firstShown(undefined, { shown: 9 }, 16, -1), 0);
  assert.equal(firstShown(3, { shown: 9 }, 16, 12), 3);
  assert.equal(firstShown(99, { shown: 9 }, 16, 12), 7);
});

test("bars begin at 0, and the longest fills the room", () => {
  const along = barScale([112, 96, 14, 12], 120);
  assert.deepEqual([0, 112].map(along), [0, 120]);
  assert.equal(along(14), 15);
  const signed = barScale([-5, 15, -Infinity], 100);
  assert.deepEqual([-5, 0, 15].map(signed), [0, 25, 100]);
  assert.equal(barScale([0, 0], 100)(0), 0);
});

test("as many boxes as fit, at least one", () => {
  assert.deepEqual(boxesIn(120, 3, 30, 44), { count: 3, width: 40 });
  assert.deepEqual(boxesIn(120, 8, 30, 44), { count: 4, width: 30 });
  assert.deepEqual(boxesIn(20, 8, 30, 44), { count: 1, width: 20 });
});

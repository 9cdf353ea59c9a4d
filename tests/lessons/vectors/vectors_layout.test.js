// Where the parts of the picture of word vectors stand, and where its labels find room.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({ getContext: () => ({ measureText: (text) => ({ width: 55 * text.length }) }) }),
});
const { flow, placeOfStep, places } = await import("../../../lessons/vectors/layout.js");
const { labelRoom, markPath } = await import("../../../drawing/labels.js");

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 439, narrow: false },
  { width: 1069, height: 450, narrow: false },
  { width: 372, height: 392, narrow: true },
  { width: 340, height: 360, narrow: true },
];

test("the parts lie within the drawing and apart from one another", () => {
  for (const room of ROOMS) {
    const { text, list, map, strip } = places(room);
    const boxes = [text, list, map, strip];
    for (const { left, top, wide, high } of boxes) {
      assert.ok(left >= 0 && top >= 0 && wide > 0 && high > 0, `${room.width}`);
      assert.ok(left + wide <= room.width && top + high <= room.height);
    }
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        const apart =
          a.left + a.wide <= b.left || b.left + b.wide <= a.left || a.top + a.high <= b.top || b.top + b.high <= a.top;
        assert.ok(apart, JSON.stringify([room, a, b]));
      }),
    );
  }
});

test("labels keep apart and within their frame, and one without room has no place", () => {
  const frame = { left: 0, top: 0, wide: 200, high: 100 };
  const room = labelRoom(frame);
  const found = Array.from({ length: 40 }, () => room.place(100, 50, 5, "word", { size: 14, bold: true }));
  assert.ok(found[0] && found.at(-1) === null);
  const boxes = found
    .filter((each) => each !== null)
    .map(({ x, y, anchor }) => {
      const wide = 0.55 * 14 * 4;
      const left = anchor === "start" ? x : anchor === "end" ? x - wide : x - wide / 2;
      return [left, y - 11, left + wide, y];
    });
  boxes.forEach((a, i) => {
    assert.ok(a[0] >= 0 && a[2] <= 200 && a[1] >= 0 && a[3] <= 100);
    boxes.slice(i + 1).forEach((b) => assert.ok(a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1]));
  });
});

test("a step has its place among the snapshots, and between two of them a share of the way", () => {
  const steps = [0, 1, 4, 20];
  assert.deepEqual(
    [0, 1, 4, 20].map((step) => placeOfStep(steps, step)),
    [0, 1, 2, 3],
  );
  assert.equal(placeOfStep(steps, 12), 2.5);
  assert.deepEqual([placeOfStep(steps, -3), placeOfStep(steps, 99)], [0, 3]);
});

test("words flow into rows no wider than their room", () => {
  const rows = flow(["a", "bbbb", "cc", "ddddddd", "e"], 80, 14, 2);
  for (const { x, wide } of rows) assert.ok(x === 0 || x + wide <= 80);
  assert.equal(rows[0].row, 0);
  assert.ok(rows.at(-1).row > 0);
});

test("each group has a mark of its own", () => {
  const marks = Array.from({ length: 7 }, (_, group) => markPath(group, 0, 0, 5));
  assert.equal(new Set(marks).size, 7);
  assert.equal(markPath(-1, 0, 0, 5), marks[0]);
});

// Where the parts of the picture of contextual vectors stand, the outline of a cloud, and words in lines.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({ getContext: () => ({ measureText: (text) => ({ width: 50 * text.length }) }) }),
});
const { excerpt, hull, joined, lines, places } = await import("../../../lessons/contextual/contextual_places.js");

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 439, narrow: false },
  { width: 1400, height: 640, narrow: false },
  { width: 372, height: 392, narrow: true },
  { width: 340, height: 360, narrow: true },
];

test("the parts lie within the drawing and apart from one another", () => {
  for (const room of ROOMS) {
    const { map, card, strip, bars, matrix } = places(room);
    const boxes = [map, card, strip, bars, matrix].filter((box) => box !== null);
    assert.equal(boxes.length, room.narrow ? 3 : 5);
    for (const { left, top, wide, high } of boxes) {
      assert.ok(left >= 0 && top >= 0 && wide > 0 && high > 0, JSON.stringify(room));
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

test("the hull has the outermost points alone", () => {
  const corners = [
    [0, 0],
    [4, 0],
    [4, 3],
    [0, 3],
  ].map(([x, y]) => ({ x, y }));
  const inside = [
    [1, 1],
    [2, 2],
    [3, 1],
    [2, 0],
  ].map(([x, y]) => ({ x, y }));
  const found = hull([...inside, ...corners]);
  assert.equal(found.length, 4);
  for (const corner of corners) assert.ok(found.includes(corner));
  assert.equal(hull([{ x: 1, y: 1 }]).length, 1);
});

test("words stand in lines, marks joined to the word before, and the last line is cut", () => {
  const words = "he does it with his friends , today .".split(" ");
  const placed = lines(words, 60, 10, 9);
  assert.deepEqual(
    placed.map(({ word }) => word),
    ["he", "does", "it", "with", "his", "friends,", "today."],
  );
  assert.deepEqual(
    placed.map(({ i }) => words[i]),
    ["he", "does", "it", "with", "his", "friends", "today"],
  );
  for (const { word, x } of placed) assert.ok(x + 5 * word.length <= 60.001, word);
  const cut = lines(words, 60, 10, 2);
  assert.equal(cut.at(-1).word, "…");
  assert.ok(cut.every(({ row }) => row < 2));
});

test("an excerpt has its word, fits, and says where it is cut", () => {
  const words = "the company received a large fine for breaking the law .".split(" ");
  const whole = excerpt(words, 5, 1000, 10);
  assert.equal(whole, joined(words));
  const short = excerpt(words, 5, 130, 10);
  assert.ok(short.includes("fine") && short.startsWith("… ") && short.endsWith(" …"));
  assert.ok(5 * short.length <= 130);
});

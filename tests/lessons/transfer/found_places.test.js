import assert from "node:assert/strict";
import { test } from "node:test";
import { textWidth } from "../../../drawing/pen.js";
import { wordsOf } from "../../../lessons/transfer/found_places.js";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({
    getContext: () => ({ measureText: (/** @type {string} */ text) => ({ width: text.length * 8 }) }),
  }),
});

test("a passage stays in its room and lines, and ends with dots if it is longer", () => {
  const passage = { words: Array(40).fill("word"), shared: [1], both: false };
  const box = { left: 10, top: 0, room: 200, size: 16, most: 2 };
  const placed = wordsOf(passage, box);
  assert.equal(placed[placed.length - 1].text, "…");
  assert.ok(placed.every(({ text, x }) => x >= 10 && x + textWidth(text, 16) <= 211));
  assert.equal(new Set(placed.map(({ y }) => y)).size, 2);
  assert.deepEqual(placed.map(({ shared }) => shared).slice(0, 3), [false, true, false]);
  const short = wordsOf({ ...passage, words: ["one"], shared: [] }, box);
  assert.deepEqual(short, [{ text: "one", x: 10, y: 0, line: 0, shared: false }]);
});

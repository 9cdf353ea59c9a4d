import assert from "node:assert/strict";
import { test } from "node:test";
import { flowed, GAP } from "../../../lessons/transfer/one_prompt_places.js";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({
    getContext: () => ({ measureText: (/** @type {string} */ text) => ({ width: text.length * 8 }) }),
  }),
});

test("words stay within the room, each line begins anew, and the gap is drawn as one", () => {
  const lines = [
    ["the", "film", "was", "awful", "."],
    ["it", "was", "[MASK]", "."],
  ];
  const { words, foot } = flowed(lines, "[MASK]", { left: 10, top: 0, room: 120, size: 20 });
  assert.equal(words.length, 9);
  assert.ok(words.every(({ x, wide }) => x >= 10 && x + wide <= 131));
  assert.ok(words[5].x === 10 && words[5].y > words[4].y);
  assert.equal(words[7].word, GAP);
  assert.ok(foot > words[8].y);
});

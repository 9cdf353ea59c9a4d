import assert from "node:assert/strict";
import { test } from "node:test";
import { boxesOf, merged, placesOf } from "../../../lessons/transfer/sequences_places.js";

const word = (/** @type {string} */ text, part = 1) => ({ text, part, read: false });
const pair = [word("Start", 0), word("a"), word("b"), word("Delim", 0), word("c", 2), word("Extract", 0)];

/** @param {object} more */
const scene = (more) =>
  /** @type {any} */ ({ data: { kinds: Array(5), readers: [{ sequences: [pair] }] }, height: 440, ...more });

test("the words of a text become one, marks stay alone", () => {
  assert.deepEqual(
    merged(pair).map(({ text }) => text),
    ["Start", "a b", "Delim", "c", "Extract"],
  );
  assert.equal(pair[1].text, "a");
});

test("boxes stand side by side and within the room, also of long texts and on a phone", () => {
  globalThis.document = /** @type {any} */ ({
    createElement: () => ({
      getContext: () => ({ measureText: (/** @type {string} */ text) => ({ width: text.length * 8 }) }),
    }),
  });
  for (const [width, narrow] of /** @type {[number, boolean][]} */ ([
    [1036, false],
    [366, true],
  ])) {
    const at = placesOf(scene({ width, narrow }));
    for (const tokens of [pair, [...pair, ...Array(60).fill(word("longword")), word("Extract", 0)]]) {
      const { boxes } = boxesOf(tokens, at);
      boxes.slice(1).forEach(({ left }, i) => assert.ok(left >= boxes[i].left + boxes[i].wide));
      const last = boxes[boxes.length - 1];
      assert.ok(last.left + last.wide <= width, `${last.left + last.wide} of ${width}`);
    }
  }
});

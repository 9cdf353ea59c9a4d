// Where the words of a text stand: all in their box, none over another, whatever the text.

import assert from "node:assert/strict";
import { test } from "node:test";

// A canvas whose letters are all half as wide as high.
globalThis.document = /** @type {any} */ ({
  createElement: () => ({
    getContext: () => ({ font: "", measureText: (text) => ({ width: 50 * [...text].length }) }),
  }),
});
const { layWords } = await import("../../../lessons/bert/words.js");
const { shortNumber } = await import("../../../lessons/bert/bars.js");

const TEXTS = {
  short: "the cat was old .".split(" "),
  long: Array.from({ length: 48 }, (_, i) => ["street", "didn't", "a", "because"][i % 4]),
  endless: Array.from({ length: 48 }, () => "x".repeat(600)),
};
const BOXES = [
  { left: 24, right: 1012, top: 20, most: 150 },
  { left: 8, right: 364, top: 8, most: 190 },
];

for (const [name, words] of Object.entries(TEXTS)) {
  for (const box of BOXES) {
    test(`a text that is ${name} stands in a box ${box.right} wide`, () => {
      const laid = layWords(words, new Set([1]), box);
      assert.equal(laid.items.length, words.length);
      assert.ok(laid.bottom <= box.top + box.most, `${laid.bottom}`);
      assert.ok(laid.size >= 13);
      laid.items.forEach((item, i) => {
        const after = laid.items[i + 1];
        assert.ok(item.x >= box.left && item.x + item.width <= box.right + 1e-9, item.text);
        if (after?.row === item.row) assert.ok(after.x >= item.x + item.width - 1e-9);
        else if (after) assert.ok(after.y > item.y && after.row === item.row + 1);
      });
    });
  }
}

test("a short text has the largest type", () => {
  assert.equal(layWords(TEXTS.short, new Set(), BOXES[0]).size, 30);
  assert.equal(layWords(TEXTS.short, new Set(), { ...BOXES[0], largest: 18 }).size, 17);
});

test("a probability that is nearly 0 or 1 is not printed as if it were", () => {
  assert.deepEqual([0, 0.00001, 0.0212, 0.9188, 0.9999, 1].map(shortNumber), ["0", "≈0", "0.021", "0.92", "≈1", "1"]);
});

// The table of the loss shows the words that the picture above it shows, drawn at random or set by hand.

import assert from "node:assert/strict";
import { test } from "node:test";
import { prepare } from "../../pages/pictures/document.mjs";

const { window } = prepare(["ink"]);
const { default: losses } = await import("../../../drawing/losses.js");
const { shownAt } = await import("../../../lessons/masking/corruption_scene.js");

const TEXT = {
  tokens: ["so", "long", "and", "thanks"],
  maskable: [1, 1, 1, 1],
  drawn: ["apple", "pear", "plum", "fig"],
  standing: ["red", "green", "blue", "grey"],
  outcomes: ["not chosen", "[MASK]", "random", "kept"],
  has_model: false,
};

for (const hand of [0, 1]) {
  test(`the table and the picture show the same words, ${hand ? "set by hand" : "drawn at random"}`, () => {
    for (let first = 0; first < 4; first++) {
      const numbers = { hand, n_chosen: 3 };
      TEXT.tokens.forEach((_, i) => (numbers[`f${i}`] = (first + i) % 4));
      const names = Object.keys(numbers);
      const data = { ...TEXT, group: `${hand}${first}`, names, now: Float64Array.from(Object.values(numbers)) };
      const parentElement = window.document.createElement("div").attachShadow({ mode: "open" });
      losses(/** @type {any} */ ({ data, parentElement, setTriggerValue() {} }));
      const rows = [...parentElement.querySelectorAll("tbody tr")].slice(0, -1);
      const scene = /** @type {any} */ ({ data, values: (name) => numbers[name], hidden: () => false });
      assert.deepEqual(
        rows.map((row) => row.children[2].textContent),
        TEXT.tokens.map((_, i) => shownAt(scene, i)),
      );
    }
  });
}

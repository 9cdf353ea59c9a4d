// Where the tokens of a lane stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SIZES, fitted, flow, scaleEnd, tail } from "../../../lessons/generation/lane_token_places.js";

const measure = (text, size) => [...text].length * size * 0.5;
const words = (count) => Array.from({ length: count }, () => "word");

test("tokens flow in rows, and none is wider than the room", () => {
  const places = flow(["a", "much too long for the room", "b"], 100, SIZES[2], measure);
  assert.deepEqual(
    places.map(({ row }) => row),
    [0, 1, 2],
  );
  assert.ok(places.every(({ x, width }) => x + width <= 100));
});

test("few tokens are large, many are small, and too many stand on several pages", () => {
  const [few, many, most] = [4, 30, 200].map((count) => fitted(words(count), 500, 90, measure));
  assert.equal(few.how, SIZES[0]);
  assert.equal(few.pages, 1);
  assert.ok(many.how.size < few.how.size && many.pages === 1);
  assert.equal(most.how, SIZES.at(-1));
  assert.equal(most.pages, Math.ceil((most.places.at(-1).row + 1) / most.rows));
  assert.equal(fitted([], 500, 90, measure).pages, 1);
});

test("a scale has room for its largest value", () => {
  assert.deepEqual([0.05, 0.1, 0.2, 0.4, 0.6].map(scaleEnd), [0.1, 0.1, 0.25, 0.5, 1]);
});

test("of a prompt that is too long the end stays", () => {
  assert.equal(tail("the cat", 500, 10, measure), "the cat");
  assert.equal(tail("the cat", 20, 10, measure), "…cat");
});

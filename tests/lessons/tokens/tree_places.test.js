// Where the letters, nodes and the level of the trees lie.

import assert from "node:assert/strict";
import { test } from "node:test";

import { across, below, fitUpwards, levelAt, toCome, topsAt, upwards } from "../../../lessons/tokens/tree_places.js";

// a b c d: b c joined by merge 2, a by merge 5, d by merge 3 with nothing; the word is two pieces in the end.
const letter = (piece, i) => [piece, i, i + 1, 0, 0, 0, -1, -1, i];
const WORD = {
  letters: ["a", "b", "c", "d"],
  nodes: [..."abcd"].map(letter).concat([
    ["bc", 1, 3, 2, 2, 9, 1, 2, 4],
    ["abc", 0, 3, 5, 5, 4, 0, 4, 5],
  ]),
  tops: [
    [0, [0, 1, 2, 3]],
    [2, [0, 4, 3]],
    [5, [5, 3]],
  ],
};
const measure = (text, size) => text.length * size * 0.5;

test("the pieces after a number of merges", () => {
  assert.deepEqual(
    [0, 1, 2, 4, 5, 99].map((n) => topsAt(WORD, n).length),
    [4, 4, 3, 3, 2, 2],
  );
});

test("the nodes below a piece come before it", () => {
  assert.deepEqual(below(WORD, [5]), [0, 1, 2, 4, 5]);
  assert.deepEqual(
    toCome(WORD, 0).map((node) => node.piece),
    ["bc", "abc"],
  );
  assert.deepEqual(
    toCome(WORD, 2).map((node) => node.piece),
    ["abc"],
  );
  assert.deepEqual(toCome(WORD, 5), []);
});

test("what would cut a piece that is there is not to come", () => {
  const word = {
    ...WORD,
    nodes: [...WORD.nodes, ["cd", 2, 4, 1, 1, 1, 2, 3, 6]],
    tops: [
      [0, [0, 1, 2, 3]],
      [1, [0, 1, 6]],
      [5, [5, 3]],
    ],
  };
  assert.deepEqual(
    toCome(word, 1).map((node) => node.piece),
    [],
  );
});

test("letters follow one another, in the room, and none is narrower than its piece needs", () => {
  for (const n of [0, 2, 5]) {
    const rows = [topsAt(WORD, n), topsAt(WORD, n)];
    const { edges, size, width } = across([WORD, WORD], rows, 500, measure);
    const flat = edges.flat();
    assert.ok(flat[0][0] >= 0 && flat.at(-1)[1] <= 500.001 && width <= 500.001);
    flat.forEach(([left, right], i) => {
      assert.ok(right > left);
      if (i) assert.ok(left >= flat[i - 1][1] - 1e-9);
    });
    rows[0].forEach((i) => {
      const [piece, start, end] = WORD.nodes[i];
      assert.ok(edges[0][end - 1][1] - edges[0][start][0] >= measure(piece, size));
    });
  }
});

test("what does not fit is written in the smallest type and is wider than the room", () => {
  const words = Array(30).fill(WORD);
  const { size, width } = across(
    words,
    words.map(() => topsAt(WORD, 0)),
    300,
    measure,
  );
  assert.equal(size, 13);
  assert.ok(width > 300);
});

test("a piece is above its parts, and a later merge above an earlier one", () => {
  const { heights, knots } = upwards([WORD], 0.25);
  assert.deepEqual(
    knots.map(([since]) => since),
    [0, 2, 5],
  );
  assert.ok(heights[0][5] >= heights[0][4] + 1 && heights[0][4] >= 1);
  assert.deepEqual(heights[0].slice(0, 4), [0, 0, 0, 0]);
  const fitted = fitUpwards([WORD], 300, 30, 56);
  assert.equal(fitted.row, 56);
  assert.ok(fitted.row * fitted.knots.at(-1)[1] <= 300);
});

test("the level rises with the merges, above what is done and below what is not", () => {
  const { knots } = upwards([WORD], 1);
  const levels = [0, 1, 2, 3, 4, 5, 9, 10].map((n) => levelAt(knots, n, 10, 4));
  levels.forEach((level, i) => i && assert.ok(level > levels[i - 1]));
  assert.ok(levels[1] < knots[1][1] && levels[2] > knots[1][1]);
  assert.ok(levels[4] < knots[2][1] && levels[5] > knots[2][1]);
});

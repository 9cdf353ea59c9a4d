// Where the parts of the trees are drawn. Horizontally, the letters of a piece are adjacent. Vertically, a piece is
// above its parts and a later merge above an earlier one.

/** @import { Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["tokens"]} Data */
/** @typedef {Data["words"][number]} TreeWord */
/** @typedef {ReturnType<typeof nodeAt>} TreeNode */
/** @typedef {[left: number, right: number]} Edges */
/** @typedef {[merges: number, height: number]} Knot */
/** @typedef {{ heights: number[][], knots: Knot[], row: number }} Upwards row: units of a row */

export const LETTER = { least: 12, most: 112 };
const SIZES = [40, 36, 32, 28, 25, 22, 20, 18, 16, 15, 14, 13];
const GAP = { pieces: 4, words: 18 };

/**
 * A node of a tree as an object with named fields.
 *
 * @param {TreeWord} word @param {number} i
 */
export function nodeAt(word, i) {
  const [piece, start, end, merge, since, count, first, second, id] = word.nodes[i];
  return { i, piece, start, end, merge, since, count, first, second, id };
}

/**
 * The pieces of a word after `n` merges, as indices of its nodes.
 *
 * @param {TreeWord} word @param {number} n
 */
export function topsAt(word, n) {
  let found = word.tops[0][1];
  for (const [from, nodes] of word.tops) if (from <= n) found = nodes;
  return found;
}

/**
 * The nodes of the subtrees under `tops`, including `tops`: parts before the pieces that they form.
 *
 * @param {TreeWord} word @param {readonly number[]} tops
 */
export function below(word, tops) {
  const found = /** @type {number[]} */ ([]);
  const add = (/** @type {number} */ i) => {
    const [, , , , , , first, second] = word.nodes[i];
    if (first >= 0) {
      add(first);
      add(second);
    }
    found.push(i);
  };
  tops.forEach(add);
  return found;
}

/**
 * The later merges that are drawn: nodes of the final trees that do not exist yet and do not cut an existing node.
 *
 * @param {TreeWord} word @param {number} n
 */
export function toCome(word, n) {
  const there = below(word, topsAt(word, n)).map((i) => nodeAt(word, i));
  /** @type {(a: TreeNode, b: TreeNode) => boolean} */
  const cuts = (a, b) =>
    (a.start < b.start && b.start < a.end && a.end < b.end) || (b.start < a.start && a.start < b.end && b.end < a.end);
  const last = word.tops[word.tops.length - 1][1];
  return below(word, last)
    .map((i) => nodeAt(word, i))
    .filter((node) => node.since > n && !there.some((each) => each.i === node.i || cuts(each, node)));
}

/**
 * The horizontal layout: the font size, and the left and right edge of every letter, with all words in one row.
 *
 * @param {TreeWord[]} words
 * @param {number[][]} rows the pieces of each word
 * @param {number} room
 * @param {(text: string, size: number) => number} measure
 */
export function across(words, rows, room, measure) {
  const gaps = rows.reduce((sum, row) => sum + GAP.pieces * (row.length - 1), GAP.words * (words.length - 1));
  const needs = (/** @type {number} */ size) =>
    words.map((word, w) =>
      rows[w].map((i) => {
        const [piece, start, end] = word.nodes[i];
        return Math.max(measure(piece, size) + Math.max(4, size * 0.5), (end - start) * LETTER.least);
      }),
    );
  const whole = (/** @type {number[][]} */ wide) => wide.flat().reduce((sum, each) => sum + each, gaps);
  const size = SIZES.find((each) => whole(needs(each)) <= room) ?? SIZES[SIZES.length - 1];
  const least = needs(size);
  const letters = words.reduce((sum, word) => sum + word.letters.length, 0);
  const spare = Math.max(0, room - whole(least)) / letters;
  const wide = least.map((row, w) =>
    row.map((each, j) => {
      const [, start, end] = words[w].nodes[rows[w][j]];
      return Math.max(each, Math.min(each + spare * (end - start), (end - start) * LETTER.most));
    }),
  );
  return { size, edges: letterEdges(words, rows, wide, Math.max(0, (room - whole(wide)) / 2)), width: whole(wide) };
}

/**
 * The edges of every letter: the letters of a piece share its width equally.
 *
 * @param {TreeWord[]} words
 * @param {number[][]} rows the pieces of each word
 * @param {number[][]} wide their widths
 * @param {number} left
 */
function letterEdges(words, rows, wide, left) {
  let x = left;
  return words.map((word, w) => {
    const letters = /** @type {Edges[]} */ ([]);
    rows[w].forEach((i, j) => {
      const [, start, end] = word.nodes[i];
      const each = wide[w][j] / (end - start);
      for (let k = 0; k < end - start; k++) letters.push([x + k * each, x + (k + 1) * each]);
      x += wide[w][j] + GAP.pieces;
    });
    x += GAP.words - GAP.pieces;
    return letters;
  });
}

/**
 * The vertical layout, in rows: `heights[w][i]` of each node, and knots [merges, height] that the level passes.
 *
 * @param {TreeWord[]} words
 * @param {number} apart rows between two unrelated merges
 */
export function upwards(words, apart) {
  const heights = words.map((word) => word.nodes.map(() => 0));
  const moments = [...new Set(words.flatMap((word) => word.nodes.map((node) => node[4])))]
    .filter(Boolean)
    .sort((a, b) => a - b);
  const knots = /** @type {Knot[]} */ ([[0, 0]]);
  for (const since of moments) {
    const base = knots[knots.length - 1][1] + apart;
    let top = base;
    words.forEach((word, w) =>
      word.nodes.forEach(([, , , , when, , first, second], i) => {
        if (when !== since || first < 0) return;
        heights[w][i] = Math.max(base, heights[w][first] + 1, heights[w][second] + 1);
        top = Math.max(top, heights[w][i]);
      }),
    );
    knots.push([since, top]);
  }
  return { heights, knots };
}

/**
 * The vertical layout in `room`: merges as far apart as possible with rows of at least `least` units, if that fits.
 *
 * @param {TreeWord[]} words @param {number} room @param {number} least @param {number} most
 */
export function fitUpwards(words, room, least, most) {
  /** @type {(apart: number) => Upwards} */
  const fitted = (apart) => {
    const each = upwards(words, apart);
    const rows = each.knots[each.knots.length - 1][1] || 1;
    return { ...each, row: Math.min(most, room / rows) };
  };
  for (const apart of [1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.08]) {
    const found = fitted(apart);
    if (found.row >= least) return found;
  }
  return fitted(0.03);
}

/**
 * The height of the level after `n` of `last` merges: above the merges that are done and below the others; `end` is its
 * height after the last one.
 *
 * @param {Knot[]} knots @param {number} n @param {number} last @param {number} end
 */
export function levelAt(knots, n, last, end) {
  let i = 0;
  while (i + 1 < knots.length && knots[i + 1][0] <= n) i++;
  const [since, height] = knots[i];
  if (i + 1 === knots.length) return height + (end - height) * (0.4 + (0.6 * (n - since)) / Math.max(last - since, 1));
  const [next, above] = knots[i + 1];
  const part = (n - since) / (next - since);
  return height + (above - height) * (0.38 + 0.24 * part);
}

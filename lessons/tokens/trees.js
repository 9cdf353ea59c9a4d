// The letters, and above them a node for every merge.

import { textWidth } from "../../drawing/pen.js";
import { below, nodeAt, topsAt, toCome } from "./tree_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DrawTrees, Places, TokensScene } from "./tokens_places.js" */
/** @import { TreeNode, TreeWord } from "./tree_places.js" */

/** @typedef {"later" | "next" | "now" | "done"} State of a merge */

export const UNKNOWN = "[UNK]";

/** @param {Pen} pen @param {TokensScene} scene @param {Places} at */
export function drawLetters(pen, { data, colour }, at) {
  const spans = data.words.map((word, w) => word.letters.map((_, i) => at.span(w, i, i + 1)));
  const narrowest = Math.min(...spans.flat().map(([a, b]) => b - a));
  const size = Math.min(20, Math.max(13, narrowest * 0.7));
  data.words.forEach((word, w) =>
    word.letters.forEach((letter, i) => {
      const [a, b] = spans[w][i];
      const wide = Math.min(b - a - 2, 44);
      const middle = (a + b) / 2;
      const { id, piece } = nodeAt(word, i);
      const lost = id < 0 || piece === UNKNOWN;
      const key = `${w} ${i}`;
      const look = { fill: colour.background, line: 1.5, dash: lost ? "3 2" : null, r: 6 };
      const stroke = lost ? colour.gradient : colour.input;
      pen.rect(middle - wide / 2, at.base, wide, at.letter, { key, stroke, ...look });
      const fill = lost ? colour.gradient : colour.ink;
      pen.text(middle, at.base + at.letter * 0.7, letter, { key, size, bold: lost, anchor: "middle", fill });
    }),
  );
}

/** @type {DrawTrees} */
export function drawForest(pen, scene, at, n) {
  scene.data.words.forEach((_, w) => drawTree(pen, scene, at, n, w));
}

/**
 * @param {Pen} pen
 * @param {TokensScene} scene
 * @param {Places} at
 * @param {number} n merges that are done
 * @param {number} w the word
 */
function drawTree(pen, { data, colour, hidden }, at, n, w) {
  const word = data.words[w];
  const tops = topsAt(word, n);
  const made = below(word, tops)
    .map((i) => nodeAt(word, i))
    .filter((node) => node.first >= 0);
  const later = toCome(word, n);
  const next = Math.min(...later.map((node) => node.since));
  for (const node of later) {
    const look = { stroke: colour.quiet, width: 1.3, dash: "4 4", opacity: 0.75 };
    pen.path(ways(word, w, node, at), { key: `later${w} ${node.i}`, ...look });
  }
  const stems = hidden("pieces") ? [] : tops.map((i) => stem(w, nodeAt(word, i), at));
  const up = [...made.map((node) => ways(word, w, node, at)), ...stems].join("");
  pen.path(up, { key: `done${w}`, stroke: colour.weight, width: 2.6 });
  if (w === data.named) pen.beads(up, colour.background, { key: `beads${w}`, width: 1.6 });
  for (const node of later) drawMerge(pen, at, w, node, node.since === next ? "next" : "later");
  for (const node of made) drawMerge(pen, at, w, node, node.merge === n ? "now" : "done");
}

/**
 * The y coordinate at which the line up from a node starts.
 *
 * @param {number} w @param {TreeNode} node @param {Places} at
 */
const topOf = (w, node, at) => (node.first < 0 ? at.base : at.height(w, node) - at.chip / 2);

/**
 * The lines from both parts up to the piece that they form.
 *
 * @param {TreeWord} word @param {number} w @param {TreeNode} node @param {Places} at
 */
function ways(word, w, node, at) {
  const [x, y] = [at.centre(w, node), at.height(w, node)];
  const parts = [nodeAt(word, node.first), nodeAt(word, node.second)];
  return parts
    .map((part) => `M${round(at.centre(w, part))} ${round(topOf(w, part, at))}V${round(y)}H${round(x)}`)
    .join("");
}

/**
 * The line from a piece up to its tile.
 *
 * @param {number} w @param {TreeNode} node @param {Places} at
 */
const stem = (w, node, at) =>
  `M${round(at.centre(w, node))} ${round(topOf(w, node, at))}V${round(at.tile.top + at.tile.height)}`;

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * A merge: its number, the piece if there is room, and, until it is done, the count of its pair.
 *
 * @param {Pen} pen @param {Places} at @param {number} w @param {TreeNode} node @param {State} state
 */
function drawMerge(pen, at, w, node, state) {
  const { colour } = pen;
  const [a, b] = at.span(w, node.start, node.end);
  const [x, y] = [(a + b) / 2, at.height(w, node)];
  const made = state === "now" || state === "done";
  const size = at.chip < 18 ? 13 : 14;
  const number = `${node.merge}`;
  const more = made ? node.piece : `${node.count.toLocaleString("en")}×`;
  const [first, second] = [textWidth(number, size, true) + 10, textWidth(more, size, made) + 12];
  const roomy = first + second <= Math.max(b - a - 4, 0) && (made || state === "next");
  const wide = first + (roomy ? second : 0);
  const [left, top] = [x - wide / 2, y - at.chip / 2];
  const edge = state === "next" ? colour.score : made ? colour.weight : colour.quiet;
  const key = `${w} ${node.i}`;
  const frame = { stroke: edge, line: state === "now" ? 3 : 1.6, dash: made ? null : "4 3" };
  pen.rect(left, top, wide, at.chip, { key, r: 6, fill: colour.background, ...frame });
  if (made) pen.rect(left, top, first, at.chip, { key: `number ${key}`, r: 6, fill: edge });
  const [baseline, anchor] = [y + size * 0.36, /** @type {const} */ ("middle")];
  const fill = made ? colour.background : edge;
  pen.text(left + first / 2, baseline, number, { key: `number ${key}`, size, bold: true, anchor, fill });
  if (!roomy) return;
  const look = { key, size, bold: made, anchor, fill: made ? colour.ink : edge };
  pen.text(left + first + second / 2 - 1, baseline, more, look);
}

// The pieces of each word as tiles.

import { cutText, textWidth } from "../../drawing/pen.js";
import { nodeAt, topsAt } from "./tree_places.js";
import { UNKNOWN } from "./trees.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DrawTrees, Places, TokensScene } from "./tokens_places.js" */
/** @import { TreeNode } from "./tree_places.js" */

/** @type {DrawTrees} */
export function drawTiles(pen, scene, at, n) {
  scene.data.words.forEach((word, w) => {
    const tops = topsAt(word, n).map((i) => nodeAt(word, i));
    countPieces(pen, scene, at, w, tops);
    if (scene.hidden("pieces")) return drawAsked(pen, scene, at, w);
    for (const node of tops) drawTile(pen, scene, at, w, node, n);
    drawOld(pen, scene, at, w, tops);
  });
}

/**
 * A question mark in place of the pieces, while a question hides them.
 *
 * @param {Pen} pen @param {TokensScene} scene @param {Places} at @param {number} w
 */
function drawAsked(pen, { data, colour }, at, w) {
  const { top, height } = at.tile;
  const [left, right] = at.span(w, 0, data.words[w].letters.length);
  const key = `asked${w}`;
  const look = { key, r: 10, stroke: colour.quiet, dash: "5 4", fill: colour.background };
  pen.rect(left + 1, top, right - left - 2, height, look);
  pen.text((left + right) / 2, top + height / 2 + 9, "?", { key, size: 26, bold: true, anchor: "middle" });
}

/**
 * The outlines of pieces that the word had before the drag and no longer has.
 *
 * @param {Pen} pen
 * @param {TokensScene} scene
 * @param {Places} at
 * @param {number} w
 * @param {TreeNode[]} tops the pieces now
 */
function drawOld(pen, { data, colour, before }, at, w, tops) {
  if (!before) return;
  const { top, height } = at.tile;
  const word = data.words[w];
  for (const i of topsAt(word, Math.round(before("tokens_n")))) {
    if (tops.some((node) => node.i === i)) continue;
    const old = nodeAt(word, i);
    const [a, b] = at.span(w, old.start, old.end);
    const look = { key: `old${w} ${i}`, r: 8, stroke: colour.quiet, line: 1.2, dash: "4 3" };
    pen.rect(a + 3, top + 3, b - a - 6, height - 6, look);
  }
}

/**
 * @param {Pen} pen
 * @param {TokensScene} scene
 * @param {Places} at
 * @param {number} w
 * @param {TreeNode} node
 * @param {number} n merges that are done
 */
function drawTile(pen, { data, colour }, at, w, node, n) {
  const { top, height } = at.tile;
  const [a, b] = at.span(w, node.start, node.end);
  const [middle, room] = [(a + b) / 2, b - a - 2];
  const lost = node.piece === UNKNOWN;
  const fresh = n > 0 && node.merge === n;
  const key = `${w} ${node.start}`;
  pen.rect(a + 1, top, room, height, {
    key,
    r: 10,
    fill: lost ? colour.background : colour.input,
    "fill-opacity": lost ? 1 : fresh ? 0.26 : 0.13,
    stroke: lost ? colour.gradient : colour.input,
    line: fresh || lost ? 3 : 1.8,
    dash: lost ? "6 4" : null,
  });
  const numbered = height > 40 && node.id >= 0;
  const size = Math.min(at.size, height * (height > 54 ? 0.5 : 0.44));
  const y = top + (numbered ? height * 0.42 + size * 0.28 : height / 2 + size * 0.35);
  const fill = lost ? colour.gradient : colour.ink;
  const look = /** @type {const} */ ({ key, size, bold: true, anchor: "middle", fill });
  pen.markedText(middle, y, cutText(node.piece, room - 2, size, true), lost && w === data.named, look);
  if (!numbered) return;
  const label = [`id ${node.id}`, `${node.id}`].find((each) => textWidth(each, 13) <= room - 2);
  const quiet = /** @type {const} */ ({ key: `id ${key}`, size: 13, fill: colour.quiet, anchor: "middle" });
  if (label) pen.text(middle, top + height - 8, label, quiet);
}

/**
 * The number of pieces of a word; it is marked for the word that the sentence is about.
 *
 * @param {Pen} pen @param {TokensScene} scene @param {Places} at @param {number} w @param {TreeNode[]} tops
 */
function countPieces(pen, { data, text, colour, hidden }, at, w, tops) {
  const [left, right] = at.span(w, 0, data.words[w].letters.length);
  const named = w === data.named;
  if (tops[0].piece === UNKNOWN && tops.length === 1) return;
  const number = hidden("pieces") ? "?" : named ? text("pieces") : `${tops.length}`;
  const labels = [`${number} ${number === "1" ? "piece" : "pieces"}`, number];
  const label = labels.find((each) => textWidth(each, 14, named) <= right - left) ?? "";
  pen.markedText((left + right) / 2, at.tile.top - 9, label, named, {
    key: `count${w}`,
    size: named ? 15 : 14,
    bold: named,
    anchor: "middle",
    fill: named ? colour.ink : colour.quiet,
  });
}

// One sentence with the word, and its nearest neighbours.

import { markPath } from "../../drawing/labels.js";
import { excerpt, lines } from "./contextual_places.js";
import { colourOf, cosine, digits, kindOf, nearest } from "./view.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./contextual_places.js" */
/** @import { CloudScene, Draw, View } from "./view.js" */

/** @type {Draw} */
export function drawCard(pen, scene, at, view) {
  const { colour, hidden } = scene;
  const { left } = at.card;
  const place = view.pointed ?? view.picked;
  const start = drawSentence(pen, scene, at, place);
  if (view.layer === 0) {
    const look = { size: at.narrow ? 13 : 15, fill: colour.quiet };
    pen.text(left, start + (at.narrow ? 2 : 8), "at cosine 1 with all the others", look);
    return;
  }
  if (hidden("between") || hidden("accuracy")) return;
  if (at.narrow) drawNearest(pen, scene, at, view, place, start);
  else drawNeighbours(pen, scene, at, view, place, start);
}

/**
 * The sentence in lines. Returns the base line after them.
 *
 * @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {number} place
 */
function drawSentence(pen, { colour, data }, { card, narrow }, place) {
  const { left, top, wide, high } = card;
  const { words, at: own, sense } = data.texts[place];
  const tint = colourOf(colour, sense);
  const [size, step] = narrow ? [14, 19] : [17, 23];
  const placed = lines(words, wide - 26, size, !narrow && high > 190 ? 3 : 2, own);
  const first = top + (narrow ? 12 : 16);
  const mark = markPath(kindOf(sense), left + 9, first - size * 0.32, narrow ? 6 : 8);
  pen.path(mark, { fill: tint, stroke: "none" });
  placed.forEach(({ word, i, x, row }) => {
    const bold = i === own && word !== "…";
    const look = { key: `word ${i}`, size, bold, fill: bold ? tint : colour.ink };
    pen.text(left + 24 + x, first + row * step, word, look);
  });
  const rows = 1 + Math.max(...placed.map(({ row }) => row));
  return first + rows * step;
}

/**
 * On a phone: the nearest neighbour.
 *
 * @param {Pen} pen
 * @param {CloudScene} scene
 * @param {Places} at
 * @param {View} view
 * @param {number} place
 * @param {number} y
 */
function drawNearest(pen, { colour, data }, { card: { left, wide } }, view, place, y) {
  const [other] = nearest(view, place);
  const { words, at, sense } = data.texts[other];
  const said = `${digits(cosine(view, place, other))}  nearest: ${excerpt(words, at, wide - 110, 13)}`;
  pen.text(left, y, said, { size: 13, fill: colourOf(colour, sense), room: wide });
}

/**
 * As many of the nearest neighbours as fit.
 *
 * @param {Pen} pen
 * @param {CloudScene} scene
 * @param {Places} at
 * @param {View} view
 * @param {number} place
 * @param {number} start
 */
function drawNeighbours(pen, { colour, data }, { card: { left, top, wide, high } }, view, place, start) {
  pen.text(left, start + 10, "nearest to it, by cosine", { size: 14, fill: colour.quiet });
  nearest(view, place).forEach((other, k) => {
    const y = start + 34 + 24 * k;
    if (y > top + high) return;
    const { words, at, sense } = data.texts[other];
    const mark = { key: `mark ${k}`, fill: colourOf(colour, sense), stroke: "none" };
    pen.path(markPath(kindOf(sense), left + 9, y - 5, 6), mark);
    pen.text(left + 24, y, digits(cosine(view, place, other)), { key: `cosine ${k}`, size: 15, bold: true });
    pen.text(left + 66, y, excerpt(words, at, wide - 70, 15), { key: `text ${k}`, size: 15, room: wide - 66 });
  });
}

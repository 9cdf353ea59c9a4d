// Where the masked loss is drawn: a column for each token, from what goes in at the foot to its cost at the top; or, if
// the columns would be too narrow, the text and below it a row for each chosen token.

import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Judged } from "../../drawing/types.js" */
/** @typedef {Scene<"masked_loss">} LossScene */
/** @typedef {ReturnType<typeof columnsOf>} Columns */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Block */

const LEAST = 72; // the width of the narrowest column
const EDGE = { left: 88, right: 104 };
const RIVAL = 25; // the height of a rival's row

/** @param {LossScene} scene */
export function columnsOf({ width, height, data }) {
  const words = data.words.flatMap((_, i) => (data.special.includes(i) ? [] : [i]));
  const [left, right] = [EDGE.left, width - EDGE.right];
  const cell = Math.min((right - left) / words.length, 200);
  const tokens = { top: height - 46, tall: 40 };
  const slab = { top: height - 118, tall: 46 };
  const strip = { top: height - 148, tall: 20 };
  const head = data.stage === "head";
  const rivals = head ? 5 : strip.top < 310 ? 1 : 2;
  const row = head ? Math.min((strip.top - 106) / rivals, 40) : RIVAL;
  const block = { top: strip.top - 82 - rivals * row, foot: strip.top - 20 };
  const axis = { top: 34, foot: block.top - 10 };
  return { words, left, right, cell, tokens, slab, strip, rivals, row, block, axis, fits: cell >= LEAST };
}

/**
 * One size of type for all tokens: the largest in which the longest fits.
 *
 * @param {Columns} at @param {readonly string[]} words
 */
export function sizeOf({ cell }, words) {
  const widest = Math.max(...words.map((word) => textWidth(word, 20, true)));
  return Math.min(Math.max(Math.floor((20 * (cell - 22)) / widest), 14), 20);
}

/** The middle of a token's column. @param {Columns} at @param {number} i */
export const middleOf = (at, i) => at.left + (at.words.indexOf(i) + 0.5) * at.cell;

/**
 * The block of a chosen token: two columns wide, unless a chosen one is next to it.
 *
 * @param {Columns} at @param {readonly Judged[]} judged @param {number} n @returns {Block}
 */
export function blockOf(at, judged, n) {
  const places = judged.map(({ place }) => middleOf(at, place));
  const near = Math.min(...places.flatMap((x, m) => (m === n ? [] : [Math.abs(x - places[n])])), 2.1 * at.cell);
  const half = near / 2 - 6;
  const middle = Math.max(at.left - 40 + half, Math.min(places[n], at.right + 40 - half));
  return { left: middle - half, right: middle + half, ...at.block };
}

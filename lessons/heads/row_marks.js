// What both kinds of bars have: a title, and the number of the marked key.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen, TextLook } from "../../drawing/pen.js" */
/** @import { Places } from "./heads_layout.js" */
/** @import { Bars } from "./heads_row.js" */

/**
 * @param {Pen} pen
 * @param {Places} at
 * @param {Bars} bars
 * @param {number} y
 * @param {string} text
 * @param {string} fill
 */
export function titleZone(pen, at, { left }, y, text, fill) {
  const look = { key: text[0], size: 14, bold: true, fill, halo: pen.colour.background };
  pen.text(at.narrow ? 8 : left - 24, y, text, look);
}

/**
 * A number beside the bar of a key, on the side where there is room.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {Bars} bars
 * @param {number} n the index of the key among those drawn
 * @param {number} y
 * @param {string} text
 * @param {TextLook & { size: number }} look
 * @param {boolean} marked
 */
export function numberBeside(pen, at, { middle, wide, left }, n, y, text, look, marked) {
  const width = textWidth(text, look.size, look.bold);
  const right = middle(n) + wide / 2 + 8;
  const fits = right + width < at.row.right;
  const x = fits ? right : Math.max(middle(n) - wide / 2 - 8, left + width);
  pen.markedText(x, y, text, marked, { ...look, anchor: fits ? "start" : "end", halo: !marked });
}

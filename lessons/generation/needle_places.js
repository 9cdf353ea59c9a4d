// Where the one line of a random walk is drawn, and the needle over a line.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { WalkPart } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"needle">} WalkScene */
/** @typedef {ReturnType<typeof placesOf>} WalkPlaces */

/**
 * The line, the base line of the sentence over it, and the size of its letters.
 *
 * @param {Pick<WalkScene, "width" | "height" | "narrow" | "data">} scene
 */
export function placesOf({ width, height, narrow, data }) {
  const left = narrow ? 12 : 28;
  const length = width - 2 * left;
  const size = narrow ? 20 : Math.min(34, width / 30);
  const sentence = Math.max(size * 1.15, height * 0.12);
  const top = sentence + (narrow ? 74 : 88);
  const named = !narrow && data.lines[0].parts.some((part) => isShort(part, length));
  const foot = named ? 116 : narrow ? 96 : 64;
  const high = Math.max(60, height - top - foot);
  const scale = scaleLinear([0, 1], [left, left + length]);
  return { left, length, size, sentence, top, high, last: top + high + foot - 12, narrow, scale };
}

/**
 * Whether a part is too short for its word.
 *
 * @param {WalkPart} part @param {number} length of the line
 */
export const isShort = ({ word, low, high }, length) => textWidth(shown(word), 16, true) + 12 > (high - low) * length;

/**
 * A word as it stands in the picture: a sign in quotes, so that it can be seen.
 *
 * @param {string} word
 */
export const shown = (word) => (/^[.,;:!?'"]$/.test(word) ? `“${word}”` : word);

/**
 * A pin that stands on a line at `top`, with a thread into the line, which is `high`.
 *
 * @param {Pen} pen @param {number} x @param {number} top @param {number} high @param {string} fill @param {string} through
 */
export function drawPin(pen, x, top, high, fill, through) {
  if (high) pen.line(x, top + 8, x, top + high * 0.32, { stroke: through, width: 2, dash: "4 4" });
  pen.path(`M${x - 3.5} ${top - 30}L${x} ${top + 10}L${x + 3.5} ${top - 30}z`, { fill, stroke: "none" });
  pen.circle(x, top - 34, 9, { fill });
}

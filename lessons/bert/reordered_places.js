// Where the words of a text are drawn in their own and in another order, and below them the readers' answers.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"reordered">} ReorderedScene */
/** @typedef {ReturnType<typeof placesOf>} ReorderedPlaces */

/** @param {Pick<ReorderedScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  const edge = narrow ? 6 : 16;
  const first = narrow ? 20 : 40; // the base line of the text's own order
  const second = narrow ? 96 : 140; // that of the other order
  const size = sizeOf(data.tokens, width - 2 * edge, narrow);
  const top = second + (narrow ? 42 : 52);
  const row = (height - top - 6) / data.readers.length;
  const label = narrow ? 0 : 190;
  const end = width - edge - (narrow ? 58 : 128);
  const half = (end - edge - label - (narrow ? 10 : 36)) / 2;
  const starts = [edge + label, edge + label + half + (narrow ? 10 : 36)];
  return {
    narrow,
    edge,
    first,
    second,
    size,
    top,
    row,
    end,
    bars: starts.map((left) => scaleLinear([0, 1], [left, left + half])),
  };
}

/**
 * The largest type in which the tokens stand in one line.
 *
 * @param {readonly string[]} tokens @param {number} room @param {boolean} narrow
 */
function sizeOf(tokens, room, narrow) {
  const sizes = narrow ? [18, 16, 15, 14, 13] : [28, 25, 22, 20, 18, 16, 15, 14];
  return sizes.find((size) => wideOf(tokens, size) <= room) ?? sizes[sizes.length - 1];
}

/** @param {readonly string[]} tokens @param {number} size */
const wideOf = (tokens, size) => tokens.reduce((sum, token) => sum + textWidth(token, size, true) + 0.5 * size, 0);

/**
 * The middle of each token in its own order, and in an order in which the t-th token is at `to[t]`. A token on its way
 * is between two places; the words make room for one another.
 *
 * @param {readonly string[]} tokens @param {readonly number[]} to @param {number} size @param {number} room
 */
export function middlesOf(tokens, to, size, room) {
  const widths = tokens.map((token) => textWidth(token, size, true));
  const least = widths.reduce((sum, wide) => sum + wide, 0);
  const space = Math.min(size, (room - least) / Math.max(tokens.length - 1, 1));
  const order = tokens.map((_, t) => t).sort((a, b) => to[a] - to[b] || a - b);
  let x = (room - least - space * (tokens.length - 1)) / 2;
  const found = /** @type {number[]} */ (Array(tokens.length));
  for (const t of order) {
    found[t] = x + widths[t] / 2;
    x += widths[t] + space;
  }
  return found;
}

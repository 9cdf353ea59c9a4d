// Where the parts of the picture of a small head are drawn: the tokens at the foot, the network on them, the head above.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"small_head">} HeadScene */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Zone */
/** @typedef {ReturnType<typeof placesOf>} HeadPlaces */

const EDGE = 22;

/** @param {HeadScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const freeze = data.shown === "freeze";
  const edge = narrow ? 6 : EDGE;
  const foot = height - (narrow || freeze ? 58 : 40);
  const right = freeze ? edge + width * (narrow ? 0.5 : 0.46) : width - edge;
  const high = freeze ? foot - 52 : narrow ? 58 : Math.min(96, height * 0.2);
  const slab = { left: edge, right, top: foot - high, foot };
  const from = edge + (narrow ? 18 : 0); // room for the first token, which is slanted
  const column = (right - from) / data.tokens.length;
  const vectors = slab.top - (narrow ? 12 : 16);
  return {
    narrow,
    slab,
    column,
    x: (/** @type {number} */ token) => from + (token + 0.5) * column,
    words: height - (narrow || freeze ? 44 : 10),
    slanted: narrow || freeze,
    vectors,
    zone: { left: edge, right: width - edge, top: 8, foot: vectors - (narrow ? 12 : 18) },
  };
}

/**
 * The floors of the slab, each as high as it has weights; `line(k)` is the height of the line above k floors.
 *
 * @param {readonly { weights: number }[]} parts from the lowest @param {Zone} slab
 */
export function floorsOf(parts, { top, foot }) {
  const all = parts.reduce((sum, { weights }) => sum + weights, 0);
  const line = (/** @type {number} */ count) =>
    foot - ((foot - top) * parts.slice(0, count).reduce((sum, { weights }) => sum + weights, 0)) / all;
  return { line, floor: (/** @type {number} */ k) => ({ top: line(k + 1), high: line(k) - line(k + 1) }) };
}

/**
 * The number of floors whose line is nearest to a height.
 *
 * @param {(count: number) => number} line @param {number} count of the floors @param {number} y
 */
export function nearestLine(line, count, y) {
  const lines = Array.from({ length: count + 1 }, (_, k) => Math.abs(line(k) - y));
  return lines.indexOf(Math.min(...lines));
}

/**
 * Numbers as small bars around a middle line, above it where positive: a path.
 *
 * @param {ArrayLike<number>} numbers @param {number} most the largest of all sizes @param {Zone} box
 */
export function barsPath(numbers, most, { left, right, top, foot }) {
  const step = (right - left) / numbers.length;
  const middle = (top + foot) / 2;
  const half = (foot - top) / 2;
  return Array.from(numbers, (number, i) => {
    const x = (left + (i + 0.5) * step).toFixed(1);
    return `M${x} ${middle.toFixed(1)}v${((-number / most) * half).toFixed(1)}`;
  }).join("");
}

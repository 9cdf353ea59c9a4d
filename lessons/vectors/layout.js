// Where the parts of the picture of word vectors are drawn.

import { textWidth } from "../../drawing/pen.js";

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */

const FOOT = 112;

/** @typedef {ReturnType<typeof places>} Places */

/** @param {{ width: number, height: number, narrow: boolean }} room */
export function places({ width, height, narrow }) {
  if (narrow) {
    const strip = { left: 82, top: height - 56, wide: width - 98, high: 32 };
    const list = { left: 6, top: height - 124, wide: width - 12, high: 40 };
    const text = { left: 6, top: 4, wide: width - 12, high: 62 };
    const map = { left: 2, top: 68, wide: width - 4, high: list.top - 76 };
    return { text, list, map, strip, small: true };
  }
  const high = height - FOOT;
  const column = Math.min(0.36 * width, 380);
  const text = { left: 14, top: 20, wide: column - 14, high: 0.56 * high - 26 };
  const list = { left: 14, top: 0.56 * high + 12, wide: column - 14, high: 0.44 * high - 18 };
  const map = { left: column + 22, top: 14, wide: width - column - 34, high: high - 24 };
  const strip = { left: 92, top: high + 28, wide: width - 92 - 56, high: FOOT - 54 };
  return { text, list, map, strip, small: false };
}

/**
 * Words in left-aligned rows: the left end, the row and the width of each word.
 *
 * @param {readonly string[]} words
 * @param {number} wide the room of a row
 * @param {number} size of the letters
 * @param {number} gap between two words
 */
export function flow(words, wide, size, gap) {
  const placed = [];
  let [x, row] = [0, 0];
  for (const word of words) {
    const own = textWidth(word, size) + 12;
    if (x && x + own > wide) [x, row] = [0, row + 1];
    placed.push({ x, row, wide: own });
    x += own + gap;
  }
  return placed;
}

/**
 * The index of the snapshot at a step; fractional if the step is between two snapshots.
 *
 * @param {ArrayLike<number>} steps of the snapshots
 * @param {number} step
 */
export function placeOfStep(steps, step) {
  const last = steps.length - 1;
  if (step <= steps[0]) return 0;
  if (step >= steps[last]) return last;
  let i = 0;
  while (steps[i + 1] < step) i++;
  return i + (step - steps[i]) / (steps[i + 1] - steps[i]);
}

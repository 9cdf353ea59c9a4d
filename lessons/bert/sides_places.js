// Where the picture of both sides is drawn: the cells of the words, the arcs above them, the towers and the bars.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"sides">} SidesScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */

const TOWERS = 250; // the width of the two towers with their captions
const LEAST_CELL = { narrow: 66, wide: 88 };
const MOST_CELL = 190;

/** @param {SidesScene} scene */
export function placesOf(scene) {
  const { width, height, narrow, data } = scene;
  const edge = narrow ? 8 : 24;
  const words = data.words.length - data.special.length;
  const least = narrow ? LEAST_CELL.narrow : LEAST_CELL.wide;
  const towers = !narrow && (width - TOWERS - 3 * edge) / words >= least;
  const left = towers ? edge + TOWERS + 40 : edge;
  const right = width - edge;
  const { from, to } = windowOf(data.place, firstWord(scene), words, Math.floor((right - left) / least));
  const cell = Math.min((right - left) / (to - from), MOST_CELL);
  const tall = narrow ? 34 : 44;
  const head = narrow ? 22 : 30;
  const foot = Math.max(height * (narrow ? 0.27 : 0.4), 140);
  return { narrow, towers, edge, left, right, from, to, cell, tall, head, top: foot - tall, foot, height, width };
}

/** @param {SidesScene} scene the place of the first word that is drawn */
const firstWord = ({ data }) => data.words.findIndex((_, i) => !data.special.includes(i));

/**
 * The words that fit around the gap, from `from` up to but excluding `to`.
 *
 * @param {number} gap @param {number} first @param {number} count @param {number} most
 */
function windowOf(gap, first, count, most) {
  const shown = Math.min(count, Math.max(most, 1));
  const from = Math.min(Math.max(gap - Math.floor((shown - 1) / 2), first), first + count - shown);
  return { from, to: from + shown };
}

/** The left edge of a word. @param {Places} at @param {number} i */
export const cellAt = (at, i) => at.left + (i - at.from) * at.cell;

/**
 * The boxes of the two lists of bars: side by side, or on a phone one below the other.
 *
 * @param {Places} at @returns {Box[]}
 */
export function barBoxes({ narrow, left, right, foot, height }) {
  const top = foot + (narrow ? 46 : 52);
  if (narrow) {
    const middle = top + (height - top) * 0.46;
    return [
      { left, right, top, foot: middle - 8 },
      { left, right, top: middle + 24, foot: height - 2 },
    ];
  }
  const middle = left + (right - left) / 2;
  return [
    { left, right: middle - 16, top, foot: height - 6 },
    { left: middle + 16, right, top, foot: height - 6 },
  ];
}

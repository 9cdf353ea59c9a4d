// Where packed inputs are drawn: two groups of rows, each row as many places wide as an input is long.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"packed">} PackedScene */
/** @typedef {ReturnType<typeof placesOf>} PackedPlaces */

const MOST = 54; // of a row
const TITLE = { narrow: 24, wide: 32 };

/**
 * @param {number} width @param {number} height @param {boolean} narrow @param {number} length of an input
 * @param {readonly [number, number]} counts the number of inputs of either group
 */
export function placesOf(width, height, narrow, length, counts) {
  const edge = narrow ? 6 : 12;
  const title = narrow ? TITLE.narrow : TITLE.wide;
  const inner = narrow ? 8 : 14;
  const left = edge + inner;
  const right = width - edge - inner;
  const gap = narrow ? 8 : 14;
  const rows = counts[0] + counts[1];
  const room = height - 8 - gap - 2 * (title + inner);
  const line = Math.min(room / rows, narrow ? MOST : MOST + 12);
  const high = line - Math.min(narrow ? 5 : 10, line * 0.25);
  const slack = Math.max(0, room - rows * line) / 2;
  const tops = [4, 4 + title + inner + counts[0] * line + slack + gap];
  return {
    narrow,
    each: (right - left) / length,
    high,
    /** @param {number} group */
    frame: (group) => ({
      left: edge,
      right: width - edge,
      top: tops[group],
      foot: tops[group] + title + inner + counts[group] * line + slack,
    }),
    /** @param {number} group @param {number} row */
    top: (group, row) => tops[group] + title + slack / 2 + row * line,
    /** @param {number} at the place in an input */
    x: (at) => left + (at * (right - left)) / length,
  };
}

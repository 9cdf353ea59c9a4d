// Where BART's five ways are drawn: a column for each token of the text, and on a phone a line for each.

/** @import { NoiseCell } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"noises">} NoisesScene */
/** @typedef {ReturnType<typeof placesOf>} NoisesPlaces */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */

const LEAST = { narrow: 17, wide: 30 }; // of a column, or on a phone of a line
const TITLES = 182;
const COUNTS = 98;
const BUTTONS = 3; // on a phone, in a row

/** @param {Pick<NoisesScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  return narrow ? tallPlaces(data, width, height) : widePlaces(data, width, height);
}

/** @param {NoisesScene["data"]} data @param {number} width @param {number} height */
function widePlaces({ tokens, ways }, width, height) {
  const left = 16 + TITLES;
  const right = width - COUNTS;
  const shown = Math.min(tokens.length, Math.floor((right - left) / LEAST.wide));
  const each = (right - left) / shown;
  const line = (height - 12) / (ways.length + 2 + 0.5); // half a line separates the text from the ways, and these from the foot
  const high = Math.min(line * 0.74, 52);
  const row = (/** @type {number} */ n) => {
    const gaps = n === 0 ? 0 : n > ways.length ? 0.5 : 0.25;
    const top = 6 + (n + gaps) * line;
    return { left, right, top: top + (line - high) / 2, foot: top + (line + high) / 2 };
  };
  return {
    narrow: false,
    shown,
    each,
    line,
    row,
    /** @type {(way: number) => Box} what is pressed to choose a way */
    press: (way) => {
      const { top, foot } = row(way + 1);
      return { left: 6, right: width - 6, top: top - 6, foot: foot + 6 };
    },
    /** @type {(row: number, at: number, wide: number) => Box} a cell of a row */
    cell: (n, at, wide) => ({ ...row(n), left: left + at * each, right: left + (at + wide) * each }),
  };
}

/** @param {NoisesScene["data"]} data @param {number} width @param {number} height */
function tallPlaces({ tokens, ways }, width, height) {
  const lines = Math.ceil(ways.length / BUTTONS);
  const top = lines * 36 + 26;
  const shown = Math.min(tokens.length, Math.floor((height - top - 4) / LEAST.narrow));
  const each = Math.min((height - top - 4) / shown, 30);
  const half = width / 2;
  const column = (/** @type {number} */ n) =>
    n === 0 ? { left: 6, right: half - 18 } : { left: half + 18, right: width - 6 };
  return {
    narrow: true,
    shown,
    each,
    line: each,
    row: (/** @type {number} */ n) => ({ ...column(n), top, foot: top + shown * each }),
    /** @type {(way: number) => Box} */
    press: (way) => {
      const [row, at] = [Math.floor(way / BUTTONS), way % BUTTONS];
      const wide = (width - 12) / Math.min(BUTTONS, ways.length - row * BUTTONS);
      return { left: 6 + at * wide + 2, right: 6 + (at + 1) * wide - 2, top: 2 + row * 36, foot: 34 + row * 36 };
    },
    /** @type {(row: number, at: number, wide: number) => Box} */
    cell: (n, at, wide) => ({ ...column(n), top: top + at * each, foot: top + (at + wide) * each }),
  };
}

/**
 * The cells that are drawn: what begins after the shown tokens is left out, and what goes beyond them is cut.
 *
 * @param {readonly NoiseCell[]} cells @param {number} shown
 */
export const within = (cells, shown) =>
  cells
    .filter(({ at, wide }) => at < shown || (at === shown && !wide))
    .map((cell) => ({ ...cell, wide: Math.min(cell.wide, shown - cell.at) }));

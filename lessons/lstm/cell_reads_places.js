// Where a text that one cell reads is drawn: rows of characters, and beside or below them the cells.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"cell_reads">} ReadsScene */
/** @typedef {ReturnType<typeof placesOf>} ReadsPlaces */
/** @typedef {{ row: number, x: number, wide: number }} Spot */

const SIZES = { wide: [26, 25, 24, 23, 22, 21, 18, 15], narrow: [16, 14] }; // of the type
const LEAST = 1.75; // the least height of a row, in sizes of the type
const PAD = 1; // beside a character
const BREAK = 14; // how wide the mark of a line break is

/**
 * The row and the place of each character; a row ends with a line break, or before a word that does not fit.
 *
 * @param {string} text @param {number} room @param {(character: string) => number} widthOf @returns {Spot[]}
 */
export function spotsOf(text, room, widthOf) {
  /** @type {Spot[]} */
  const spots = [];
  let [row, x] = [0, 0];
  for (const word of text.match(/[^ \n]*[ \n]?/g) ?? []) {
    const widths = [...word].map(widthOf);
    const visible = word.trimEnd();
    const wide = [...visible].reduce((sum, each) => sum + widthOf(each), 0);
    if (x && x + wide > room) [row, x] = [row + 1, 0];
    for (const each of widths) {
      if (x && x + each > room + BREAK) [row, x] = [row + 1, 0]; // within a word that is wider than a row
      spots.push({ row, x, wide: each });
      x += each;
    }
    if (word.endsWith("\n")) [row, x] = [row + 1, 0];
  }
  return spots;
}

/** @param {ReadsScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const box = narrow
    ? { left: 6, right: width - 6 - BREAK, top: 28, foot: height - 150 }
    : { left: 8, right: 720, top: 42, foot: height - 4 };
  const room = box.right - box.left;
  const tried = SIZES[narrow ? "narrow" : "wide"].map((size) => {
    /** @type {(character: string) => number} */
    const widthOf = (character) => (character === "\n" ? BREAK : textWidth(character, size) + PAD);
    const spots = spotsOf(data.text, room, widthOf);
    return { size, spots, rows: spots[spots.length - 1].row + 1 };
  });
  // The largest type with which all rows fit; better one with which no line is broken.
  const lines = data.text.split("\n").length;
  const fitting = tried.filter(({ size, rows }) => rows * size * LEAST <= box.foot - box.top);
  const whole = fitting.find(({ size, rows }) => rows === lines && size > 18);
  const { size, spots, rows: wanted } = whole ?? fitting[0] ?? tried[tried.length - 1];
  const rows = Math.min(wanted, Math.floor((box.foot - box.top) / (size * LEAST)));
  const high = Math.min((box.foot - box.top) / rows, 3 * size);
  const cells = narrow
    ? { left: 6, right: width - 6, top: height - 142, foot: height - 4 }
    : { left: 764, right: width - 8, top: 34, foot: height - 6 };
  const follow = scaleLinear([data.chance, 1], [cells.left + (narrow ? 64 : 76), cells.right - (narrow ? 60 : 66)]);
  return { narrow, box, rows, high, spots: spots.filter(({ row }) => row < rows), size, cells, follow };
}

/**
 * The box of a character.
 *
 * @param {Pick<ReadsPlaces, "box" | "high" | "size">} at @param {Spot} spot
 */
export const tileOf = ({ box, high, size }, { row, x, wide }) => ({
  x: box.left + x,
  y: box.top + row * high,
  wide,
  high: size * 1.32,
});

/**
 * The character at a point, or the nearest one of its row.
 *
 * @param {Pick<ReadsPlaces, "box" | "high" | "spots" | "rows">} at @param {number} x @param {number} y
 */
export function characterAt({ box, high, spots, rows }, x, y) {
  const row = Math.min(Math.max(Math.floor((y - box.top) / high), 0), rows - 1);
  let found = 0;
  spots.forEach((spot, n) => {
    if (spot.row < row || (spot.row === row && spot.x <= Math.max(x - box.left, 0))) found = n;
  });
  return found;
}

/**
 * The stretches of a row in which the label is true: from where to where.
 *
 * @param {Pick<ReadsPlaces, "spots">} at @param {ArrayLike<number>} labels @returns {{ row: number, from: number, to: number }[]}
 */
export function spansOf({ spots }, labels) {
  /** @type {{ row: number, from: number, to: number }[]} */
  const found = [];
  spots.forEach(({ row, x, wide }, n) => {
    if (!labels[n]) return;
    const last = found[found.length - 1];
    if (last && last.row === row && Math.abs(last.to - x) < 0.01) last.to = x + wide;
    else found.push({ row, from: x, to: x + wide });
  });
  return found;
}

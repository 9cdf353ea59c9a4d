// Where the parts of the picture of contextual vectors are drawn; the outline of a cloud; words in lines.

import { textWidth } from "../../drawing/pen.js";

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */

const FOOT = 104; // of the strip below the map

/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {{ x: number, y: number }} Spot */
/** @typedef {{ word: string, i: number, x: number, row: number }} PlacedWord */

/** @param {{ width: number, height: number, narrow: boolean }} room */
export const places = (room) => (room.narrow ? narrowPlaces(room) : widePlaces(room));

/** @param {{ width: number, height: number }} room @returns {Places} */
function narrowPlaces({ width, height }) {
  const strip = { left: 30, top: height - 62, wide: width - 48, high: 40 };
  const card = { left: 6, top: strip.top - 78, wide: width - 12, high: 58 };
  const map = { left: 2, top: 2, wide: width - 4, high: card.top - 14 };
  return { map, card, strip, bars: null, matrix: null, narrow: true };
}

/** @param {{ width: number, height: number }} room */
function widePlaces({ width, height }) {
  const column = Math.min(0.37 * width, 400);
  const left = width - column;
  const map = { left: 6, top: 8, wide: left - 30, high: height - FOOT - 16 };
  const strip = { left: 52, top: height - FOOT + 26, wide: left - 52 - 150, high: FOOT - 52 };
  const bars = { left, top: 12, wide: column - 12, high: 66 };
  const side = Math.min(0.3 * height, 150);
  const matrix = { left, top: 98, wide: side, high: side };
  const card = { left, top: matrix.top + side + 20, wide: column - 12, high: height - matrix.top - side - 30 };
  const beside = /** @type {{ bars: Box | null, matrix: Box | null }} */ ({ bars, matrix });
  return { map, card, strip, ...beside, narrow: false };
}

/**
 * The corners of the convex hull of points, in order: Andrew's monotone chain.
 *
 * @param {readonly Spot[]} points
 */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  if (sorted.length < 3) return sorted;
  /** @type {(a: Spot, b: Spot, c: Spot) => number} */
  const turns = (a, b, c) => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  /** @param {readonly Spot[]} row */
  const half = (row) => {
    const kept = /** @type {Spot[]} */ ([]);
    for (const point of row) {
      while (kept.length > 1 && turns(kept[kept.length - 2], kept[kept.length - 1], point) <= 0) kept.pop();
      kept.push(point);
    }
    return kept.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/**
 * Words in lines of a width, marks joined to the word before; at most `most` lines, the last cut with an ellipsis.
 *
 * @param {readonly string[]} words
 * @param {number} wide
 * @param {number} size
 * @param {number} most
 * @param {number} bold the word in bold; −1 for none
 * @returns {PlacedWord[]}
 */
export function lines(words, wide, size, most, bold = -1) {
  const placed = /** @type {PlacedWord[]} */ ([]);
  let [x, row] = [0, 0];
  for (const { word, i } of withMarks(words)) {
    const its = textWidth(word, size, i === bold);
    const gap = x ? size * 0.26 : 0;
    const fits = !x || x + gap + its <= wide;
    if (!fits && row + 1 >= most) return [...placed, { word: "…", i, x: x + 1, row }];
    if (!fits) [x, row] = [0, row + 1];
    const left = fits ? x + gap : 0;
    placed.push({ word, i, x: left, row });
    x = left + its;
  }
  return placed;
}

/**
 * Words with the punctuation marks that follow them: browsers may leave out a mark alone, as it is so small.
 *
 * @param {readonly string[]} words
 */
function withMarks(words) {
  const joint = /** @type {{ word: string, i: number }[]} */ ([]);
  words.forEach((word, i) => {
    const before = joint.at(-1);
    if (before && /^[.,;:!?]$/.test(word)) before.word += word;
    else joint.push({ word, i });
  });
  return joint;
}

/**
 * The words around one of them that fit into a line, with ellipses where some are left out.
 *
 * @param {readonly string[]} words @param {number} at @param {number} wide @param {number} size
 */
export function excerpt(words, at, wide, size) {
  /** @type {(first: number, last: number) => string} */
  const text = (first, last) =>
    `${first ? "… " : ""}${joined(words.slice(first, last))}${last < words.length ? " …" : ""}`;
  /** @type {(first: number, last: number) => boolean} */
  const fits = (first, last) => first >= 0 && last <= words.length && textWidth(text(first, last), size) <= wide;
  let [first, last] = [at, at + 1];
  for (let grown = true; grown;) {
    grown = false;
    if (fits(first, last + 1)) [last, grown] = [last + 1, true];
    if (fits(first - 1, last)) [first, grown] = [first - 1, true];
  }
  return text(first, last);
}

/**
 * Words as a text, without a space before a punctuation mark.
 *
 * @param {readonly string[]} words
 */
export const joined = (words) => words.join(" ").replace(/ ([.,;:!?])/g, "$1");

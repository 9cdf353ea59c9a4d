// Where the parts of the picture of an encoder–decoder stand: two rows of words with what lies between, the
// translation through one vector below, and the map of α beside.

import { textWidth } from "../../drawing/pen.js";

const WIDEST = 92; // maximum width of a column
const LEAST = 28; // minimum height of the pencil
const UPRIGHT = 26; // height of a row of horizontal words
const [SLOPE, STEEP] = [42, 72]; // slope of words that do not fit side by side, and of dense ones, in degrees
const DENSE = 20; // in narrower columns, words are steep

/** @typedef {{ left: number, wide: number, top: number, high: number }} Box */
/** @typedef {ReturnType<typeof places>} Places */
/** @typedef {ReturnType<typeof mapCells>} Cells */

/**
 * @param {{ width: number, height: number, narrow: boolean }} room
 * @param {{ source: readonly string[], rows: (readonly string[])[] }} words rows: of both translations
 */
export function places({ width, height, narrow }, { source, rows }) {
  const size = narrow ? 14 : 16;
  const zone = { left: narrow ? 4 : 14, wide: narrow ? width - 8 : 0.6 * width - 14 };
  const above = wordRow(source, zone, size);
  const below = wordRow(rows[0], zone, size, Math.max(...rows.map((row) => row.length)), rows);
  const encoder = (narrow ? 18 : 24) + above.high;
  const foot = height - 2 * below.high - (narrow ? 38 : 42); // room for the heading of the row of one vector
  const gaps = narrow ? 24 + LEAST : 36 + LEAST;
  const state = {
    wide: Math.min(Math.max(Math.min(above.pitch, below.pitch) - (narrow ? 3 : 8), 6), 44),
    high: Math.min(narrow ? 34 : 44, (foot - encoder - gaps) / 3),
  };
  const decoder = foot - (narrow ? 8 : 14) - state.high;
  const context = decoder - state.high - (narrow ? 16 : 22);
  return {
    small: narrow,
    size,
    above,
    below,
    state,
    zone,
    x: (/** @type {number} */ j) => above.left + above.pitch * (j + 0.5),
    to: (/** @type {number} */ i) => below.left + below.pitch * (i + 0.5),
    rows: {
      title: narrow ? 12 : 16,
      encoder,
      context,
      decoder,
      written: decoder + state.high,
      vector: foot + below.high,
      heading: foot + below.high + (narrow ? 20 : 28),
    },
    map: narrow ? null : mapPlace(width, height, zone),
  };
}

/**
 * Columns for a row of words, which are horizontal or sloping.
 *
 * @param {readonly string[]} words
 * @param {{ left: number, wide: number }} zone
 * @param {number} size of the letters
 * @param {number} count of the columns
 * @param {(readonly string[])[]} rows all words that are drawn in these columns
 */
function wordRow(words, { left, wide: whole }, size, count = words.length, rows = [words]) {
  const longest = Math.max(...rows.flat().map((word) => textWidth(word, size, true)));
  const most = Math.min(whole / count, WIDEST);
  const upright = longest + 6 <= most;
  const slope = upright ? 0 : most < DENSE ? STEEP : SLOPE;
  const letters = most < DENSE ? Math.min(size, 13) : size;
  const [across, down] = [Math.cos((slope * Math.PI) / 180), Math.sin((slope * Math.PI) / 180)];
  const last = Math.max(...rows.map((row) => textWidth(row[row.length - 1], letters, true)));
  // A sloping word ends to the right of its column.
  const wide = upright ? whole : whole - Math.max(across * last + down * letters - most / 2, 0);
  const high = upright ? UPRIGHT : 14 + down * longest * (letters / size);
  const pitch = Math.min(wide / count, WIDEST);
  return { left: left + (wide - pitch * count) / 2, pitch, upright, slope, size: letters, high };
}

/** @param {number} width @param {number} height @param {{ left: number, wide: number }} zone @returns {Box} */
function mapPlace(width, height, zone) {
  const left = zone.left + zone.wide + 26;
  return { left, wide: width - left - 10, top: 8, high: height - 16 };
}

/**
 * The cells of the map, with room for the words of its rows and columns.
 *
 * @param {Box} box
 * @param {readonly string[]} source
 * @param {readonly string[]} written
 * @param {{ head: number, foot: number }} room above and below, in units
 */
export function mapCells({ left, wide, top, high }, source, written, { head, foot }) {
  const size = 14;
  const widest = (/** @type {readonly string[]} */ words) => Math.max(...words.map((word) => textWidth(word, size)));
  const side = Math.min(widest(written) + 10, 0.3 * wide);
  const slant = Math.min(0.77 * widest(source) + 14, 0.3 * high);
  const across = wide - side - 0.6 * slant;
  const down = high - head - foot - slant;
  const cell = Math.max(Math.min(across / source.length, down / written.length, 36), 2);
  return {
    cell,
    size,
    left: left + side,
    top: top + head + slant,
    wide: cell * source.length,
    high: cell * written.length,
  };
}

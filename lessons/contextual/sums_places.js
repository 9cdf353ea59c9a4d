// Where the tokens, their costs and the two sums are drawn: along a row, or on a phone down a column.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"sums">} SumsScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof sumsPlaces>} Places */

/** @param {SumsScene} scene */
export function sumsPlaces({ narrow, width, height, data, values, hidden }) {
  const count = data.tokens.length;
  const band = narrow ? 78 : 40;
  const middle = narrow ? width / 2 : height / 2;
  const start = narrow ? 30 : 6;
  const sums = narrow ? 40 : 215; // for the column of the sums
  const pitch = ((narrow ? height : width) - start - sums) / count;
  const room = middle - band / 2 - (narrow ? 56 : 54); // beyond the longest bar stand its number and the reader's name
  const most = Math.max(values("left"), data.both && !hidden("right") ? values("right") : 0);
  const chosen = Math.round(values("k"));
  const thick = Math.min(pitch * 0.62, 60);
  const sum = { at: (narrow ? height : width) - (narrow ? 20 : 48), thick: narrow ? 22 : 84 };
  return { narrow, count, band, middle, start, pitch, chosen, thick, sum, scale: room / most };
}

/**
 * Where a token's middle is along the text.
 *
 * @param {Places} places @param {number} i
 */
export const along = ({ start, pitch }, i) => start + pitch * (i + 0.5);

/**
 * A bar of a reader, from one cost to another, up or to the left for the reader from the left (`side` −1).
 *
 * @param {Places} places
 * @param {{ at: number, thick: number, side: number, from: number, to: number }} bar
 * @returns {Box}
 */
export function barBox({ narrow, middle, band, scale }, { at, thick, side, from, to }) {
  const [near, far] = [from, to].map((cost) => middle + side * (band / 2 + 4 + cost * scale));
  const start = Math.min(near, far);
  const long = Math.max(Math.abs(far - near), from ? 0.5 : 2.5);
  return narrow
    ? { x: start, y: at - thick / 2, wide: long, high: thick }
    : { x: at - thick / 2, y: start, wide: thick, high: long };
}

/**
 * The part of the band with the tokens from one to another.
 *
 * @param {Places} places @param {number} first @param {number} last @returns {Box}
 */
export function bandBox({ narrow, start, pitch, middle, band }, first, last) {
  const a = start + pitch * first + 1;
  const long = pitch * (last - first + 1) - 2;
  return narrow
    ? { x: middle - band / 2, y: a, wide: band, high: long }
    : { x: a, y: middle - band / 2, wide: long, high: band };
}

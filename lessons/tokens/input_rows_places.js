// Where the columns of tokens are, and the strips in them.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"input_rows">} RowsScene */
/** @typedef {ReturnType<typeof placesOf>} Places */

const LEAST = 62; // the width of the narrowest column
const WIDEST = 220;
const INDEX = 27; // the height of the number over a strip

/** @param {RowsScene} scene */
export function placesOf({ width, height, narrow, data }) {
  const left = narrow ? 66 : 108;
  const fits = Math.max(Math.floor((width - left - 8) / LEAST), 1);
  const many = Math.min(data.tokens.length, fits);
  const from = Math.min(Math.max(data.at - Math.floor(many / 2), 0), data.tokens.length - many);
  const cell = Math.min((width - left - 8) / many, WIDEST);
  const words = narrow ? 22 : 26; // the base line of the text
  const pieces = { top: words + 18, high: narrow ? 30 : 36 };
  const tables = data.tables.length - 1;
  const first = pieces.top + pieces.high + 8;
  const foot = height - (narrow ? 30 : 34); // of the sum's strips
  const tall = (foot - first - tables * (INDEX + 8) - 26) / (tables + 1.2);
  /** @param {number} table the last is the sum */
  const strip = (table) => {
    const sum = table === tables;
    const top = first + table * (INDEX + tall + 8) + (sum ? 26 : INDEX);
    return { top, tall: sum ? foot - top : tall, index: top - 8 };
  };
  /** @param {number} i a token's place in the text */
  const x = (i) => left + (i - from) * cell;
  const gap = Math.min(0.08 * cell, 8);
  return { left, from, to: from + many, cell, gap, words, pieces, tables, foot, strip, x, narrow };
}

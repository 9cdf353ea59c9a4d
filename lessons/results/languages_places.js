// Where the languages are drawn: a bar for each, and beside them, or below on a phone, one sentence in its pieces.

import { scaleLinear } from "../../drawing/d3.js";
import { flow } from "../../drawing/word_flow.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"languages">} LanguagesScene */
/** @typedef {ReturnType<typeof placesOf>} LanguagesPlaces */
/** @typedef {{ x: number, y: number, wide: number, pieces: { text: string, x: number, wide: number }[] }} Word */

const PADDING = 0.32; // of the size of type, at both sides of a piece
const SIZES = [34, 30, 27, 24, 22, 20, 18, 16, 15, 14, 13];

/** @param {Pick<LanguagesScene, "data" | "width" | "height" | "narrow"> & { rates: number[] }} scene */
export function placesOf({ data, width, height, narrow, rates }) {
  const top = narrow ? 4 : 8;
  const name = narrow ? 76 : 108; // of a language
  const end = narrow ? width - 50 : 0.44 * width;
  const row = narrow ? 27 : Math.min((height - top - 52) / data.languages.length, 58);
  const foot = top + row * data.languages.length;
  const bars = scaleLinear([0, Math.max(...rates)], [name, end]);
  const left = narrow ? 4 : end + 96;
  return {
    narrow,
    row,
    bars,
    top,
    foot,
    size: narrow ? 14 : 18,
    /** @param {number} n */
    rowOf: (n) => top + n * row,
    sentence: narrow
      ? { left, top: foot + 66, room: width - 8, foot: height - 4 }
      : { left, top: top + 84, room: width - left - 8, foot: height - 10 },
  };
}

/**
 * The pieces of a sentence as boxes in lines, in the largest type in which they fit.
 *
 * @param {readonly (readonly string[])[]} words
 * @param {LanguagesPlaces["sentence"]} box
 */
export function wordsOf(words, { left, top, room, foot }) {
  for (const size of SIZES) {
    const step = size * 1.75;
    const widths = words.map((pieces) => pieces.map((text) => textWidth(text, size) + 2 * PADDING * size));
    const wide = widths.map((each) => each.reduce((sum, one) => sum + one, 0));
    const places = flow(wide, { left, y: top, room, step, space: 0.6 * size });
    const low = places[places.length - 1].y + step;
    if (low > foot && size !== SIZES[SIZES.length - 1]) continue;
    /** @type {Word[]} */
    const found = words.map((pieces, w) => {
      let x = places[w].x;
      const boxes = pieces.map((text, n) => {
        const box = { text, x, wide: widths[w][n] };
        x += widths[w][n];
        return box;
      });
      return { x: places[w].x, y: places[w].y, wide: wide[w], pieces: boxes };
    });
    return { size, high: size * 1.45, words: found };
  }
  throw new Error("there is a smallest size");
}

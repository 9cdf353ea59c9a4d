// Where the heads, their answers and the output are drawn.

import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"joined">} JoinedScene */
/** @typedef {ReturnType<typeof joinedPlaces>} Places */

const SERIES = [1, 2, 3, 6, 4, 5]; // the colour of each head
const GAP = 14; // between two heads

/** @param {Pick<JoinedScene, "width" | "height" | "narrow" | "data">} scene */
export function joinedPlaces({ width, height, narrow, data }) {
  const heads = data.most.length;
  const size = narrow ? 13 : Math.min(17, (height * 0.42) / data.tokens.length);
  const words = Math.max(...data.tokens.map((token) => textWidth(token, size, true)), narrow ? 56 : 76) + 10;
  const left = words + 4;
  const right = width - 10;
  const wide = (right - left - GAP * (heads - 1)) / heads;
  const first = narrow ? 44 : 40;
  const low = height - (narrow ? 156 : 240); // the foot of the bars
  const row = (low - first) / data.tokens.length;
  const bars = wide - (narrow ? 0 : 66); // the length of a bar at 1; beside it is room for its number
  const strip = narrow ? 16 : 24;
  const answers = low + (narrow ? 8 : 12);
  const joined = answers + strip + (narrow ? 14 : 22);
  const matrix = joined + strip + 12;
  const output = height - (narrow ? 40 : 54);
  const tall = output - matrix - 10;
  const span = { left: left + (narrow ? 0 : 16), right: right - (narrow ? 0 : 16) };
  /** @param {number} h */
  const head = (h) => left + h * (wide + GAP);
  /** @param {number} h the rows of W^O of a head */
  const band = (h) => ({ top: matrix + (h * tall) / heads, high: tall / heads });
  const many = data.matrix.length / (heads * data.wide); // the numbers of the output
  return {
    heads,
    many,
    size,
    words,
    left,
    right,
    wide,
    bars,
    first,
    low,
    row,
    strip,
    answers,
    joined,
    matrix,
    tall,
    output,
    span,
    head,
    band,
  };
}

/**
 * The colour of a head.
 *
 * @param {JoinedScene} scene @param {number} h
 */
export const headColour = ({ colour }, h) => colour[`series-${SERIES[h % SERIES.length]}`];

// Where the nodes and the texts of the slide's tree are drawn.

/** @import { SlideTreeScene } from "./slidetree.js" */
/** @typedef {ReturnType<typeof placesOf>} Places */

/** @param {SlideTreeScene} scene */
export function placesOf({ width, height, narrow, data }) {
  const [top, foot] = [44, height - (narrow ? 8 : 34)];
  const row = (foot - top) / data.texts.length;
  const [left, last] = narrow ? [24, width - 128] : [48, width * 0.55];
  return {
    narrow,
    top,
    foot,
    row,
    column: (/** @type {number} */ depth) => left + (depth * (last - left)) / 3,
    y: (/** @type {number} */ text) => top + (text + 0.5) * row,
    bars: narrow ? width - 96 : width * 0.55 + 128,
    end: width - (narrow ? 52 : 118), // of the bars' scale
    size: narrow ? 14 : 17,
  };
}

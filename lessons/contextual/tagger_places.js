// Where the tagger and the errors of its tasks are drawn: side by side, or on a phone below each other.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"tagger">} TaggerScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof taggerPlaces>} Places */

/** @param {TaggerScene} scene */
export function taggerPlaces({ data, width, height, narrow }) {
  const wide = narrow ? width - 16 : Math.min(width * 0.37, 460);
  const left = narrow ? 8 : 14;
  const foot = narrow ? 196 : height - 40;
  const top = narrow ? 6 : 24;
  const high = narrow ? 30 : 54;
  const step = (foot - high - top - (narrow ? 16 : 24)) / 3;
  const half = (wide - 14) / 2;
  /** @param {number} level @param {0 | 1} side @returns {Box} */
  const chip = (level, side) => ({ x: left + side * (half + 14), y: foot - high - level * step, wide: half, high });
  /** @param {number} level @returns {Box} */
  const row = (level) => ({ x: left, y: foot - high - level * step, wide, high });
  const bars = narrow
    ? { left: 40, right: width - 8, top: 250, foot: height - 52 }
    : { left: left + wide + 96, right: width - 14, top: 44, foot: height - 88 };
  const each = (bars.right - bars.left) / data.tasks.length;
  const y = scaleLinear([0, data.most], [bars.foot, bars.top]);
  return { chip, row, bars, each, y, bar: Math.min(each * 0.42, 120) };
}

// Where the four scores stand: their names, their rulers and their shares, in columns, or on a phone below each other.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"rulers">} RulersScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof rowPlaces>} Row */

const HEAD = 46; // for the titles of the columns
const NARROW_HEAD = 26;
const SCALED = 1;

/**
 * The ends of a ruler now: that of the scaled dot product is the first one, divided.
 *
 * @param {RulersScene} scene @param {number} m
 */
export function endsOf({ data, values }, m) {
  const { low, high } = data.rulers[m];
  const root = m === SCALED ? Math.sqrt(values("d_k")) : 1;
  return /** @type {const} */ ([low / root, high / root]);
}

/**
 * The row of a score: the base lines of its texts, its ruler, its scale and the bar of its shares.
 *
 * @param {RulersScene} scene @param {number} m
 */
export function rowPlaces(scene, m) {
  const { width, height, narrow, data } = scene;
  const head = narrow ? NARROW_HEAD : HEAD;
  const step = (height - head) / data.rulers.length;
  const top = head + m * step;
  const y = narrow ? top + 46 : top + step * 0.5;
  const left = narrow ? 52 : 270;
  const right = narrow ? width - 48 : width * 0.62;
  const high = narrow ? Math.min(step - 79, 30) : Math.min(step * 0.56, 66);
  /** @type {Box} */
  const bar = narrow
    ? { x: 8, y: y + 12, wide: width - 16, high }
    : { x: width * 0.62 + 84, y: y - high / 2, wide: width * 0.38 - 98, high };
  return { top, y, left, right, bar, scale: scaleLinear(endsOf(scene, m), [left, right]) };
}

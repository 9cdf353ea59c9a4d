// Where the head for pairs is drawn: the texts, the strips of numbers, the two sums below them, and the two shares.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"pair_head">} HeadScene */
/** @typedef {ReturnType<typeof placesOf>} HeadPlaces */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */

const TITLE = 20; // the room of a title above its strip

/** @param {HeadScene} scene */
export function placesOf(scene) {
  const { data, width, height, narrow, values } = scene;
  const count = data.rows.length / 2;
  const texts = narrow
    ? { left: 6, right: width - 6, top: 2, foot: height * 0.3 }
    : { left: 16, right: width * 0.29, top: 8, foot: height - 8 };
  const strips = narrow ? { left: 8, right: width - 84 } : { left: width * 0.345, right: width * 0.69 };
  const from = narrow ? texts.foot + 8 : 8;
  const foot = narrow ? height - 72 : height - 16;
  const heights = narrow ? [0, 0.26, 0, 0] : [0.075, 0.075, 0.07, 0.07];
  const title = narrow ? 20 : TITLE;
  let top = from;
  const rows = heights.map((share) => {
    if (!share) return null;
    const high = share * (foot - from);
    const row = { ...strips, top: top + title, foot: top + title + high };
    top = row.foot + (narrow ? 4 : 7);
    return row;
  });
  const sums = { ...strips, top: top + title, foot };
  const ends = [0, 1].flatMap((n) => [...Array(count).keys()].map((i) => values(sumOf(n, i))));
  const most = Math.max(1, ...ends.map(Math.abs)) * 1.08;
  const shares = narrow
    ? { left: 8, right: width - 8, top: height - 62, foot: height - 6 }
    : { left: width * 0.8, right: width - 16, top: 64, foot: height - 84 };
  return {
    narrow,
    count,
    texts,
    rows,
    sums,
    shares,
    x: scaleLinear([0, count], [strips.left, strips.right]),
    y: scaleLinear([-most, most], [sums.foot, sums.top]),
  };
}

/**
 * The name of the sum of a label after a term.
 *
 * @param {number} label @param {number} i
 * @returns {`s${number} ${number}`}
 */
export const sumOf = (label, i) => `s${label} ${i}`;

/**
 * Lines from the middle of a strip, one for each number, as the path of the positive ones or of the negative ones.
 *
 * @param {Box} row @param {(i: number) => number} x @param {readonly number[]} numbers @param {number} most
 */
export function spikes({ top, foot }, x, numbers, most) {
  const middle = (top + foot) / 2;
  return numbers
    .map((value, i) => {
      const long = (Math.max(-1, Math.min(1, value / most)) * (foot - top)) / 2;
      return `M${x(i + 0.5).toFixed(1)} ${middle.toFixed(1)}V${(middle - long).toFixed(1)}`;
    })
    .join("");
}

/**
 * The way of a sum from its bias to the logit.
 *
 * @param {number} bias @param {readonly number[]} sums @param {(i: number) => number} x @param {(value: number) => number} y
 */
export function wayOf(bias, sums, x, y) {
  return sums.reduce(
    (d, value, i) => `${d}H${x(i + 0.5).toFixed(1)}V${y(value).toFixed(1)}`,
    `M${x(0)} ${y(bias).toFixed(1)}`,
  );
}

// Where the numbers of a unit are drawn: on the axes of its curve, and on the scale of its bars.

import { scaleLinear } from "../../drawing/d3.js";

const BEYOND = 0.02;

/**
 * The scales of a curve in a box. A value beyond an axis is drawn at its end; the y scale extends a little above and
 * below the frame.
 *
 * @param {{ reach: number, low: number, high: number }} data
 * @param {{ left: number, right: number, top: number, foot: number }} box
 */
export function curveScales({ reach, low, high }, { left, right, top, foot }) {
  const more = BEYOND * (high - low);
  return {
    across: scaleLinear([-reach, reach], [left, right]).clamp(true),
    down: scaleLinear([low - more, high + more], [foot, top]).clamp(true),
  };
}

/**
 * The two ends of a tangent at a point, shortened to fit the box: equally far from the point, with the slope unchanged.
 * Null if the point is outside the box.
 *
 * @param {[number, number]} point
 * @param {[number, number]} end in the drawing, perhaps outside the box
 * @param {{ left: number, right: number, top: number, foot: number }} box
 * @returns {[[number, number], [number, number]] | null}
 */
export function tangentIn([x, y], [farX, farY], { left, right, top, foot }) {
  const [besides, above] = [Math.min(x - left, right - x), Math.min(y - top, foot - y)];
  if (!(besides > 0 && above > 0)) return null;
  const share = Math.min(1, besides / Math.abs(farX - x), above / Math.abs(farY - y));
  const [across, down] = [share * (farX - x), share * (farY - y)];
  return [
    [x - across, y - down],
    [x + across, y + down],
  ];
}

/**
 * The ends of the bars' scale. It includes 0 and all sums; each end is 0 or 1, 2 or 5 times a power of 10.
 *
 * @param {readonly number[]} sums
 */
export function barEnds(sums) {
  /** @param {number} size */
  const nice = (size) => {
    const unit = 10 ** Math.floor(Math.log10(size));
    return ([1, 2, 5].find((step) => step * unit >= size * 0.999) ?? 10) * unit;
  };
  const [low, high] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  const ends = [low < 0 ? -nice(-low) : 0, high > 0 ? nice(high) : 0];
  return ends[0] === ends[1] ? [0, 1] : ends;
}

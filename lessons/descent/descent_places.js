// Where the parts of the picture are drawn: the points, the surface, L by η and L by the step; and its scales.

import { evenTicks } from "../../drawing/scales.js";

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {ReturnType<typeof surfaceScale>} SurfaceScale */
/** @typedef {ReturnType<typeof dataScale>} DataScale */
/** @typedef {[x0: number, x1: number, y0: number, y1: number]} Window the ends of both axes */

/** @param {{ width: number, height: number, narrow: boolean }} room */
export function places({ width, height, narrow }) {
  return narrow ? narrowPlaces(width, height) : widePlaces(width, height);
}

/** @param {number} width @param {number} height */
function widePlaces(width, height) {
  const foot = Math.min(132, 0.27 * height);
  const high = height - foot - 34 - 22;
  const left = 0.385 * width + 46;
  const low = { top: height - foot + 32, high: foot - 32 - 22 };
  const data = { left: 46, top: 30, wide: 0.385 * width - 46 - 12, high };
  const surface = { left, top: 30, wide: width - left - 14, high };
  return {
    narrow: false,
    data,
    surface,
    rate: { left: data.left + 8, wide: data.wide - 8, ...low },
    strip: { left: left + 48, wide: width - left - 14 - 48 - 6, ...low },
    player: { x: left - 18, y: low.top + low.high / 2 },
  };
}

/** @param {number} width @param {number} height @returns {Places} */
function narrowPlaces(width, height) {
  const middle = 0.47 * width;
  const high = height - 210;
  const data = { left: 30, top: 20, wide: middle - 36, high };
  const surface = { left: middle + 28, top: 20, wide: width - middle - 34, high };
  const rate = { left: 44, top: high + 60, wide: width - 54, high: 34 };
  const strip = { left: 78, top: height - 70, wide: width - 90, high: 48 };
  return { narrow: true, data, surface, rate, strip, player: { x: 20, y: height - 46 } };
}

/**
 * The surface in the drawing: the square that must be visible fits in, with one scale for both axes.
 *
 * @param {Box} box @param {{ center: ArrayLike<number>, half: number }} square
 */
export function surfaceScale({ left, top, wide, high }, { center, half }) {
  const per = Math.min(wide, high) / (2 * half); // units of the drawing
  const [x0, y0] = [left + wide / 2, top + high / 2];
  const [across, up] = [wide / 2 / per, high / 2 / per];
  return {
    per,
    x: (/** @type {number} */ value) => x0 + (value - center[0]) * per,
    y: (/** @type {number} */ value) => y0 - (value - center[1]) * per,
    /** @type {(x: number, y: number) => [first: number, second: number]} */
    back: (x, y) => [center[0] + (x - x0) / per, center[1] - (y - y0) / per],
    ends: /** @type {Window} */ ([center[0] - across, center[0] + across, center[1] - up, center[1] + up]),
  };
}

/**
 * The points in the drawing.
 *
 * @param {Box} box @param {Window} window
 */
export function dataScale({ left, top, wide, high }, [x0, x1, y0, y1]) {
  return {
    x: (/** @type {number} */ value) => left + ((value - x0) / (x1 - x0)) * wide,
    y: (/** @type {number} */ value) => top + high - ((value - y0) / (y1 - y0)) * high,
    /** @type {(x: number, y: number) => [x: number, y: number]} */
    back: (x, y) => [x0 + ((x - left) / wide) * (x1 - x0), y0 + ((top + high - y) / high) * (y1 - y0)],
  };
}

/**
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 * @param {number} by how far beyond its edges still counts
 */
export const isInside = ({ left, top, wide, high }, x, y, by = 0) =>
  x >= left - by && x <= left + wide + by && y >= top - by && y <= top + high + by;

/**
 * A scale of L, logarithmic or linear; a value beyond an end is drawn at that end, NaN at the upper one.
 *
 * @param {number} low @param {number} high @param {boolean} logarithmic @param {{ top: number, high: number }} box
 */
export function lossScale(low, high, logarithmic, { top, high: room }) {
  /** @param {number} value */
  const of = (value) => (logarithmic ? Math.log(Math.max(value, low)) : value);
  const [a, b] = [of(low), of(high)];
  return (/** @type {number} */ value) => {
    const share = Number.isNaN(value) ? 1 : (of(value) - a) / (b - a || 1);
    return top + room - Math.min(Math.max(share, 0), 1) * room;
  };
}

/**
 * Two to four round numbers on such a scale.
 *
 * @param {number} low @param {number} high @param {boolean} logarithmic
 */
export function lossTicks(low, high, logarithmic) {
  if (!logarithmic) return evenTicks(low, high, 2);
  const powers = Array.from({ length: 40 }, (_, i) => 10 ** (i - 20));
  /** @param {number[]} list */
  const inside = (list) =>
    powers.flatMap((power) => list.map((m) => Number((m * power).toPrecision(3)))).filter((v) => v >= low && v <= high);
  const found = [[1], [1, 3], [1, 2, 5]].map(inside).find((list) => list.length >= 2) ?? [];
  const gap = Math.ceil(found.length / 3);
  return found.filter((_, i) => i % gap === 0);
}

/**
 * The levels of the contours: at even distances on a bowl with `bend` 2.
 *
 * @param {number} low @param {number} high @param {number} bend
 */
export function levels(low, high, bend, count = 12) {
  return Array.from({ length: count }, (_, k) => low + (high - low) * ((k + 0.5) / count) ** bend);
}

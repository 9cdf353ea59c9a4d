// Where the parts of the picture of results are drawn, and its scales with their ticks.

import { scaleLinear, scaleLog } from "../../drawing/d3.js";
import { raised } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {{ width: number, height: number, narrow: boolean }} Room */
/** @typedef {ReturnType<typeof scatterPlaces>} ScatterPlaces */
/** @typedef {ReturnType<typeof rowPlaces>} RowPlaces */
/** @typedef {ReturnType<typeof axisScale>} AxisScale */
/** @typedef {{ x: number, row: number, wide: number }} LegendEntry its left end, its row and its width */

const FOOT = 22; // height of the line with the source
const AXIS = 50; // ticks and title of the horizontal axis
const MILLION = 1e6;
const WRITTEN_AS_POWER = 1e10; // numbers from here on are written as powers of ten

/**
 * The frame of two axes, and the rows of the legend above it.
 *
 * @param {Room} room @param {number} rows
 */
export function scatterPlaces({ width, height, narrow }, rows) {
  const left = narrow ? 50 : 78;
  const top = (narrow ? 28 : 42) + rows * 22;
  const frame = { left, top, wide: width - left - (narrow ? 12 : 34), high: height - top - AXIS - FOOT - 4 };
  return {
    frame,
    legend: { left: narrow ? 8 : 16, top: narrow ? 38 : 46, wide: width - (narrow ? 16 : 32) },
    foot: height - 8,
    size: narrow ? 13 : 16,
    small: narrow,
  };
}

/**
 * The frame of rows, with room for a name before and a number after each.
 *
 * @param {Room} room
 * @param {readonly string[]} names
 * @param {{ legend: number, behind: number, below?: readonly string[] }} its rows of the legend; width to the right
 *   of the frame; the texts below the names
 */
export function rowPlaces({ width, height, narrow }, names, { legend, behind, below = [] }) {
  const size = narrow ? 14 : 17;
  const small = narrow ? [] : below.map((text) => textWidth(text, 13));
  const before = Math.min(
    Math.max(...names.map((name) => textWidth(name, size, true)), ...small) + 14,
    (narrow ? 0.42 : 0.36) * width,
  );
  const left = (narrow ? 8 : 16) + before;
  const top = 8 + legend * 24;
  const high = height - top - AXIS - FOOT - 4;
  const frame = { left, top, wide: width - left - behind, high };
  const pitch = high / names.length;
  return {
    frame,
    size,
    pitch,
    before,
    foot: height - 8,
    small: narrow,
    y: (/** @type {number} */ k) => top + pitch * (k + 0.5),
    legend: { left: narrow ? 8 : 16, top: 20, wide: width - (narrow ? 16 : 32) },
  };
}

/**
 * A scale over values with room at both ends, and its ticks: round numbers, or powers of ten.
 *
 * @param {number[]} values those that are not finite are left out
 * @param {{ log: boolean, from: number, to: number, count: number, room?: number }} how
 */
export function axisScale(values, { log, from, to, count, room = 0.07 }) {
  const known = values.filter(Number.isFinite);
  let [low, high] = [Math.min(...known), Math.max(...known)];
  if (log) {
    const by = Math.max((high / low) ** room, 1.15);
    [low, high] = [low / by, high * by];
    const place = scaleLog([low, high], [from, to]);
    return {
      place,
      ticks: powerTicks(low, high, count).map((value) => ({ value, at: place(value), text: tickText(value) })),
    };
  }
  const by = (high - low || Math.abs(high) || 1) * room;
  [low, high] = [low - by, high + by];
  const place = scaleLinear([low, high], [from, to]);
  return { place, ticks: place.ticks(count).map((value) => ({ value, at: place(value), text: tickText(value) })) };
}

/**
 * Ticks at powers of ten, and between these if there are few; at most `count`.
 *
 * @param {number} low @param {number} high @param {number} count
 */
export function powerTicks(low, high, count) {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const within = (/** @type {number[]} */ steps) =>
    Array.from({ length: last - first + 1 }, (_, i) => steps.map((step) => Number(`${step}e${first + i}`)))
      .flat()
      .filter((value) => value >= low && value <= high);
  const few = [[1, 2, 5], [1, 3], [1]].map(within).find((ticks) => ticks.length <= count) ?? within([1]);
  const step = Math.ceil(few.length / count);
  return few.filter((_, i) => i % step === 0);
}

/** @param {number} value */
export function tickText(value) {
  if (value >= WRITTEN_AS_POWER) {
    const power = Math.floor(Math.log10(value) + 1e-9);
    const mantissa = Math.round(value / 10 ** power);
    return `${mantissa === 1 ? "" : `${mantissa}·`}10${raised(power)}`;
  }
  if (value >= MILLION) return `${(value / MILLION).toLocaleString("en")}M`;
  return Number(value.toPrecision(12)).toLocaleString("en").replace("-", "−");
}

/**
 * Entries of a legend in rows.
 *
 * @param {readonly string[]} names
 * @param {number} wide the room of a row
 * @param {number} size of the letters
 * @param {number} before units before the name, for its mark
 * @returns {LegendEntry[]}
 */
export function legendRows(names, wide, size, before) {
  let [x, row] = [0, 0];
  return names.map((name) => {
    const own = before + textWidth(name, size, true) + 22;
    if (x && x + own - 22 > wide) [x, row] = [0, row + 1];
    const placed = { x, row, wide: own };
    x += own;
    return placed;
  });
}

/**
 * The staircase along the frontier: from a height to the first point, then across and up to each next one.
 *
 * @param {readonly (readonly [x: number, y: number])[]} points @param {number} from
 */
export const staircase = (points, from) =>
  `M${points[0][0].toFixed(1)} ${from.toFixed(1)}${points.map(([x, y]) => `H${x.toFixed(1)}V${y.toFixed(1)}`).join("")}`;

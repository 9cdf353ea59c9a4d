// Where the parts of the scale of CO₂ are drawn, and the hours at a place of the scale.

import { scaleLog } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"scale">} ScaleScene */
/** @typedef {ReturnType<typeof placesOf>} ScalePlaces */

const EVERY = 100; // factor between two ticks
const LEAST_HOURS = 0.1; // the ends of the slider
const MOST_HOURS = 1e5;

/** @param {Pick<ScaleScene, "data" | "width" | "height" | "narrow" | "values">} scene */
export function placesOf({ data, width, height, narrow, values }) {
  const edge = narrow ? 8 : 16;
  const left = narrow ? 130 : 350;
  const right = width - (narrow ? 14 : 30);
  const top = narrow ? 34 : 40;
  const foot = height - (narrow ? 92 : 122);
  const x = scaleLog([data.low, data.high], [left, right]).clamp(true);
  const pitch = (foot - top) / data.labels.length;
  const ticks = [];
  for (let tick = data.low; tick <= data.high; tick *= EVERY) ticks.push(tick);
  return {
    narrow,
    edge,
    left,
    right,
    top,
    foot,
    x,
    ticks,
    pitch,
    own: x(Math.max(values("own"), data.low)),
    ruler: foot + (narrow ? 38 : 52),
    size: narrow ? 13 : 18,
    dot: narrow ? 6 : 9,
    /** @type {(n: number) => number} the middle of a row */
    y: (n) => top + (n + 0.5) * pitch,
  };
}

/**
 * The hours with which yours would be at a place of the scale, within the slider.
 *
 * @param {Pick<ScalePlaces, "x">} at @param {ScaleScene["values"]} values @param {number} place
 */
export function hoursAt({ x }, values, place) {
  const perHour = (values("lbs") * values("overhead") * values("watts")) / 1000;
  return Math.min(Math.max(x.invert(place) / (perHour || 1), LEAST_HOURS), MOST_HOURS);
}

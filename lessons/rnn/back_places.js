// Where the states are drawn: along a row, or on a phone down a column.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"back">} BackScene */
/** @typedef {ReturnType<typeof placesOf>} BackPlaces */

const MOST = { wide: 14, narrow: 16 };
const WIDEST = 40; // units of a column on each side of its state, at most

/** @param {BackScene} scene */
export function placesOf({ width, height, narrow, values, final }) {
  const t = Math.round(final("t"));
  const from = Math.max(t - (narrow ? MOST.narrow : MOST.wide), 0);
  const shown = t - from + 1; // the last one is the loss
  const column = narrow ? width : Math.min((width - 40) / shown, 2 * WIDEST + 40);
  const row = Math.min((height - 30) / shown, 40);
  const left = (width - column * shown) / 2;
  const bars = 86;
  const foot = height - 52;
  const top = 66;
  const word = height - 128;
  const most = Math.max(...Array.from({ length: t }, (_, k) => values(/** @type {const} */ (`n ${k}`))), 1e-12);
  const thick = scaleLinear([0, most], [0, narrow ? width - bars - 70 : word - 34 - top]);
  return {
    narrow,
    t,
    from,
    column,
    row,
    bars,
    thick,
    top,
    word,
    axis: (top + word - 30) / 2,
    r: Math.min(column * 0.27, 20),
    weights: { top: foot, foot: height - 8 },
    /** @type {(k: number) => number} the middle of a state; after the last one comes the loss */
    x: (k) => left + (k - from + 0.5) * column,
    /** @type {(k: number) => number} */
    y: (k) => 4 + (k - from + 0.5) * row,
  };
}

/**
 * After how many steps a cut at a place of the drawing is: at least one, at most all.
 *
 * @param {BackPlaces} at @param {number} place across, or on a phone down
 */
export function cutAt(at, place) {
  const [first, step] = at.narrow ? [at.y(at.from) - at.row / 2, at.row] : [at.x(at.from) - at.column / 2, at.column];
  const before = Math.round((place - first) / step) + at.from;
  return Math.min(Math.max(at.t - before, 1), at.t);
}

// Where the two losses are drawn: a column for each token, the sum beside them, and what was recorded with each λ.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"two_losses">} LossesScene */
/** @typedef {ReturnType<typeof placesOf>} LossesPlaces */

const MOST = 2; // the largest λ

/** @param {LossesScene} scene */
export function placesOf({ data, width, height, narrow, values }) {
  const { tokens, recorded } = data;
  const each = tokens.slice(1).map((_, n) => values(/** @type {const} */ (`b ${n}`)));
  const [task, language] = [values("task"), values("language")];
  const words = { left: narrow ? 40 : 62, right: narrow ? width - 6 : width * 0.56 };
  const foot = narrow ? height * 0.6 : height - 92;
  const top = narrow ? 44 : 58;
  const columns = tokens.length + 1; // the last one is for the label
  const column = (words.right - words.left) / columns;
  const y = scaleLinear([0, Math.max(task, ...each) * 1.04], [foot, top]);
  const most = (task + MOST * language) * 1.02;
  const sum = narrow
    ? { left: 6, right: width - 6, top: height - 62, foot: height - 28 }
    : { left: width * 0.61, right: width * 0.61 + 92, top: 58, foot: height - 50 };
  const along = scaleLinear([0, most], narrow ? [sum.left, sum.right] : [sum.foot, sum.top]);
  const chart = { left: width * 0.8, right: width - 16, top: 58, foot: height - 92 };
  const low = Math.floor(10 * Math.min(...recorded.map((each) => each.low))) / 10;
  return {
    narrow,
    words,
    foot,
    top,
    column,
    most: Math.max(task, ...each),
    y,
    sum,
    along,
    chart,
    low,
    /** @type {(token: number) => number} the middle of a token’s column; the label’s is that after the last */
    x: (token) => words.left + (token + 0.5) * column,
    weight: scaleLinear([0, MOST], [chart.left, chart.right]),
    share: scaleLinear([low, 1], [chart.foot, chart.top]),
  };
}

/**
 * The λ at which the sum would end at a place, within the slider.
 *
 * @param {LossesPlaces} at @param {LossesScene["values"]} values @param {number} x @param {number} y
 */
export function weightAt({ along, narrow }, values, x, y) {
  const total = along.invert(narrow ? x : y);
  return Math.min(Math.max((total - values("task")) / values("language"), 0), MOST);
}

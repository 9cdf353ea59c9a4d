// Where the order of tasks is drawn: the slide's stages as stairs, beside them a row a task, in it a column a layer.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"pipeline_order">} OrderScene */
/** @typedef {ReturnType<typeof placesOf>} OrderPlaces */

const EMPTY = 0.45; // the height of a row without a task, in rows
const OPEN = 1.6; // that of the chosen one
const STAIR = 124; // how wide a stair is

/** @param {OrderScene} scene */
export function placesOf({ data, final, width, height, narrow }) {
  const top = narrow ? 42 : 52;
  const foot = height - 6;
  const shares = data.rows.map(({ task }) => (task < 0 ? EMPTY : task === Math.round(final("task")) ? OPEN : 1));
  const row = (foot - top) / shares.reduce((sum, each) => sum + each, 0);
  let y = top;
  const rows = data.rows.map((each, n) => {
    const high = shares[n] * row;
    y += high;
    return { ...each, top: y - high, foot: y, high };
  });
  const left = narrow ? 26 : 570;
  const x = scaleLinear([0, data.layers], [left, width - (narrow ? 84 : 128)]);
  const name = narrow ? 4 : 366;
  const run = (name - 24 - STAIR - 6) / (data.stages.length - 1);
  const stairs = data.stages.map((stage, n) => {
    const its = rows.filter((each) => each.stage === n);
    return { stage, left: 6 + n * run, wide: STAIR, top: its[0].top, foot: its[its.length - 1].foot };
  });
  return { narrow, rows, stairs, top, foot, x, left, name, right: width - 6, column: x(1) - x(0), row };
}

/**
 * The points of the tasks that have a place in the slide's order and in the model's, from the top.
 *
 * @param {OrderPlaces} at @param {(task: number) => number} layer @returns {{ x: number, y: number }[]}
 */
export function wayOf({ rows, x }, layer) {
  return rows
    .filter(({ stage, task }) => stage >= 0 && task >= 0 && !Number.isNaN(layer(task)))
    .map(({ task, foot }) => ({ x: x(layer(task)), y: dotOf({ foot }) }));
}

/**
 * The height of a row's dot.
 *
 * @param {{ foot: number }} row
 */
export const dotOf = ({ foot }) => foot - 13;

// Where both fields of words are drawn, by their groups, and below them the losses of both runs.

import { scaleLog } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"frozen">} FrozenScene */
/** @typedef {ReturnType<typeof placesOf>} FrozenPlaces */

const ROWS = 10; // words of a column
const HEAD = 0.34; // of the height, for the losses on a wide screen

/** @param {Pick<FrozenScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  const columns = columnsOf(data.groupOf);
  const gap = narrow ? 14 : 40;
  const wide = (width - gap - 8) / 2;
  const title = narrow ? 40 : 34;
  const top = title + (narrow ? 6 : 22);
  const losses = {
    top: narrow ? 0 : (1 - HEAD) * height + 20,
    left: narrow ? 40 : 70,
    right: width - (narrow ? 8 : 178),
  };
  const pitch = narrow ? 15 : Math.min((losses.top - 34 - top) / ROWS, 24);
  const foot = top + ROWS * pitch;
  if (narrow) losses.top = foot + 52;
  const low = height - (narrow ? 34 : 42);
  return {
    narrow,
    wide,
    top,
    pitch,
    foot,
    columns,
    column: wide / columns.count,
    size: narrow ? 13 : Math.max(14, Math.min(17, pitch * 0.8)),
    /** @param {number} run */
    left: (run) => 4 + run * (wide + gap),
    title: narrow ? 18 : 24,
    losses,
    x: scaleLog([1, data.steps[data.steps.length - 1] + 1], [losses.left, losses.right]),
    y: scaleLog([0.8, 6], [low, losses.top]),
    low,
  };
}

/**
 * The column and the row of each word: a group begins a column, and has as many as it needs.
 *
 * @param {readonly number[]} group of each word
 */
export function columnsOf(group) {
  let [column, row] = [-1, ROWS];
  const places = group.map((its, w) => {
    if (row === ROWS || its !== group[w - 1]) [column, row] = [column + 1, 0];
    return { column, row: row++ };
  });
  return { places, count: column + 1 };
}

// Where the parts of a unit are drawn, on a wide stage and on a phone.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Sums } from "./unit_sum.js" */

/** @typedef {Scene<"neuron">} UnitScene */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {(pen: Pen, scene: UnitScene, at: Places, sums: Sums) => void} Draw */

/** @param {UnitScene} scene */
export const placesOf = (scene) => (scene.narrow ? narrowPlaces(scene) : widePlaces(scene));

/** @param {UnitScene} scene */
function widePlaces({ width, height, data }) {
  const more = width - 1036; // extra width of the stage, shared by the sum and the window
  const foot = height - 62;
  const rows = data.terms.length;
  const row = (foot - 66) / rows;
  const inner = { left: 634 + 0.4 * more, right: 920 + more, top: 62, foot: foot - 30 };
  return {
    narrow: false,
    top: 46,
    foot,
    rows,
    row,
    lower: 8, // the distance of the rows from the top of the box
    input: 54,
    radius: Math.min(29, row / 2.25),
    weight: { left: 120, width: 112, height: 34 },
    sum: { left: 276, right: 556 + 0.35 * more, room: 30, axis: foot - 26, labels: foot - 8 },
    bar: Math.min(34, row * 0.46),
    frame: { left: inner.left - 44, right: inner.right + 18, top: 38, foot },
    inner,
    output: width - 52,
    big: 36,
    route: height - 30,
    head: 28,
    size: 15,
  };
}

/** @param {UnitScene} scene @returns {Places} */
function narrowPlaces({ width, height, data }) {
  const rows = data.terms.length;
  const row = Math.min(46, (height * 0.5 - 48) / rows);
  const middle = 42 + row * rows;
  const inner = { left: 44, right: width - 76, top: middle + 76, foot: height - 32 };
  return {
    narrow: true,
    top: 34,
    foot: middle,
    rows,
    row,
    lower: 2,
    input: 24,
    radius: Math.min(17, row / 2.2),
    weight: { left: 48, width: 72, height: Math.min(28, row - 6) },
    sum: { left: 134, right: width - 10, room: 16, axis: middle - 16, labels: middle - 4 },
    bar: Math.min(34, row * 0.46),
    frame: { left: 8, right: inner.right + 10, top: middle + 62, foot: height - 8 },
    inner,
    output: width - 34,
    big: 26,
    route: middle + 28,
    head: 17,
    size: 13,
  };
}

/**
 * The middle of a row.
 *
 * @param {Places} at @param {number} i
 */
export const rowAt = (at, i) => at.top + at.row * (i + 0.5) + at.lower;

/**
 * The middle of a bar of the sum.
 *
 * @param {Places} at @param {number} i
 */
export const barAt = (at, i) => rowAt(at, i) - 4;

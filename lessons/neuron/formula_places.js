// Where the formula of a unit is drawn: the sum on the left, and on the right the bend; on a phone one below the other.

import { curveScales } from "./neuron_scales.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"formula">} FormulaScene */
/** @typedef {ReturnType<typeof placesOf>} FormulaPlaces */
/** @typedef {(pen: Pen, scene: FormulaScene, at: FormulaPlaces) => void} Draw */

export const LEAST = 13; // the size of the smallest type
const COLUMN = 62; // the width in which a number of that size has room
const BESIDE = 120; // from this width of a column on, a weight and its input stand beside each other

/** @param {FormulaScene} scene */
export function placesOf(scene) {
  const { width, height, narrow, data } = scene;
  const sum = narrow
    ? { left: 4, right: width - 4, top: 4, foot: height * 0.6 }
    : { left: 14, right: width * 0.67, top: 8, foot: height - 8 };
  const bend = narrow
    ? { left: 4, right: width - 4, top: height * 0.6 + 8, foot: height - 4 }
    : { left: width * 0.67 + 26, right: width - 14, top: 8, foot: height - 8 };
  const high = sum.foot - sum.top;
  const first = sum.left + (narrow ? 30 : 66); // where the columns of the terms begin
  const room = sum.right - first - (narrow ? 4 : 10);
  const columns = Math.min(data.terms.length, Math.floor(room / COLUMN));
  const column = room / columns;
  const inner = {
    left: bend.left + (narrow ? 42 : 56),
    right: bend.right - (narrow ? 14 : 24),
    top: bend.top + (narrow ? 38 : 78),
    foot: bend.foot - (narrow ? 56 : 92),
  };
  return {
    narrow,
    sum,
    bend,
    first,
    column,
    shown: columns < data.terms.length ? columns - 1 : columns, // of the terms; a column says that there are more
    stacked: column < BESIDE,
    size: Math.min(narrow ? 24 : 40, column / 3.2), // of the symbols
    rows: rowsOf(sum.top, high, narrow),
    bar: { top: sum.top + high * 0.62, foot: sum.top + high * 0.8 },
    z: sum.foot - (narrow ? 6 : 12),
    inner,
    scales: curveScales(data, inner),
  };
}

/** @param {number} top @param {number} high @param {boolean} narrow */
const rowsOf = (top, high, narrow) => {
  const [general, symbols, numbers] = narrow ? [0.12, 0.25, 0.37] : [0.14, 0.31, 0.45];
  return { general: top + high * general, symbols: top + high * symbols, numbers: top + high * numbers };
};

/**
 * The middle of a term's column: the bias comes first.
 *
 * @param {FormulaPlaces} at @param {number} i
 */
export const columnAt = ({ first, column }, i) => first + column * (i + 0.5);

/**
 * The terms in the order of the slide's equation, the bias first.
 *
 * @param {FormulaScene} scene
 */
export const inOrder = ({ data }) => [...data.terms.slice(-1), ...data.terms.slice(0, -1)];

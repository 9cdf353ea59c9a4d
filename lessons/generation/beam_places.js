// Where the candidates of a beam search are drawn: a column for each step, as many as fit.

import { candidatesOf, stepsShown } from "./beam_rows.js";

/** @import { BeamScene } from "./beam.js" */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {[x: number, y: number]} Point */

/**
 * @param {Pick<BeamScene, "width" | "height" | "narrow" | "data">} scene
 * @param {number} step that is looked at
 */
export function placesOf({ width, height, narrow, data }, step) {
  const left = narrow ? 12 : 34;
  const column = narrow ? 116 : 164;
  const ended = height - (narrow ? 82 : 104);
  const [top, foot] = [narrow ? 62 : 72, ended - 8];
  const [first, last] = stepsShown(step, Math.max(1, Math.floor((width - left - 12) / column)));
  const steps = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const most = Math.max(1, ...steps.map((each) => candidatesOf({ data, step: each }).length));
  const rows = Math.min(most, Math.max(1, Math.floor((foot - top) / (narrow ? 20 : 21)) - 1));
  const row = Math.min(38, (foot - top) / (rows + 1));
  return {
    narrow,
    left,
    column,
    box: narrow ? 96 : 124, // the width of a candidate
    top,
    first,
    steps,
    rows, // rows of candidates per column; a line below them gives the number of further ones
    row,
    high: Math.min(27, row - 4),
    size: narrow ? 13 : 15,
    ended, // where the texts that have ended begin
  };
}

/**
 * The middle of a step's column.
 *
 * @param {Places} at @param {number} step
 */
export const columnAt = ({ left, first, column, box }, step) => left + (step - first + 1) * column - box / 2 - 2;

/**
 * The middle of a row.
 *
 * @param {Places} at @param {number} row
 */
export const rowAt = ({ top, row: high }, row) => top + (row + 0.5) * high;

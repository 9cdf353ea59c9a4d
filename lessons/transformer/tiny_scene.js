// The data that all parts of the Transformer on one screen use: every current number, and the weight with the slider.

import { floats } from "../../drawing/packing.js";
import { calculation } from "./tiny_arithmetic.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts, TinyGrid } from "../../drawing/types.js" */
/** @import { Cell, Get } from "./tiny_arithmetic.js" */
/** @import { Places } from "./tiny_places.js" */

/** @typedef {Scripts["tiny"]} Data */

/**
 * The data in a form that is computed once.
 *
 * @typedef {object} Recorded
 * @property {Record<string, TinyGrid>} grids the matrices by their names
 * @property {number} first the index in a row at which the numbers of the text begin
 * @property {Map<number, number>} turned the text's numbers that the chosen weight changes → index in a row of `swept`
 * @property {Float32Array} rows a row for each recorded step
 * @property {Float32Array} swept a row for each position of the weight's slider
 * @property {number[]} ids of the text's words
 */
/**
 * @typedef {{ x: number, value: number, moved: boolean, last: number }} Held pointer and weight at the start of a drag,
 *   and the weight now
 */
/** @typedef {{ of: Data["curve"], at: string, paths: string[] }} CurvePaths */

/**
 * What the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {Data} [data] what `recorded` was read from
 * @property {Recorded} [recorded]
 * @property {number} [page] which part a narrow drawing shows
 * @property {Cell | null} [over] what is pointed at
 * @property {Held | null} [held] the weight that is dragged
 * @property {boolean} [dragged] whether the last press was a drag
 * @property {Data} [painted] the data whose cells are painted
 * @property {number} [turn] counts how often cells were painted from new data
 * @property {CurvePaths} [curve] the curves of the losses
 */
/** @typedef {Scene<"tiny", Memory>} TinyScene */

/**
 * The current numbers.
 *
 * @typedef {object} Moment
 * @property {string} stamp changes with the numbers
 * @property {Cell} chosen the weight that has the slider
 * @property {Get} get
 * @property {Record<string, TinyGrid>} grids
 * @property {number[]} ids
 */
/** @typedef {(pen: Pen, scene: TinyScene, at: Places, now: Moment) => void} Draw */

/**
 * The numbers of the recorded step, or of the slider's position while the weight is dragged.
 *
 * @param {TinyScene} scene @returns {Moment}
 */
export function momentOf(scene) {
  const { data, final, moved } = scene;
  const recorded = recordedIn(scene);
  const { grids, ids } = recorded;
  const last = data.curve.length / data.texts.length - 1;
  const step = Math.min(Math.max(Math.round(final("step") / data.every), 0), last);
  const byHand = moved === "w" && step * data.every === data.at;
  const chosen = cellOf(data.weight);
  const row = recorded.rows.subarray(step * data.size, (step + 1) * data.size);
  /** @type {Get} */
  const recordedNumber = (name, i, j) => row[placeIn(grids[name], i, j)];
  const get = byHand ? sweptNumbers(scene, recorded, chosen, recordedNumber) : recordedNumber;
  return { stamp: `${step} ${byHand ? final("w") : ""}`, chosen, get, grids, ids };
}

/**
 * The numbers while the weight is dragged, from the nearest position of its slider.
 *
 * @param {TinyScene} scene
 * @param {Recorded} recorded
 * @param {Cell} chosen
 * @param {Get} otherwise the numbers that do not change
 * @returns {Get}
 */
function sweptNumbers({ data, final }, { grids, first, turned, swept }, chosen, otherwise) {
  const start = nearest(data.positions, final("w")) * turned.size;
  return (name, i, j) => {
    const column = turned.get(placeIn(grids[name], i, j) - first);
    if (column !== undefined) return swept[start + column];
    return same({ name, i, j }, chosen) ? final("w") : otherwise(name, i, j);
  };
}

/**
 * The index of a matrix's number in a recorded row.
 *
 * @param {TinyGrid} grid @param {number} i @param {number} j
 */
const placeIn = (grid, i, j) => grid.start + i * grid.columns + j;

/** @param {TinyScene} scene */
function recordedIn({ data, memory }) {
  if (memory.data === data && memory.recorded) return memory.recorded;
  const grids = Object.fromEntries(data.grids.map((grid) => [grid.name, grid]));
  const ofText = /** @type {TinyGrid} */ (data.grids.find((grid) => grid.kind !== "weight"));
  const recorded = {
    grids,
    first: ofText.start,
    turned: new Map(Array.from(data.turned, (index, n) => [index, n])),
    rows: floats(data.early, data.late),
    swept: floats(data.swept),
    ids: data.tokens.map((each) => data.words.indexOf(each)),
  };
  Object.assign(memory, { data, recorded });
  memory.page ??= 0;
  const { over } = memory;
  if (over && !isIn(grids, over)) memory.over = null;
  return recorded;
}

/** @param {Record<string, TinyGrid>} grids @param {Cell} cell */
const isIn = (grids, { name, i, j }) => name in grids && i < grids[name].rows && j < grids[name].columns;

/**
 * The index of the position nearest to a value.
 *
 * @param {Float64Array} positions @param {number} value
 */
function nearest(positions, value) {
  let best = 0;
  positions.forEach((each, i) => {
    if (Math.abs(each - value) < Math.abs(positions[best] - value)) best = i;
  });
  return best;
}

/**
 * The cell of a weight that is written as WQ[1,2].
 *
 * @param {string} text @returns {Cell}
 */
export function cellOf(text) {
  const [, name, row, column] = /** @type {RegExpMatchArray} */ (text.match(/^(\w+)\[(\d+),(\d+)\]$/));
  return { name, i: Number(row) - 1, j: Number(column) - 1 };
}

/** @param {Cell} weight */
export const written = ({ name, i, j }) => `${name}[${i + 1},${j + 1}]`;

/** @param {Cell | null | undefined} a @param {Cell | null | undefined} b */
export const same = (a, b) => a?.name === b?.name && a?.i === b?.i && a?.j === b?.j;

/**
 * The explanation of the number in a cell.
 *
 * @param {TinyScene} scene @param {Moment} now @param {Cell} cell
 */
export const toldOf = ({ data }, now, cell) =>
  calculation(cell, { tokens: data.tokens, words: data.words, ids: now.ids }, now.grids, now.get);

// What all parts of the picture of an encoder–decoder read: the step that is shown, and what its α is.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./seq2seq_places.js" */

/** @typedef {Scripts["seq2seq"]} Data */
/** @typedef {{ i: number, j: number }} Cell step i and place j of the source, from 0 */
/**
 * @typedef {{
 *   data: Data, states: Float32Array, decoder: Float32Array, contexts: Float32Array, vector: Float32Array
 * }} Vectors
 */

/**
 * What the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {Data} [data] what `over` belongs to
 * @property {Cell | null} [over] what is pointed at
 * @property {number} [left] the step to come back to when the pointer leaves the map
 * @property {Vectors} [vectors] the numbers of the states, read from the data
 * @property {Data} [painted] the data whose states are painted
 * @property {number} [turn] counts how often states were painted from new data
 * @property {Data} [mapped] the data whose α is painted as a map
 * @property {number} [mapTurn] counts how often α was painted as a map
 */
/** @typedef {Scene<"seq2seq", Memory>} TranslationScene */
/** @typedef {ReturnType<typeof momentOf>} Moment */
/** @typedef {(pen: Pen, scene: TranslationScene, at: Places, now: Moment) => void} Draw */

/** @param {number} number */
export const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

/**
 * The shown step and its α: as computed, or all of it on the place that is pointed at.
 *
 * @param {TranslationScene} scene
 */
export function momentOf({ data, memory, values, hidden }) {
  if (memory.data !== data) Object.assign(memory, { data, over: null });
  const last = data.attention.words.length - 1;
  const exact = Math.min(Math.max(values("step") - 1, 0), last); // fractional while the numbers are animated
  const step = Math.round(exact);
  const places = data.source.length;
  const covered = hidden("a1");
  const cell = memory.over;
  const over = !covered && !hidden("instead") && cell && cell.j < places && cell.i <= last ? cell : null;
  const unknown = (/** @type {number} */ i) => hidden("word") && i >= step; // a word that is to be predicted
  const row = (/** @type {number} */ i) => data.weights.subarray(i * places, (i + 1) * places);
  const [before, after] = [row(Math.floor(exact)), row(Math.ceil(exact))];
  const between = (/** @type {number} */ j) => before[j] + (after[j] - before[j]) * (exact - Math.floor(exact));
  const mine = over && over.i === step ? over : null; // the place that is pointed at, at this step
  const weights = Array.from({ length: places }, (_, j) => (mine ? Number(j === mine.j) : between(j)));
  return { exact, step, last, places, covered, over, mine, weights, row, unknown };
}

// What all parts of the mask's picture read: the chosen query, and what the visitor has painted.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Scripts } from "../../drawing/types.js" */

/** @typedef {Scripts["masking"]} Data */
/** @typedef {Pick<Data, "name" | "text" | "queries">} Answer what the server says of the mask */

/**
 * What the picture remembers.
 *
 * @typedef {object} Memory
 * @property {string} [asked] the texts that `query` belongs to
 * @property {number} [query] the chosen query, from 0
 * @property {Answer} [shown] the answer of the server that was taken in last
 * @property {number[] | null} [local] the mask as painted, row by row: 1 for an open cell; null: as the server says
 * @property {Set<number> | null} [touched] the rows that were painted, and whose weights are not computed yet
 * @property {boolean} [unsent] whether something was painted that the server has not heard of
 * @property {string | null} [pending] the mask that the server was asked for last
 * @property {string[]} [sent] what the server was asked for, and the answer before
 * @property {boolean} [brush] what a stroke turns its cells to; undefined while nothing is painted
 * @property {[row: number, column: number]} [cursor] where the keyboard paints
 * @property {boolean} [keys] whether the keyboard paints
 * @property {number} [painting] a timer, from the last key until the mask is sent
 */
/** @typedef {Scene<"masking", Memory>} MaskScene */

/** @param {Pick<MaskScene, "memory" | "data">} scene */
export const queryOf = ({ memory, data }) => memory.query ?? data.at;

/**
 * @param {MaskScene} scene
 * @param {number} i the query, from 0
 */
export function choose({ memory, again, send }, i) {
  memory.query = i;
  again();
  send({ name: "query", value: i + 1 });
}

// The state that all parts of the mask's picture read: the chosen query, and the mask that the visitor paints.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Scripts } from "../../drawing/types.js" */

/** @typedef {Scripts["masking"]} Data */
/** @typedef {Pick<Data, "name" | "text" | "queries">} Answer the mask as received from the server */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {string} [asked] the texts that `query` belongs to
 * @property {number} [query] the chosen query, from 0
 * @property {Answer} [shown] the server's last data
 * @property {number[] | null} [local] the mask as painted, row by row: 1 for an open cell; null: the server's mask
 * @property {Set<number> | null} [touched] the painted rows whose weights are not recomputed yet
 * @property {boolean} [unsent] whether something painted has not been sent to the server
 * @property {string | null} [pending] the mask that was sent last, until it is answered
 * @property {string[]} [sent] the masks that were sent, and the answer before them
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

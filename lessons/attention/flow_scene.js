// What all parts of the picture of one query share: the types of its data, and which keys have a row.

import { firstShown } from "./flow_layout.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Rows, Span } from "./flow_layout.js" */

/**
 * What the picture stores about the keys that are shown, if not all are.
 *
 * @typedef {object} ShownKeys
 * @property {string} [asked] the query and the words for which they were chosen
 * @property {number} [begin] the first of them; undefined: those around the favoured one
 * @property {number} [turned] how far the wheel was turned since they last changed, in px
 */
/** @typedef {Scene<"flow", ShownKeys>} FlowScene */
/** @typedef {NameOf<"flow">} FlowName */
/** @typedef {{ j: number, y: number }} KeyRow a key, from 0, and the middle of its row */
/**
 * How the rows of the keys look, in panels and on a phone.
 *
 * @typedef {object} RowLook
 * @property {Span} words where the word of each key is drawn
 * @property {number} row the height of a row
 * @property {number} high the height of a bar
 * @property {number} size of a bar's number
 * @property {boolean} many whether there are so many keys that type is small
 * @property {boolean} above whether there is room above a bar for how its number is computed
 * @property {boolean} tall whether there is also room below it
 */

/**
 * The keys that are shown, and the first of them; if there are many, at first those around the favoured one.
 *
 * @param {FlowScene} scene @param {Rows} rows
 */
export function keysShown({ data, memory }, rows) {
  const asked = `${data.query} ${data.tokens.join(" ")}`;
  if (memory.asked !== asked) Object.assign(memory, { asked, begin: undefined });
  const begin = firstShown(memory.begin, rows, data.tokens.length, data.best);
  /** @type {KeyRow[]} */
  const keys = Array.from({ length: rows.shown }, (_, i) => ({ j: begin + i, y: rows.first + rows.row * (i + 0.5) }));
  return { begin, keys };
}

/**
 * A whole number in subscript digits.
 *
 * @param {number} number
 */
export const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[Number(digit)]);

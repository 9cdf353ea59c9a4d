// Used by all parts of the picture of ten thousand words: the fates, and the numbers drawn for each word.

import { floats } from "../../drawing/packing.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Field, Shares } from "./fates_places.js" */

/** @typedef {Scene<"fates">} FatesScene */
/** @typedef {{ exact: Float32Array, order: Uint16Array, ids: Uint16Array }} Drawn the words’ numbers, and their order */
/** @typedef {{ shares: Shares, fates: Uint8Array, drawn: Drawn, field: Field }} Words */

/** The colour roles and the names of the fates: not chosen, masked, random, kept. */
export const ROLES = /** @type {const} */ (["line", "weight", "gradient", "activation"]);
export const PARTS = /** @type {const} */ (["rest", "masked", "random", "kept"]);

/**
 * Whether the counts are asked for: until they are answered, the words stand as in the text.
 *
 * @param {FatesScene} scene
 */
export const isAsked = ({ hidden }) => hidden("n_masked");

/** @type {WeakMap<Uint8Array, Drawn>} */
const known = new WeakMap();

/**
 * The numbers of the words, read once, and the words in the order of their first numbers.
 *
 * @param {FatesScene["data"]} data @returns {Drawn}
 */
export function drawnOf({ exact, ids }) {
  const before = known.get(exact);
  if (before) return before;
  const numbers = floats(exact);
  const order = Uint16Array.from({ length: numbers.length / 2 }, (_, i) => i).sort((a, b) => numbers[a] - numbers[b]);
  const found = { exact: numbers, order, ids: new Uint16Array(ids.slice().buffer) };
  known.set(exact, found);
  return found;
}

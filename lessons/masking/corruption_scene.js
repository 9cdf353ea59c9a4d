// Used by all parts of the picture of a corrupted text: the outcome of each word.

/** @import { Scene } from "../../drawing/main_picture.js" */

/** @typedef {Scene<"corruption">} CorruptionScene */

/** The colour roles of the outcomes: not chosen, masked, random, kept. */
export const OUTCOME_ROLES = ["quiet", "weight", "gradient", "activation"];

/**
 * The outcome of a word, as an index.
 *
 * @param {CorruptionScene} scene @param {number} i
 */
export const outcomeOf = ({ values }, i) => Math.round(values(`f${i}`));

/**
 * The text shown in the place of a word.
 *
 * @param {CorruptionScene} scene @param {number} i
 */
export function shownAt(scene, i) {
  const { data, values } = scene;
  const outcome = outcomeOf(scene, i);
  if (outcome === 1) return "[MASK]";
  if (outcome === 2) return values("hand") ? data.standing[i] : data.drawn[i];
  return data.tokens[i];
}

/**
 * The number of a word, counted from 1, without [CLS] and [SEP].
 *
 * @param {CorruptionScene} scene @param {number} place
 */
export const numberOf = ({ data }, place) =>
  Array.from(data.maskable).filter((open, i) => i <= place && open > 0).length;

// What the parts of a corrupted text's picture read: what becomes of each word.

/** @import { Scene } from "../../drawing/main_picture.js" */

/** @typedef {Scene<"corruption">} CorruptionScene */

/** The colours of what may become of a word: not chosen, masked, random, kept. */
export const OUTCOME_ROLES = ["quiet", "weight", "gradient", "activation"];

/**
 * What becomes of a word, as its place among the outcomes.
 *
 * @param {CorruptionScene} scene
 * @param {number} i
 */
export const outcomeOf = ({ values }, i) => Math.round(values(`f${i}`));

/**
 * What is in the place of a word.
 *
 * @param {CorruptionScene} scene
 * @param {number} i
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
 * @param {CorruptionScene} scene
 * @param {number} place
 */
export const numberOf = ({ data }, place) =>
  Array.from(data.maskable).filter((open, i) => i <= place && open > 0).length;

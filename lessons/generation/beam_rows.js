// The candidates of a step, the ranking of the texts that have ended, and the columns that fit.

/** @import { Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["beam"]} Data */

/** @param {{ data: any, step: number }} search */
export const candidatesOf = ({ data, step }) => data.tokens.map((_, i) => i).filter((i) => data.b_step[i] === step);

/**
 * The best first: scores come with the frame, for each a.
 *
 * @param {{ data: any, step: number, values: (name: string) => number }} search
 */
export function rankedEnded({ data, step, values }) {
  const soFar = data.ended
    .map((each, i) => ({ ...each, i, score: values(`s${i}`) }))
    .filter((each) => each.step <= step);
  return soFar.sort((one, other) => other.score - one.score);
}

/**
 * The first and the last step on screen: as many as fit, up to the one looked at.
 *
 * @param {number} step
 * @param {number} fits
 */
export const stepsShown = (step, fits) => [Math.max(1, step - fits + 1), Math.max(step, 1)];

/**
 * The first step at which greedy search is no longer in the beam, or one too many.
 *
 * @param {any} data
 */
export function greedyLeaves(data) {
  const steps = data.tokens
    .map((_, i) => i)
    .filter((i) => data.b_greedy[i])
    .map((i) => data.b_step[i]);
  return Math.max(0, ...steps) + 1;
}

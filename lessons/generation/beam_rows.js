// The candidates of a step, the ranking of the texts that have ended, and the columns that fit.

/** @import { BeamPayload } from "../../drawing/types.js" */

/** @param {{ data: Pick<BeamPayload, "tokens" | "b_step">, step: number }} search */
export const candidatesOf = ({ data, step }) => data.tokens.map((_, i) => i).filter((i) => data.b_step[i] === step);

/**
 * The ended texts, best first; their scores come with each frame, for its a.
 *
 * @param {{ data: Pick<BeamPayload, "ended">, step: number, values: (name: `s${number}`) => number }} search
 */
export function rankedEnded({ data, step, values }) {
  const scored = data.ended.map((each, i) => ({ ...each, score: values(`s${i}`) }));
  return scored.filter((each) => each.step <= step).sort((one, other) => other.score - one.score);
}

/**
 * The first and the last step on screen: as many as fit, up to the selected one.
 *
 * @param {number} step @param {number} fits
 */
export const stepsShown = (step, fits) => [Math.max(1, step - fits + 1), Math.max(step, 1)];

/**
 * The first step at which greedy search is no longer in the beam, or one past the last step.
 *
 * @param {Pick<BeamPayload, "tokens" | "b_step" | "b_greedy">} data
 */
export function greedyLeaves(data) {
  const greedy = data.tokens.map((_, i) => i).filter((i) => data.b_greedy[i]);
  return Math.max(0, ...greedy.map((i) => data.b_step[i])) + 1;
}

// What was chosen at a step, in words.

import { formatNumber } from "../../drawing/numbers.js";

/** @import { StepPayload } from "../../drawing/types.js" */

/**
 * p of a token after a stage.
 *
 * @param {StepPayload} step @param {number} stage @param {number} row
 */
export const chanceOf = (step, stage, row) => step.p[stage * step.ids.length + row];

/**
 * @param {StepPayload} step
 * @param {boolean} last whether the text is over
 */
export function drawnText(step, last) {
  if (step.chosen < 0) return "Nothing is left to choose from: every token has p = 0.";
  const forced = step.forced
    ? `; ${quoted(step, step.chosen)} was forced instead, to which the model gave ` +
      formatNumber(chanceOf(step, 0, step.chosen))
    : "";
  return `${last ? "Last: " : ""}${freeText(step)}${forced}.`;
}

/**
 * The token that is chosen if none is forced: the most probable one, or that on which u falls.
 *
 * @param {StepPayload} step
 */
function freeText(step) {
  const { uniform, free, low, high, names } = step;
  if (uniform === null)
    return `${quoted(step, free)} has the largest p, ${formatNumber(chanceOf(step, names.length - 1, free))}`;
  const part = `from ${formatNumber(low[free])} to ${formatNumber(high[free])}`;
  return `u = ${formatNumber(uniform)} falls on ${quoted(step, free)}, ${part}`;
}

/** @param {StepPayload} step @param {number} row */
const quoted = (step, row) => `“${step.labels[row]}”`;

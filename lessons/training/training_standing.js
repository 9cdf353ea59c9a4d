// The status of the runs: their numbers, by name, and the sentence and formula that apply.

import { curveOf, isOver, known, lossAt } from "./training_scales.js";

/** @import { History } from "../../ui/browser/runs.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { Known } from "./training_scales.js" */

/** @typedef {Scripts["training"]} Data */
/** @typedef {ReturnType<typeof comparisonOf>} Comparison */

const RISEN = 0.02; // a loss has risen if it exceeds its minimum by this share

/**
 * @param {Data} data
 * @param {History[]} histories of all runs
 */
export function standing(data, histories) {
  const compared = comparisonOf(data, histories);
  const { curves, losses, named, uniform, truth, judged } = compared;
  const numbers = numbersOf(data, histories, compared);
  curves.forEach((each, i) => Object.assign(numbers, { [`loss${i}`]: losses[i] ?? NaN, [`at${i}`]: each.step }));
  const diverged = curves[named].state === "diverged" && curves.length === 1;
  const formula = diverged ? 2 : judged.length ? 1 : 0;
  return {
    numbers: { ...numbers, "@say": sentenceOf(data, histories, compared, numbers), "@formula": formula },
    named,
    uniform,
    truth,
  };
}

/**
 * The runs compared; `named` is the index of the one with the lowest loss.
 *
 * @param {Data} data @param {History[]} histories
 */
function comparisonOf(data, histories) {
  const curves = histories.map((history, i) => curveOf(history, data.runs[i].label));
  const losses = curves.map((curve) => lossAt(curve)?.[1] ?? null);
  const finite = losses.map((loss) => loss ?? Infinity);
  const named = finite.indexOf(Math.min(...finite));
  const begun = histories.find((each) => each.uniform);
  return {
    curves,
    losses,
    finite,
    named,
    judged: known(curves[named].evaluations),
    final: losses[named] ?? NaN,
    uniform: begun?.uniform ?? data.uniform,
    truth: begun ? (begun.truth ?? null) : data.truth,
  };
}

/** @param {Data} data @param {History[]} histories @param {Comparison} compared @returns {Record<string, number>} */
function numbersOf(data, histories, { curves, finite, named, judged, final, uniform, truth }) {
  const history = histories[named];
  const lowest = /** @type {Known} */ ([NaN, Infinity]);
  const [bestStep, best] = judged.reduce((a, b) => (b[1] < a[1] ? b : a), lowest);
  const norm = Math.max(...history.norms.filter((each) => each !== null));
  const rate = data.rates[named];
  const others = finite.filter((_, i) => i !== named);
  return {
    uniform,
    truth: truth ?? NaN,
    truth_perplexity: Math.exp(truth ?? NaN),
    step: history.step,
    steps: history.steps,
    final,
    perplexity: Math.exp(final),
    share: Number(((100 * (uniform - final)) / (uniform - (truth ?? 0))).toPrecision(4)),
    best,
    best_step: bestStep,
    batch: known(curves[named].batches).at(-1)?.[1] ?? NaN,
    second: others.length ? Math.min(...others) : NaN,
    norm,
    update: rate * norm,
    rate,
    passes: (data.passes[named] * history.step) / history.steps,
    types: Math.round(Math.exp(uniform)),
  };
}

/**
 * Whether the loss of the batches is lower now than at a step.
 *
 * @param {Comparison["curves"][number]} curve @param {number} step
 */
function batchesFell({ batches }, step) {
  const all = known(batches);
  const then = all.findLast(([at]) => at <= step) ?? all[0];
  return then !== undefined && all[all.length - 1][1] < then[1];
}

/**
 * The index of the sentence that applies.
 *
 * @param {Data} data @param {History[]} histories @param {Comparison} compared @param {Record<string, number>} numbers
 */
function sentenceOf(
  { says, passes },
  histories,
  { curves, named, judged, final, uniform, truth },
  { best, best_step, batch },
) {
  const states = histories.map((each) => each.state);
  const { state } = histories[named];
  if (states.every((each) => each === null)) return says.reading;
  if (states.every((each) => each === "queued")) return says.queued;
  if (curves.length > 1 && judged.length) return (states.every(isOver) ? says.won : says.leads) + named;
  if (state !== null && ["failed", "gone", "away"].includes(state)) return says[state];
  if (!judged.length) return isOver(state) ? says.stopped : says.begins;
  if (state === "diverged") return final > uniform ? says.ended_diverged : says.ended_diverged_below;
  const memorised = batchesFell(curves[named], best_step) && batch < final;
  if (passes[named] && final > (1 + RISEN) * best && memorised) return says.ended_overfits;
  if (state === "paused" || state === "interrupted") return says.paused;
  if (!isOver(state)) return says.running;
  if (!(final < uniform)) return says.worse;
  if (truth === null) return says.ended_alone;
  return final <= truth ? says.ended_below : says.ended;
}

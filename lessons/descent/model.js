// The runs that are drawn: those the server sent, or while the visitor drags a point or the start, those that follow
// from it; and the numbers of the sentence and the formula for them.

import { frameEvent } from "../../drawing/frames.js";
import { nearestPosition } from "../../drawing/scales.js";
import { closedNumbers, gridOf, moments, regression, saddle, solve, sweep, unit } from "./dragged_runs.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NumberName, Scripts } from "../../drawing/types.js" */
/** @import { Moments, Objective, Pair } from "./dragged_runs.js" */
/** @import { Places } from "./descent_places.js" */
/** @import { Part } from "./surface_map.js" */

/** @typedef {Scripts["descent"]} Data */
/** @typedef {{ x: Float64Array, y: Float64Array }} Points */
/**
 * Points, a start, and the runs from there at every η.
 *
 * @typedef {object} Runs
 * @property {Float64Array} x
 * @property {Float64Array} y
 * @property {Pair} start
 * @property {ArrayLike<number>} paths both parameters and L by η, run and state
 * @property {ArrayLike<number>} grid the map of the loss
 * @property {Pair | null} best the closed form of a regression
 */
/** @typedef {Runs & { rate: number, step: number }} Model `rate`: the place of η; `step`: perhaps between two */
/**
 * What the picture stores.
 *
 * @typedef {object} Memory
 * @property {Data} data what all of this belongs to
 * @property {Runs} sent by the server
 * @property {Runs | null} dragged what follows from a point or a start that was dragged
 * @property {Pair | null} ring the start while it is dragged
 * @property {number | null} [out] the point that was dragged out, to be removed
 * @property {number[][]} [colours] of probabilities: red, green and blue
 * @property {{ data: Data, paths: ArrayLike<number>, range: [low: number, high: number] }} [losses] the ends of both axes
 *   of L, and what they were made for
 * @property {{ data: Data, grid: ArrayLike<number>, seen: string, part: Part }} [map] the part of the map in the picture
 * @property {number} [turn] counts those
 * @property {{ key: string, d: string }} [contours] as a path
 * @property {number} [playing] when the player began, in ms; 0 at rest
 * @property {number} [step] that the player shows, perhaps between two
 */
/** @typedef {Scene<"descent", Memory>} DescentScene */
/** @typedef {(pen: Pen, scene: DescentScene, model: Model, at: Places) => void} Draw */
/** @typedef {[first: number, second: number, loss: number]} State both parameters and L */

/** @param {Uint8Array} bytes */
const floats = ({ buffer, byteOffset, byteLength }) => new Float32Array(buffer, byteOffset, byteLength / 4);

/**
 * What is drawn now.
 *
 * @param {DescentScene} scene @returns {Model}
 */
export function modelOf({ data, memory, values }) {
  if (memory.data !== data) {
    const { x, y } = data;
    const start = /** @type {Pair} */ ([data.start[0], data.start[1]]);
    const sent = { x, y, start, paths: floats(data.paths), grid: floats(data.grid), best: bestOf(data, x, y) };
    Object.assign(memory, { data, sent, dragged: null, ring: null });
  }
  return {
    ...(memory.dragged ?? memory.sent),
    rate: nearestPosition(data.rates, values("eta")),
    step: Math.min(Math.max(values("step"), 0), data.steps),
  };
}

/** @param {Data} data @param {Float64Array} x @param {Float64Array} y */
const bestOf = (data, x, y) => (data.surface === "regression" ? solve(moments(x, y)) : null);

/**
 * Parameters and L of a run at a state.
 *
 * @param {Pick<DescentScene, "data">} scene
 * @param {Pick<Runs, "paths">} runs
 * @param {number} rate the place of η
 * @param {number} run
 * @param {number} step
 * @returns {State}
 */
export function stateOf({ data }, { paths }, rate, run, step) {
  const at = ((rate * data.rules.length + run) * (data.steps + 1) + step) * 3;
  return [paths[at], paths[at + 1], paths[at + 2]];
}

/**
 * Like `stateOf` at the current step, interpolated if the step lies between two states.
 *
 * @param {DescentScene} scene @param {Model} model @param {number} run @returns {State}
 */
export function between(scene, model, run) {
  const low = Math.floor(model.step);
  const a = stateOf(scene, model, model.rate, run, low);
  if (low === model.step) return a;
  const b = stateOf(scene, model, model.rate, run, Math.min(low + 1, scene.data.steps));
  /** @param {0 | 1 | 2} i */
  const part = (i) => a[i] + (b[i] - a[i]) * (model.step - low);
  return [part(0), part(1), part(2)];
}

/**
 * Whether the runs follow the start while it is dragged, and not only after it is dropped.
 *
 * @param {Data} data
 */
export const follows = ({ surface }) => surface !== "network";

/**
 * The loss that each run follows, the loss over all points, and what the numbers of a regression follow from.
 *
 * @param {Data} data @param {Points} points @returns {{ each: Objective[], whole: Objective, moments: Moments | null }}
 */
function objectivesOf(data, { x, y }) {
  if (data.surface === "saddle") return { each: data.rules.map(() => saddle), whole: saddle, moments: null };
  if (data.surface === "unit") {
    const its = unit(x, y, data.cross);
    return { each: data.rules.map(() => its), whole: its, moments: null };
  }
  const weights = data.drawn >= 0 && x.length === data.x.length ? floats(data.weights) : null;
  const n = x.length;
  const its = regression(x, y, weights && ((step) => weights.subarray(step * n, (step + 1) * n)), data.steps);
  return {
    each: data.rules.map((_, run) => (run === data.drawn && weights ? its.drawn : its.whole)),
    whole: its.whole,
    moments: its.moments,
  };
}

/**
 * Compute runs and map for points or a start that is dragged, and send them to every picture of these numbers.
 *
 * @param {DescentScene} scene
 * @param {Points & { start: Pair }} given
 * @param {"points" | "start"} moved
 * @param {string} label
 */
export function take(scene, { x, y, start }, moved, label) {
  const { data, memory } = scene;
  const objectives = objectivesOf(data, { x, y });
  const { rules, rates, shares, steps } = data;
  const paths = sweep(objectives.each, { start, rules, rates, shares, steps });
  const asSent = x === memory.sent.x && y === memory.sent.y;
  const grid = asSent ? memory.sent.grid : gridOf(objectives.whole.loss, data.center, data.reach, data.side);
  memory.dragged = { x, y, start, paths, grid, best: bestOf(data, x, y) };
  const row = rowOf(scene, objectives);
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved, label } }));
}

/**
 * Each number during a drag, as lessons/descent/numbers.py computes it.
 *
 * @param {DescentScene} scene @param {ReturnType<typeof objectivesOf>} objectives
 */
function rowOf(scene, { each, whole, moments }) {
  const { data, values } = scene;
  const model = modelOf(scene);
  const step = Math.round(model.step);
  const losses = data.rules.map((_, run) => stateOf(scene, model, model.rate, run, step)[2]);
  const numbers = stepNumbers(scene, model, step, each[0]);
  losses.forEach((loss, run) => (numbers[`l${run}`] = loss));
  if (moments) {
    Object.assign(numbers, closedNumbers(moments, numbers.eta, whole.loss));
    Object.assign(numbers, { k0: 1 - numbers.rate * numbers.low, k1: 1 - numbers.rate * numbers.high });
  }
  const later = step >= data.steps ? data.sentences.length / 2 : 0; // the sentences of the last step come second
  numbers["@say"] = numbers["@formula"] = sayOf(data, numbers, losses) + later;
  return Float64Array.from(data.names, (name) => numbers[name] ?? values(/** @type {NumberName} */ (name)));
}

/**
 * The numbers of the first run's next step; after the last step nothing changes.
 *
 * @param {DescentScene} scene
 * @param {Model} model
 * @param {number} step
 * @param {Objective} objective
 * @returns {Record<string, number>}
 */
function stepNumbers(scene, model, step, objective) {
  const { data } = scene;
  const eta = data.rates[model.rate];
  const last = step >= data.steps;
  const before = stateOf(scene, model, model.rate, 0, step);
  const after = last ? before : stateOf(scene, model, model.rate, 0, step + 1);
  const slope = objective.gradient([before[0], before[1]], last ? null : step);
  const change = [after[0] - before[0], after[1] - before[1]];
  return {
    step,
    eta,
    size: Math.hypot(...change),
    loss: before[2],
    nextloss: after[2],
    rate: eta * data.shares[Math.min(step, data.steps - 1) * data.rules.length],
    ...{ p0: before[0], p1: before[1], g0: slope[0], g1: slope[1] },
    ...{ c0: change[0], c1: change[1], n0: after[0], n1: after[1] },
  };
}

/**
 * Which sentence is shown before the last step.
 *
 * @param {Data} data
 * @param {Record<string, number>} numbers
 * @param {number[]} losses of the runs
 */
function sayOf({ surface, limits }, numbers, losses) {
  const [near, flat, plateau, high] = limits;
  if (losses.length > 1)
    return losses.reduce((low, loss, run) => (loss < losses[low] || Number.isNaN(losses[low]) ? run : low), 0);
  if (surface === "regression") return Math.abs(numbers.share - 1) < 1e-9 ? 2 : Number(numbers.share > 1);
  if (surface === "saddle") return numbers.loss > near ? 0 : numbers.loss < -near ? 2 : 1;
  if (surface === "network") return Number(numbers.loss <= high);
  return Number(!(Math.hypot(numbers.g0, numbers.g1) < flat && numbers.loss > plateau));
}

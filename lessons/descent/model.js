// The runs that are drawn: those the server sent, or while a hand drags a point or the start, those that follow
// from it; and the numbers of the sentence and the formula for them.

import { frameEvent } from "../../ui/browser/frames.js";
import { nearestPosition } from "../../ui/browser/scales.js";
import { curvature, gridOf, regression, saddle, solve, sweep, unit } from "./dragged_runs.js";

const floats = ({ buffer, byteOffset, byteLength }) => new Float32Array(buffer, byteOffset, byteLength / 4);

/** What is drawn now. */
export function modelOf(scene) {
  const { data, memory, values } = scene;
  if (memory.data !== data) {
    const kept = { x: data.x, y: data.y, start: [...data.start] };
    memory.sent = { ...kept, paths: floats(data.paths), grid: floats(data.grid), best: bestOf(data, kept) };
    Object.assign(memory, { data, hand: null, ring: null });
  }
  const its = memory.hand ?? memory.sent;
  return {
    ...its,
    rate: nearestPosition(data.rates, values("eta")),
    step: Math.min(Math.max(values("step"), 0), data.steps),
  };
}

const bestOf = (data, { x, y }) => (data.surface === "regression" ? regression(x, y, null, 0) : null);

/** Parameters and L of a run at a state. */
export function stateOf({ data }, { paths }, rate, run, step) {
  const at = ((rate * data.rules.length + run) * (data.steps + 1) + step) * 3;
  return [paths[at], paths[at + 1], paths[at + 2]];
}

/** The same between two states, for the way from one to the other. */
export function between(scene, model, run) {
  const low = Math.floor(model.step);
  const [a, b] = [low, Math.min(low + 1, scene.data.steps)].map((step) => stateOf(scene, model, model.rate, run, step));
  return a.map((value, i) => (low === model.step ? value : value + (b[i] - value) * (model.step - low)));
}

/** Whether the start can be followed while it is dragged, and not only after it is dropped. */
export const follows = ({ surface }) => surface !== "network";

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

/** Runs and map for points or a start in the hand; every picture of these numbers hears of them. */
export function take(scene, { x, y, start }, moved, label) {
  const { data, memory } = scene;
  const objectives = objectivesOf(data, { x, y });
  const { rules, rates, shares, steps } = data;
  const paths = sweep(objectives.each, { start, rules, rates, shares, steps });
  const asSent = x === memory.sent.x && y === memory.sent.y;
  const grid = asSent ? memory.sent.grid : gridOf(objectives.whole.loss, data.center, data.reach, data.side);
  memory.hand = { x, y, start, paths, grid, best: bestOf(data, { x, y }) };
  const row = rowOf(scene, objectives);
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved, label } }));
}

// Each number for what the hand holds, as lessons/descent/numbers.py computes them.
function rowOf(scene, { each, whole, moments }) {
  const { data, values } = scene;
  const model = modelOf(scene);
  const step = Math.round(model.step);
  const eta = data.rates[model.rate];
  const theta = stateOf(scene, model, model.rate, 0, step);
  const last = step >= data.steps;
  const g = whole && each[0].gradient([theta[0], theta[1]], last ? null : step);
  const after = last ? theta : stateOf(scene, model, model.rate, 0, step + 1);
  const change = [after[0] - theta[0], after[1] - theta[1]];
  const losses = data.rules.map((_, run) => stateOf(scene, model, model.rate, run, step)[2]);
  const found = {
    step,
    eta,
    size: Math.hypot(...change),
    loss: theta[2],
    nextloss: after[2],
    rate: eta * data.shares[Math.min(step, data.steps - 1) * data.rules.length],
  };
  for (let i = 0; i < 2; i++)
    Object.assign(found, { [`p${i}`]: theta[i], [`g${i}`]: g[i], [`c${i}`]: change[i], [`n${i}`]: after[i] });
  losses.forEach((loss, run) => (found[`l${run}`] = loss));
  if (moments) Object.assign(found, closedNumbers(moments, eta, whole.loss));
  if (moments) Object.assign(found, { k0: 1 - found.rate * found.low, k1: 1 - found.rate * found.high });
  found["@say"] = found["@formula"] = sayOf(data, found, losses) + (last ? data.sentences.length / 2 : 0);
  return Float64Array.from(data.names, (name) => found[name] ?? values(name));
}

function closedNumbers(moments, eta, loss) {
  const curved = curvature(moments);
  const best = solve(moments) ?? [NaN, NaN];
  const left = Math.max(Math.abs(1 - eta * curved.low), Math.abs(1 - eta * curved.high));
  return { ...curved, s0: best[0], s1: best[1], least: loss(best), share: eta / curved.rmax, left };
}

function sayOf({ surface, limits }, found, losses) {
  const [near, flat, plateau, high] = limits;
  if (losses.length > 1)
    return losses.reduce((low, loss, run) => (loss < losses[low] || Number.isNaN(losses[low]) ? run : low), 0);
  if (surface === "regression") return Math.abs(found.share - 1) < 1e-9 ? 2 : Number(found.share > 1);
  if (surface === "saddle") return found.loss > near ? 0 : found.loss < -near ? 2 : 1;
  if (surface === "network") return Number(found.loss <= high);
  return Number(!(Math.hypot(found.g0, found.g1) < flat && found.loss > plateau));
}

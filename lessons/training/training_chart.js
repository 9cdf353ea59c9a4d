// The data that all parts of the picture of training use: the runs, the frame of the chart and its scales.

import { curveOf, litBeat, lossAt, scalesOf } from "./training_scales.js";
import { standing } from "./training_standing.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { History, Listener } from "../../ui/browser/runs.js" */
/** @import { Curve, Scales } from "./training_scales.js" */
/** @import { Data } from "./training_standing.js" */

/** @typedef {Scene<"training", { held?: number | null }>} TrainingScene held: the step that is looked at */
/**
 * The listener of a picture, which receives the numbers of its runs.
 *
 * @typedef {Listener & {
 *   data: Data, names: string | null, stop?: () => void, lit?: string, reading?: Reading
 * }} Follower lit: the beat in which nothing is dimmed
 */
/** @typedef {{ hold: (step: number | null) => void, stepAt: (x: number) => number, last: number }} Reading */
/** @typedef {ReturnType<typeof chartOf>} Chart */
/** @typedef {ReturnType<typeof wideFrame>} Frame */
/** @typedef {{ left: number, top: number, width: number, height: number }} Box */
/** @typedef {(pen: Pen, scene: TrainingScene, chart: Chart) => void} Draw */

/**
 * The history of each run.
 *
 * @param {Follower} follower
 */
export const historiesOf = ({ data, histories }) =>
  data.runs.map((run) => /** @type {History} */ (histories.get(run.name)));

/** @param {TrainingScene} scene @param {Follower} follower */
export function chartOf(scene, follower) {
  const { data, colour, narrow } = scene;
  const histories = data.runs.length ? historiesOf(follower) : [];
  const live = histories.map((history, i) => curveOf(history, data.runs[i].label));
  const many = Math.max(live.length, data.recorded.length) > 1;
  /** @type {Curve[]} */
  const lines = live.length ? live : data.recorded;
  const { named, uniform, truth } = histories.length
    ? standing(data, histories)
    : { named: lowest(data.recorded), uniform: data.uniform, truth: data.truth };
  const longest = Math.max(10, ...live.map((curve) => curve.steps), ...(live.length ? [] : [data.longest]));
  const frame = narrow ? narrowFrame(scene, lines.length, many) : wideFrame(scene, lines.length, many);
  const scales = scalesOf([...live, ...data.recorded], { longest, uniform, truth }, frame);
  const from = hiddenFrom(scene, frame);
  return {
    histories,
    live,
    lines,
    many,
    named,
    uniform,
    truth,
    longest,
    frame,
    scales,
    from,
    open: !Number.isFinite(from), // whether no question hides a part of the curves
    zone: zoneOf(frame, scales, data.recorded, narrow), // by the recorded runs only: live ones would move it
    role: (/** @type {number} */ i) => (many ? colour[`series-${i + 1}`] : colour.loss),
  };
}

/**
 * The scene, with nothing dimmed if a run was active during the current beat.
 *
 * @param {TrainingScene} scene @param {Follower} follower @returns {TrainingScene}
 */
export function litScene(scene, follower) {
  const { data } = scene;
  const beat = data.light.join();
  follower.lit = litBeat(data.runs.length ? historiesOf(follower) : [], beat, follower.lit);
  return follower.lit === beat ? { ...scene, dim: () => false } : scene;
}

/**
 * The index of the curve with the lowest loss.
 *
 * @param {Curve[]} curves
 */
function lowest(curves) {
  const losses = curves.map((curve) => lossAt(curve)?.[1] ?? Infinity);
  return Math.max(0, losses.indexOf(Math.min(...losses)));
}

/**
 * @param {{ width: number, height: number }} room
 * @param {number} count of the curves
 * @param {boolean} many
 */
function wideFrame({ width, height }, count, many) {
  const rows = Math.max(count, 2);
  const texts = many ? rows * Math.min(34, (height * 0.34) / rows) : Math.min(150, height * 0.285);
  return {
    left: 62,
    right: width - (many ? 172 : 146),
    top: 30,
    foot: height - texts - 60,
    texts, // the height of the texts; `below` is their top
    below: height - texts - 14,
    size: 14,
    width,
    height,
  };
}

/**
 * @param {{ width: number, height: number }} room
 * @param {number} count of the curves
 * @param {boolean} many
 * @returns {Frame}
 */
function narrowFrame({ width, height }, count, many) {
  const rows = Math.max(count, 2);
  const texts = many ? rows * Math.min(36, (height * 0.42) / rows) : Math.min(128, height * 0.34);
  return {
    left: 36,
    right: width - 70,
    top: 22,
    foot: height - texts - 30,
    texts,
    below: height - texts - 4,
    size: 13,
    width,
    height,
  };
}

const HIDDEN_FROM = /** @type {const} */ ([
  ["curve", 0.25],
  ["winner", 0.5],
]);

/**
 * The x coordinate from which a question hides the curves; Infinity if none does.
 *
 * @param {TrainingScene} scene @param {Frame} frame
 */
function hiddenFrom({ hidden }, { left, right }) {
  const found = HIDDEN_FROM.find(([name]) => hidden(name));
  return found ? left + found[1] * (right - left) : Infinity;
}

/**
 * A place for Start in the upper part of the chart that no curve crosses.
 *
 * @param {Frame} frame @param {Scales} scales @param {Curve[]} lines @param {boolean} narrow @returns {Box}
 */
function zoneOf(frame, { x, y }, lines, narrow) {
  const wide = frame.right - frame.left;
  const size = narrow
    ? { width: 148, height: 44, top: frame.top + 14 }
    : { width: 200, height: 52, top: frame.top + 24 };
  const foot = size.top + size.height + (narrow ? 46 : 64);
  const points = lines.flatMap((curve) => [...curve.evaluations, ...curve.batches]);
  const free = (/** @type {number} */ share) => {
    const left = frame.left + share * wide;
    return !points.some(
      ([step, loss]) => loss !== null && x(step) >= left - 12 && x(step) <= left + size.width + 40 && y(loss) < foot,
    );
  };
  const crossed = lines.some(({ why }) => why) ? 0.5 : 0.46;
  const share = lines.length ? ([0.26, 0.3, 0.34, 0.38, 0.42].find(free) ?? crossed) : 0.5;
  return { ...size, left: Math.min(frame.left + share * wide, frame.right - size.width) };
}

// The walk through a graph: which step is shown, ahead of the server's answer, and what has been computed by then.

import { isNews } from "../../ui/browser/events.js";

/** @import { GraphStep, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["graph"]} Data */
/** @typedef {{ data: Data, send: (step: number) => void, again: () => void }} WalkScene */
/**
 * What the picture stores about the walk.
 *
 * @typedef {object} Walk
 * @property {WalkScene} scene of the latest drawing
 * @property {Data} data
 * @property {number} at how many steps have been taken; one more after the last
 * @property {number | null} [ride] when the numbers of this step set out, in ms
 * @property {number | null} [timer] while it plays
 * @property {number[]} [sent] the steps that were reported
 * @property {() => boolean} still whether nothing may move by itself
 */

const PACE = 900; // ms a step while it plays
const RIDE = 600; // ms that numbers ride along their edges

/**
 * The place after the last step, where everything is shown.
 *
 * @param {Pick<Data, "steps">} data
 */
export const lastOf = (data) => data.steps.length + 1;

/**
 * Take over the server's data; its step is new, unless it is the echo of a step that was reported.
 *
 * @param {Partial<Walk>} memory @param {WalkScene} scene @returns {Walk}
 */
export function take(memory, scene) {
  const { data } = scene;
  const before = memory.data;
  const walk = /** @type {Walk} */ (Object.assign(memory, { scene, data }));
  if (before === data) return walk;
  const ended = before && walk.at === lastOf(before);
  const last = lastOf(data);
  if (isNews(walk, data.step)) {
    pause(walk, true);
    walk.at = data.step < 0 ? last : data.step;
    walk.ride = null;
  }
  walk.at = data.step < 0 && ended ? last : Math.min(walk.at, last); // the end of this graph, not of the one before
  return walk;
}

/**
 * @param {Walk} walk
 * @param {number} to
 * @param {boolean} quietly whether it plays, and the server need not know of each step
 */
export function go(walk, to, quietly = false) {
  const last = lastOf(walk.scene.data);
  const from = walk.at;
  if (!quietly) pause(walk, true);
  walk.at = Math.min(Math.max(to, 0), last);
  walk.ride = walk.at === from + 1 && walk.at < last && !walk.still() ? performance.now() : null;
  if (!quietly) report(walk);
  walk.scene.again();
}

/** @param {Walk} walk */
function report({ scene, at, sent }) {
  const step = at === lastOf(scene.data) ? -1 : at;
  sent?.push(step);
  scene.send(step);
}

/** @param {Walk} walk */
export function play(walk) {
  if (walk.at === lastOf(walk.scene.data)) go(walk, 1, true);
  walk.timer = setInterval(() => {
    go(walk, walk.at + 1, true);
    if (walk.at === lastOf(walk.scene.data)) pause(walk);
  }, PACE);
  walk.scene.again();
}

/**
 * @param {Walk} walk
 * @param {boolean} quietly whether the server need not know of the step
 */
export function pause(walk, quietly = false) {
  if (!walk.timer) return;
  clearInterval(walk.timer);
  walk.timer = null;
  if (quietly) return;
  report(walk);
  walk.scene.again();
}

/**
 * How far the numbers of this step have ridden, from 0 to 1.
 *
 * @param {Walk} walk
 */
export function ridden(walk) {
  if (walk.ride === null || walk.ride === undefined) return 1;
  const part = Math.min(Math.max((performance.now() - walk.ride) / RIDE, 0), 1);
  if (part === 1) walk.ride = null;
  return part;
}

/**
 * What is computed at a place of the walk: the nodes with a value and with a gradient, the edges that have passed
 * one down, and the step itself with its edges.
 *
 * @param {Data} data @param {number} at
 */
export function reached(data, at) {
  const taken = data.steps.slice(0, at);
  /** @param {GraphStep["kind"]} kind */
  const of = (kind) => taken.filter((step) => step.kind === kind);
  /** @param {GraphStep[]} steps */
  const edges = (steps) => new Set(steps.flatMap((step) => step.edges.map((edge) => edge.join("."))));
  const now = at === 0 || at === lastOf(data) ? null : data.steps[at - 1];
  return {
    values: new Set(of("forward").flatMap((step) => step.nodes)),
    gradients: new Set(of("backward").flatMap((step) => step.nodes)),
    passed: edges(of("backward")),
    now,
    active: edges(now ? [now] : []),
    done: at === lastOf(data),
  };
}

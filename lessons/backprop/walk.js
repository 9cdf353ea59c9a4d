// The walk through a graph: which step is shown, ahead of the server's answer, and what has been computed by then.

import { isNews } from "../../ui/browser/events.js";

/** @import { Scripts, GraphStep } from "../../ui/browser/types.js" */
/** @typedef {Scripts["graph"]} Data */

const PACE = 900;
const RIDE = 600; // numbers ride along their edges for so long

/** The place after the last step, where everything is shown. */
export const lastOf = (data) => data.steps.length + 1;

/**
 * Takes what the server sends: its step is news, unless it is the echo of a step that was reported.
 *
 * @param {Record<string, any>} memory
 * @param {any} scene
 */
export function take(memory, scene) {
  memory.scene = scene;
  const { data } = scene;
  if (memory.data === data) return;
  const ended = memory.data && memory.at === lastOf(memory.data);
  memory.data = data;
  const last = lastOf(data);
  if (isNews(memory, data.step)) {
    pause(memory, true);
    memory.at = data.step < 0 ? last : data.step;
    memory.ride = null;
  }
  memory.at = data.step < 0 && ended ? last : Math.min(memory.at, last); // the end of this graph, not of the one before
}

export function go(memory, to, quietly = false) {
  const { scene } = memory;
  const last = lastOf(scene.data);
  const from = memory.at;
  if (!quietly) pause(memory, true);
  memory.at = Math.min(Math.max(to, 0), last);
  memory.ride = memory.at === from + 1 && memory.at < last && !memory.still() ? performance.now() : null;
  if (!quietly) report(memory);
  scene.again();
}

function report(memory) {
  const at = memory.at === lastOf(memory.scene.data) ? -1 : memory.at;
  memory.sent.push(at);
  memory.scene.send(at);
}

export function play(memory) {
  if (memory.at === lastOf(memory.scene.data)) go(memory, 1, true);
  memory.timer = setInterval(() => {
    go(memory, memory.at + 1, true);
    if (memory.at === lastOf(memory.scene.data)) pause(memory);
  }, PACE);
  memory.scene.again();
}

export function pause(memory, quietly = false) {
  if (!memory.timer) return;
  clearInterval(memory.timer);
  memory.timer = null;
  if (quietly) return;
  report(memory);
  memory.scene.again();
}

/** How far the numbers of this step have ridden, from 0 to 1. */
export function ridden(memory) {
  if (memory.ride === null || memory.ride === undefined) return 1;
  const part = Math.min(Math.max((performance.now() - memory.ride) / RIDE, 0), 1);
  if (part === 1) memory.ride = null;
  return part;
}

/**
 * What is computed at a place of the walk: the nodes with a value and with a gradient, the edges that have passed
 * one down, and the step itself with its edges.
 *
 * @param {Data} data
 */
export function reached(data, at) {
  /** @type {GraphStep[]} */
  const taken = data.steps.slice(0, at);
  const of = (kind) => taken.filter((step) => step.kind === kind);
  const now = at === 0 || at === lastOf(data) ? null : data.steps[at - 1];
  const edges = (steps) => new Set(steps.flatMap((step) => step.edges.map((edge) => edge.join("."))));
  return {
    values: new Set(of("forward").flatMap((step) => step.nodes)),
    gradients: new Set(of("backward").flatMap((step) => step.nodes)),
    passed: edges(of("backward")),
    now,
    active: edges(now ? [now] : []),
    done: at === lastOf(data),
  };
}

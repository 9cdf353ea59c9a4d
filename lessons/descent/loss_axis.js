// The axis of L that both strips below have.

import { stateOf } from "./model.js";
import { lossTicks } from "./descent_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Model } from "./model.js" */
/** @import { Box } from "./descent_places.js" */

const RAISED = 6; // how far above L of the start a logarithmic axis goes, as a factor

/**
 * The ends of both axes of L: the same for all η, so that the axes do not move while η is dragged.
 *
 * @param {DescentScene} scene @param {Model} model @returns {[low: number, high: number]}
 */
export function lossRange(scene, model) {
  const { data, memory } = scene;
  const { paths } = model;
  if (memory.losses?.paths === paths && memory.losses.data === data) return memory.losses.range;
  const first = stateOf(scene, model, 0, 0, 0)[2];
  let low = first;
  for (let at = 2; at < paths.length; at += 3) if (paths[at] < low) low = paths[at];
  /** @type {[number, number]} */
  const range = data.logarithmic
    ? [Math.max(low, first * 1e-5) * 0.8, first * RAISED]
    : [low - 0.1 * (first - low), first + 0.2 * (first - low)];
  memory.losses = { data, paths, range };
  return range;
}

/**
 * @param {Pen} pen
 * @param {DescentScene} scene
 * @param {Box} box
 * @param {[low: number, high: number]} range
 * @param {(loss: number) => number} y
 */
export function drawLossAxis(pen, { data }, { left, wide }, [low, high], y) {
  const ticks = lossTicks(low, high, data.logarithmic);
  pen.axis("y", y, { at: left - 7, ticks, lines: [left, left + wide], title: "L" });
}

/**
 * Whether the sentence names the share of 2/λₘₐₓ, and not L.
 *
 * @param {Pick<DescentScene, "data" | "moved" | "values">} scene
 */
export const marksShare = ({ data, moved, values }) =>
  data.surface === "regression" &&
  data.rules.length === 1 &&
  data.sentences[values("@say")]?.includes("=={share}==") &&
  moved !== "step";

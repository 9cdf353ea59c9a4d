// Where the gains of a gradient are drawn, and the names of their curves.

import { line, scaleLinear, scaleLog } from "../../drawing/d3.js";

/** @import { VanishPayload } from "../../drawing/types.js" */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */

/**
 * Where a step and a gain are drawn in a box. Powers of ten go from its top to its foot; smaller or larger gains are
 * drawn at the edge.
 *
 * @param {Pick<VanishPayload, "steps" | "low" | "high">} data @param {Box} box
 */
export function scalesOf(data, { left, right, top, foot }) {
  const x = scaleLinear([0, data.steps], [left, right]);
  const y = scaleLog([10 ** data.low, 10 ** data.high], [foot, top]).clamp(true);
  const along = line(
    (/** @type {number} */ _, n) => x(n),
    (gain) => y(gain),
  );
  return { x, y, along };
}

/**
 * Where the label of each curve is drawn: near its end, at least `gap` from the next, and inside the box.
 *
 * @param {number[]} heights @param {number} gap @param {{ top: number, foot: number }} box
 */
export function apart(heights, gap, { top, foot }) {
  const order = heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b]);
  const places = heights.map(() => 0);
  let free = top;
  for (const i of order) {
    places[i] = Math.max(free, heights[i] + 5);
    free = places[i] + gap;
  }
  let room = foot;
  for (const i of order.reverse()) {
    places[i] = Math.min(room, places[i]);
    room = places[i] - gap;
  }
  return places;
}

// Where the gains of a gradient stand, and the names of their curves.

import { line, scaleLinear, scaleLog } from "../../ui/browser/d3.js";

/** @import { VanishPayload } from "../../ui/browser/types.js" */

export const PLOT = { left: 58, top: 12, bottom: 330 };

/**
 * Where a step and a gain stand. Powers of ten go from the top to the bottom; what is smaller or
 * larger stays at the edge.
 *
 * @param {Pick<VanishPayload, "steps" | "low" | "high">} data
 * @param {number} right
 */
export function scalesOf(data, right) {
  const x = scaleLinear([0, data.steps], [PLOT.left, right]);
  const y = scaleLog([10 ** data.low, 10 ** data.high], [PLOT.bottom, PLOT.top]).clamp(true);
  const along = line((/** @type {number} */ _, n) => x(n), (gain) => y(gain));
  return { x, y, along, right };
}

// Where the label at the end of each curve stands: from the highest down, none on another.
export function apart(heights) {
  const places = [];
  let free = PLOT.top + 12;
  for (const i of heights.map((_, i) => i).sort((a, b) => heights[a] - heights[b])) {
    places[i] = free = Math.max(free, heights[i] + 5);
    free += 17;
  }
  return places;
}

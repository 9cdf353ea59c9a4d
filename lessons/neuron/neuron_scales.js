// Where the numbers of a unit stand: on the axes of its curve, and on the scale of its bars.

import { scaleLinear } from "../../ui/browser/d3.js";

/** @import { NeuronPayload } from "../../ui/browser/types.js" */

export const PLOT = { left: 84, right: 400, curve: 190 };
const BEYOND = 0.02;

/**
 * What is off an axis stands at its end; a curve goes on a little above and below its frame.
 *
 * @param {Pick<NeuronPayload, "reach" | "low" | "high">} data
 * @param {number} top
 */
export function scalesOf({ reach, low, high }, top) {
  const more = BEYOND * (high - low);
  const ends = [top + PLOT.curve * (1 + BEYOND), top - PLOT.curve * BEYOND];
  return {
    across: scaleLinear([-reach, reach], [PLOT.left, PLOT.right]).clamp(true),
    down: scaleLinear([low - more, high + more], ends).clamp(true),
  };
}

// The bars' scale: from 0, in steps of 1, 2, 5; while the hand moves it grows and never shrinks.
export function widen(scale, sums) {
  const nice = (size) => {
    const unit = 10 ** Math.floor(Math.log10(size));
    return [1, 2, 5, 10].find((step) => step * unit >= size * 0.999) * unit;
  };
  const [low, high] = [Math.min(0, ...sums), Math.max(0, ...sums)];
  if (low < scale.low) scale.low = -nice(-low);
  if (high > scale.high) scale.high = nice(high);
  if (scale.low === 0 && scale.high === 0) scale.high = 1;
  return scale;
}

export const barScale = ({ low, high }) => scaleLinear([low, high], [PLOT.left, PLOT.right]).clamp(true);

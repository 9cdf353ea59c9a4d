// Scales without a picture: ticks and ranges.

import { scaleLinear } from "./d3.js";

/** @typedef {[step: number, loss: number]} Batch */
/** @typedef {{ evaluations: readonly (readonly [step: number, loss: number | null, ...unknown[]])[] }} Judged */

/**
 * The mean of each `many` consecutive losses, with the step at which they end; none if one of them is null.
 *
 * @param {readonly (number | null)[]} losses @param {number} many
 */
export function meanOfEvery(losses, many) {
  const whole = Array.from({ length: Math.floor(losses.length / many) }, (_, i) =>
    losses.slice(i * many, (i + 1) * many),
  );
  return whole.flatMap((part, i) => {
    const known = part.filter((loss) => loss !== null);
    const mean = known.reduce((sum, loss) => sum + loss, 0) / known.length;
    return known.length === part.length ? [/** @type {Batch} */ ([(i + 1) * many, mean])] : [];
  });
}

/**
 * The lowest and highest loss in the frame, with room for a label beyond each. Losses of batches may exceed the top:
 * above it they would only show that a run diverges.
 *
 * @param {readonly (readonly Batch[])[]} batches
 * @param {readonly Judged[]} histories
 * @param {number} uniform
 * @param {number | null} truth
 */
export function lossRange(batches, histories, uniform, truth) {
  const judged = histories.flatMap((h) => h.evaluations.map((e) => e[1])).filter((loss) => loss !== null);
  const high = Math.max(uniform, ...judged);
  const below = batches.flat().map(([, loss]) => loss);
  const low = Math.max(Math.min(uniform, truth ?? uniform, ...judged, ...below), high / 1e4);
  const room = Math.max(1.05, (high / low) ** 0.09);
  return [low / room, high * room];
}

const ROUND = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
/**
 * At most eight round numbers, about even on the scale; even steps where few of those fit.
 *
 * @param {number} low @param {number} high
 */
export function logarithmicTicks(low, high) {
  const powers = Array.from({ length: 12 }, (_, i) => 10 ** (i - 5));
  /** @param {number[]} list */
  const inside = (list) =>
    powers
      .flatMap((power) => list.map((m) => Number((m * power).toPrecision(12))))
      .filter((v) => v >= low && v <= high);
  const values = ROUND.map(inside).find((list) => list.length <= 8) ?? [];
  return values.length >= 3 ? values : evenTicks(low, high);
}

/**
 * About `count` round numbers at even distances.
 *
 * @param {number} low @param {number} high
 */
export const evenTicks = (low, high, count = 5) => scaleLinear([low, high], []).ticks(count);

/**
 * The index of the position that is nearest to `value`.
 *
 * @param {Float64Array} positions @param {number} value
 */
export function nearestPosition(positions, value) {
  let best = 0;
  positions.forEach((p, i) => {
    if (Math.abs(p - value) < Math.abs(positions[best] - value)) best = i;
  });
  return best;
}

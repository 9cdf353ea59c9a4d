// Scales without a picture: ticks and ranges.

import { scaleLinear } from "./d3.js";

// The mean of every `many` losses, with the step at which each ends; one with no number has none.
export function meanOfEvery(losses, many) {
  const whole = Array.from({ length: Math.floor(losses.length / many) }, (_, i) =>
    losses.slice(i * many, (i + 1) * many),
  );
  const mean = (part) => part.reduce((sum, loss) => sum + loss, 0) / part.length;
  return whole
    .map((part, i) => [(i + 1) * many, part.includes(null) ? null : mean(part)])
    .filter(([, loss]) => loss !== null);
}

// The lowest and highest loss in the frame, with room for a label beyond each. Batches may leave it
// at the top: of a run that diverges they say nothing more there.
export function lossRange(batches, histories, uniform, truth) {
  const judged = histories.flatMap((h) => h.evaluations.map((e) => e[1])).filter((loss) => loss !== null);
  const high = Math.max(uniform, ...judged);
  const below = batches.flat().map(([, loss]) => loss);
  const low = Math.max(Math.min(uniform, truth ?? uniform, ...judged, ...below), high / 1e4);
  const room = Math.max(1.05, (high / low) ** 0.09);
  return [low / room, high * room];
}

// At most eight round numbers, about even on the scale; even steps where few of those fit.
const ROUND = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]];
export function logarithmicTicks(low, high) {
  const powers = Array.from({ length: 12 }, (_, i) => 10 ** (i - 5));
  const inside = (list) =>
    powers
      .flatMap((power) => list.map((m) => Number((m * power).toPrecision(12))))
      .filter((v) => v >= low && v <= high);
  const values = ROUND.map(inside).find((list) => list.length <= 8) ?? [];
  return values.length >= 3 ? values : evenTicks(low, high);
}

// About so many round numbers at even distances.
export const evenTicks = (low, high, count = 5) => scaleLinear([low, high], []).ticks(count);

// The index of the position that is nearest to `value`.
export function nearestPosition(positions, value) {
  let best = 0;
  positions.forEach((p, i) => {
    if (Math.abs(p - value) < Math.abs(positions[best] - value)) best = i;
  });
  return best;
}

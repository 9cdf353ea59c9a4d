// The closed form of points, and descent to it, while a point is dragged.

import { curvature, moments, solve } from "./dragged_runs.js";

/** @typedef {{ x: Float64Array, y: Float64Array }} Points */
/**
 * `off` is the distance of each step from `best`, `near` the first step that has arrived, or −1.
 *
 * @typedef {Points & {
 *   best: number[], path: number[][], off: number[], near: number, inverse: number[], sums: number[]
 * }} Model
 */

/** @param {readonly number[]} a @param {readonly number[]} b */
export const distance = (a, b) => Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]));

/**
 * The closed form of points, and descent to it from a start at its best fixed η.
 *
 * @param {Points} points @param {readonly number[]} start @param {number} shown @param {number} close @returns {Model}
 */
export function computed({ x, y }, start, shown, close) {
  const m = moments(x, y);
  const best = solve(m) ?? [NaN, NaN];
  const rate = curvature(m).best;
  const path = [[...start]];
  let near = -1;
  for (let step = 0; step < Math.max(shown, 2000) && near < 0; step++) {
    const [b0, b1] = path[step];
    const slope = [2 * (b0 + b1 * m.x - m.y), 2 * (b0 * m.x + b1 * m.xx - m.xy)];
    path.push([b0 - rate * slope[0], b1 - rate * slope[1]]);
    if (distance(path[step + 1], best) < close) near = step + 1;
  }
  while (path.length <= shown) path.push(path[path.length - 1]);
  const n = x.length;
  const spread = n * (m.xx - m.x * m.x);
  const inverse = [m.xx / spread, -m.x / spread, -m.x / spread, 1 / spread];
  const off = path.map((each) => distance(each, best));
  return { x, y, best, path, off, near, inverse, sums: [n * m.y, n * m.xy] };
}

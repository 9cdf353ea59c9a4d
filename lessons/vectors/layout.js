// Where the parts of the picture of word vectors stand, and where a label of the map finds room.

import { textWidth } from "../../ui/browser/pen.js";

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */

const FOOT = 112;

/** @param {{ width: number, height: number, narrow: boolean }} room */
export function places({ width, height, narrow }) {
  if (narrow) {
    const strip = { left: 82, top: height - 56, wide: width - 98, high: 32 };
    const list = { left: 6, top: height - 124, wide: width - 12, high: 40 };
    const text = { left: 6, top: 4, wide: width - 12, high: 62 };
    const map = { left: 2, top: 68, wide: width - 4, high: list.top - 76 };
    return { text, list, map, strip, small: true };
  }
  const high = height - FOOT;
  const column = Math.min(0.36 * width, 380);
  const text = { left: 14, top: 20, wide: column - 14, high: 0.56 * high - 26 };
  const list = { left: 14, top: 0.56 * high + 12, wide: column - 14, high: 0.44 * high - 18 };
  const map = { left: column + 22, top: 14, wide: width - column - 34, high: high - 24 };
  const strip = { left: 92, top: high + 28, wide: width - 92 - 56, high: FOOT - 54 };
  return { text, list, map, strip, small: false };
}

/** Words in rows, centred in none: each with its left end and its row. */
export function flow(words, wide, size, gap) {
  const placed = [];
  let [x, row] = [0, 0];
  for (const word of words) {
    const its = textWidth(word, size) + 12;
    if (x && x + its > wide) [x, row] = [0, row + 1];
    placed.push({ x, row, wide: its });
    x += its + gap;
  }
  return placed;
}

/**
 * A scale that shows the points of all snapshots, with one unit for both axes.
 *
 * @param {Float32Array} points
 * @param {Box} box
 */
export function mapScale(points, { left, top, wide, high }, margin) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    [x0, x1] = [Math.min(x0, points[i]), Math.max(x1, points[i])];
    [y0, y1] = [Math.min(y0, points[i + 1]), Math.max(y1, points[i + 1])];
  }
  const unit = Math.min((wide - 2 * margin) / (x1 - x0 || 1), (high - 2 * margin) / (y1 - y0 || 1));
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return { x: (value) => left + wide / 2 + (value - cx) * unit, y: (value) => top + high / 2 - (value - cy) * unit };
}

/**
 * Room for labels, in the order they ask: each takes the first place beside its point that is free, or none.
 *
 * @param {Box} frame
 */
export function labelRoom(frame) {
  const taken = /** @type {number[][]} */ ([]);
  const free = (box) => box[0] >= frame.left + 2 && box[2] <= frame.left + frame.wide - 2 && box[1] >= frame.top + 2 && box[3] <= frame.top + frame.high - 2 && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
  return {
    take: (box) => taken.push(box),
    place(x, y, r, text, { size, bold, far = true }) {
      const [wide, high] = [textWidth(text, size, bold) + 4, size * 1.15];
      for (const [dx, dy, anchor] of around(r, size).slice(0, far ? undefined : NEAR)) {
        const left = anchor === "start" ? x + dx : anchor === "end" ? x + dx - wide : x + dx - wide / 2;
        const box = [left, y + dy - size * 0.85, left + wide, y + dy - size * 0.85 + high];
        if (!free(box)) continue;
        taken.push(box);
        return { x: x + dx + (anchor === "start" ? 2 : anchor === "end" ? -2 : 0), y: y + dy, anchor };
      }
      return null;
    },
  };
}

const NEAR = 8; // places of a label that touch their point
const around = (r, size) => [
  [r + 3, size * 0.35, "start"],
  [-r - 3, size * 0.35, "end"],
  [0, -r - 5, "middle"],
  [0, r + size, "middle"],
  [r + 1, -r - 2, "start"],
  [r + 1, r + size - 2, "start"],
  [-r - 1, -r - 2, "end"],
  [-r - 1, r + size - 2, "end"],
  [r + 3, -1.2 * size - r, "start"],
  [r + 3, 1.6 * size + r, "start"],
  [-r - 3, -1.2 * size - r, "end"],
  [-r - 3, 1.6 * size + r, "end"],
  [0, -r - 2.3 * size, "middle"],
  [0, r + 2.3 * size, "middle"],
];

/** Where a step lies among the snapshots, as a place between two of them where it is none of them. */
export function placeOfStep(steps, step) {
  const last = steps.length - 1;
  if (step <= steps[0]) return 0;
  if (step >= steps[last]) return last;
  let i = 0;
  while (steps[i + 1] < step) i++;
  return i + (step - steps[i]) / (steps[i + 1] - steps[i]);
}

/** The path of a group's mark, one shape for each group. */
export function markPath(kind, x, y, r) {
  const p = (...points) => points.map(([a, b], i) => `${i ? "L" : "M"}${(x + a * r).toFixed(2)} ${(y + b * r).toFixed(2)}`).join("") + "z";
  const shapes = [
    () => `M${(x - r).toFixed(2)} ${y.toFixed(2)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    () => p([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]),
    () => p([0, -1.2], [1.1, 0.8], [-1.1, 0.8]),
    () => p([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]),
    () => p([0, 1.2], [1.1, -0.8], [-1.1, -0.8]),
    () => p([-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]),
    () => p([0, -1.25], [0.4, -0.4], [1.25, 0], [0.4, 0.4], [0, 1.25], [-0.4, 0.4], [-1.25, 0], [-0.4, -0.4]),
  ];
  return shapes[kind < 0 ? 0 : kind % shapes.length]();
}

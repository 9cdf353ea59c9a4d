// Labels beside their points where there is room, and marks of one shape for each group.

import { textWidth } from "./pen.js";

/** @import { Anchor } from "./pen.js" */

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {[left: number, top: number, right: number, foot: number]} Taken */
/** @typedef {{ size: number, bold?: boolean, far?: boolean }} Look of a label; with `far` it may stand off its point */

/**
 * Places labels in the order of the calls: each takes the first free place beside its point, or none.
 *
 * @param {Box} frame
 */
export function labelRoom(frame) {
  const taken = /** @type {Taken[]} */ ([]);
  /** @param {Taken} box */
  const free = (box) =>
    box[0] >= frame.left + 2 &&
    box[2] <= frame.left + frame.wide - 2 &&
    box[1] >= frame.top + 2 &&
    box[3] <= frame.top + frame.high - 2 &&
    !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
  return {
    take: (/** @type {Taken} */ box) => taken.push(box),
    /**
     * @param {number} x
     * @param {number} y
     * @param {number} r of the point's mark
     * @param {string} text
     * @param {Look} look
     */
    place(x, y, r, text, { size, bold, far = true }) {
      const [wide, high] = [textWidth(text, size, bold) + 4, size * 1.15];
      for (const [dx, dy, anchor] of around(r, size).slice(0, far ? undefined : NEAR)) {
        const left = anchor === "start" ? x + dx : anchor === "end" ? x + dx - wide : x + dx - wide / 2;
        const box = /** @type {Taken} */ ([left, y + dy - size * 0.85, left + wide, y + dy - size * 0.85 + high]);
        if (!free(box)) continue;
        taken.push(box);
        return { x: x + dx + (anchor === "start" ? 2 : anchor === "end" ? -2 : 0), y: y + dy, anchor };
      }
      return null;
    },
  };
}

const NEAR = 8; // places of a label that touch their point
/** @type {(r: number, size: number) => [dx: number, dy: number, anchor: Anchor][]} */
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

/**
 * The path of a group's mark, one shape for each group.
 *
 * @param {number} kind the group
 * @param {number} x
 * @param {number} y
 * @param {number} r
 */
export function markPath(kind, x, y, r) {
  /** @param {[across: number, down: number][]} points */
  const p = (...points) =>
    points.map(([a, b], i) => `${i ? "L" : "M"}${(x + a * r).toFixed(2)} ${(y + b * r).toFixed(2)}`).join("") + "z";
  const shapes = [
    () => `M${(x - r).toFixed(2)} ${y.toFixed(2)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
    () => p([-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]),
    () => p([0, -1.2], [1.1, 0.8], [-1.1, 0.8]),
    () => p([0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]),
    () => p([0, 1.2], [1.1, -0.8], [-1.1, -0.8]),
    () =>
      p(
        [-0.4, -1.1],
        [0.4, -1.1],
        [0.4, -0.4],
        [1.1, -0.4],
        [1.1, 0.4],
        [0.4, 0.4],
        [0.4, 1.1],
        [-0.4, 1.1],
        [-0.4, 0.4],
        [-1.1, 0.4],
        [-1.1, -0.4],
        [-0.4, -0.4],
      ),
    () => p([0, -1.25], [0.4, -0.4], [1.25, 0], [0.4, 0.4], [0, 1.25], [-0.4, 0.4], [-1.25, 0], [-0.4, -0.4]),
  ];
  return shapes[kind < 0 ? 0 : kind % shapes.length]();
}

/**
 * The ends of curves, moved apart where their labels would touch; their order stays.
 *
 * @param {readonly number[]} ends @param {number} gap
 */
export function spread(ends, gap) {
  const order = ends.map((_, i) => i).sort((a, b) => ends[a] - ends[b]);
  const placed = [...ends];
  for (let k = 1; k < order.length; k++) placed[order[k]] = Math.max(placed[order[k]], placed[order[k - 1]] + gap);
  return placed;
}

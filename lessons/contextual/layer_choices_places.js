// Where the six ways to make one vector of the layers are drawn, and the two axes of their scores.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"layer_choices">} ChoicesScene */
/** @typedef {ReturnType<typeof placesOf>} ChoicesPlaces */
/** @typedef {ReturnType<typeof axisOf>} ScoreAxis */

const BREAK = 62; // from the lowest dot to the others, where an axis is broken

/**
 * The axis of some scores: zoomed to them, or, if it is broken, to all but the lowest, which stands at the left of it.
 *
 * @param {readonly number[]} values @param {boolean} broken @param {number} left @param {number} right
 */
export function axisOf(values, broken, left, right) {
  const ordered = [...values].sort((a, b) => a - b);
  const shown = broken ? ordered.slice(1) : ordered;
  const [low, high] = [shown[0], shown[shown.length - 1]];
  const room = Math.max((high - low) * 0.12, 1e-4);
  const from = broken ? left + BREAK : left;
  const scale = scaleLinear([low - room, high + room], [from, right]);
  return {
    left,
    right,
    scale,
    ticks: scale.ticks(4),
    gap: broken ? left + BREAK * 0.55 : null,
    /** @type {(value: number) => number} */
    x: (value) => (broken && value === ordered[0] ? left + 8 : scale(value)),
  };
}

/** @param {ChoicesScene} scene */
export function placesOf({ data, width, height, narrow, values }) {
  const top = narrow ? 24 : 62;
  const foot = height - (narrow ? 26 : 34);
  const row = (foot - top) / data.ways.length;
  const pile = { left: narrow ? 4 : 10, wide: narrow ? 26 : 74 };
  const name = pile.left + pile.wide + (narrow ? 8 : 18);
  const scores = data.ways.map((_, n) => [values(`bert ${n}`), values(`ours ${n}`)]);
  const boxes = narrow
    ? [
        [name, width * 0.52],
        [width * 0.62, width - 14],
      ]
    : [
        [388, 650],
        [736, width - 22],
      ];
  const axes = data.axes.map((its, k) =>
    axisOf(
      scores.map((both) => both[k]),
      its.broken,
      boxes[k][0],
      boxes[k][1],
    ),
  );
  return { narrow, top, foot, row, pile, name, axes, right: width - 4, y: (/** @type {number} */ n) => top + n * row };
}

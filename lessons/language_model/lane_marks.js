// The parts that the lanes of a sentence have both on a wide stage and on a phone.

import { textWidth } from "../../drawing/pen.js";
import { clippedTo, windowOf } from "./lane_places.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/**
 * The first word on screen as chosen by the user, and the place and the sentence to which that choice belongs.
 *
 * @typedef {{ here?: number, words?: number, first?: number | null }} Turned
 */
/** @typedef {Scene<"language_model", Turned>} LaneScene */
/** @typedef {{ first: number, count: number, after: number }} Shown the first word, their number, the rest */

/**
 * The window of words that fit. It follows the selected place, and can be moved with buttons.
 *
 * @param {LaneScene} scene @param {number} most @returns {Shown}
 */
export function shownWords({ memory, data }, most) {
  const words = data.words.length;
  if (memory.here !== data.here || memory.words !== words)
    Object.assign(memory, { here: data.here, words, first: null });
  const [first, count] = windowOf(words, most, data.here, memory.first ?? null);
  return { first, count, after: words - first - count };
}

/**
 * The first word on screen after turning back, and after turning on.
 *
 * @param {LaneScene} scene @param {Shown} shown
 */
export const turns = ({ data }, { first, count }) => ({
  back: Math.max(first - count, 0),
  onward: clippedTo(first + count, data.words.length - count),
});

/**
 * A button that shows other words; `x` is its left edge, or its right one if `anchor` is end.
 *
 * @param {Pen} pen
 * @param {LaneScene} scene
 * @param {{ x: number, y: number, label: string, name: string, first: number, anchor?: Anchor }} button
 */
export function drawTurn(pen, scene, { x, y, label, name, first, anchor = "start" }) {
  const press = () => {
    scene.memory.first = first;
    scene.again();
  };
  const left = anchor === "end" ? x - pillWidth(label) : x;
  pen.button(name, press, (its) => drawPill(its, left, y, label), { key: name });
}

/** @param {string} label */
const pillWidth = (label) => textWidth(label, 13, true) + 16;

/**
 * A small round button with its label, whose base line is `y`.
 *
 * @param {Pen} pen @param {number} left @param {number} y @param {string} label
 */
export function drawPill(pen, left, y, label) {
  const look = { r: 9, fill: pen.colour.background, stroke: pen.colour.quiet, line: 1 };
  pen.rect(left, y - 14, pillWidth(label), 19, look);
  pen.text(left + 8, y, label, { size: 13, bold: true });
}

/**
 * A horizontal bar of p, in a room for p = 1.
 *
 * @param {Pen} pen @param {{ x: number, y: number, room: number, p: number, high?: number }} bar
 */
export function drawLyingBar(pen, { x, y, room, p, high = 4 }) {
  const fill = pen.colour.activation;
  pen.rect(x, y, room, high, { r: 2, fill, "fill-opacity": 0.15 });
  pen.rect(x, y, p > 0 ? Math.max(room * p, 1.5) : 0, high, { r: 2, fill });
}

// Numbers of the picture of one query, as short as their room requires, and rows of them in boxes.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { FlowName, FlowScene } from "./flow_scene.js" */

/** @typedef {"q" | "z" | `k${number}.` | `v${number}.` | `u${number}.`} VectorName the start of its numbers' names */
/**
 * How a row of boxes looks.
 *
 * @typedef {object} BoxLook
 * @property {number} width of each box
 * @property {number} height
 * @property {string} role their colour
 * @property {number} [size] of the numbers
 * @property {number} [level] the share up to which each box is filled
 * @property {boolean} [bold]
 * @property {number} [line]
 */

/**
 * The names of the first `count` numbers of a vector.
 *
 * @param {VectorName} vector @param {number} count @returns {FlowName[]}
 */
export const entries = (vector, count) =>
  Array.from({ length: count }, (_, c) => /** @type {const} */ (`${vector}${c + 1}`));

/** @param {number} value @param {number} count */
export const digits = (value, count) => formatNumber(Number(value.toPrecision(count)));

/**
 * A number with `count` digits, or "?" if it is to be predicted.
 *
 * @param {FlowScene} scene @param {FlowName} name
 */
export const short = (scene, name, count = 3) => (scene.hidden(name) ? "?" : digits(scene.values(name), count));

/**
 * How wide the widest of these numbers is, in bold.
 *
 * @param {FlowScene} scene
 * @param {FlowName[]} names
 * @param {number} size
 * @param {number} count of digits
 */
export const widest = (scene, names, size, count) =>
  Math.max(...names.map((name) => textWidth(short(scene, name, count), size, true)));

/**
 * A number with as many digits as there is room for: four, three or two, else two decimals or one.
 *
 * @param {FlowScene} scene @param {FlowName} name @param {number} room @param {number} size @param {boolean} bold
 */
export function fitting(scene, name, room, size, bold) {
  if (scene.hidden(name)) return "?";
  const value = scene.values(name);
  const texts = [formatNumber(value), digits(value, 3), digits(value, 2)];
  if (Math.abs(value) < 100) texts.push(...[2, 1].map((places) => value.toFixed(places).replace("-", "−")));
  return texts.find((text) => textWidth(text, size, bold) <= room) ?? texts[texts.length - 1];
}

/**
 * A row of numbers in boxes, from `x` on.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {number} x
 * @param {number} y its middle
 * @param {FlowName[]} names
 * @param {BoxLook} look
 */
export function drawBoxes(pen, scene, x, y, names, { width, height, role, size = 16, level, bold = true, line = 1.5 }) {
  const { background } = scene.colour;
  names.forEach((name, c) => {
    const left = x + c * width;
    const text = fitting(scene, name, width - 8, 13, bold);
    pen.rect(left + 1, y - height / 2, width - 3, height, { r: 5, fill: background, stroke: role, line });
    if (level !== undefined) {
      const filled = level * (height - 2);
      const top = y + height / 2 - 1 - filled;
      pen.rect(left + 2, top, width - 5, filled, { r: 3, fill: role, "fill-opacity": 0.24 });
    }
    const type = Math.max(13, Math.min(size, (size * (width - 8)) / textWidth(text, size, bold)));
    const look = /** @type {const} */ ({ size: type, bold, anchor: "middle" });
    pen.markedText(left + width / 2 - 0.5, y + type * 0.35, text, scene.data.marked === name, look);
  });
}

// What the drawings of the left side share: their heading, and the axes of x and y.

import { formatNumber } from "../../drawing/numbers.js";
import { evenTicks } from "../../drawing/scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DataScale, Places, Window } from "./descent_places.js" */

/** @param {Pen} pen @param {Places} at @param {string} text */
export function drawHeading(pen, { data: { left, top, wide }, narrow }, text, fill = pen.colour.weight) {
  pen.text(left, top - (narrow ? 6 : 10), text, { size: narrow ? 13 : 16, bold: true, fill, room: wide + 8 });
}

/**
 * The sum w x + b, as it is printed.
 *
 * @param {string} first @param {number} second @param {string} after
 */
export const sumText = (first, second, after = "") =>
  `${first} ${second < 0 ? "−" : "+"} ${formatNumber(Math.abs(second))}${after}`;

/**
 * The axes of x and y, without the numbers that would be under their titles.
 *
 * @param {Pen} pen @param {Places} at @param {Window} window @param {DataScale} scale
 */
export function drawAxes(pen, { data: { left, top, wide, high }, narrow }, [x0, x1, y0, y1], scale) {
  const { input, activation } = pen.colour;
  const [right, foot] = [left + wide, top + high + 17];
  const across = evenTicks(x0, x1, narrow ? 2 : 5).filter((x) => scale.x(x) >= left + 8 && scale.x(x) <= right - 22);
  const up = evenTicks(y0, y1, narrow ? 3 : 5).filter((y) => scale.y(y) >= top + 22 && scale.y(y) <= top + high - 6);
  pen.axis("x", scale.x, { at: foot, ticks: across, title: "x" });
  pen.axis("y", scale.y, { at: left - 7, ticks: up, lines: [left, right], title: "y" });
  const look = /** @type {const} */ ({ size: 15, bold: true, anchor: "end" });
  pen.text(right, foot, "x", { fill: input, ...look });
  pen.text(left - 7, top + 13, "y", { fill: activation, ...look });
}

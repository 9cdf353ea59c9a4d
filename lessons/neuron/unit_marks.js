// What several parts of a unit's picture draw: headings, boxes, the path of the sum, and the output.

import { bent, textWidth } from "../../drawing/pen.js";
import { barAt } from "./unit_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Places, UnitScene } from "./unit_places.js" */
/** @import { Sums } from "./unit_sum.js" */

/**
 * @param {Pen} pen
 * @param {Places} at
 * @param {number} x its middle
 * @param {string} text
 * @param {string} fill
 */
export function heading(pen, at, x, text, fill) {
  pen.text(x, at.head, text, { size: at.size, bold: true, fill, anchor: "middle" });
}

/**
 * The title of the window on the right.
 *
 * @param {Pen} pen @param {Places} at @param {string} text
 */
export function windowTitle(pen, at, text) {
  const { narrow, frame } = at;
  const fill = pen.colour.activation;
  if (narrow) pen.text(frame.right, frame.top - 8, text, { size: 13, bold: true, fill, anchor: "end" });
  else heading(pen, at, (frame.left + frame.right) / 2, text, fill);
}

/**
 * @param {Pen} pen
 * @param {Box} box
 * @param {string} role its colour
 */
export function frameBox(pen, { left, top, right, foot }, role) {
  pen.rect(left, top, right - left, foot - top, { r: 14, fill: role, "fill-opacity": 0.05, stroke: role, line: 1.5 });
}

/**
 * The line from the end of the sum down, sideways, and up to a point of the window.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {Sums} sums @param {[x: number, y: number]} to
 */
export function route(pen, { colour, hidden }, at, { end }, [x, y]) {
  if (hidden("z")) return;
  const start = barAt(at, at.rows - 1) + at.bar / 2;
  const corners = [
    [end, start],
    [end, at.route],
    [x, at.route],
  ];
  const d = bent([...corners, [x, y]], 12);
  pen.path(d, { stroke: colour.score, width: 4, "stroke-linejoin": "round" });
  pen.beads(d, colour.background, { width: 2.4 });
}

/**
 * The sum as a number, on its line to `x`.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {Sums} sums @param {number} x
 */
export function total(pen, { text, data, values, colour }, at, { end }, x) {
  const off = Math.abs(values("z")) > data.reach && !data.gate ? ", off the axis" : "";
  const label = `z = ${text("z")}${off}`;
  const size = at.narrow ? 15 : 17;
  const width = textWidth(label, size, true) + 30;
  const middle = at.narrow
    ? Math.min(Math.max((end + x) / 2, width / 2 + 6), at.sum.right - width / 2)
    : (at.sum.right + at.inner.left - 40) / 2;
  const [left, top] = [middle - width / 2, at.route - 16];
  pen.rect(left, top, width, 32, { r: 16, fill: colour.background, stroke: colour.score, line: 2 });
  pen.text(middle, at.route + 6, label, { size, bold: true, fill: colour.score, anchor: "middle" });
}

/**
 * @param {Pen} pen
 * @param {string} d the way to the output
 */
export function wayOut(pen, d) {
  pen.path(d, { stroke: pen.colour.activation, width: 4 });
  pen.beads(d, pen.colour.background, { width: 2.4 });
}

/**
 * @param {Pen} pen
 * @param {UnitScene} scene
 * @param {Places} at
 * @param {number} y where its circle is drawn
 */
export function output(pen, { text, colour }, at, y) {
  const number = text("y");
  const size = number.length > 6 || at.narrow ? 14 : 17;
  if (!at.narrow) heading(pen, at, at.output, "output y", colour.activation);
  pen.circle(at.output, y, at.big, { fill: colour.background, stroke: colour.activation, line: 2.5 });
  pen.text(at.output, y - 6, "y", { size: at.narrow ? 13 : 15, fill: colour.activation, anchor: "middle" });
  pen.text(at.output, y + 14, number, { size, bold: true, anchor: "middle" });
}

// A vector as a row of cells, each in the colour of its number.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PooledScene } from "./pooled.js" */
/** @typedef {{ left: number, top: number, wide: number, high: number }} Strip */

/**
 * @param {Pen} pen @param {PooledScene} scene @param {readonly number[]} numbers @param {Strip} at
 * @param {boolean} [printed] whether the numbers stand in the cells, where there is room
 */
export function drawCells(pen, { data, colour }, numbers, { left, top, wide, high }, printed = false) {
  const [fills, inks] = data.scale;
  const cell = wide / numbers.length;
  const gap = cell > 12 ? 1.5 : 0.5;
  numbers.forEach((number, i) => {
    const share = Math.min(Math.max(number / (data.most || 1), -1), 1);
    const place = Math.round(((share + 1) / 2) * (fills.length - 1));
    const look = { key: `cell ${i}`, r: Math.min(4, cell / 5), fill: fills[place] };
    pen.rect(left + i * cell + gap / 2, top, cell - gap, high, look);
    const said = short(number);
    const size = Math.min(18, high * 0.5);
    if (!printed || size < 13 || textWidth(said, size) + 4 > cell) return;
    const text = { key: `number ${i}`, size, fill: inks[place], anchor: /** @type {const} */ ("middle") };
    pen.text(left + (i + 0.5) * cell, top + high / 2 + size * 0.35, said, text);
  });
  pen.rect(left, top, wide, high, { key: "frame", r: 4, stroke: colour.line, line: 1 });
}

/** @param {number} number with one decimal */
export const short = (number) => number.toFixed(1).replace("-0.0", "0.0").replace("-", "−");

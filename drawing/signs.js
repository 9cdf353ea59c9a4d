// The legend for the colours of signed numbers: a row from negative to positive.

/** @import { Pen } from "./pen.js" */

const CELL = 8; // px of a colour
const COUNT = 8;
const SIGN = 12;

export const SIGNS_WIDE = COUNT * CELL + 2 * SIGN;

/**
 * @param {Pen} pen
 * @param {{ x: number, y: number, fills: readonly string[] }} where its left end, the base line of its signs, and the
 *   colours from the most negative number to the most positive one
 */
export function signs(pen, { x, y, fills }) {
  pen.group({ key: "signs", role: "img", "aria-label": "Colours from negative to positive numbers" }, (its) => {
    const style = { size: 13, fill: its.colour.quiet };
    its.text(x, y, "−", style);
    for (let k = 0; k < COUNT; k++)
      its.rect(x + SIGN + k * CELL, y - 10, CELL, 11, {
        r: 0,
        fill: fills[Math.round((k / (COUNT - 1)) * (fills.length - 1))],
      });
    its.text(x + SIGNS_WIDE - 8, y, "+", style);
  });
}

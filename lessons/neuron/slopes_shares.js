// The share of a gradient that each activation passes at z: a bar and a number; on a phone, the number alone.

import { textWidth } from "../../drawing/pen.js";
import { ridgeAt } from "./slopes_places.js";

/** @import { SlopedCurve } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, SlopesPlaces, SlopesScene } from "./slopes_places.js" */
/** @typedef {{ left: number, top: number, wide: number, high: number }} Bar */

/** @type {Draw} */
export function drawShares(pen, scene, at) {
  const { data, text, values, colour } = scene;
  const chosen = data.curves.filter((curve) => curve.chosen);
  const marked = names(scene)[values("@marked")];
  if (at.narrow) {
    for (const curve of chosen) drawNumber(pen, scene, at, curve, data.curves.indexOf(curve), marked);
    return;
  }
  const left = at.right + 34;
  const heading = { size: 19, bold: true };
  pen.text(left, at.top + 16, "share of the gradient", heading);
  pen.text(left, at.top + 40, `that passes at z = ${text("z")}`, heading);
  const [first, step] = [at.top + 62, Math.min(150, (at.end - at.top - 62) / Math.max(chosen.length, 3))];
  const wide = Math.min(at.width - left - 118, 280);
  chosen.forEach((curve, i) => {
    const bar = { left, top: first + step * i + 30, wide, high: Math.min(44, step - 46) };
    pen.group({ key: `share ${curve.name}` }, (its) => {
      its.text(left, bar.top - 9, curve.name, { size: 19, bold: true, fill: colour[curve.role] });
      drawBar(its, scene, bar, curve, curve.name === marked);
    });
  });
  if (data.depth) drawChain(pen, scene, left, first + step + 52);
}

/**
 * The activations that are compared, in the order of the numbers.
 *
 * @param {SlopesScene} scene
 */
const names = ({ data }) => data.curves.filter((curve) => curve.chosen).map((curve) => curve.name);

/**
 * A slope as a bar in a frame from 0 to 1, dashed if it is below 0, and its number.
 *
 * @param {Pen} pen @param {SlopesScene} scene @param {Bar} bar @param {SlopedCurve} curve @param {boolean} marked
 */
function drawBar(pen, { values, before, text, hidden, colour }, { left, top, wide, high }, curve, marked) {
  const slope = values(curve.slope);
  pen.rect(left, top, wide, high, { key: "frame", fill: colour.line, "fill-opacity": 0.45, r: 6 });
  if (!hidden(curve.slope)) {
    const look = slope < 0 ? { stroke: colour.gradient, dash: "5 4" } : { fill: colour.gradient };
    pen.rect(left, top, wide * Math.abs(slope), high, { key: "bar", r: 5, ...look });
    if (before) {
      const old = left + wide * Math.abs(before(curve.slope));
      pen.line(old, top - 4, old, top + high + 4, { key: "old", stroke: colour.quiet, width: 2, dash: "4 3" });
    }
  }
  const said = text(curve.slope);
  const size = textWidth(said, 32, true) > 96 ? 24 : 32;
  const look = { key: "slope", size, bold: true, fill: colour.gradient };
  pen.markedText(left + wide + 16, top + high / 2 + size * 0.36, said, marked && !hidden(curve.slope), look);
}

/**
 * What is left of a gradient after many such slopes in a row.
 *
 * @param {Pen} pen @param {SlopesScene} scene @param {number} left @param {number} y
 */
function drawChain(pen, { data, text, colour }, left, y) {
  pen.text(left, y, `${data.depth} in a row, with weights of 1:`, { size: 18, fill: colour.quiet });
  pen.text(left, y + 34, `${text("chain")} is left`, { key: "chain", size: 24, bold: true });
}

/**
 * A slope as a number beside its ridge.
 *
 * @param {Pen} pen
 * @param {SlopesScene} scene
 * @param {SlopesPlaces} at
 * @param {SlopedCurve} curve
 * @param {number} i
 * @param {string} marked
 */
function drawNumber(pen, { text, hidden, colour }, at, { name, slope }, i, marked) {
  const look = { key: `slope ${name}`, size: 14, bold: true, fill: colour.gradient };
  pen.markedText(at.right + 9, ridgeAt(at, i) - 6, text(slope), name === marked && !hidden(slope), look);
}

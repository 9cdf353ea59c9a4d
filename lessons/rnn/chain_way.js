// The arrows of the hidden state along the chain of an unrolled network, starting at h₀.

import { stripAt } from "./chain.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Chain, Rows } from "./chain.js" */
/** @import { Place, WalkScene } from "./column.js" */

/**
 * @param {Pen} pen
 * @param {WalkScene} scene
 * @param {Chain} chain
 * @param {Rows} rows
 * @param {Place} place of the walk
 */
export function drawWay(pen, scene, chain, rows, place) {
  const { narrow } = scene;
  const y = (rows.cell.top + rows.cell.foot) / 2;
  pen.part(scene, "past", (its) => {
    chain.columns.forEach(({ step, x, wide, big, seen }, i) => {
      const before = chain.columns[i - 1];
      if (!seen || !(before ? before.seen : chain.leads)) return;
      const from = before ? before.x + stripAt(before) + 12 : x - chain.lead + (narrow ? 18 : 24);
      const to = x + (big > 0.5 ? 8 : stripAt({ wide, big }) - 12);
      const reached = step < place.step || (step === place.step && place.phase >= 2);
      drawArrow(its, step, { from, to, y, reached });
    });
    if (chain.leads) drawStart(its, scene, chain.columns[0].x - chain.lead, y);
  });
}

/**
 * The arrow from one step to the next; dashed until the walk reaches it.
 *
 * @param {Pen} pen @param {number} step @param {{ from: number, to: number, y: number, reached: boolean }} way
 */
function drawArrow(pen, step, { from, to, y, reached }) {
  const { weight, activation } = pen.colour;
  const look = { width: reached ? 4 : 1.5, "stroke-opacity": reached ? 0.45 : 0.6, dash: reached ? null : "4 4" };
  pen.line(from, y, to, y, { key: `way${step}`, stroke: weight, ...look });
  if (reached) pen.beads(`M${from.toFixed(1)} ${y}H${to.toFixed(1)}`, activation, { key: `beads${step}` });
  const transform = `translate(${(to + 2).toFixed(1)} ${y})`;
  pen.node("path", { key: `head${step}`, d: "M0 0L-8 -4.5L-8 4.5z", fill: weight, transform });
}

/**
 * The state before the first step, which is 0.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {number} left @param {number} y
 */
function drawStart(pen, { narrow, colour }, left, y) {
  const look = /** @type {const} */ ({ size: 15, bold: true, fill: colour.activation, anchor: "middle" });
  pen.text(left + (narrow ? 8 : 11), y + 5, "h₀", { key: "h0", ...look });
  if (narrow) return;
  pen.text(left + 11, y + 22, "= 0", { key: "zero", size: 13, fill: colour.quiet, anchor: "middle" });
}

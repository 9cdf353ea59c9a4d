// A gate as a valve: plates from above and below leave a gap in proportion to the gate's value.

import { textWidth } from "../../drawing/pen.js";
import { shortNumber } from "./lstm_marks.js";
import { levels } from "./lstm_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Cell, CellScene } from "./lstm_marks.js" */
/** @typedef {typeof GATES[keyof typeof GATES]} Gate */

export const PLATE = 18; // the width of a valve's plates
const PULL = 12; // the length of a drag that changes z by 1

export const GATES = /** @type {const} */ ({
  forget: { slot: "forget", z: "z_f", letter: "f", title: "forget gate", lane: "top" },
  input: { slot: "input", z: "z_i", letter: "i", title: "input gate", lane: "low" },
  output: { slot: "output", z: "z_o", letter: "o", title: "output gate", lane: "low" },
});

/** @param {Pen} pen @param {CellScene} scene @param {Cell} cell @param {Gate} gate */
export function drawValve(pen, scene, cell, gate) {
  const { slot, z } = gate;
  const open = scene.hidden(slot) ? 0.5 : scene.values(slot);
  const moves = { key: `valve-${slot}`, "data-n": z, "data-per": PULL, "data-way": "y" };
  pen.group(moves, (its) => drawPlates(its, scene, cell, gate, open));
  if (cell.at.narrow) return drawNarrowLabel(pen, scene, cell, gate);
  drawStem(pen, cell, gate, open);
  drawLabel(pen, scene, cell, gate);
}

/**
 * @param {Pen} pen
 * @param {CellScene} scene
 * @param {Cell} cell
 * @param {Gate} gate
 * @param {number} open the share of the pipe that is open
 */
function drawPlates(pen, { before, hidden, colour }, { at }, { slot, lane: side }, open) {
  const lane = at[side];
  const x = at.x[slot];
  const { mid, half } = levels(lane, 1);
  const fill = colour.weight;
  pen.rect(x - 22, lane.top - 7, 44, lane.foot - lane.top + 14, { fill, "fill-opacity": 0, r: 0 }); // to press
  const wide = at.narrow ? 12 : PLATE;
  pen.rect(x - wide / 2, lane.top, wide, half * (1 - open), { key: "upper", fill, r: 2 });
  pen.rect(x - wide / 2, mid + half * open, wide, half * (1 - open), { key: "lower", fill, r: 2 });
  for (const y of [lane.top - 5, lane.foot - 5]) pen.rect(x - wide, y, 2 * wide, 10, { fill, r: 3 });
  if (!before || hidden(slot) || Math.abs(before(slot) - open) <= 1e-9) return;
  const was = half * before(slot);
  const old = { key: "old", stroke: colour.ink, line: 1.5, dash: "6 4", r: 2 };
  pen.rect(x - wide / 2 - 4, mid - was, wide + 8, 2 * was, old);
}

/**
 * A stem that rises as the valve opens.
 *
 * @param {Pen} pen @param {Cell} cell @param {Gate} gate @param {number} open
 */
function drawStem(pen, { at }, { slot, lane: side }, open) {
  const { top } = at[side];
  const x = at.x[slot];
  const rise = top - 5 - 7 - 9 * open;
  const look = { key: `stem-${slot}`, stroke: pen.colour.weight, width: 3, "stroke-linecap": "round" };
  pen.path(`M${x} ${top - 6}V${rise}M${x - 9} ${rise}H${x + 9}`, look);
}

/**
 * The σ below the valve, and beside it the gate's name and number.
 *
 * @param {Pen} pen @param {CellScene} scene @param {Cell} cell @param {Gate} gate
 */
function drawLabel(pen, scene, { at, named }, { slot, letter, title, lane: side }) {
  const { weight: fill, background } = scene.colour;
  const [x, y] = [at.x[slot], at[side].foot + 21];
  pen.circle(x, y, 14, { key: `sigma-${slot}`, fill: background, stroke: fill, line: 2 });
  pen.text(x, y + 6, "σ", { key: `sigma-${slot}`, size: 18, bold: true, fill, anchor: "middle" });
  const label = `${title} ${letter} =`;
  const number = shortNumber(scene, slot, 90, 18);
  const wide = textWidth(label, at.label) + (named === slot ? 16 : 10);
  const left = side === "top" ? x - 27 - wide - textWidth(number, 18, true) : x + 24;
  pen.text(left, y + 6, label, { key: `title-${slot}`, size: at.label, fill });
  pen.markedText(left + wide, y + 6, number, named === slot, { key: `number-${slot}`, size: 18, bold: true, fill });
}

/**
 * The gate's letter and number below the valve.
 *
 * @param {Pen} pen @param {CellScene} scene @param {Cell} cell @param {Gate} gate
 */
function drawNarrowLabel(pen, scene, { at, named }, { slot, letter, lane: side }) {
  const look = { size: 14, bold: true, fill: scene.colour.weight };
  const label = `${letter} `;
  const number = shortNumber(scene, slot, 70, 14);
  const wide = textWidth(label, 14, true) + (named === slot ? 8 : 3);
  const left = Math.max(at.x[slot] - (wide + textWidth(number, 14, true)) / 2, 8);
  const y = at[side].foot + 19;
  pen.text(left, y, label, look);
  pen.markedText(left + wide, y, number, named === slot, look);
}

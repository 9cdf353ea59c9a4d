// The four z of an LSTM cell with their handles, and the inputs that they are computed from.

import { bent, textWidth } from "../../drawing/pen.js";
import { shortNumber } from "./lstm_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Cell, CellScene, Draw } from "./lstm_marks.js" */
/** @import { Places } from "./lstm_places.js" */

const ZS = /** @type {const} */ (["z_f", "z_c", "z_i", "z_o"]);

/** @type {Draw} */
export function drawControls(pen, scene, cell) {
  const { at } = cell;
  const { colour } = scene;
  if (at.narrow) {
    for (const z of ZS) drawHandle(pen, scene, cell, z);
    const look = /** @type {const} */ ({ size: 13, fill: colour.score, anchor: "middle" });
    pen.text(at.middle, at.knobs + 36, "each z = W·[hₜ₋₁; eₜ] + b", look);
    return;
  }
  drawSource(pen, at, at.h, "hₜ₋₁", "state before");
  const { word } = scene.data;
  drawSource(pen, at, at.e, "eₜ", word ? `“${word}”` : "word", word !== "");
  const { box, knobs } = at;
  const look = { r: 8, fill: colour.background, stroke: colour.score, line: 1.5 };
  pen.rect(box.left, knobs - 17, box.right - box.left, 34, look);
  const middle = (box.left + box.right) / 2;
  pen.text(middle, knobs + 5, "z = W·[h; e] + b", { size: 15, fill: colour.score, anchor: "middle" });
  for (const z of ZS) drawWire(pen, at, z);
  for (const z of ZS) drawHandle(pen, scene, cell, z);
}

/**
 * An input of the weights: the state before, or the word.
 *
 * @param {Pen} pen @param {Places} at @param {number} x @param {string} name @param {string} title
 * @param {boolean} said whether the title is a word of a text
 */
function drawSource(pen, { inputs, knobs }, x, name, title, said = false) {
  const { input: stroke, background } = pen.colour;
  const d = `M${x} ${inputs + 25}V${knobs - 17}`;
  pen.path(d, { stroke, width: 2 });
  pen.beads(d, stroke);
  pen.circle(x, inputs, 25, { fill: background, stroke, line: 2 });
  pen.text(x, inputs + 6, name, { size: 17, bold: true, fill: stroke, anchor: "middle" });
  if (said) pen.text(x - 25, inputs + 45, title, { size: 18, bold: true, halo: true });
  else pen.text(x, inputs - 33, title, { size: 13, fill: stroke, anchor: "middle" });
}

/**
 * The wire from the weights to the target of a z: through σ to a valve, or through tanh to the candidate.
 *
 * @param {Pen} pen @param {Places} at @param {typeof ZS[number]} z
 */
function drawWire(pen, { box, knob, knobs, bus, top, low }, z) {
  const { input, score, background } = pen.colour;
  const middle = (box.left + box.right) / 2;
  const x = knob[z];
  const end = z === "z_c" ? low.foot : (z === "z_f" ? top : low).foot + 35;
  const corners = [
    [middle, knobs + 17],
    [middle, bus],
    [x, bus],
    [x, end],
  ];
  const d = bent(corners, 8);
  pen.path(d, { stroke: score, width: 1.6 });
  pen.beads(d, score, { width: 3 });
  if (z !== "z_c") return;
  pen.circle(x, low.foot + 24, 20, { fill: background, stroke: input, line: 2 });
  pen.text(x, low.foot + 29, "tanh", { size: 14, bold: true, fill: input, anchor: "middle" });
}

/**
 * A z as a handle that can be dragged to both sides.
 *
 * @param {Pen} pen @param {CellScene} scene @param {Cell} cell @param {typeof ZS[number]} z
 */
function drawHandle(pen, scene, { at, named }, z) {
  const { colour, moved } = scene;
  const { knobWidth: width, knobs: y } = at;
  const x = at.knob[z];
  pen.group({ key: z, "data-n": z, "data-per": 20, "data-way": "x" }, (its) => {
    const line = z === moved ? 3 : 1.5;
    its.rect(x - width / 2, y - 15, width, 30, { r: 15, fill: colour.background, stroke: colour.score, line });
    const number = shortNumber(scene, z, width - 36, 16);
    const left = x - (20 + textWidth(number, 16, true)) / 2;
    its.text(left, y + 5, "z", { size: 16, fill: colour.score });
    its.text(left + 8.5, y + 9, z[2], { size: 13, fill: colour.score });
    its.markedText(left + 20, y + 5, number, named === z, { size: 16, bold: true });
  });
}

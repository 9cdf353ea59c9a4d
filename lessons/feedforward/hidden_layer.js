// The hidden layer: from e to z, and through the activation to h. One unit is open: its largest terms are lines.

import { drawFan, drawHead, drawTerms, low, middle, placeOf, right, spot } from "./feedforward_marks.js";
import { drawStrip } from "./strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */
/** @import { Box, Places } from "./feedforward_places.js" */

/** @type {Draw} */
export function drawHiddenLayer(pen, scene, at) {
  const { data } = scene;
  const { concatenated: e, pre_activation: z } = at.strips;
  const unit = data.lines.unit[placeOf(scene)];
  const { cells } = data.strips.pre_activation;
  const drawn = unit < cells; // whether the open unit is among the cells
  drawFan(pen, e, z);
  drawHeads(pen, scene, at);
  if (drawn)
    drawTerms(pen, scene, e, [z.left, spot(z, unit, cells)], {
      cells: data.strips.concatenated.cells,
      places: data.lines.inputs,
      sizes: data.lines.input_terms,
      count: data.lines.count,
    });
  drawStrip(pen, scene, at, "pre_activation", unitPress(scene));
  drawStrip(pen, scene, at, "hidden", unitPress(scene));
  drawBend(pen, scene, at, drawn ? spot(z, unit, cells) : middleHeight(z));
  if (drawn) for (const box of [z, at.strips.hidden]) drawRing(pen, box, unit, cells);
  drawNumbers(pen, scene, at, unit);
}

/** @param {FlowScene} scene */
export const unitPress = (scene) => (/** @type {number} */ i) => scene.send({ unit: i + 1 });

/** @param {Box} box */
const middleHeight = (box) => (box.top + low(box)) / 2;

/** @type {Draw} */
function drawHeads(pen, { data, colour, narrow, hidden }, at) {
  const { context, width, hidden: units } = data.sizes;
  const { concatenated: e, pre_activation: z, hidden: h } = at.strips;
  const { weights, before, hidden: after } = data.heads;
  const shape = `${units} × ${hidden("size") ? "?" : context * width}`;
  drawHead(pen, at, (right(e) + z.left) / 2, { letter: weights, shape, fill: colour.weight });
  const sum = narrow && before === "sum" ? "Σ" : before;
  drawHead(pen, at, middle(z), { letter: sum, shape: `${units}`, fill: colour.score });
  drawHead(pen, at, middle(h), { letter: after, shape: `${units}`, fill: colour.activation });
}

/**
 * The activation, from z to h.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {number} y
 */
function drawBend(pen, { data, colour, narrow }, { strips }, y) {
  const { pre_activation: z, hidden: h } = strips;
  const look = /** @type {const} */ ({ size: narrow ? 13 : 14, fill: colour.activation, anchor: "middle", halo: true });
  pen.text((right(z) + h.left) / 2, y - (narrow ? 8 : 11), data.heads.bend, look);
  const d = `M${right(z)} ${y}H${h.left}`;
  pen.path(d, { stroke: colour.activation, width: 4 });
  pen.beads(d, colour.background, { width: 2.4 });
}

/**
 * The ring around the open unit.
 *
 * @param {Pen} pen @param {Box} box @param {number} i @param {number} cells
 */
function drawRing(pen, box, i, cells) {
  const high = Math.max(box.high / cells, 5);
  const y = spot(box, i, cells) - high / 2 - 1;
  pen.rect(box.left - 3, y, box.wide + 6, high + 2, { stroke: pen.colour.ink, line: 2, r: 2 });
}

/**
 * Below both strips, z and h of the open unit.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {number} unit
 */
function drawNumbers(pen, { colour, narrow, text }, { strips }, unit) {
  const { pre_activation: z, hidden: h } = strips;
  const y = Math.max(low(z), low(h)) + (narrow ? 14 : 20);
  const look = { size: narrow ? 13 : 16, bold: true, halo: true };
  pen.text(right(z) + 2, y, text("z"), { ...look, fill: colour.score, anchor: "end" });
  const x = narrow ? right(h) + 6 : h.left - 2;
  pen.text(x, y, text("h"), { ...look, fill: colour.activation, anchor: narrow ? "end" : "start" });
  if (narrow) return;
  const note = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "middle" });
  pen.text((z.left + right(h)) / 2, y + 18, `unit ${unit + 1}`, note);
}

// The logits and the probabilities: the largest terms of the best word's logit are lines.

import { bent } from "../../drawing/pen.js";
import { drawFan, drawHead, drawTerms, low, middle, placeOf, right, spot } from "./feedforward_marks.js";
import { unitPress } from "./hidden_layer.js";
import { drawStrip } from "./strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */
/** @import { Box, Places } from "./feedforward_places.js" */

/** @type {Draw} */
export function drawScores(pen, scene, at) {
  const { data, hidden } = scene;
  const { logits, again } = at.strips;
  const h = again ?? at.strips.hidden;
  if (again) drawAgain(pen, scene, at, again);
  drawFan(pen, h, logits);
  drawHeads(pen, scene, at, h);
  if (hidden("p1")) {
    for (const box of [logits, at.strips.chances]) drawUnknown(pen, box);
    return;
  }
  const now = placeOf(scene);
  const best = data.best_ids[now * data.best[now].length];
  const { cells } = data.strips.logits;
  const y = spot(logits, Math.min(best, cells - 1), cells);
  if (best < cells)
    drawTerms(pen, scene, h, [logits.left, y], {
      cells: data.strips.hidden.cells,
      places: data.lines.units,
      sizes: data.lines.unit_terms,
      count: data.lines.unit_count,
    });
  drawStrip(pen, scene, at, "logits");
  drawStrip(pen, scene, at, "chances");
  drawSoftmax(pen, scene, at, y);
}

/**
 * On a phone: the hidden layer once more, in the lower row.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Box} again
 */
function drawAgain(pen, scene, at, again) {
  const { data, colour } = scene;
  const from = at.strips.hidden;
  const corners = [
    [middle(from), low(from) + 16],
    [middle(from), low(from) + 22],
    [middle(again), low(from) + 22],
    [middle(again), again.top],
  ];
  const d = bent(corners, 8);
  pen.path(d, { stroke: colour.activation, width: 3 });
  pen.beads(d, colour.background, { width: 2 });
  const look = { size: 13, bold: true, fill: colour.activation };
  pen.text(right(again) + 6, again.top - 5, data.heads.hidden, look);
  drawStrip(pen, scene, at, "again", unitPress(scene));
}

/** @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Box} h */
function drawHeads(pen, { data, colour }, at, h) {
  const { types, hidden } = data.sizes;
  const { output, logits } = data.heads;
  const { strips, headLow: y } = at;
  const between = (right(h) + strips.logits.left) / 2;
  drawHead(pen, at, between, { letter: output, shape: `${types} × ${hidden}`, fill: colour.weight }, y);
  drawHead(pen, at, middle(strips.logits), { letter: logits, shape: `${types}`, fill: colour.score }, y);
  drawHead(pen, at, middle(strips.chances), { letter: "ŷ", shape: `${types}`, fill: colour.activation }, y);
}

/**
 * A strip that is to be predicted.
 *
 * @param {Pen} pen @param {Box} box
 */
function drawUnknown(pen, box) {
  const { line, quiet } = pen.colour;
  const look = { fill: line, "fill-opacity": 0.4, stroke: quiet, r: 2, dash: "4 4" };
  pen.rect(box.left, box.top, box.wide, box.high, look);
  pen.text(middle(box), box.top + box.high / 2 + 7, "?", { size: 18, bold: true, anchor: "middle" });
}

/**
 * The line from the best word's logit to its probability.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {number} y
 */
function drawSoftmax(pen, { colour, narrow, text }, { strips }, y) {
  const { logits, chances } = strips;
  const d = `M${right(logits)} ${y}H${chances.left}`;
  pen.path(d, { stroke: colour.activation, width: 4 });
  pen.beads(d, colour.background, { width: 2.4 });
  if (narrow) return;
  const least = logits.top + 14; // no text is drawn above this
  const name = /** @type {const} */ ({ size: 14, fill: colour.activation, anchor: "middle", halo: true });
  pen.text((right(logits) + chances.left) / 2, y - 10 < least ? y + 22 : y - 10, "softmax", name);
  const logit = /** @type {const} */ ({ size: 15, bold: true, fill: colour.score, anchor: "end", halo: true });
  pen.text(logits.left - 7, y - 9 < least ? y + 22 : y - 9, text("l1"), logit);
}

// One unit in detail: inputs and weights on the left, the sum as bars, each starting where the one before ends, and on
// the right the curve of the activation, or the plane that the unit divides.

import { textWidth } from "../../drawing/pen.js";
import { drawCurve } from "./unit_curve.js";
import { heading } from "./unit_marks.js";
import { placesOf, rowAt } from "./unit_places.js";
import { drawPlane } from "./unit_plane.js";
import { drawSum, sumsOf } from "./unit_sum.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Places, UnitScene } from "./unit_places.js" */

/** @param {Pen} pen @param {UnitScene} scene */
export function drawUnit(pen, scene) {
  const at = placesOf(scene);
  const sums = sumsOf(scene, at);
  const drawBend = scene.data.gate ? drawPlane : drawCurve;
  pen.part(scene, "inputs", (its) => drawInputs(its, scene, at, sums));
  pen.part(scene, "weights", (its) => drawWeights(its, scene, at, sums));
  pen.part(scene, "sum", (its) => drawSum(its, scene, at, sums));
  pen.part(scene, "bend", (its) => drawBend(its, scene, at, sums));
}

/** @type {Draw} */
function drawInputs(pen, { data, text, colour }, at) {
  heading(pen, at, at.input, at.narrow ? "x" : "inputs x", colour.input);
  data.terms.forEach(({ bias, input, input_slot: slot }, i) => {
    const y = rowAt(at, i);
    const ring = bias ? colour.quiet : colour.input;
    const number = slot === undefined ? "1" : text(slot);
    pen.circle(at.input, y, at.radius, { stroke: ring, fill: colour.background });
    if (at.radius < 25) {
      pen.text(at.input, y + 5, number, { anchor: "middle", bold: true, size: number.length > 4 ? 13 : 15 });
      return;
    }
    const name = bias ? input || "always" : input;
    pen.text(at.input, y - 6, name, { anchor: "middle", size: bias ? 13 : 15, fill: ring });
    pen.text(at.input, y + 15, number, { anchor: "middle", bold: true, size: number.length > 5 ? 14 : 18 });
  });
}

/** @type {Draw} */
function drawWeights(pen, scene, at) {
  const { data, values, colour } = scene;
  const { left, width } = at.weight;
  heading(pen, at, left + width / 2, at.narrow ? "× weight" : "× weights w", colour.weight);
  data.terms.forEach((term, i) => {
    const weight = values(term.weight);
    const d = `M${at.input + at.radius} ${rowAt(at, i)}H${at.sum.left}`;
    pen.path(d, {
      stroke: colour.weight,
      width: Math.min(2 + 8 * Math.abs(weight), 18),
      "stroke-opacity": 0.26,
      dash: weight < 0 ? "4 8" : null,
    });
    pen.beads(d, colour.weight);
    const moves = { "data-n": term.weight, "data-per": 60, "data-way": "x" };
    pen.group(moves, (handle) => drawHandle(handle, scene, at, i));
  });
}

/**
 * A weight as a handle that is dragged to the left or right.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {number} i
 */
function drawHandle(pen, { data, text, moved, colour }, at, i) {
  const { weight, weightLabel: label } = data.terms[i];
  const { left, width, height } = at.weight;
  const y = rowAt(at, i);
  const line = weight === moved ? 3 : 1.5;
  const look = { r: height / 2, fill: colour.background, stroke: colour.weight, line };
  pen.rect(left, y - height / 2, width, height, look);
  const number = text(weight);
  const size = at.narrow ? 14 : 16;
  const before = textWidth(label, size) + 5;
  const x = left + (width - before - textWidth(number, size, true)) / 2;
  pen.text(x, y + 5, label, { size, fill: colour.weight });
  pen.text(x + before, y + 5, number, { size, bold: true });
  if (at.narrow) return;
  const arrows = `M${left + 12} ${y - 5}l-4 5l4 5M${left + width - 12} ${y - 5}l4 5l-4 5`;
  pen.path(arrows, { stroke: colour.weight, "stroke-opacity": 0.7 });
}

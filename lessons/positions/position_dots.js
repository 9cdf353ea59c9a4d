// What is computed from the vectors of two positions: their clocks, and their dot product.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth, through } from "../../drawing/pen.js";
import { middle, sides, whole } from "./position_sides.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { At, Draw, OrderScene } from "./position_sides.js" */

/**
 * Clocks whose hand points to (sin, cos): to 12 at angle 0, then clockwise.
 *
 * @type {Draw}
 */
export function drawClocks(pen, scene, at) {
  const { values, colour } = scene;
  const { clocks: x, radius } = at;
  const long = radius - 4;
  pen.text(x, at.head + 22, "clock", { size: 15, bold: true, fill: colour.input, anchor: "middle" });
  for (let row = 0; row < at.rows; row++) {
    const y = middle(at, row);
    pen.circle(x, y, radius, { key: `face${row}`, stroke: colour.input, line: 1.6, fill: colour.background });
    pen.circle(x, y, 2.5, { key: `hub${row}`, fill: colour.input });
    for (const { name, suffix, fill, dash } of sides(scene, at).reverse()) {
      const look = { stroke: fill, width: 3.4, dash: dash && "5 3", "stroke-linecap": "round" };
      const [right, up] = [values(`sin${suffix}${row}`), values(`cos${suffix}${row}`)];
      pen.line(x, y, x + long * right, y - long * up, { key: `${name}${row}`, ...look });
    }
  }
}

/**
 * The dot product of the word's position with every position.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {{ top: number, foot: number }} box
 */
export function drawDots(pen, scene, at, { top, foot }) {
  const { data, values, colour, hidden } = scene;
  const { left, right } = at.waves;
  const fill = colour.score;
  const every = Array.from({ length: data.places }, (_, place) => values(`at${place}`));
  const down = scaleLinear([Math.min(0, ...every), values("squared")], [foot - 6, top + 12]);
  pen.rect(left, top, right - left, foot - top, { r: 10, fill, "fill-opacity": 0.06 });
  pen.text(at.label + 2, top + 18, "PE·PE", { size: 15, bold: true, fill });
  pen.text(at.label + 2, top + 36, `of ${whole(scene, "pos")} with`, { size: 13, fill: colour.quiet });
  pen.text(at.label + 2, top + 52, "every pos", { size: 13, fill: colour.quiet });
  pen.line(left + 8, down(0), right - 8, down(0), { stroke: colour.line, width: 1.2 });
  const d = through(every.map((dot, place) => [at.across(place), down(dot)]));
  pen.path(d, { stroke: fill, width: 2.4, "stroke-linejoin": "round" });
  if (hidden("dot")) return;
  pen.circle(at.across(values("other")), down(values("dot")), 6, { fill, stroke: colour.background });
  drawDot(pen, scene, at, top + 20);
}

/**
 * The dot product of both positions as a number.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {number} y
 */
function drawDot(pen, scene, at, y) {
  const { values, text, colour } = scene;
  const [x, here] = [at.across(values("other")), at.across(values("pos"))];
  const label = `PE(${whole(scene, "pos")})·PE(${whole(scene, "other")}) = ${text("dot")}`;
  const flip = x + 16 + textWidth(label, 15, true) > at.waves.right;
  const beside = flip ? Math.min(x, here) - 12 : Math.max(x, here) + 12;
  pen.text(beside, y, label, { size: 15, bold: true, fill: colour.score, anchor: flip ? "end" : "start", halo: true });
}

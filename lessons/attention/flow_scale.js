// The second panel: every score is divided by the same number, whose handle moves d_k.

import { inside } from "./flow_layout.js";
import { drawBar, drawDistance, drawPanel } from "./flow_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw } from "./flow_panels.js" */
/** @import { FlowScene } from "./flow_scene.js" */

/** @type {Draw} */
export function drawScale(pen, scene, at) {
  const { data, text, colour } = scene;
  const span = inside(at.panels.scale);
  const { left, wide } = span;
  const about = data.scaled ? "keeps them close" : "left out here";
  drawPanel(pen, at, "scale", { number: 2, title: "÷ √d_k", about, role: colour.score });
  drawDivisor(pen, scene, at);
  drawDistance(pen, scene, at, { left, span, letter: "a", name: "apart" });
  const divides = data.scaled || data.tempered;
  for (const { j, y } of at.keys) {
    pen.group({ key: `key${j}` }, (row) => {
      const how = `${text(`s${j + 1}`)} ÷ ${text("divisor")}`;
      const look = { size: 15, fill: colour.quiet, room: wide, halo: at.tall };
      if (at.above && divides) row.text(left, y - at.high / 2 - 8, how, look);
      drawBar(row, scene, at, { left, y, name: `a${j + 1}` });
    });
  }
}

/**
 * The divisor of every score.
 *
 * @type {Draw}
 */
function drawDivisor(pen, scene, at) {
  const { data, text, colour } = scene;
  const { left, wide } = inside(at.panels.scale);
  const middle = left + wide / 2;
  const y = at.query - (at.many ? 0 : 9);
  const quiet = /** @type {const} */ ({ fill: colour.quiet, anchor: "middle" });
  if (!data.scaled) {
    pen.rect(left, y - 16, wide, 32, { r: 16, stroke: colour.quiet, dash: "4 3" });
    const label = data.tempered ? `÷ τ = ${text("tau")}` : "not divided";
    pen.text(middle, y + 5, label, { size: 15, ...quiet });
    return;
  }
  const moves = { "data-n": "d_k", "data-per": 0.6, "data-way": "x" };
  pen.group(moves, (handle) => drawHandle(handle, scene, left, wide, y));
  if (at.many) return;
  pen.text(middle, y + 34, `√${text("d_k")}${data.tempered ? ", and τ" : ""}`, { size: 14, ...quiet });
}

/**
 * The divisor as a handle that is dragged to both sides.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {number} left
 * @param {number} wide
 * @param {number} y its middle
 */
function drawHandle(pen, { data, text, moved, colour }, left, wide, y) {
  const line = moved === "d_k" ? 3 : 1.5;
  pen.rect(left, y - 17, wide, 34, { r: 17, fill: colour.background, stroke: colour.score, line });
  const label = data.tempered ? `÷ ${text("root")} ÷ ${text("tau")}` : `÷ ${text("root")}`;
  const look = /** @type {const} */ ({ size: 18, bold: true, fill: colour.score, anchor: "middle", room: wide - 34 });
  pen.text(left + wide / 2, y + 6, label, look);
  const arrows = `M${left + 14} ${y - 5}l-4 5l4 5M${left + wide - 14} ${y - 5}l4 5l-4 5`;
  pen.path(arrows, { stroke: colour.score, "stroke-opacity": 0.7 });
}

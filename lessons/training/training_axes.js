// The axes of the chart, and two horizontal lines: the loss of uniform guessing, and the grammar's entropy.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Draw } from "./training_chart.js" */

/** @type {Draw} */
export function drawAxes(pen, scene, chart) {
  const { colour } = scene;
  const { left, right, foot } = chart.frame;
  drawLosses(pen, scene, chart);
  drawSteps(pen, scene, chart);
  pen.line(left, foot, right, foot, { stroke: colour.quiet, width: 1.5 });
  nameAxes(pen, scene, chart);
}

/** @type {Draw} */
function drawLosses(pen, { colour }, { frame: { left, right, size }, scales, uniform }) {
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "loss, nats per token" }, (its) => {
    for (const loss of scales.nats) {
      const y = scales.y(loss);
      if (Math.abs(y - scales.y(uniform)) < 14) continue; // the start of the guessing line is here
      const key = `nats${loss}`;
      its.line(left, y, right, y, { key, stroke: colour.line, width: 1 });
      const look = /** @type {const} */ ({ key, size, fill: colour.quiet, anchor: "end", class: "nats" });
      its.text(left - 7, y + 5, formatNumber(loss), look);
    }
  });
}

/** @type {Draw} */
function drawSteps(pen, { colour }, { frame: { foot, size }, scales }) {
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "steps" }, (its) => {
    for (const step of scales.steps) {
      const x = scales.x(step);
      const key = `step${step}`;
      its.line(x, foot, x, foot + 5, { key, stroke: colour.quiet, width: 1.5 });
      const look = /** @type {const} */ ({ key, size, fill: colour.quiet, anchor: "middle", halo: true });
      its.text(x, foot + 19, step.toLocaleString("en"), look);
    }
  });
}

/** @type {Draw} */
function nameAxes(pen, { narrow, colour }, { frame: { right, foot, size, width }, scales }) {
  const loss = narrow ? "loss, nats per token" : "loss, nats per token (log scale)";
  pen.text(narrow ? 6 : 14, narrow ? 14 : 20, loss, { size, bold: true, fill: colour.loss });
  const last = textWidth(scales.steps[scales.steps.length - 1].toLocaleString("en"), size) / 2;
  const [x, anchor] = narrow
    ? [width - 6, /** @type {const} */ ("end")]
    : [right + last + 10, /** @type {const} */ ("start")];
  pen.text(x, foot + 19, narrow ? "steps" : "steps (log scale)", { size, fill: colour.quiet, anchor });
}

/**
 * The line of uniform guessing, which needs no learning.
 *
 * @type {Draw}
 */
export function drawGuessing(pen, { colour, text, data, narrow }, { frame: { left, right, size }, scales, uniform }) {
  const y = scales.y(uniform);
  pen.line(left, y, right, y, { stroke: colour.ink, width: 2, dash: "2 5", class: "bound" });
  const name = narrow ? "guessing" : "uniform guessing";
  pen.text(right + 12, y - (narrow ? 2 : 1), name, { size: narrow ? 13 : 14, bold: true, class: "bound" });
  const number = narrow ? text("uniform") : `ln ${data.types} = ${text("uniform")}`;
  pen.text(right + 12, y + (narrow ? 14 : 17), number, { size, fill: colour.quiet });
}

/**
 * The line of the grammar's own loss, the lower bound for every model.
 *
 * @type {Draw}
 */
export function drawTruth(pen, { colour, narrow }, { frame: { left, right }, scales, truth }) {
  if (truth === null) return;
  const y = scales.y(truth);
  pen.line(left, y, right, y, { stroke: colour.activation, width: 2.5, dash: "10 5", class: "bound" });
  const look = { size: 13, bold: true, fill: colour.activation, class: "bound" };
  if (narrow) pen.text(left + 8, y - 6, "the grammar", look);
}

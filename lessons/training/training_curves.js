// The curves of recorded and live runs, with their second half enlarged.

import { apart, isOver, known, lossAt } from "./training_scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Chart, Draw, TrainingScene } from "./training_chart.js" */
/** @import { Curve, Known, Point } from "./training_scales.js" */

/** @type {Draw} */
export function drawCurves(pen, scene, chart) {
  const { colour } = scene;
  const { frame, from } = chart;
  scene.data.recorded.forEach((curve, i) => drawRecorded(pen, chart, curve, i));
  chart.live.forEach((_, i) => drawLive(pen, scene, chart, i));
  if (chart.open) return;
  const wide = frame.right - from;
  pen.rect(from, frame.top, wide, frame.foot - frame.top, { fill: colour.ink, "fill-opacity": 0.05, r: 0 });
  const look = /** @type {const} */ ({ size: 44, bold: true, fill: colour.quiet, anchor: "middle" });
  pen.text(from + wide / 2, (frame.top + frame.foot) / 2 + 20, "?", look);
}

/**
 * The path through points, up to the x coordinate from which a question hides them.
 *
 * @param {Chart} chart @param {readonly Point[]} points
 */
const pathOf = ({ scales, from }, points) => scales.through(points.filter(([step]) => scales.x(step) <= from));

/** @param {Pen} pen @param {Chart} chart @param {Curve} curve @param {number} i */
function drawRecorded(pen, chart, { batches, evaluations }, i) {
  const faded = chart.live.length > 0;
  const stroke = chart.role(i);
  const thin = { width: 1, "stroke-opacity": faded ? 0.16 : 0.36, class: "recorded batch" };
  if (!chart.many) pen.path(pathOf(chart, batches), { key: `thin${i}`, stroke, ...thin });
  const look = { width: 2.6, dash: "7 5", "stroke-opacity": faded ? 0.5 : 0.85, class: "recorded validation" };
  pen.path(pathOf(chart, evaluations), { key: `ghost${i}`, stroke, ...look });
}

/** @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {number} i */
function drawLive(pen, { colour }, chart, i) {
  const { scales } = chart;
  const curve = chart.live[i];
  const stroke = chart.role(i);
  const batch = { key: `batch${i}`, stroke, width: 1.2, "stroke-opacity": 0.5, class: "batch" };
  if (!chart.many) pen.path(pathOf(chart, curve.batches), batch);
  const look = { key: `live${i}`, stroke, width: 3.4, "stroke-linejoin": "round", class: "validation" };
  pen.path(pathOf(chart, curve.evaluations), look);
  const end = lossAt(curve);
  if (!end || end[1] === null) return;
  const [x, y] = [scales.x(end[0]), scales.y(end[1])];
  if (!isOver(curve.state)) pen.circle(x, y, 10, { key: `pulse${i}`, fill: stroke, class: "pulse" });
  pen.circle(x, y, 5.5, { key: `head${i}`, fill: stroke, stroke: colour.background });
}

/**
 * The second half of the steps, enlarged on a linear scale, to separate lines that are close.
 *
 * @type {Draw}
 */
export function drawZoom(pen, { colour }, chart) {
  const { longest, lines, frame, open } = chart;
  const from = longest / 2;
  const tails = lines.map((curve) => known(curve.evaluations).filter(([step]) => step >= from));
  if (!open || tails.some((tail) => tail.length < 2)) return;
  const left = frame.left + 0.725 * (frame.right - frame.left);
  const top = frame.top + 30;
  const box = { left, right: frame.right - 8, top, foot: top + 0.52 * (frame.foot - frame.top) };
  const look = { fill: colour.background, stroke: colour.line, r: 8 };
  pen.rect(box.left, box.top, box.right - box.left, box.foot - box.top, look);
  const title = `steps ${from.toLocaleString("en")} to ${longest.toLocaleString("en")}, enlarged`;
  pen.text(box.left + 10, box.top + 18, title, { size: 13, fill: colour.quiet });
  const inner = { left: box.left + 12, right: box.right - 100, top: box.top + 30, foot: box.foot - 12 };
  drawTails(pen, chart, tails, inner);
}

/**
 * @param {Pen} pen
 * @param {Chart} chart
 * @param {Known[][]} tails
 * @param {{ left: number, right: number, top: number, foot: number }} box
 */
function drawTails(pen, { longest, lines, named, role }, tails, { left, right, top, foot }) {
  const from = longest / 2;
  const losses = tails.flat().map(([, loss]) => loss);
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const x = (/** @type {number} */ step) => left + ((step - from) / (longest - from)) * (right - left);
  const y = (/** @type {number} */ loss) => foot - ((loss - low) / (high - low || 1)) * (foot - top);
  const wanted = tails.map((tail) => y(tail[tail.length - 1][1]) + 5);
  const places = apart(wanted, 16, top + 4, foot + 6);
  tails.forEach((tail, i) => {
    const bold = i === named;
    const tint = role(i);
    const d = tail.map(([step, loss], k) => `${k ? "L" : "M"}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
    pen.path(d, { key: `tail${i}`, stroke: tint, width: bold ? 3.4 : 2.2 });
    const [step, loss] = tail[tail.length - 1];
    pen.circle(x(step), y(loss), bold ? 5 : 3.5, { key: `zoom${i}`, fill: tint });
    pen.line(x(step) + 5, y(loss), right + 13, places[i] - 5, { key: `lead${i}`, stroke: tint, width: 1 });
    pen.text(right + 16, places[i], lines[i].label, { key: `zoom${i}`, size: 13, bold, fill: tint });
  });
}

// The loss of each sentence during the training; a handle on the curves changes the step.

import { line } from "../../drawing/d3.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./tiny_places.js" */
/** @import { TinyScene } from "./tiny_scene.js" */
/** @typedef {ReturnType<typeof scalesOf>} Scales */

const TITLE = "Loss, nats per token (dashed: ln 2 / 4, the least)";

/**
 * The scales of the curves in their box.
 *
 * @param {TinyScene["data"]} data @param {Box} box
 */
function scalesOf(data, { left, top, wide, high }) {
  const last = (data.curve.length / data.texts.length - 1) * data.every;
  const [from, across] = [left + 24, wide - 36];
  const [head, base] = [top + 20, top + high - 18];
  const most = Math.max(...data.curve, 0.5);
  return {
    last,
    from,
    across,
    head,
    base,
    most,
    x: (/** @type {number} */ step) => from + (step / last) * across,
    y: (/** @type {number} */ loss) => base - (loss / most) * (base - head),
  };
}

/** @param {Pen} pen @param {TinyScene} scene @param {Box} box */
export function drawCurve(pen, scene, box) {
  const { data, colour } = scene;
  const scales = scalesOf(data, box);
  const { from, across, head, x } = scales;
  pen.text(box.left, box.top + 12, TITLE, { size: 13, bold: true, fill: colour.loss, room: box.wide });
  drawAxes(pen, scene, scales);
  pathsOf(scene, box, scales).forEach((d, k) => {
    const look = k === data.followed ? { width: 2.5, "stroke-opacity": 1 } : { width: 1, "stroke-opacity": 0.55 };
    pen.path(d, { key: `loss ${k}`, stroke: colour.loss, ...look });
  });
  data.edits.forEach((edit) => {
    const at = x(Number(edit.split(" ")[0]));
    pen.path(`M${at - 4} ${head}h8l-4 7z`, { key: `edit ${edit}`, fill: colour.gradient, stroke: "none" });
  });
  const nearest = Math.min(Math.max(x(scene.values("step")), from + 24), from + across - 24); // its label stays inside
  nameEnds(pen, scales, nearest);
  drawHandle(pen, scene, scales, nearest);
}

/** @param {Pen} pen @param {TinyScene} scene @param {Scales} scales */
function drawAxes(pen, { data, colour }, { from, across, head, base, most, y }) {
  pen.line(from, base, from + across, base, { key: "axis", stroke: colour.line });
  const least = { key: "floor", stroke: colour.quiet, width: 1.2, dash: "4 3" };
  pen.line(from, y(data.floor), from + across, y(data.floor), least);
  const look = /** @type {const} */ ({ size: 13, anchor: "end", fill: colour.quiet });
  pen.group({ key: "axis y", "data-axis": "y", "data-title": TITLE }, (its) => {
    its.text(from - 6, head + 8, most.toFixed(1), look);
  });
}

/**
 * The curve of each sentence, cached for the data and the box.
 *
 * @param {TinyScene} scene @param {Box} box @param {Scales} scales
 */
function pathsOf({ data, memory }, { left, top, wide, high }, { x, y }) {
  const at = `${left} ${top} ${wide} ${high}`;
  if (memory.curve?.of === data.curve && memory.curve.at === at) return memory.curve.paths;
  const count = data.texts.length;
  const paths = data.texts.map((_, k) => {
    const points = Array.from({ length: data.curve.length / count }, (_, n) => {
      return /** @type {[number, number]} */ ([x(n * data.every), y(data.curve[n * count + k])]);
    });
    return line()(points) ?? "";
  });
  memory.curve = { of: data.curve, at, paths };
  return paths;
}

/**
 * The labels of the first and the last step, unless they would overlap the label of the handle.
 *
 * @param {Pen} pen
 * @param {Scales} scales
 * @param {number} handle where its label is drawn
 */
function nameEnds(pen, { last, base, x }, handle) {
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "step of the training" }, (its) => {
    for (const end of [0, last]) {
      if (Math.abs(x(end) - handle) <= 50) continue;
      const look = { key: `step ${end}`, size: 13, fill: its.colour.quiet };
      its.text(x(end), base + 15, `${end}`, { ...look, anchor: end ? "end" : "start" });
    }
  });
}

/**
 * @param {Pen} pen
 * @param {TinyScene} scene
 * @param {Scales} scales
 * @param {number} label where its label is drawn
 */
function drawHandle(pen, { values, colour }, { last, across, head, base, x }, label) {
  const step = values("step");
  pen.group({ key: "handle", "data-n": "step", "data-per": across / last, "data-way": "x" }, (handle) => {
    handle.rect(x(step) - 12, head - 4, 24, base - head + 8, { fill: "transparent" });
    handle.line(x(step), head - 2, x(step), base, { stroke: colour.ink, width: 1.8 });
    handle.circle(x(step), base, 6, { fill: colour.ink });
  });
  const look = /** @type {const} */ ({ key: "now", size: 13, bold: true, anchor: "middle" });
  pen.text(label, base + 15, `step ${Math.round(step)}`, look);
}

// The steps of training: the loss as a curve, the step that is shown, and a player.

import { line } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";
import { evenTicks } from "../../drawing/scales.js";
import { dragStep, drawPlayer } from "../../drawing/play.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, NetworksScene } from "./networks_scene.js" */
/** @import { Places } from "./networks_places.js" */

/** @typedef {(value: number) => number} Scale */
/** @typedef {{ last: number, most: number, x: Scale, y: Scale }} Plot most: the largest loss on the axis */
/** @typedef {(pen: Pen, scene: NetworksScene, at: Places, plot: Plot) => void} DrawPart */

const PLAYED = 4000; // ms in which the whole training plays

/** @type {Draw} */
export function drawSteps(pen, scene, net, at) {
  const { data } = scene;
  const { left, top, wide, high } = at.strip;
  const last = data.loss.length - 1;
  const finite = [...data.loss, ...data.validation].filter(Number.isFinite);
  const most = Math.max(Math.min(Math.max(...finite), 3 * data.loss[0]), 0.2) * 1.08;
  const plot = {
    last,
    most,
    x: (/** @type {number} */ step) => left + (step / Math.max(last, 1)) * wide,
    y: (/** @type {number} */ loss) => top + high - (Math.min(loss, most) / most) * high,
  };
  drawAxes(pen, scene, at, plot);
  drawCurves(pen, scene, at, plot);
  drawMoment(pen, scene, at, plot);
  coverStrip(pen, scene, at, plot);
  const place = { x: at.small ? 20 : 26, y: top + high / 2 };
  drawPlayer(pen, scene, { ...place, name: "Play the training", last, duration: PLAYED });
}

/** @type {DrawPart} */
function drawAxes(pen, { colour }, at, { last, most, x, y }) {
  const { left, top, wide, high } = at.strip;
  const ticks = evenTicks(0, most, 2);
  pen.axis("y", y, { at: left - 7, ticks, lines: [left, left + wide], title: "loss L in nats" });
  const look = { size: 13, fill: colour.quiet };
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "step" }, (its) => {
    for (const tick of evenTicks(0, last, at.small ? 3 : 5)) {
      const anchor = tick ? (tick === last ? "end" : "middle") : "start";
      its.text(x(tick), top + high + 18, `${tick}`, { anchor, ...look });
    }
    its.text(left + wide - 44, top + high + 18, at.small ? "" : "step", { anchor: "end", ...look });
  });
}

/** @type {DrawPart} */
function drawCurves(pen, { colour, data, memory }, at, { x, y }) {
  const { left, top, wide, high } = at.strip;
  const shape = `${left} ${top} ${wide} ${high}`;
  const path = (/** @type {Float64Array} */ losses) =>
    line(
      (_, i) => x(i),
      (/** @type {number} */ loss) => y(loss),
    ).defined(Number.isFinite)(Array.from(losses)) ?? "";
  if (memory.curves?.data !== data || memory.curves.shape !== shape)
    memory.curves = { data, shape, training: path(data.loss), validation: path(data.validation) };
  const { training, validation } = memory.curves;
  pen.path(validation, { key: "validation", stroke: colour.loss, width: 2, dash: "5 4" });
  pen.path(training, { key: "training", stroke: colour.loss, width: 3 });
  const title = validation ? "loss L in nats: training, and - - held out" : "loss L in nats";
  if (!at.small) pen.text(left, top - 12, title, { size: 14, bold: true, fill: colour.loss });
}

/**
 * The step that is shown, as a line with a dot on the curve.
 *
 * @type {DrawPart}
 */
function drawMoment(pen, { colour, data, values }, at, { last, x, y }) {
  const { left, top, wide, high } = at.strip;
  const step = Math.min(Math.max(values("step"), 0), last);
  const loss = data.loss[Math.round(step)];
  pen.line(x(step), top - 6, x(step), top + high, { key: "now", stroke: colour.ink, width: 2 });
  pen.circle(x(step), y(loss), 8, { key: "dot", fill: colour.loss, stroke: colour.background, line: 2.5 });
  const label = `step ${Math.round(step)}`;
  const flip = x(step) + textWidth(label, 15, true) + 14 > left + wide;
  const look = /** @type {const} */ ({ key: "label", size: 15, bold: true, halo: true });
  pen.text(x(step) + (flip ? -12 : 12), top + 8, label, { anchor: flip ? "end" : "start", ...look });
}

/**
 * An invisible cover of the strip: dragging it moves the step.
 *
 * @type {DrawPart}
 */
function coverStrip(pen, scene, at, { last }) {
  const { left, top, wide, high } = at.strip;
  const look = { key: "cover", fill: "transparent", class: "grab" };
  const cover = pen.rect(left - 8, top - 10, wide + 16, high + 12, look);
  dragStep(cover, scene, { left, wide, last });
}

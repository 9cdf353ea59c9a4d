// L by the step, which can be played and dragged.

import { textWidth, through } from "../../drawing/pen.js";
import { evenTicks } from "../../drawing/scales.js";
import { dragStep, drawPlayer } from "../../drawing/play.js";
import { drawLossAxis, lossRange, marksShare } from "./loss_axis.js";
import { between, stateOf } from "./model.js";
import { lossScale } from "./descent_places.js";
import { dashOf, drawMark, runColour, runsInOrder } from "./run_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw, Model } from "./model.js" */
/** @import { Places } from "./descent_places.js" */
/** @typedef {{ last: number, x: (step: number) => number, y: (loss: number) => number }} Plot `last`: the last step */
/** @typedef {(pen: Pen, scene: DescentScene, model: Model, at: Places, plot: Plot) => void} DrawPart */

const PLAYED = 90; // ms that a step takes when the run is played
const LONGEST = 6000; // ms that the whole run takes at most

/** @type {Draw} */
export function drawStepStrip(pen, scene, model, at) {
  const { data, colour } = scene;
  const { left, top, wide } = at.strip;
  const last = data.steps;
  const range = lossRange(scene, model);
  const plot = {
    last,
    x: (/** @type {number} */ step) => left + (step / Math.max(last, 1)) * wide,
    y: lossScale(...range, data.logarithmic, at.strip),
  };
  drawLossAxis(pen, scene, at.strip, range, plot.y);
  drawStepAxis(pen, scene, model, at, plot);
  if (!at.narrow) pen.text(left - 8, top - 11, "L by the step", { size: 14, bold: true, fill: colour.loss });
  drawCurves(pen, scene, model, at, plot);
  drawMoment(pen, scene, model, at, plot);
  drawLabel(pen, scene, at);
  coverStrip(pen, scene, model, at, plot);
  const duration = Math.min(PLAYED * last, LONGEST);
  drawPlayer(pen, scene, { ...at.player, name: "Play the descent", last, duration });
}

/** @type {DrawPart} */
function drawStepAxis(pen, { colour }, model, { narrow, strip: { left, top, wide, high } }, { last, x }) {
  const [right, foot] = [left + wide, top + high + 17];
  const fit = evenTicks(0, last, narrow ? 3 : 6).filter((tick) => Number.isInteger(tick) && x(tick) <= right - 34);
  const look = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "end" });
  const titled = { x: right, y: foot, ...look };
  pen.axis("x", x, { at: foot, ticks: fit, label: String, title: "step", titled });
}

/**
 * L of each run, and the least possible L.
 *
 * @type {DrawPart}
 */
function drawCurves(pen, scene, model, { strip: { left, wide } }, { last, x, y }) {
  const { data, colour, values, hidden } = scene;
  if (data.surface === "regression" && !hidden("least")) {
    const least = y(values("least"));
    pen.line(left, least, left + wide, least, { key: "least", stroke: colour.ink, width: 1.5, dash: "8 5" });
  }
  const steps = Array.from({ length: last + 1 }, (_, step) => step);
  for (const run of runsInOrder(scene)) {
    const points = steps.map((step) => [x(step), y(stateOf(scene, model, model.rate, run, step)[2])]);
    const look = { key: `curve ${run}`, stroke: runColour(colour, run), width: 2.5, dash: dashOf(run) };
    pen.path(through(points), look);
  }
}

/**
 * The step that is shown, as a line with the mark of each run on its curve.
 *
 * @type {DrawPart}
 */
function drawMoment(pen, scene, model, { strip: { top, high } }, { x, y }) {
  const { colour } = scene;
  const across = x(model.step);
  pen.line(across, top - 4, across, top + high, { key: "now", stroke: colour.ink, width: 2 });
  for (const run of runsInOrder(scene)) {
    const look = { key: `dot ${run}`, fill: runColour(colour, run), stroke: colour.background, line: 2.5 };
    drawMark(pen, run, across, y(between(scene, model, run)[2]), 7, look);
  }
}

/**
 * The number that the sentence marks, of the run that it names.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Places} at
 */
function drawLabel(pen, scene, { narrow, strip: { left, top, wide } }) {
  const { colour, data, values, text, moved } = scene;
  const several = data.rules.length > 1;
  const run = several && moved !== "step" ? Math.round(values("@say")) % data.rules.length : 0;
  const name = `${several ? `${data.labels[run]}: ` : ""}L = ${text(`l${run}`)}`;
  const [size, y, right] = [narrow ? 13 : 15, top - (narrow ? 9 : 11), left + wide];
  const look = /** @type {const} */ ({ size, bold: true, anchor: "end" });
  const fill = runColour(colour, run);
  pen.markedText(right - 4, y, name, !marksShare(scene), { fill, key: "label", ...look });
  if (narrow) return;
  const before = right - 24 - textWidth(name, size, true);
  pen.text(before, y, `step ${Math.round(values("step"))}`, { key: "step", ...look });
}

/**
 * An invisible cover of the strip: dragging it moves the step.
 *
 * @type {DrawPart}
 */
function coverStrip(pen, scene, model, { strip: { left, top, wide, high } }, { last }) {
  const look = { key: "cover", fill: "transparent", class: "grab", "data-step": "" };
  const cover = pen.rect(left - 8, top - 8, wide + 16, high + 26, look);
  dragStep(cover, scene, { left, wide, last });
}

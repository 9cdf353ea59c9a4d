// L after the step that is shown, by η, with the largest rate that converges. η can be dragged.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth, through } from "../../drawing/pen.js";
import { evenTicks } from "../../drawing/scales.js";
import { drag } from "../../drawing/hand.js";
import { drawLossAxis, lossRange, marksShare } from "./loss_axis.js";
import { stateOf } from "./model.js";
import { lossScale } from "./descent_places.js";
import { dashOf, drawMark, nameRuns, runColour, runsInOrder } from "./run_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw, Model } from "./model.js" */
/** @import { Places } from "./descent_places.js" */
/**
 * @typedef {object} Plot
 * @property {number} most the largest η
 * @property {number} step that is shown
 * @property {(eta: number) => number} x
 * @property {(loss: number) => number} y
 */
/** @typedef {(pen: Pen, scene: DescentScene, model: Model, at: Places, plot: Plot) => void} DrawPart */

/** @type {Draw} */
export function drawRateStrip(pen, scene, model, at) {
  const { data, hidden } = scene;
  const { left, wide } = at.rate;
  const most = data.rates[data.rates.length - 1];
  const range = lossRange(scene, model);
  const plot = {
    most,
    step: Math.round(model.step),
    x: (/** @type {number} */ eta) => left + (Math.min(eta, most * 1.02) / most) * wide,
    y: lossScale(...range, data.logarithmic, at.rate),
  };
  if (data.surface === "regression" && !hidden("rmax")) drawDivergence(pen, scene, model, at, plot);
  drawLossAxis(pen, scene, at.rate, range, plot.y);
  drawTitles(pen, scene, model, at, plot);
  drawRates(pen, scene, model, at, plot);
  // The curve climbs at 2/λₘₐₓ: it is not drawn while that number is asked for.
  if (!hidden("rmax")) drawCurves(pen, scene, model, at, plot);
  drawRate(pen, scene, model, at, plot);
  dragRate(pen, scene, model, at, plot);
}

/**
 * The rates with which the run diverges.
 *
 * @type {DrawPart}
 */
function drawDivergence(pen, { colour, values }, model, { rate: { left, top, wide, high } }, { x }) {
  const edge = x(values("rmax"));
  const look = { fill: colour.gradient, "fill-opacity": 0.14, r: 0, key: "diverges" };
  pen.rect(edge, top, left + wide - edge, high, look);
  pen.line(edge, top - 4, edge, top + high, { stroke: colour.gradient, width: 2.5, dash: "5 3", key: "edge" });
}

/**
 * The title, and the limit of convergence, or the names of the runs if they have no room above.
 *
 * @type {DrawPart}
 */
function drawTitles(pen, scene, model, { narrow, rate: { left, top, wide } }, { step }) {
  const { data, text, colour } = scene;
  const right = left + wide;
  const title = `L after ${step} step${step === 1 ? "" : "s"}`;
  if (!narrow) pen.text(left - 8, top - 11, title, { size: 14, bold: true, fill: colour.loss });
  if (narrow && data.labels.length > 1) return nameRuns(pen, scene, right, top - 11, 13);
  if (data.surface !== "regression") return;
  const whole = `GD diverges above 2/λₘₐₓ = ${text("rmax")}`;
  const fits = narrow || textWidth("L after 100 steps", 14, true) + textWidth(whole, 14, true) + 14 < wide + 8;
  const limit = fits ? whole : `diverges above ${text("rmax")}`;
  const look = { size: narrow ? 13 : 14, bold: true, fill: colour.gradient, key: "edge name" };
  pen.text(right, top - 11, limit, { anchor: "end", ...look });
}

/** @type {DrawPart} */
function drawRates(pen, { colour }, model, { narrow, rate: { left, top, wide, high } }, { most, x }) {
  const [right, foot] = [left + wide, top + high + 17];
  const ticks = evenTicks(0, most, narrow ? 3 : 5).filter((tick) => x(tick) <= right - 14);
  const look = /** @type {const} */ ({ size: 15, bold: true, fill: colour.weight, anchor: "end" });
  pen.axis("x", x, { at: foot, ticks, title: "η", titled: { x: right, y: foot, ...look } });
}

/** @type {DrawPart} */
function drawCurves(pen, scene, model, at, { x, y, step }) {
  const { data, colour } = scene;
  for (const run of runsInOrder(scene)) {
    const points = Array.from(data.rates, (eta, rate) => [x(eta), y(stateOf(scene, model, rate, run, step)[2])]);
    const look = { key: `curve ${run}`, stroke: runColour(colour, run), width: 2.5, dash: dashOf(run) };
    pen.path(through(points), look);
  }
}

/**
 * The current η, as a line with the first run's L on it.
 *
 * @type {DrawPart}
 */
function drawRate(pen, scene, model, at, { x, y, step }) {
  const { values, data, hidden, colour } = scene;
  const { left, top, wide, high } = at.rate;
  const across = x(values("eta"));
  pen.line(across, top - 4, across, top + high + 4, { stroke: colour.weight, width: 2.5, key: "eta" });
  const dot = y(stateOf(scene, model, model.rate, 0, step)[2]);
  const mark = { key: "eta dot", fill: colour.weight, stroke: colour.background, line: 2.5 };
  drawMark(pen, 0, across, dot, 8, mark);
  if (at.narrow) return;
  const regression = data.surface === "regression";
  const share = `${hidden("share") ? "?" : formatNumber(values("share"))} of 2/λₘₐₓ`;
  const label = regression ? share : `η = ${formatNumber(values("eta"))}`;
  const marked = regression && marksShare(scene);
  const flip = across + textWidth(label, 15, true) + 18 > left + wide;
  const line = dot < top + 0.4 * high ? top + high - 6 : top + 16; // away from the dot
  const look = { size: 15, bold: true, halo: !marked, key: "eta name" };
  pen.markedText(across + (flip ? -12 : 12), line, label, marked, { anchor: flip ? "end" : "start", ...look });
}

/**
 * An invisible cover of the strip: dragging it moves η.
 *
 * @type {DrawPart}
 */
function dragRate(pen, { move }, model, { rate: { left, top, wide, high } }, { most }) {
  const look = { key: "cover", fill: "transparent", class: "grab", "data-rate": "" };
  const cover = pen.rect(left - 6, top - 6, wide + 12, high + 24, look);
  const etaAt = (/** @type {number} */ across) => Math.min(Math.max((across - left) / wide, 0), 1) * most;
  drag(cover, {
    down: (across) => ({ eta: etaAt(across) }),
    start: (began) => move("eta", began.eta, false),
    move: (began, across) => move("eta", (began.eta = etaAt(across)), false),
    up: (began) => move("eta", began.eta, true),
  });
}

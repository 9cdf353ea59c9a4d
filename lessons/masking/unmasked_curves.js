// Both losses over the steps of training, and the grammar's own loss, which no model without leakage can beat.

import { line } from "../../drawing/d3.js";
import { formatNumber, raised } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { History } from "../../ui/browser/runs.js" */
/** @import { UnmaskedScene } from "./unmasked.js" */

/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {(value: number) => number} Scale */
/** @typedef {{ box: Box, ends: [number, number], x: Scale, y: Scale }} Plot ends: of the scale of the losses */
/** @typedef {[step: number, loss: number]} Point */

const LOSS_TITLE = "validation loss, nats per token";

/**
 * @param {Pen} pen
 * @param {UnmaskedScene} scene
 * @param {Plot} plot
 * @param {boolean} training whether the sentence names the grammar's loss, while runs train
 */
export function drawAxes(pen, scene, plot, training) {
  const { values, colour, narrow } = scene;
  const { left, right, foot } = plot.box;
  const truth = plot.y(values("truth"));
  const below = { key: "impossible", r: 0, fill: colour.gradient, "fill-opacity": 0.07 };
  pen.rect(left, truth, right - left, foot - truth, below);
  drawPowers(pen, scene, plot);
  pen.line(left, truth, right, truth, { key: "truth", stroke: colour.ink, width: 2, dash: "7 5" });
  nameTruth(pen, scene, plot, truth + 20, training);
  drawSteps(pen, scene, plot);
  const look = { size: narrow ? 13 : 15, bold: true, fill: colour.loss };
  pen.text(narrow ? 4 : 14, narrow ? 16 : 20, LOSS_TITLE, look);
}

/**
 * The powers of ten of the loss.
 *
 * @param {Pen} pen @param {UnmaskedScene} scene @param {Plot} plot
 */
function drawPowers(pen, { colour }, { box: { left, right }, ends: [low, high], y }) {
  pen.group({ key: "axis y", "data-axis": "y", "data-title": LOSS_TITLE }, (its) => {
    for (let power = Math.ceil(Math.log10(low)); 10 ** power <= high; power++) {
      const at = y(10 ** power);
      its.line(left, at, right, at, { key: `grid${power}`, stroke: colour.line, width: 1 });
      const label = power > -3 ? formatNumber(10 ** power) : `10${raised(power)}`;
      its.text(left - 8, at + 5, label, { key: `tick${power}`, size: 13, fill: colour.quiet, anchor: "end" });
    }
  });
}

/**
 * The grammar's own loss as a number, and what it means.
 *
 * @param {Pen} pen @param {UnmaskedScene} scene @param {Plot} plot @param {number} y @param {boolean} training
 */
function nameTruth(pen, { narrow, text }, { box: { left, right } }, y, training) {
  const size = narrow ? 13 : 15;
  const number = text("truth");
  const wide = textWidth(number, size, true);
  pen.markedText(right - 8, y, number, training, { key: "number", size, bold: true, anchor: "end" });
  const said = narrow ? "the grammar’s own loss" : "only who sees the answer comes below the grammar’s own loss";
  const room = right - left - 30 - wide;
  pen.text(right - 16 - wide, y, said, { key: "said", size: narrow ? 13 : 14, anchor: "end", room });
}

/**
 * The steps of training.
 *
 * @param {Pen} pen @param {UnmaskedScene} scene @param {Plot} plot
 */
function drawSteps(pen, { data, colour, narrow }, { box: { left, right, foot }, x }) {
  const look = { size: 13, fill: colour.quiet };
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "training step" }, (its) => {
    for (let n = 0; n <= 3; n++) {
      const step = Math.round((data.steps * n) / 3);
      const anchor = n === 3 ? "end" : n ? "middle" : "start";
      its.text(x(step), foot + 18, `${step.toLocaleString("en")}`, { key: `step${n}`, anchor, ...look });
    }
    its.text((left + right) / 2, foot + (narrow ? 33 : 38), "training step", { anchor: "middle", ...look });
  });
}

/** @param {Pen} pen @param {UnmaskedScene} scene @param {Plot} plot @param {History[]} live */
export function drawCurves(pen, scene, plot, live) {
  const { data, hidden, colour, narrow } = scene;
  const { box } = plot;
  const begun = live.length > 0;
  data.curves.forEach(({ end }, n) => {
    if (!hidden(end)) drawCurve(pen, scene, plot, live, n);
  });
  const runs = narrow ? data.recorded : `${data.recorded}. Train both: yours run over these`;
  pen.text(box.left + 10, box.foot - 10, begun ? `dotted: ${data.recorded}` : runs, {
    key: "recorded",
    size: 13,
    fill: colour.quiet,
    halo: true,
    room: (box.right - box.left) * (narrow ? 0.6 : 0.7),
  });
  if (!data.curves.every(({ end }) => hidden(end))) return;
  const look = /** @type {const} */ ({ key: "asked", size: 60, bold: true, anchor: "middle" });
  pen.text((box.left + box.right) / 2, (box.top + box.foot) / 2 - 60, "?", look);
}

/**
 * A recorded curve, over it that of the visitor's run, and the last loss.
 *
 * @param {Pen} pen @param {UnmaskedScene} scene @param {Plot} plot @param {History[]} live @param {number} n
 */
function drawCurve(pen, scene, plot, live, n) {
  const { data, colour } = scene;
  const { x, y } = plot;
  const { steps, losses, role } = data.curves[n];
  const along = line(
    (/** @type {Point} */ [step]) => x(step),
    (/** @type {Point} */ [, loss]) => y(loss),
  );
  const begun = live.length > 0;
  const whole = Array.from(steps, (step, i) => /** @type {Point} */ ([step, losses[i]]));
  const recorded = whole.filter(([step]) => step <= data.steps);
  pen.path(along(recorded) ?? "", {
    key: `recorded${n}`,
    stroke: colour[role],
    width: begun ? 1.5 : 3.5,
    dash: begun ? "3 5" : n ? null : "9 5",
    "stroke-opacity": begun ? 0.7 : 1,
  });
  const at = data.causal.indexOf(n === 0);
  const here = begun && at >= 0 ? pointsOf(live[at]) : [];
  if (here.length) pen.path(along(here) ?? "", { key: `live${n}`, stroke: colour[role], width: 4 });
  const last = here.at(-1) ?? (begun ? undefined : recorded.at(-1));
  if (last && Number.isFinite(last[1])) nameEnd(pen, scene, plot, n, last, begun);
}

/**
 * The losses of a run that are numbers.
 *
 * @param {History} run @returns {Point[]}
 */
const pointsOf = ({ evaluations }) => evaluations.flatMap(([step, loss]) => (loss === null ? [] : [[step, loss]]));

/**
 * The last point of a curve, with its number and its name.
 *
 * @param {Pen} pen
 * @param {UnmaskedScene} scene
 * @param {Plot} plot
 * @param {number} n
 * @param {Point} last
 * @param {boolean} begun whether runs have been started here
 */
function nameEnd(pen, { data, text, colour, narrow }, { box, x, y }, n, [step, loss], begun) {
  const { role, end, label } = data.curves[n];
  const fill = colour[role];
  pen.circle(x(step), y(loss), 6, { key: `end${n}`, fill });
  const rested = !begun || data.judged;
  const number = rested ? text(end) : formatNumber(loss);
  const size = narrow ? 14 : 17;
  const before = 9 + textWidth(number, size, true);
  const wide = textWidth(label, 15, true) + before;
  const right = Math.min(Math.max(x(step), box.left + wide + 20), box.right - 6);
  const up = n === 0 ? y(loss) - 14 : Math.min(y(loss) - 14, box.foot - 14);
  const look = /** @type {const} */ ({ bold: true, fill, anchor: "end" });
  pen.markedText(right, up, number, end === "without" && rested, { key: `number${n}`, size, ...look });
  pen.text(right - before, up, label, { key: `label${n}`, size: 15, halo: true, ...look });
}

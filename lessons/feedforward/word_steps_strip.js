// All words of the text on a strip: the losses of those that have been read, and their mean over the last ones.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { StepPlaces, StepsScene } from "./wordbyword.js" */

/** How many words the mean is taken over. */
const LATEST = 20;

/**
 * @param {Pen} pen @param {StepsScene} scene @param {StepPlaces} at
 */
export function drawStrip(pen, scene, { strip, last }) {
  const { data, text, hidden, colour, width, height, narrow } = scene;
  const { steps } = data;
  const [left, right, top, foot] = [12, width - 12, strip + (narrow ? 28 : 34), height - 8];
  const x = scaleLinear([0, steps.length], [left, right]);
  const most = Math.max(7, ...steps.map(({ loss }) => loss));
  const y = scaleLinear([0, most], [foot, top]);
  const size = narrow ? 13 : 15;
  pen.text(left, strip + 14, `the whole text: ${steps.length} words`, { key: "all", size, fill: colour.quiet });
  pen.line(left, foot, right, foot, { key: "base", stroke: colour.quiet, width: 1.5 });
  const asked = hidden("loss");
  if (!asked) drawLosses(pen, scene, last, x, y);
  const said = narrow
    ? `mean ${text("mean")}`
    : `mean loss of the last ${Math.min(LATEST, last + 1)} words: ${text("mean")}`;
  pen.text(right, strip + 14, said, { key: "mean", size: size + 1, bold: true, fill: colour.loss, anchor: "end" });
  const place = x(last + 0.5);
  const handle = { "data-n": "s", "data-per": x(1) - x(0), "data-way": "x", style: "cursor: ew-resize" };
  pen.group({ key: "cursor", class: "handle", ...handle }, (its) => {
    its.rect(place - 16, top - 8, 32, foot - top + 14, { fill: "transparent" });
    its.line(place, top - 6, place, foot, { width: 3 });
    its.circle(place, top - 2, narrow ? 5 : 8, { fill: colour.ink });
  });
}

/**
 * @param {Pen} pen
 * @param {StepsScene} scene
 * @param {number} last
 * @param {(word: number) => number} x
 * @param {(loss: number) => number} y
 */
function drawLosses(pen, { data, colour }, last, x, y) {
  const read = data.steps.slice(0, last + 1);
  const bars = read.map(({ loss }, i) => `M${x(i + 0.5)} ${y(0)}V${y(loss)}`).join("");
  pen.path(bars, { key: "losses", stroke: colour.loss, width: (x(1) - x(0)) * 0.7, "stroke-opacity": 0.35 });
  const means = read.map((_, i) => {
    const latest = read.slice(Math.max(0, i + 1 - LATEST), i + 1);
    return y(latest.reduce((sum, { loss }) => sum + loss, 0) / latest.length);
  });
  const curve = means.map((at, i) => `${i ? "L" : "M"}${x(i + 0.5)} ${at}`).join("");
  pen.path(curve, { key: "means", stroke: colour.loss, width: 3 });
}

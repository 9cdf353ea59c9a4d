// A model learns from a text, word by word: the loss of each word that it has read, the step of a weight after the last
// of them, and all words of the text as a strip whose cursor can be dragged.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { drawStep } from "./word_step_weight.js";
import { drawStrip } from "./word_steps_strip.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"wordbyword">} StepsScene */
/**
 * Where the columns of the words are, and the rows below them.
 *
 * @typedef {object} StepPlaces
 * @property {number} first the word of the first column, from 0
 * @property {number} last how many words have been read, less 1
 * @property {number} count of the columns
 * @property {number} wide of a column
 * @property {number} left
 * @property {number} top of the losses
 * @property {number} foot of the losses
 * @property {number} line of the weight
 * @property {number} strip the top of the strip
 * @property {(loss: number) => number} y
 * @property {number} most the largest loss of the scale
 */
/** @typedef {(pen: Pen, scene: StepsScene, at: StepPlaces) => void} Draw */

/** @param {Component<Scripts["wordbyword"]>} component */
export default function wordbyword(component) {
  return mainPicture(component, (pen, /** @type {StepsScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "loss", (its) => {
      drawScale(its, scene, at);
      drawColumns(its, scene, at);
    });
    pen.part(scene, "theta", (its) => drawStep(its, scene, at));
    pen.part(scene, "walk", (its) => drawStrip(its, scene, at));
  });
}

/** @param {StepsScene} scene @returns {StepPlaces} */
function placesOf({ data, final, width, height, narrow }) {
  const count = Math.min(narrow ? 5 : 9, data.steps.length);
  const last = Math.round(final("s")) - 1;
  const first = Math.min(Math.max(last - count + (narrow ? 2 : 3), 0), data.steps.length - count);
  const left = narrow ? 30 : 74;
  const strip = height - (narrow ? 70 : 88);
  const line = strip - (narrow ? 40 : 50);
  const foot = line - (narrow ? 92 : 108);
  const top = narrow ? 44 : 46;
  const most = Math.max(7, ...data.steps.slice(first, last + 1).map(({ loss, after }) => Math.max(loss, after)));
  const y = scaleLinear([0, most], [foot, top]);
  return { first, last, count, wide: (width - left - 6) / count, left, top, foot, line, strip, y, most };
}

/**
 * The scale of the losses, and the loss of a model that knows nothing.
 *
 * @type {Draw}
 */
function drawScale(pen, { data, colour, width, narrow }, { left, top, foot, y, most }) {
  const size = narrow ? 13 : 16;
  const { quiet } = colour;
  pen.axis("y", y, {
    at: left - 8,
    ticks: most > 12 ? scaleLinear([0, most], []).ticks(3) : [0, 2, 4, 6],
    size: narrow ? 13 : 14,
    look: { stroke: colour.line, width: 1 },
    lines: [left, width - 6],
    title: "loss L = −log ŷ, in nats",
    titled: { x: narrow ? 4 : left - 62, y: top - 26, size, bold: true, fill: colour.loss },
  });
  pen.line(left, foot, width - 6, foot, { key: "base", stroke: quiet, width: 2 });
  const none = y(data.uniform);
  pen.line(left, none, width - 6, none, { key: "uniform", stroke: quiet, width: 1.5, dash: "6 5" });
  const said = narrow
    ? `random: ${formatNumber(data.uniform)}`
    : `a guess among ${data.types} words: ${formatNumber(data.uniform)}`;
  const place = { size: narrow ? 13 : 15, fill: quiet, anchor: /** @type {const} */ ("end") };
  pen.text(width - 8, narrow ? top - 26 : Math.min(none, top) - 26 + (narrow ? 0 : 6), said, {
    key: "guess",
    ...place,
  });
}

/**
 * A column for each word: its loss when it was read. Words that are to come have none.
 *
 * @type {Draw}
 */
function drawColumns(pen, scene, at) {
  const { data, colour, narrow, hidden } = scene;
  const { first, last, count, wide, left, foot, y } = at;
  for (let k = 0; k < count; k++) {
    const i = first + k;
    const middle = left + (k + 0.5) * wide;
    const { word, loss } = data.steps[i];
    const read = i < last && i >= last - data.reads;
    if (i < last && !hidden("loss")) {
      const [x, half] = [middle, wide * 0.28];
      const look = { key: `bar ${k}`, r: 3, fill: colour.loss, "fill-opacity": 0.32 };
      pen.rect(x - half, y(loss), 2 * half, foot - y(loss), look);
    }
    const fill = i === last ? colour.ink : read ? colour.input : colour.quiet;
    const size = i === last ? (narrow ? 16 : 24) : narrow ? 13 : 19;
    const look = { key: `word ${k}`, size, bold: i === last || read, fill, room: wide - 2 };
    pen.text(middle, foot + (narrow ? 20 : 27), word, { ...look, anchor: "middle", opacity: i > last ? 0.55 : null });
  }
  drawReads(pen, scene, at);
  drawLast(pen, scene, at);
}

/**
 * A bracket under the words that the model reads before the last one.
 *
 * @type {Draw}
 */
function drawReads(pen, { data, colour, narrow }, { first, last, wide, left, foot }) {
  const from = Math.max(last - data.reads, first, 0);
  if (from >= last) return;
  const [x1, x2] = [left + (from - first) * wide + 6, left + (last - first) * wide - 6];
  const y = foot + (narrow ? 28 : 36);
  pen.path(`M${x1} ${y}v6H${x2}v-6`, { key: "reads", stroke: colour.input, width: 2 });
  const label = { key: "read", size: narrow ? 13 : 15, fill: colour.input, anchor: /** @type {const} */ ("middle") };
  pen.text((x1 + x2) / 2, y + (narrow ? 20 : 23), narrow ? "reads" : "these go in", label);
}

/**
 * The loss of the last word, and what one step makes of it.
 *
 * @type {Draw}
 */
function drawLast(pen, { values, text, hidden, colour, narrow, width }, { first, last, wide, left, top, foot, y }) {
  const middle = left + (last - first + 0.5) * wide;
  const half = wide * 0.34;
  const number = { size: narrow ? 16 : 26, bold: true, anchor: /** @type {const} */ ("middle") };
  const chance = { key: "p", size: narrow ? 13 : 17, bold: true, fill: colour.activation };
  pen.text(middle, foot + (narrow ? 49 : 54), `ŷ = ${text("p")}`, { ...chance, anchor: "middle" });
  const asked = hidden("loss");
  const [was, now] = asked ? [top, top] : [y(values("loss")), y(values("after"))];
  if (!asked) pen.rect(middle - half, was, 2 * half, foot - was, { key: "last", r: 3, fill: colour.loss });
  pen.markedText(middle, was - 10, text("loss"), true, { ...number, key: "loss", fill: colour.loss });
  if (asked || hidden("after")) return;
  pen.line(middle - half - 5, now, middle + half + 5, now, { key: "after", width: 4 });
  const right = middle + half + 12 + 110 < width;
  const x = right ? middle + half + 10 : middle - half - 10;
  /** @type {{ size: number, halo: boolean, anchor: Anchor }} */
  const label = { size: narrow ? 13 : 16, halo: true, anchor: right ? "start" : "end" };
  const base = Math.min(now + (narrow ? 5 : 12), foot - 8);
  if (!narrow) pen.text(x, base - 22, "after the step", { key: "then", ...label });
  pen.text(x, base, text("after"), { key: "new", ...label, size: narrow ? 14 : 20, bold: true });
}

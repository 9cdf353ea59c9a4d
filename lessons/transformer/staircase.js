// The steps that wait for one another: an RNN climbs a staircase, one word a step, and a block covers the whole text
// with each of its few slabs. Both are on one scale; the first steps are drawn once more, enlarged.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"staircase">} StairScene */
/** @typedef {ReturnType<typeof placesOf>} At */
/** @typedef {(pen: Pen, scene: StairScene, at: At) => void} Draw */

const NEAR = 20; // steps below which the first ones are enlarged
const SMALL = 12; // units: lower slabs are enlarged

/** @param {Component<Scripts["staircase"]>} component */
export default function staircase(component) {
  return mainPicture(component, (pen, /** @type {StairScene} */ scene) => {
    const at = placesOf(scene);
    drawText(pen, scene, at);
    drawSteps(pen, scene, at);
    drawStairs(pen, scene, at);
    drawSlabs(pen, scene, at);
    drawClock(pen, scene, at);
    drawHead(pen, scene, at);
    drawReading(pen, scene, at);
    drawBlock(pen, scene, at);
    if (at.enlarged) drawEnlarged(pen, scene, at);
  });
}

/**
 * Where words and steps are drawn: the last step is at the top, and one step is as high in stairs and slabs.
 *
 * @param {StairScene} scene
 */
function placesOf({ width, height, narrow, values }) {
  const box = { left: narrow ? 40 : 64, right: width - (narrow ? 12 : 24), top: 30, foot: height - (narrow ? 50 : 56) };
  const x = scaleLinear([0, values("T")], [box.left, box.right]);
  const y = scaleLinear([0, values("rnn")], [box.foot, box.top]);
  const step = (box.foot - box.top) / values("rnn");
  const enlarged = !narrow && step < SMALL && values("n") < NEAR;
  return { ...box, x, y, step, enlarged, done: values("n") >= values("rnn"), narrow };
}

/**
 * The words of the text, side by side below the steps.
 *
 * @type {Draw}
 */
function drawText(pen, { values, colour }, { left, right, foot, x, narrow }) {
  const count = Math.round(values("T"));
  const wide = Math.max(x(1) - x(0), 0.1);
  let d = "";
  for (let t = 0; t < count; t++) d += `M${x(t) + 0.1 * wide} ${foot + 5}h${0.8 * wide}v9h${-0.8 * wide}z`;
  pen.path(d, { key: "words", stroke: null, fill: colour.input });
  const size = narrow ? 13 : 15;
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "the text" }, (axis) => {
    axis.text(left, foot + 32, "word 1", { size, bold: true, fill: colour.input });
    axis.text(right, foot + 32, `word ${count}`, { size, bold: true, fill: colour.input, anchor: "end" });
    const title = narrow ? "the text" : `the text, ${count} words`;
    axis.text((left + right) / 2, foot + 32, title, { size, fill: colour.quiet, anchor: "middle" });
  });
}

/**
 * The axis of steps.
 *
 * @type {Draw}
 */
function drawSteps(pen, { values, colour }, { left, top, y, narrow }) {
  const last = values("rnn");
  pen.axis("y", y, {
    at: left - 12,
    ticks: [0, 0.25, 0.5, 0.75, 1].map((share) => Math.round(share * last)),
    lines: [left - 8, left - 2],
    look: { stroke: colour.quiet },
    size: 14,
    title: narrow ? "steps, one after another" : "steps, one after another, however many processors",
    titled: { x: left + 6, y: top + 18, size: narrow ? 13 : 15, fill: colour.quiet },
  });
}

/**
 * The outline of the stairs from one step up to another.
 *
 * @param {At} at @param {number} to
 */
function outline({ x, y }, to, from = 0) {
  let d = `M${x(from)} ${y(from)}`;
  for (let n = from; n < to; n++) d += `V${y(Math.min(n + 1, to))}H${x(Math.min(n + 1, to))}`;
  return d;
}

/**
 * The stairs: those climbed so far are filled.
 *
 * @type {Draw}
 */
function drawStairs(pen, { values, hidden, colour }, at) {
  pen.path(outline(at, values("rnn")), { key: "all", stroke: colour.line, width: 3 });
  if (hidden("words")) return;
  const climbed = outline(at, values("n"));
  const { left, foot } = at;
  pen.path(`${climbed}V${foot}H${left}Z`, { key: "under", stroke: null, fill: colour.weight, "fill-opacity": 0.13 });
  pen.path(climbed, { key: "climbed", stroke: colour.weight, width: 3, "stroke-linejoin": "round" });
}

/**
 * The products of the block: each covers the whole text.
 *
 * @type {Draw}
 */
function drawSlabs(pen, { values, colour }, { left, right, y, step }) {
  const gap = Math.min(0.2 * step, 2);
  const made = Math.min(values("n"), values("block"));
  for (let k = 0; k < made; k++) {
    const [top, foot] = [y(Math.min(k + 1, made)), y(k)];
    pen.rect(left, top + gap / 2, right - left, foot - top - gap, { key: `slab${k}`, fill: colour.activation, r: 0 });
  }
}

/**
 * The line of the step now, which can be dragged.
 *
 * @type {Draw}
 */
function drawClock(pen, { values, colour }, { left, right, y, step, narrow }) {
  const at = y(values("n"));
  const moves = { key: "clock", class: "handle", "data-n": "n", "data-per": step, "data-way": "y" };
  pen.group({ ...moves, style: "cursor: ns-resize; touch-action: none" }, (its) => {
    its.rect(left, at - 10, right - left, 20, { fill: "transparent" });
    its.line(left - 2, at, right, at, { stroke: colour.ink, width: 1.5 });
    its.path(`M${right - 5} ${at - 5}l5 -7l5 7zM${right - 5} ${at + 5}l5 7l5 -7z`, { stroke: null, fill: colour.ink });
  });
  const look = /** @type {const} */ ({ key: "step", size: narrow ? 13 : 15, bold: true, anchor: "end", halo: true });
  pen.text(right - 14, at - 6, `step ${Math.round(values("n"))}`, look);
}

/**
 * Where the RNN is.
 *
 * @type {Draw}
 */
function drawHead(pen, { values, hidden, colour }, { x, y }) {
  if (hidden("words")) return;
  const look = { key: "head", fill: colour.weight, stroke: colour.background, line: 2 };
  pen.circle(x(values("words")), y(values("n")), 7, look);
}

/**
 * A sentence in which one number is marked; it ends at `right`.
 *
 * @param {Pen} pen
 * @param {number} right
 * @param {number} y
 * @param {readonly [before: string, number: string, after: string]} parts
 * @param {{ size: number, fill: string, marked: boolean }} how
 */
function drawSaid(pen, right, y, [before, number, after], { size, fill, marked }) {
  const look = /** @type {const} */ ({ size, bold: true, fill, halo: true });
  const [wide, tail] = [number, after].map((part) => textWidth(part, size, true));
  const gap = 0.3 * size + (marked ? 4 : 0);
  const edge = right - tail - gap; // the right edge of the number
  pen.text(right, y, after, { ...look, key: "after", anchor: "end" });
  pen.markedText(edge - wide, y, number, marked, { ...look, halo: !marked, key: "number" });
  pen.text(edge - wide - gap, y, before, { ...look, key: "before", anchor: "end" });
}

/**
 * How far the RNN has read.
 *
 * @type {Draw}
 */
function drawReading(pen, { values, text, colour }, { left, right, top, foot, done, narrow }) {
  const x = left + 0.66 * (right - left);
  const y = top + (narrow ? 0.2 : 0.23) * (foot - top);
  const size = narrow ? 16 : 27;
  const words = /** @type {const} */ (["RNN:", text("words"), `of ${Math.round(values("T"))} words`]);
  const steps = /** @type {const} */ (["RNN:", text("rnn"), "steps"]);
  pen.group({ key: "reading" }, (its) => {
    drawSaid(its, x, y, done ? steps : words, { size, fill: colour.weight, marked: true });
    const why = done ? `${text("ratio")} times as many as the block` : "each state waits for the one before";
    if (!narrow) its.text(x, y + 25, why, { size: 16, fill: colour.quiet, anchor: "end", halo: true, key: "why" });
  });
}

const grouped = (/** @type {number} */ count) => Math.round(count).toLocaleString("en");

/**
 * How far the block is.
 *
 * @type {Draw}
 */
function drawBlock(pen, { values, text, colour }, { left, right, y, done, narrow }) {
  const [n, block] = [Math.round(values("n")), Math.round(values("block"))];
  const x = left + 0.8 * (right - left);
  const foot = y(block) - (narrow ? 34 : 42);
  const words = Math.round(values("T"));
  const finished = done ? `block: ${block} steps` : `block: all ${words} words`;
  const why = done
    ? `not less work: ${grouped(values("scores"))} scores a head`
    : `${block} products, each of the whole text at once`;
  const size = narrow ? 16 : 27;
  const said = n < block ? `block: product ${n} of ${block}` : finished;
  const look = /** @type {const} */ ({ anchor: "middle", halo: true });
  pen.text(x - (narrow ? 26 : 0), foot - (narrow ? 0 : 22), said, {
    ...look,
    size,
    bold: true,
    fill: colour.activation,
  });
  if (!narrow) pen.text(x, foot, why, { ...look, size: 16, fill: colour.quiet });
  pen.line(x, foot + 8, x, y(block) - 10, { stroke: colour.activation, width: 2.5 });
  pen.head(x, y(block) - 4, 90, colour.activation, 10);
}

/**
 * The first steps once more, with the names of the block's products.
 *
 * @type {Draw}
 */
function drawEnlarged(pen, scene, { left, top, x, y }) {
  const { values, hidden, data, colour } = scene;
  const block = Math.round(values("block"));
  const [from, head, wide, row] = [left + 34, top + 62, 290, 24];
  const foot = head + row * (block + 1);
  const lead = { stroke: colour.quiet, width: 1.2, dash: "4 4" };
  pen.line(left, y(block), from, foot + 10, lead);
  pen.line(x(block), y(block), from + wide, foot + 10, lead);
  pen.rect(from, head - 6, wide, foot - head + 16, { fill: colour.background, stroke: colour.line, r: 8 });
  pen.text(from, head - 14, `the first ${block} steps, enlarged`, { size: 15, fill: colour.quiet });
  const made = Math.min(Math.round(values("n")), block);
  for (let k = 0; k < made; k++) {
    const edge = foot - (k + 1) * row;
    pen.rect(from + 16, edge + 1, wide - 30, row - 2, { key: `made${k}`, fill: colour.activation, r: 2 });
    const look = /** @type {const} */ ({ size: 15, bold: true, fill: colour.background, anchor: "end" });
    pen.text(from + wide - 22, edge + 18, data.products[k], { ...look, key: `name${k}` });
  }
  if (hidden("words")) return;
  const across = 24;
  let d = `M${from + 16} ${foot}`;
  for (let k = 0; k < made; k++) d += `v${-row}h${across}`;
  pen.path(d, { key: "halo", stroke: colour.background, width: 7 });
  pen.path(d, { key: "stairs", stroke: colour.weight, width: 4 });
  if (values("n") > block) return;
  const end = [from + 16 + made * across, foot - made * row];
  pen.circle(end[0], end[1], 7, { key: "here", fill: colour.weight, stroke: colour.background, line: 2 });
}

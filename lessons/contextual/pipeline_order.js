// The order of the classical pipeline as stairs, and beside it, for each task that was probed, what each layer of a model
// adds, with a dot at the expected layer. A line joins the dots in the slide's order; where it goes back, it is red.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { dotOf, placesOf, wayOf } from "./pipeline_order_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { OrderPlaces, OrderScene } from "./pipeline_order_places.js" */
/** @typedef {OrderPlaces["rows"][number]} Row */
/** @typedef {(pen: Pen, scene: OrderScene, at: OrderPlaces) => void} Draw */

/** @param {Component<Scripts["pipeline_order"]>} component */
export default function pipeline_order(component) {
  return mainPicture(component, (pen, /** @type {OrderScene} */ scene) => {
    const at = placesOf(scene);
    drawLayers(pen, scene, at);
    if (!at.narrow) pen.part(scene, "slide", (its) => drawStairs(its, scene, at));
    pen.part(scene, "tasks", (its) => at.rows.forEach((row) => row.task >= 0 && drawTask(its, scene, at, row)));
    at.rows.forEach((row) => row.task < 0 && drawEmpty(pen, scene, at, row));
    if (!isAsked(scene)) pen.part(scene, "order", (its) => drawOrder(its, scene, at));
  });
}

/** @param {string} kind @param {number} task @param {number} layer */
const nameOf = (kind, task, layer) => /** @type {NameOf<"pipeline_order">} */ (`${kind} ${task} ${layer}`);

/** @param {number} task */
const layerOf = (task) => /** @type {NameOf<"pipeline_order">} */ (`layer ${task}`);

/** @param {OrderScene} scene */
const isAsked = ({ hidden }) => hidden("layer 0");

/** @param {OrderScene} scene @param {number} task */
const isChosen = ({ final }, task) => Math.round(final("task")) === task;

/** @type {Draw} */
function drawLayers(pen, { data, colour, narrow }, at) {
  const size = narrow ? 14 : 18;
  const ticks = Array.from({ length: data.layers + 1 }, (_, layer) => layer);
  const titled = { x: at.name, y: narrow ? 15 : 22, size: narrow ? 14 : 20, bold: true };
  const title = narrow ? `${data.model}: the layer that adds it` : `${data.model}, layer`;
  const lines = /** @type {[number, number]} */ ([at.top, at.foot]);
  pen.axis("x", at.x, { at: at.top - 10, ticks, size, lines, label: String, title, titled });
  if (!narrow) {
    pen.text(at.left - 26, at.top - 10, "word alone", { key: "alone", size: 15, fill: colour.quiet, anchor: "end" });
    pen.text(at.right, at.top - 10, "expected", { key: "expected", size: 16, fill: colour.quiet, anchor: "end" });
  }
}

/**
 * The stages as stairs, from early to late, each at the height of its rows.
 *
 * @type {Draw}
 */
function drawStairs(pen, { colour, data }, at) {
  pen.text(6, 22, "BERT, says the slide", { key: "title", size: 20, bold: true });
  const [from, to] = [at.stairs[0].left, at.name - 30];
  pen.text(from, at.top - 10, "early", { key: "early", size: 15, fill: colour.quiet });
  pen.text(to, at.top - 10, "late", { key: "late", size: 15, fill: colour.quiet, anchor: "end" });
  pen.line(from + 42, at.top - 15, to - 36, at.top - 15, { key: "way", stroke: colour.quiet });
  pen.head(to - 34, at.top - 15, 0, colour.quiet);
  for (const { stage, left, wide, top, foot } of at.stairs) {
    const probed = data.rows.some((row) => row.task >= 0 && data.stages[row.stage] === stage);
    const look = { stroke: colour.score, line: probed ? 3 : 1.5, dash: probed ? null : "5 4", r: 6 };
    pen.rect(left, top + 3, wide, foot - top - 6, { key: stage, ...look });
    const fill = probed ? colour.ink : colour.quiet;
    const said = /** @type {const} */ ({ key: `named ${stage}`, size: 18, bold: probed, anchor: "middle" });
    pen.text(left + wide / 2, (top + foot) / 2 + 6, stage, { ...said, fill });
    if (!probed) continue;
    const middle = (top + foot) / 2;
    const look2 = { key: `to ${stage}`, stroke: colour.score, "stroke-opacity": 0.5, dash: "2 5", width: 2 };
    if (left + wide < at.name - 20) pen.line(left + wide + 4, middle, at.name - 10, middle, look2);
  }
  for (const { stage, top, high } of at.rows) {
    const look = /** @type {const} */ ({ key: "none", size: 16, fill: colour.quiet, anchor: "end" });
    if (stage < 0) pen.text(at.name - 24, top + high / 2 + 5, "not on the slide", look);
  }
}

/**
 * A task: its name, a bar for what each layer adds, and, if it is chosen, the accuracy of each layer.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {OrderPlaces} at @param {Row} row
 */
function drawTask(pen, scene, at, row) {
  const { data, send, colour, narrow } = scene;
  const task = data.tasks[row.task];
  const chosen = isChosen(scene, row.task);
  const press = () => send({ task });
  pen.button(
    `${task}: its accuracies by layer`,
    press,
    (its) => {
      const wide = at.right - at.name + (narrow ? 0 : 10);
      const ground = chosen ? { fill: colour.line, "fill-opacity": 0.45 } : { fill: "transparent" };
      its.rect(at.name - (narrow ? 2 : 10), row.top + 2, wide, row.high - 3, { key: "ground", ...ground });
      drawName(its, scene, at, row, chosen);
      if (!isAsked(scene)) drawGains(its, scene, at, row, chosen);
    },
    { key: task, chosen },
  );
}

/** @param {Pen} pen @param {OrderScene} scene @param {OrderPlaces} at @param {Row} row @param {boolean} chosen */
function drawName(pen, { data, colour, narrow }, at, row, chosen) {
  const { task, top, high, stage } = row;
  if (narrow) {
    const name = { key: "name", size: 14, bold: true, halo: true };
    pen.text(at.name + 2, top + 16, data.tasks[task], name);
    const place = stage < 0 ? "not on the slide" : data.stages[stage];
    const wide = textWidth(data.tasks[task], 14, true);
    pen.text(at.name + 10 + wide, top + 16, place, { key: "stage", size: 13, fill: colour.quiet, halo: true });
    return;
  }
  const middle = top + high / 2;
  pen.text(at.name, middle - 2, data.tasks[task], { key: "name", size: 20, bold: true });
  const asks = { key: "asks", size: 15, fill: chosen ? colour.ink : colour.quiet };
  pen.text(at.name, middle + 18, data.asks[task], asks);
}

/** @param {Pen} pen @param {OrderScene} scene @param {OrderPlaces} at @param {Row} row @param {boolean} chosen */
function drawGains(pen, scene, at, row, chosen) {
  const { data, values, colour, narrow, text } = scene;
  const { task } = row;
  const base = dotOf(row);
  const tall = at.row - (narrow ? 34 : 22);
  const wide = Math.min(at.column * 0.5, narrow ? 30 : 64);
  pen.line(at.x(0), base, at.x(data.layers), base, { key: "base", stroke: colour.line, width: 1.5 });
  for (let layer = 1; layer <= data.layers; layer++) {
    const gain = (Math.max(values(nameOf("gain", task, layer)), 0) / data.most) * tall;
    const look = { key: `gain ${layer}`, r: 1, fill: colour.activation, "fill-opacity": chosen ? 0.95 : 0.5 };
    pen.rect(at.x(layer) - wide / 2, base - gain, wide, gain, look);
  }
  if (chosen) drawNumbers(pen, scene, at, row, tall);
  const layer = values(layerOf(task));
  const end = /** @type {const} */ ({ key: "layer", size: narrow ? 15 : 22, bold: true, anchor: "end" });
  if (Number.isNaN(layer)) {
    pen.text(at.right, base + 7, narrow ? "–" : "unsolved", { ...end, fill: colour.loss });
    const look = /** @type {const} */ ({ key: "unsolved", size: narrow ? 13 : 17, fill: colour.loss });
    pen.text(at.x(0) + 8, base - 6, "no layer solves it", { ...look, halo: true });
    return;
  }
  pen.text(at.right, base + 7, text(layerOf(task)), end);
  if (layer > 0) return;
  pen.text(at.x(0) + 16, base - 6, "the word alone tells it", {
    key: "known",
    size: narrow ? 13 : 16,
    fill: colour.quiet,
  });
}

/**
 * The accuracy of each layer, and above its bar what it adds.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {OrderPlaces} at @param {Row} row @param {number} tall
 */
function drawNumbers(pen, { data, values, text, colour, narrow }, at, row, tall) {
  const many = data.layers > 4;
  const size = narrow ? 13 : many ? 15 : 18;
  const tight = narrow && many;
  const middle = /** @type {const} */ ({ anchor: "middle", halo: true });
  for (let layer = 0; layer <= data.layers; layer++) {
    const x = at.x(layer);
    const right = text(nameOf("right", row.task, layer));
    const y = row.top + (narrow ? 34 : 22);
    if (!tight || layer % 2 === 0) pen.text(x, y, right, { key: `right ${layer}`, size, bold: true, ...middle });
    const gain = values(nameOf("gain", row.task, layer));
    if (!(gain > 0)) continue;
    const top = dotOf(row) - (gain / data.most) * tall - 4;
    const look = { key: `added ${layer}`, size: narrow ? 13 : many ? 14 : 17, fill: colour.activation };
    pen.text(x, top, `+${text(nameOf("gain", row.task, layer))}`, { ...look, ...middle });
  }
}

/** @param {Pen} pen @param {OrderScene} scene @param {OrderPlaces} at @param {Row} row */
function drawEmpty(pen, { data, colour, narrow }, at, { stage, top, high }) {
  const said = narrow ? `${data.stages[stage]}: not probed` : "not probed here";
  const look = { key: `empty ${stage}`, size: narrow ? 13 : 15, fill: colour.quiet };
  pen.text(at.name + (narrow ? 2 : 0), top + high / 2 + 5, said, look);
}

/**
 * The dots, and the line that joins them in the slide's order.
 *
 * @type {Draw}
 */
function drawOrder(pen, scene, at) {
  const { colour, values, narrow } = scene;
  const way = wayOf(at, (task) => values(layerOf(task)));
  way.slice(1).forEach((to, n) => {
    const from = way[n];
    const back = to.x < from.x - 1;
    const stroke = back ? colour.loss : colour.ink;
    pen.line(from.x, from.y, to.x, to.y, { key: `step ${n}`, stroke, width: back ? 5 : 3 });
    if (!back || from.x - to.x < 30) return;
    const [x, y] = [from.x + (to.x - from.x) * 0.35 + (narrow ? 10 : 16), from.y + (to.y - from.y) * 0.35 + 6];
    pen.text(x, y, "back", { key: `back ${n}`, size: narrow ? 14 : 20, bold: true, fill: colour.loss, halo: true });
  });
  for (const row of at.rows) {
    const layer = row.task < 0 ? NaN : values(layerOf(row.task));
    if (Number.isNaN(layer)) continue;
    const fill = row.stage < 0 ? colour.quiet : layer ? colour.ink : colour.background;
    pen.circle(at.x(layer), dotOf(row), narrow ? 6 : 9, { key: `dot ${row.task}`, fill, stroke: colour.ink });
  }
}

// The pencil of weights: a line from each encoder state to the context, their weighted sum. Its width is α.

import { sub } from "./translation_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./seq2seq_places.js" */
/** @import { Draw, Moment, TranslationScene } from "./translation_scene.js" */

const SEEN = 0.2; // at earlier steps, weights from this value on keep their line

/** @type {Draw} */
export function drawPencil(pen, scene, at, now) {
  const { colour } = scene;
  earlierLines(pen, scene, at, now);
  if (now.covered) unknownLines(pen, scene, at, now);
  else lines(pen, scene, at, now);
  drawContext(pen, scene, at, now);
  const x = at.to(now.exact);
  const end = at.rows.decoder - 3;
  const start = at.rows.context + at.state.high + 1;
  pen.line(x, start, x, end - 6, { key: "down", stroke: colour.activation, width: 2.5 });
  pen.head(x, end, 90, colour.activation, 9);
}

/**
 * The path from the state of place j to a point below it.
 *
 * @param {Places} at @param {number} j @param {number} x @param {number} y
 */
function pathFrom(at, j, x, y) {
  const foot = at.rows.encoder + at.state.high;
  const middle = (foot + y) / 2;
  return `M${at.x(j)} ${foot + 3}C${at.x(j)} ${middle} ${x} ${middle} ${x} ${y}`;
}

/**
 * Where the lines of the shown step end: above its context.
 *
 * @param {Places} at @param {Moment} now @returns {[x: number, y: number]}
 */
const endOf = (at, now) => [at.to(now.exact), at.rows.context - 4];

/** @type {Draw} */
function earlierLines(pen, { colour }, at, now) {
  for (let i = 0; i < now.step; i++)
    now.row(i).forEach((alpha, j) => {
      if (alpha < SEEN) return;
      const look = { key: `past ${i} ${j}`, stroke: colour.weight, width: 1 + 3 * alpha, "stroke-opacity": 0.22 };
      pen.path(pathFrom(at, j, at.to(i), at.rows.decoder - 3), look);
    });
}

/** @type {Draw} */
function unknownLines(pen, { colour }, at, now) {
  for (let j = 0; j < now.places; j++) {
    const look = { key: `line ${j}`, stroke: colour.weight, width: 1.5, dash: "3 5", "stroke-opacity": 0.6 };
    pen.path(pathFrom(at, j, ...endOf(at, now)), look);
  }
}

/** @type {Draw} */
function lines(pen, scene, at, now) {
  const { colour } = scene;
  now.weights.forEach((alpha, j) =>
    pen.path(pathFrom(at, j, ...endOf(at, now)), {
      key: `line ${j}`,
      stroke: colour.weight,
      width: 1 + 11 * alpha,
      "stroke-opacity": 0.25 + 0.75 * alpha,
      "stroke-linecap": "round",
    }),
  );
  const most = now.weights.indexOf(Math.max(...now.weights));
  pen.beads(pathFrom(at, most, ...endOf(at, now)), colour.background, { key: "flow", width: 3 });
  drawLargest(pen, scene, at, now, most);
}

/**
 * The largest weight as a number, on the side away from which its line bends.
 *
 * @param {Pen} pen
 * @param {TranslationScene} scene
 * @param {Places} at
 * @param {Moment} now
 * @param {number} most its place
 */
function drawLargest(pen, { colour, data, text }, at, now, most) {
  const { left, wide } = at.zone;
  const x = at.x(most);
  const right = x - left < 130 || (at.to(now.exact) <= x && x + 130 < left + wide);
  const shown = now.mine ? "1, if forced" : data.forced[now.step] === most ? `${text("a1")}, forced` : text("a1");
  pen.text(x + (right ? 14 : -14), at.rows.encoder + at.state.high + 24, `α = ${shown}`, {
    key: "alpha",
    size: at.size + 1,
    bold: true,
    fill: colour.weight,
    anchor: right ? "start" : "end",
    halo: true,
  });
}

/**
 * The frame of the context, and its name.
 *
 * @type {Draw}
 */
function drawContext(pen, { colour }, at, now) {
  const { wide, high } = at.state;
  const x = at.to(now.exact);
  const fill = now.covered ? colour.background : "none";
  const look = { key: "context", stroke: colour.activation, line: 2, r: 2, fill };
  pen.rect(x - wide / 2 - 1, at.rows.context - 1, wide + 2, high + 2, look);
  const left = x - wide / 2 - 30 > at.zone.left;
  pen.text(left ? x - wide / 2 - 8 : x + wide / 2 + 8, at.rows.context + high / 2 + 6, `c${sub(now.step + 1)}`, {
    key: "name",
    size: at.small ? 15 : 19,
    bold: true,
    fill: colour.activation,
    anchor: left ? "end" : "start",
    halo: true,
  });
  const unknown = /** @type {const} */ ({ key: "unknown", size: 20, bold: true, anchor: "middle" });
  if (now.covered) pen.text(x, at.rows.context + high / 2 + 7, "?", { ...unknown, fill: colour.activation });
}

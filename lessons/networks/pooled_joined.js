// One review through the network: words, rows of E, all rows joined, hidden units, output.

import { signs } from "../../drawing/signs.js";
import { drawCells, short } from "./pooled_cells.js";

/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PooledScene } from "./pooled.js" */
/** @import { Strip } from "./pooled_cells.js" */
/**
 * Where everything is: the rows by their heights, and the strips of the words.
 *
 * @typedef {object} JoinedPlaces
 * @property {number} words
 * @property {number} hidden
 * @property {number} output
 * @property {number} radius of a hidden unit
 * @property {Strip[]} rows of E, one for each word that is joined
 * @property {Strip} joined
 * @property {number} middle
 */
/** @typedef {(pen: Pen, scene: PooledScene, at: JoinedPlaces) => void} Draw */

/** @param {Pen} pen @param {PooledScene} scene */
export function drawJoined(pen, scene) {
  const at = placesOf(scene);
  if (!scene.narrow) drawLabels(pen, scene, at);
  const { narrow, width, height, data } = scene;
  signs(pen, { x: narrow ? 8 : width - 108, y: height - 10, fills: data.scale[0] });
  pen.part(scene, "rows", (its) => drawRows(its, scene, at));
  pen.part(scene, "network", (its) => {
    drawJoin(its, scene, at);
    drawEdges(its, scene, at);
    drawUnits(its, scene, at);
    drawAnswer(its, scene, at);
  });
}

/** @param {PooledScene} scene @returns {JoinedPlaces} */
function placesOf({ data, width, height, narrow }) {
  const left = narrow ? 6 : 128;
  const room = width - left - (narrow ? 6 : 16);
  const slot = room / data.length;
  const wide = Math.min(slot * 0.84, narrow ? 90 : 190);
  const y = (/** @type {number} */ share) => 8 + (height - 16) * share;
  const high = narrow ? 26 : Math.min(40, height * 0.085);
  const rows = Array.from({ length: data.length }, (_, i) => ({
    left: left + (i + 0.5) * slot - wide / 2,
    top: y(0.19),
    wide,
    high,
  }));
  const whole = Math.min(room, data.length * wide);
  const middle = left + room / 2;
  const joined = { left: middle - whole / 2, top: y(0.41), wide: whole, high };
  const radius = Math.min(narrow ? 15 : 27, (whole / data.output.length) * 0.42);
  return { words: y(0.07), hidden: y(0.74), output: y(0.93), radius, rows, joined, middle };
}

/** @type {Draw} */
function drawLabels(pen, { colour }, { words, rows, joined, hidden, output }) {
  const said = /** @type {const} */ ([
    ["words", words + 6, "quiet"],
    ["rows of E", rows[0].top + rows[0].high / 2 + 6, "input"],
    ["joined: x", joined.top + joined.high / 2 + 6, "input"],
    ["hidden: h", hidden + 6, "activation"],
    ["output: ŷ", output + 6, "activation"],
  ]);
  for (const [text, y, role] of said)
    pen.text(12, y, text, { key: text, size: 18, bold: role !== "quiet", fill: colour[role] });
}

/**
 * Each word, and the row of E that it looks up; zeros where there is no word.
 *
 * @type {Draw}
 */
function drawRows(pen, scene, { words, rows }) {
  const { data, colour, narrow } = scene;
  const size = narrow ? 15 : Math.min(24, rows[0].wide / 4);
  rows.forEach((row, i) => {
    const word = data.reviews[0][i] ?? "0";
    const middle = row.left + row.wide / 2;
    const look = word === "0" ? { stroke: colour.line, dash: "5 4" } : { stroke: colour.input, line: 2.5 };
    const [half, tall] = [row.wide * (narrow ? 0.48 : 0.36), size * 1.7];
    pen.rect(middle - half, words - tall / 2, 2 * half, tall, { key: `box ${i}`, r: 9, ...look });
    const text = { key: `word ${i}`, size, bold: true, room: 2 * half - 4, anchor: /** @type {const} */ ("middle") };
    pen.text(middle, words + size * 0.35, word, text);
    const [top, foot] = [words + tall / 2 + 2, row.top - 4];
    pen.line(middle, top, middle, foot - 8, { key: `look ${i}`, stroke: colour.input, width: 2.5 });
    pen.head(middle, foot, 90, colour.input, 11);
    const numbers = data.rows[0].inputs[0].slice(i * data.width, (i + 1) * data.width);
    pen.group({ key: `row ${i}` }, (its) => drawCells(its, scene, numbers, row, true));
  });
}

/**
 * All rows, one after the other.
 *
 * @type {Draw}
 */
function drawJoin(pen, scene, { rows, joined }) {
  const { data, colour } = scene;
  const part = joined.wide / data.length;
  rows.forEach((row, i) => {
    const foot = row.top + row.high + 2;
    const [left, right] = [joined.left + i * part, joined.left + (i + 1) * part];
    const d = `M${row.left} ${foot}H${row.left + row.wide}L${right} ${joined.top - 2}H${left}Z`;
    pen.path(d, { key: `down ${i}`, stroke: null, fill: colour.input, "fill-opacity": 0.1 });
  });
  drawCells(pen, scene, data.rows[0].inputs[0], joined);
  for (let i = 0; i < data.length; i++)
    pen.rect(joined.left + i * part, joined.top - 2, part, joined.high + 4, { r: 4, stroke: colour.input, line: 2 });
}

/** @param {JoinedPlaces} at @param {number} k @param {number} count */
const unitAt = ({ joined }, k, count) => joined.left + ((k + 0.5) / count) * joined.wide;

/**
 * The weights: the larger one is, the darker its line.
 *
 * @type {Draw}
 */
function drawEdges(pen, { data, colour }, at) {
  const { joined, hidden, output, radius, middle } = at;
  const count = data.output.length;
  const cell = joined.wide / data.units[0].length;
  const most = Math.max(...data.units.flat().map(Math.abs));
  data.units.forEach((weights, k) => {
    const x = unitAt(at, k, count);
    weights.forEach((weight, i) => {
      const look = { stroke: colour.weight, width: 1.2, "stroke-opacity": 0.75 * (Math.abs(weight) / most) ** 1.5 };
      const from = joined.left + (i + 0.5) * cell;
      pen.line(from, joined.top + joined.high + 3, x, hidden - radius, { key: `edge ${k} ${i}`, ...look });
    });
    const way = { key: `out ${k}`, stroke: colour.weight, width: 3, "stroke-opacity": 0.5 };
    pen.line(x, hidden + radius, middle + (x - middle) * 0.16, output - 12, way);
  });
}

/** @type {Draw} */
function drawUnits(pen, { data, values, colour, hidden: asked }, at) {
  const { hidden, radius } = at;
  data.output.forEach((_, k) => {
    const x = unitAt(at, k, data.output.length);
    const value = values(/** @type {NameOf<"pooled">} */ (`h${k + 1}`));
    const known = !asked("p 0 0");
    const ring = { stroke: colour.activation, line: 2.5, dash: known && value < 0 ? "5 4" : null };
    pen.circle(x, hidden, radius, { key: `unit ${k}`, fill: colour.background, ...ring });
    if (radius < 13) return;
    const size = Math.max(13, Math.min(17, radius * 0.78));
    const said = known ? short(value) : "?";
    pen.text(x, hidden + size * 0.35, said, { key: `h ${k}`, size, bold: true, anchor: "middle" });
  });
}

/** @type {Draw} */
function drawAnswer(pen, { data, text, hidden, colour, narrow }, { middle, output }) {
  const size = narrow ? 20 : 28;
  const [half, tall] = [narrow ? 60 : 82, size * 1.6];
  const frame = { key: "frame", r: tall / 2, fill: colour.background, stroke: colour.activation, line: 3.5 };
  pen.rect(middle - half, output - tall / 2, 2 * half, tall, frame);
  const asked = hidden("p 0 0");
  const number = { key: "p", size, bold: true, fill: colour.activation, anchor: /** @type {const} */ ("middle") };
  pen.markedText(middle, output + size * 0.35, text("p 0 0"), !asked, number);
  if (asked) return;
  const verdict = data.rows[0].positive[0] ? "positive" : "negative";
  const look = { key: "verdict", size: narrow ? 15 : 20, bold: true, fill: colour.activation };
  pen.text(middle + half + 12, output + 7, verdict, look);
}

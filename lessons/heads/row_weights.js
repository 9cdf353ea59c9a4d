// The weights that the softmax computes from the scores, as bars, with outlines for the weights in the other text.

import { textWidth } from "../../drawing/pen.js";
import { numberBeside, titleZone } from "./row_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadsScene, State } from "./heads_scene.js" */
/** @import { Bars, DrawBars } from "./heads_row.js" */

/** @type {DrawBars} */
export function drawWeights(pen, scene, at, state, bars) {
  const { data, colour, hidden } = scene;
  const { weights: zone, keys, left, right } = bars;
  titleZone(pen, at, bars, zone.top - 6, titleOf(at.narrow), colour.activation);
  pen.line(left - 4, zone.bottom, right, zone.bottom, { key: "floor", stroke: colour.quiet, width: 1 });
  if (hidden("weights")) {
    drawUnknown(pen, bars);
    return;
  }
  const y = scaleOf(scene, bars);
  keys.forEach((key, n) => drawWeight(pen, scene, state, bars, y, key, n));
  if (data.other && !hidden("other")) drawLegend(pen, scene, at, state, bars);
  drawMarkedWeight(pen, scene, at, state, bars);
}

/** @param {boolean} narrow */
const titleOf = (narrow) => (narrow ? "after: α" : "after the softmax: weights α, together 1");

/**
 * The weight in the other text, if it is shown and the key has one.
 *
 * @param {HeadsScene} scene @param {number} key
 */
function otherWeight({ data, hidden, values }, key) {
  if (!data.other || hidden(`o${key}`)) return null;
  const value = values(`o${key}`);
  return Number.isFinite(value) ? value : null;
}

/**
 * The scale of weights; the largest one fills nearly the whole height.
 *
 * @param {HeadsScene} scene @param {Bars} bars
 */
function scaleOf(scene, { keys, weights: { top, bottom } }) {
  const most = Math.max(...keys.map((j) => Math.max(scene.values(`w${j}`), otherWeight(scene, j) ?? 0)), 0.05);
  /** @param {number} weight */
  return (weight) => bottom - (weight / Math.min(most * 1.08, 1)) * (bottom - top);
}

/**
 * Signs in place of weights that are to be predicted.
 *
 * @param {Pen} pen @param {Bars} bars
 */
function drawUnknown(pen, { keys, middle, weights }) {
  const look = /** @type {const} */ ({ size: 16, bold: true, anchor: "middle" });
  const fill = pen.colour.activation;
  keys.forEach((key, n) => pen.text(middle(n), weights.bottom - 8, "?", { key: `w${key}`, ...look, fill }));
}

/**
 * The bar of a key, and the outline of its weight in the other text.
 *
 * @param {Pen} pen
 * @param {HeadsScene} scene
 * @param {State} state
 * @param {Bars} bars
 * @param {(weight: number) => number} y
 * @param {number} key
 * @param {number} n its place among the keys that are drawn
 */
function drawWeight(pen, scene, { focus }, { middle, wide, weights: { bottom } }, y, key, n) {
  const { colour, values } = scene;
  const [left, top] = [middle(n) - wide / 2, y(values(`w${key}`))];
  const look = { key: `w${key}`, fill: colour.activation, "fill-opacity": key === focus ? 1 : 0.6, r: 2 };
  pen.rect(left, top, wide, Math.max(bottom - top, 1), look);
  const other = otherWeight(scene, key);
  if (other === null) return;
  const outline = { key: `o${key}`, stroke: colour.ink, line: 1.4, dash: "4 3", r: 2 };
  pen.rect(left - 2, y(other), wide + 4, bottom - y(other), outline);
}

/**
 * What the outlines show, if there is room to the right of the title.
 *
 * @type {DrawBars}
 */
function drawLegend(pen, { data, colour }, at, _state, bars) {
  const [size, y] = [13, bars.weights.top - 6];
  const taken = bars.left - 24 + textWidth(titleOf(at.narrow), 14, true) + 12;
  const room = at.row.right - taken - 24;
  if (room < 40) return;
  const left = at.row.right - Math.min(textWidth(data.other, size), room);
  pen.rect(left - 20, y - 11, 13, 12, { key: "dashes", stroke: colour.ink, line: 1.4, dash: "4 3", r: 2 });
  pen.text(left, y, data.other, { key: "legend", size, fill: colour.ink, room });
}

/**
 * The weight of the marked key as a number, and below it its weight in the other text.
 *
 * @type {DrawBars}
 */
function drawMarkedWeight(pen, scene, at, { focus }, bars) {
  const { data, values, text, colour } = scene;
  const n = bars.keys.indexOf(focus);
  if (n < 0) return;
  const { top, bottom } = bars.weights;
  const y = scaleOf(scene, bars);
  const below = data.other ? 28 : 6; // room for the second number
  const base = Math.min(Math.max(y(values(`w${focus}`)) + 14, top + 16), bottom - below);
  const look = { key: "weight", size: 19, bold: true, fill: colour.activation };
  numberBeside(pen, at, bars, n, base, text(`w${focus}`), look, true);
  if (!data.other || !data.names.includes(`o${focus}`) || !Number.isFinite(values(`o${focus}`))) return;
  const said = `→ ${text(`o${focus}`)} ${data.other}`;
  numberBeside(pen, at, bars, n, base + 22, said, { key: "there", size: 14, fill: colour.ink }, false);
}

// One query on a phone: one column per stage, one row per key.

import { textWidth } from "../../drawing/pen.js";
import { boxesIn, narrowPlaces } from "./flow_layout.js";
import { drawWord } from "./flow_marks.js";
import { drawBoxes, entries, fitting, short, widest } from "./flow_numbers.js";
import { keysShown, sub } from "./flow_scene.js";
import { drawScrolling } from "./flow_scroll.js";
import { drawShare } from "./flow_shares.js";

/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { FlowScene, KeyRow } from "./flow_scene.js" */
/** @typedef {ReturnType<typeof columnPlaces>} Places */
/** @typedef {(pen: Pen, scene: FlowScene, at: Places) => void} Draw */

/** @param {Pen} pen @param {FlowScene} scene */
export function drawColumns(pen, scene) {
  const at = columnPlaces(scene);
  pen.part(scene, "fit", (its) => drawScores(its, scene, at));
  pen.part(scene, "scale", (its) => drawDivided(its, scene, at));
  pen.part(scene, "softmax", (its) => drawShares(its, scene, at));
  pen.part(scene, "mix", (its) => drawMix(its, scene, at));
  if (!at.all) drawScrolling(pen, scene, at, { left: 0, right: scene.width });
}

/** @param {FlowScene} scene */
function columnPlaces(scene) {
  const at = narrowPlaces(scene.width, scene.height, scene.data.tokens.length);
  const tall = at.row >= 100;
  const high = tall ? 38 : Math.min(26, at.row - 8);
  return { ...at, ...keysShown(scene, at), words: at.stages.word, high, size: 15, many: true, above: false, tall };
}

/**
 * The first column: the query and its numbers, the words of the keys, and their scores.
 *
 * @type {Draw}
 */
function drawScores(pen, scene, at) {
  const { data, width, text, colour } = scene;
  const { words, query, stages } = at;
  const asking = { size: 16, bold: true, fill: colour.query, room: 96 };
  pen.text(words.left, query + 5, data.tokens[data.query], asking);
  pen.text(words.left + 104, query + 5, `asks: q${sub(data.query + 1)}`, { size: 14, fill: colour.query });
  const need = widest(scene, entries("q", data.shown[0]), 14, 3) + 10;
  const boxes = boxesIn(width - 182, data.shown[0], need, 40);
  const look = { width: boxes.width, height: 28, role: colour.query, size: 15 };
  drawBoxes(pen, scene, 176, query, entries("q", boxes.count), look);
  const head = /** @type {const} */ ({ size: 14, bold: true, fill: colour.score, anchor: "end" });
  pen.text(stages.score.right, at.heads, "q · k", head);
  for (const key of at.keys) pen.group({ key: `key${key.j}` }, (row) => drawKey(row, scene, at, key));
  if (!isPair(scene, at)) return;
  drawBetween(pen, at, stages.score.right, `${text("gap")} apart`, { fill: colour.score, anchor: "end" });
}

/**
 * A key: its word, its score, and where there is room, its numbers and their products.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {KeyRow} key
 */
function drawKey(pen, scene, at, { j, y }) {
  const { data, colour } = scene;
  const { right } = at.stages.score;
  drawWord(pen, scene, at, { j, y });
  const score = /** @type {const} */ ({ size: 15, fill: colour.score, anchor: "end", bold: true });
  pen.text(right, y + 5, fitting(scene, `s${j + 1}`, 40, 15, true), score);
  const numbers = entries(`k${j + 1}.`, data.shown[0])
    .map((name) => short(scene, name, 2))
    .join(" ");
  if (at.row >= 62 && textWidth(numbers, 14) < 84)
    pen.text(at.words.left + 6, y + 37, `k${sub(j + 1)} = ${numbers}`, { size: 14, fill: colour.key });
  const terms = data.products[j];
  if (at.tall && terms && textWidth(terms, 13) < 90)
    pen.text(right, y - 22, terms, { size: 13, fill: colour.quiet, anchor: "end" });
}

/**
 * The second column: the scores, divided.
 *
 * @type {Draw}
 */
function drawDivided(pen, scene, at) {
  const { data, colour } = scene;
  const { right } = at.stages.scaled;
  const head = data.scaled || data.tempered ? `÷ ${short(scene, "divisor", 2)}` : "as is";
  const look = /** @type {const} */ ({ bold: true, fill: colour.score, anchor: "end" });
  pen.text(right, at.heads, head, { size: 14, ...look });
  for (const { j, y } of at.keys)
    pen.text(right, y + 5, fitting(scene, `a${j + 1}`, 38, 15, true), { key: `a${j}`, size: 15, ...look });
  if (!isPair(scene, at)) return;
  drawBetween(pen, at, right, short(scene, "apart"), { fill: colour.score, anchor: "end" });
}

/**
 * The third column: the shares.
 *
 * @type {Draw}
 */
function drawShares(pen, scene, at) {
  const { left, right } = at.stages.weight;
  const fill = scene.colour.activation;
  pen.text(left, at.heads, "softmax", { size: 14, bold: true, fill });
  for (const { j, y } of at.keys) {
    const share = { left, wide: right - left, j, y };
    pen.group({ key: `key${j}` }, (row) => drawShare(row, scene, { ...at, tall: false }, share));
  }
  if (!isPair(scene, at)) return;
  drawBetween(pen, at, left, `${short(scene, "ratio", 4)} to 1`, { fill, anchor: "start" });
}

/**
 * The fourth column: the values, filled up to their shares, and below them z.
 *
 * @type {Draw}
 */
function drawMix(pen, scene, at) {
  const { data, values, hidden, colour } = scene;
  const { left, right } = at.stages.value;
  const names = data.tokens.flatMap((_, j) => entries(`v${j + 1}.`, data.shown[1]));
  const { count, width } = boxesIn(right - left, data.shown[1], Math.min(32, widest(scene, names, 13, 2) + 9), 34);
  const head = count < data.whole[1] ? `v, ${count} of ${data.whole[1]}` : "values";
  pen.text(left, at.heads, head, { size: 14, bold: true, fill: colour.value });
  for (const { j, y } of at.keys) {
    const name = /** @type {const} */ (`w${j + 1}`);
    const level = data.closed[j] || hidden(name) ? 0 : values(name);
    const look = { width, height: at.high, role: colour.value, size: 15, bold: false, level };
    const opacity = data.closed[j] ? 0.35 : null;
    const numbers = entries(`v${j + 1}.`, count);
    pen.group({ key: `key${j}`, opacity }, (row) => drawBoxes(row, scene, left, y, numbers, look));
  }
  drawOutput(pen, scene, count);
}

/**
 * The output z, the sum of the values' shares.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {number} count of its numbers
 */
function drawOutput(pen, scene, count) {
  const { data, width, height, colour } = scene;
  const box = Math.min(62, (width - 120) / count);
  const left = width - 6 - box * count;
  const y = height - 30;
  const label = /** @type {const} */ ({ size: 15, bold: true, fill: colour.value, anchor: "end" });
  pen.text(left - 10, y + 6, `z${sub(data.query + 1)} = Σ α·v`, label);
  const look = { width: box, height: 34, role: colour.value, size: 16 };
  drawBoxes(pen, scene, left, y, entries("z", count), look);
}

/**
 * Whether two favoured keys are all that is shown, with room between their rows.
 *
 * @param {FlowScene} scene @param {Places} at
 */
const isPair = ({ data }, { keys, tall }) => data.second >= 0 && keys.length === 2 && tall;

/**
 * A label between the rows of two keys.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {number} x
 * @param {string} label
 * @param {{ fill: string, anchor: Anchor }} look
 */
function drawBetween(pen, { keys }, x, label, look) {
  pen.text(x, (keys[0].y + keys[1].y) / 2 + 5, label, { key: "between", size: 15, ...look });
}

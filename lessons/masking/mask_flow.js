// What flows into the chosen word through the open cells of the mask.

import { textWidth } from "../../drawing/pen.js";
import { queryOf } from "./mask_scene.js";
import { seenNow } from "./painting.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./mask_places.js" */
/** @import { MaskScene } from "./mask_scene.js" */
/** @typedef {ReturnType<typeof flowOf>} Flow */
/** @typedef {(pen: Pen, scene: MaskScene, at: Places, flow: Flow, j: number) => void} DrawKey */

const HIGH = 26; // of a word’s box

/** @param {Pen} pen @param {MaskScene} scene @param {Places} at */
export function drawFlow(pen, scene, at) {
  const flow = flowOf(scene, at);
  if (!at.narrow) explain(pen, scene, at);
  scene.data.panels[1].keys.forEach((_, j) => {
    if (flow.open(j)) drawWeight(pen, scene, at, flow, j);
    else drawCut(pen, scene, at, flow, j);
    drawKey(pen, scene, at, flow, j);
  });
  drawOutput(pen, scene, at, flow);
}

/** @param {MaskScene} scene @param {Places} at */
function flowOf(scene, at) {
  const { data, colour } = scene;
  const { left, right } = at.flow;
  const query = queryOf(scene);
  const step = (right - left) / data.panels[1].keys.length;
  const x = (/** @type {number} */ j) => left + (j + 0.5) * step;
  const watched = (/** @type {number} */ j) => data.watched[query][j] > 0 && !data.compares;
  return {
    query,
    step,
    x,
    to: data.own ? x(query) : (left + right) / 2,
    open: (/** @type {number} */ j) => seenNow(scene, query, j) > 0.5,
    role: (/** @type {number} */ j) => (watched(j) ? colour.gradient : colour.activation),
  };
}

/**
 * On the left: which word’s output this is.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at
 */
function explain(pen, scene, at) {
  const { data, colour } = scene;
  const { left: end, top } = at.flow;
  const { left } = at.labels;
  const room = end - left - 4;
  const lines = data.own ? ["what flows into", "the output of"] : ["the decoder’s", "word reads"];
  lines.forEach((line, n) => pen.text(left, top + 12 + 17 * n, line, { size: 14, fill: colour.quiet, room }));
  const look = { size: 14, bold: true, fill: colour.query, room };
  pen.text(left, top + 46, `“${data.queries[queryOf(scene)]}”`, look);
}

/**
 * A weight as a line, as thick as it is large.
 *
 * @type {DrawKey}
 */
function drawWeight(pen, { values, hidden, memory }, at, { query, x, to, role }, j) {
  const { top, bottom } = at.flow;
  const name = /** @type {const} */ (`w${query + 1}.${j + 1}`);
  const weight = hidden(name) ? 0.1 : values(name);
  const stale = memory.touched?.has(query); // painted, and not recomputed yet
  const bend = (top + bottom) / 2;
  const d = `M${x(j)} ${bottom - HIGH}C${x(j)} ${bend} ${to} ${bend} ${to} ${top + HIGH}`;
  pen.path(d, {
    key: `edge${j}`,
    stroke: role(j),
    width: 1.5 + 16 * weight,
    "stroke-opacity": stale ? 0.15 : 0.35,
    "stroke-linecap": "round",
  });
  if (!stale && weight > 0.004) pen.beads(d, role(j), { key: `beads${j}` });
}

/**
 * A cut by the mask: a line that ends at once, and a cross.
 *
 * @type {DrawKey}
 */
function drawCut(pen, { colour }, at, { x }, j) {
  const foot = at.flow.bottom - HIGH;
  pen.line(x(j), foot, x(j), foot - 13, { key: `stub${j}`, stroke: colour.mask, width: 2, dash: "3 3" });
  pen.path(`M${x(j) - 4} ${foot - 20}l8 8m0 -8l-8 8`, { key: `cross${j}`, stroke: colour.mask, width: 2 });
}

/**
 * The word of a key.
 *
 * @type {DrawKey}
 */
function drawKey(pen, { data, colour }, at, { query, step, x, open, role }, j) {
  const key = data.panels[1].keys[j];
  const { bottom } = at.flow;
  const size = step < 50 ? 13 : 15;
  const half = Math.min(step / 2 - 3, Math.max(26, textWidth(key, size) / 2 + 10));
  const bold = j === query && data.own;
  const fill = open(j) ? colour.background : "url(#cut)";
  const frame = { r: 7, fill, stroke: open(j) ? role(j) : colour.mask, line: bold ? 2.5 : 1.5 };
  const look = { size, bold, fill: open(j) ? role(j) : colour.quiet, room: 2 * half - 8 };
  pen.group({ key: `word${j}` }, (its) => {
    its.rect(x(j) - half, bottom - HIGH, 2 * half, HIGH, frame);
    its.text(x(j), bottom - HIGH / 2 + 5, key, { anchor: "middle", ...look });
  });
}

/**
 * The word into which all lines flow.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {Flow} flow
 */
function drawOutput(pen, { data, colour }, at, { query, to }) {
  const { left, right, top } = at.flow;
  const word = data.queries[query];
  const half = Math.min(70, Math.max(34, textWidth(word, 15, true) / 2 + 12));
  const middle = Math.min(Math.max(to, left + half), right - half);
  const frame = { key: "out", r: 8, fill: colour.background, stroke: colour.query, line: 2.5 };
  pen.rect(middle - half, top, 2 * half, HIGH, frame);
  const look = { key: "asks", size: 15, bold: true, fill: colour.query, room: 2 * half - 10 };
  pen.text(middle, top + HIGH / 2 + 5, word, { anchor: "middle", ...look });
}

// Beside the trees: the best pairs now, and the number of tokens of the whole text after each number of merges.

import { line, scaleLinear } from "../../drawing/d3.js";
import { formatNumber } from "../../drawing/numbers.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Panel, TokensScene } from "./tokens_places.js" */
/** @import { Data } from "./tree_places.js" */
/** @typedef {ReturnType<typeof scalesOf>} Scales */

const LABELS = 118; // width of the pairs before their bars
const NUMBERS = 54; // width of the numbers after the bars

/**
 * The numbers by which the pairs are ranked: gains or counts.
 *
 * @param {Data} data
 */
const worthOf = (data) => (data.by === "gain" ? data.gains : data.counts);

/** @param {Data} data @param {number} i */
const worthText = (data, i) =>
  data.by === "gain" ? formatNumber(data.gains[i]) : `${data.counts[i].toLocaleString("en")}×`;

/**
 * @param {Pen} pen
 * @param {TokensScene} scene
 * @param {Panel} panel
 * @param {number} n merges that are done
 */
export function drawPairs(pen, { data, colour }, { left, right, top, low }, n) {
  const found = data.rivals[n];
  const leads = data.by === "gain" ? "largest gain" : "most frequent pair";
  const title = found.length ? `Merge ${n + 1}: the ${leads}` : "No pair is left to merge";
  pen.text(left, top + 14, title, { size: 15, bold: true, fill: colour.score, room: right - left });
  const row = low ? 25 : 30;
  const worth = worthOf(data);
  const start = left + LABELS;
  const along = scaleLinear([0, worth[n * data.most] || 1], [0, right - start - NUMBERS]);
  found.forEach(([first, second], i) => {
    const y = top + 34 + i * row;
    const look = { size: 14, bold: !i, fill: i ? colour.quiet : colour.ink };
    const pair = /** @type {const} */ ({ key: `pair${i}`, anchor: "end", room: LABELS - 10 });
    pen.text(start - 10, y + 5, `${first} ${second}`, { ...look, ...pair });
    const wide = Math.max(along(worth[n * data.most + i]), 2);
    const bar = { key: `bar${i}`, r: 3, fill: i ? colour.quiet : colour.score, "fill-opacity": i ? 0.5 : 1 };
    pen.rect(start, y - 9, wide, 18, bar);
    pen.text(start + wide + 7, y + 5, worthText(data, n * data.most + i), { key: `count${i}`, ...look });
  });
  if (found.length < 2 || worth[n * data.most] !== worth[n * data.most + 1]) return;
  const ties = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(right, top + 30 + found.length * row, "Ties: oldest pieces first", ties);
}

/**
 * On a phone: the best pair, in one line.
 *
 * @param {Pen} pen
 * @param {TokensScene} scene
 * @param {number} n merges that are done
 */
export function drawNextPair(pen, { data, colour, width, height }, n) {
  const [best] = data.rivals[n];
  const said = best ? `next: ${best[0]} ${best[1]}, ${worthText(data, n * data.most)}` : "no pair is left to merge";
  pen.text(width - 12, height - 8, said, { size: 14, bold: true, fill: colour.score, anchor: "end", room: width - 20 });
}

/**
 * The curve of the number of tokens of the whole text against the number of merges.
 *
 * @param {Pen} pen @param {TokensScene} scene @param {Panel} panel
 */
export function drawCurve(pen, scene, panel) {
  const { data, before, colour } = scene;
  const scales = scalesOf(scene, panel);
  const { head, x, y } = scales;
  pen.text(panel.left, head, "Tokens of the whole text", { size: 15, bold: true, fill: colour.input });
  drawTokenAxis(pen, scene, scales);
  drawMergeAxis(pen, scene, panel, scales);
  const d = line(
    (/** @type {number} */ _, i) => x(i),
    (/** @type {number} */ tokens) => y(tokens),
  )([...data.curve]);
  pen.path(d ?? "", { stroke: colour.input, width: 2.5 });
  const old = { key: "old", fill: colour.background, stroke: colour.quiet, line: 1.5, dash: "3 2" };
  if (before) pen.circle(x(before("tokens_n")), y(before("tokens")), 6, old);
  drawPoint(pen, scene, scales);
}

/** @param {TokensScene} scene @param {Panel} panel */
function scalesOf({ data }, { left, right, top, foot, low }) {
  const head = top + (low ? 182 : 218);
  const box = { left: left + 50, right: right - 6, top: head + 22, foot: foot - 20 };
  const last = data.curve.length - 1;
  const x = scaleLinear([0, Math.max(last, 1)], [box.left, box.right]).clamp(true);
  const y = scaleLinear([0, data.curve[0]], [box.foot, box.top]);
  return { head, box, last, x, y };
}

/** @param {Pen} pen @param {TokensScene} scene @param {Scales} scales */
function drawTokenAxis(pen, { data, colour }, { box, y }) {
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "Tokens of the whole text" }, (its) => {
    for (const tick of [0, data.total, data.curve[0]]) {
      const words = tick === data.total;
      if (words && Math.min(y(0) - y(tick), y(tick) - box.top) < 16) continue;
      its.line(box.left, y(tick), box.right, y(tick), { stroke: colour.line, width: 1, dash: words ? "4 4" : null });
      const look = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "end" });
      its.text(box.left - 6, y(tick) + 5, tick.toLocaleString("en"), look);
    }
  });
  if (y(0) - y(data.total) > 34) pen.text(box.left + 4, y(data.total) + 16, "words", { size: 13, fill: colour.quiet });
}

/** @param {Pen} pen @param {TokensScene} scene @param {Panel} panel @param {Scales} scales */
function drawMergeAxis(pen, { colour }, { foot }, { box, last }) {
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "merges" }, (its) => {
    its.text(box.left, foot - 3, "0", { size: 13, fill: colour.quiet, anchor: "middle" });
    its.text(box.right, foot - 3, `${last} merges`, { size: 13, fill: colour.quiet, anchor: "end" });
  });
}

/**
 * The current point on the curve, which can be dragged too.
 *
 * @param {Pen} pen @param {TokensScene} scene @param {Scales} scales
 */
function drawPoint(pen, { values, colour }, { box, last, x, y }) {
  const [px, py] = [x(values("tokens_n")), y(values("tokens"))];
  pen.circle(px, py, 8, {
    key: "point",
    fill: colour.weight,
    stroke: colour.background,
    "data-n": "tokens_n",
    "data-way": "x",
    "data-per": (box.right - box.left) / Math.max(last, 1),
    style: "cursor: ew-resize; touch-action: none",
  });
  const flip = px > (box.left + box.right) / 2;
  pen.text(px + (flip ? -4 : 10), Math.max(py - 12, box.top + 4), Math.round(values("tokens")).toLocaleString("en"), {
    size: 16,
    bold: true,
    fill: colour.input,
    anchor: flip ? "end" : "start",
    halo: true,
  });
}

// Recall at a distance by trained networks: the share recalled correctly, with a point for each network and a line for
// the mean. One panel for each way of training.

import { scaleLinear, scaleLog } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth, through } from "../../drawing/pen.js";
import { apart } from "./vanish_scales.js";

/** @import { Component, RecallLine, RecallPanel, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./vanish_scales.js" */
/** @typedef {Scene<"recall">} RecallScene */
/** @typedef {ReturnType<typeof scalesOf>} Scales */
/** @typedef {(pen: Pen, scene: RecallScene, panel: RecallPanel, box: Box, scales: Scales) => void} Draw */

/** @param {Component<Scripts["recall"]>} component */
export default function recall(component) {
  return mainPicture(component, (pen, /** @type {RecallScene} */ scene) => {
    scene.data.panels.forEach((panel, i) => {
      const box = boxOf(scene, i);
      const scales = scalesOf(panel, box);
      pen.group({ key: `panel${i}` }, (its) => {
        its.text(box.left, box.top - (scene.narrow ? 8 : 20), panel.title, {
          size: scene.narrow ? 13 : 16,
          bold: true,
        });
        drawAxes(its, scene, panel, box, scales);
        drawChance(its, scene, panel, box, scales);
        drawEdge(its, scene, panel, box, scales);
        drawLines(its, scene, panel, box, scales, i === 0);
      });
    });
  });
}

/**
 * Where a panel is drawn: two of them side by side, or on a phone one below the other.
 *
 * @param {RecallScene} scene @param {number} i @returns {Box}
 */
function boxOf({ width, height, narrow }, i) {
  const [from, to] = i ? [narrow ? 0.5 : 0.52, 1] : [0, narrow ? 0.5 : 0.52];
  return narrow
    ? { left: 44, right: width - 84, top: from * height + 24, foot: to * height - 36 }
    : { left: from * width + 62, right: to * width - 102, top: 48, foot: height - 54 };
}

/** @param {RecallPanel} panel @param {Box} box */
function scalesOf({ ticks }, { left, right, top, foot }) {
  const x = scaleLog([ticks[0], ticks[ticks.length - 1]], [left + 8, right - 8]);
  return { x, y: scaleLinear([0, 1], [foot, top + 6]) };
}

/** @type {Draw} */
function drawAxes(pen, { data, colour, narrow }, panel, { left, right, foot }, { x, y }) {
  const { quiet } = colour;
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "share recalled correctly" }, (axis) => {
    for (const share of [0, 0.5, 1]) {
      axis.line(left, y(share), right, y(share), { stroke: share ? colour.line : quiet, width: share ? 1 : 2 });
      axis.text(left - 8, y(share) + 5, `${100 * share}%`, { size: 14, fill: quiet, anchor: "end" });
    }
  });
  const titled = /** @type {const} */ ({
    x: (left + right) / 2,
    y: foot + (narrow ? 33 : 40),
    size: narrow ? 13 : 15,
    fill: quiet,
    anchor: "middle",
  });
  const label = (/** @type {number} */ tick) => `${tick}`;
  pen.axis("x", x, { at: foot + 18, ticks: written(panel.ticks, x), label, size: 14, title: data.xTitle, titled });
}

/**
 * The ticks with a label: from the last one down, as many as fit.
 *
 * @param {readonly number[]} ticks @param {(tick: number) => number} x
 */
function written(ticks, x) {
  let free = Infinity;
  return [...ticks].reverse().filter((tick) => {
    const half = textWidth(`${tick}`, 14) / 2 + 3;
    if (x(tick) + half > free) return false;
    free = x(tick) - half;
    return true;
  });
}

/**
 * The line of the share that guessing gives.
 *
 * @type {Draw}
 */
function drawChance(pen, { data, colour }, _, { left, right }, { y }) {
  const at = y(data.chance);
  pen.line(left, at, right, at, { key: "chance", stroke: colour.ink, width: 1.5, dash: "4 4" });
  pen.text(left + 6, at - 6, data.chanceSaid, { size: 14, halo: true });
}

/**
 * The line of the greatest distance in training, if the panel continues beyond it.
 *
 * @type {Draw}
 */
function drawEdge(pen, { colour }, { edge, edgeSaid }, { top, foot }, { x }) {
  if (!edge) return;
  pen.line(x(edge), top, x(edge), foot, { key: "edge", stroke: colour.quiet, width: 1.5, dash: "4 4" });
  pen.text(x(edge) - 6, foot - 8, edgeSaid, { size: 13, fill: colour.quiet, anchor: "end", halo: true });
}

/**
 * @param {Pen} pen
 * @param {RecallScene} scene
 * @param {RecallPanel} panel
 * @param {Box} box
 * @param {Scales} scales
 * @param {boolean} first whether the sentence speaks of this panel
 */
function drawLines(pen, scene, { lines }, { right, top, foot }, scales, first) {
  const { data, colour, narrow, hidden } = scene;
  const heights = lines.map(({ name, mean }) => scales.y(hidden(name) ? 0.5 : mean[mean.length - 1]));
  const ends = apart(heights, narrow ? 32 : 24, { top: top + 6, foot });
  lines.forEach((line, i) => {
    const { name, label, role, said } = line;
    const fill = colour[role];
    const asked = hidden(name);
    if (!asked) drawLine(pen, scene, line, scales);
    const size = narrow ? 13 : 15;
    pen.text(right + 10, ends[i] - (narrow ? 6 : 0), label, { key: `name-${label}`, size, bold: true, fill });
    const place = narrow ? right + 10 : right + 10 + textWidth(label, size, true) + 9;
    const look = { key: `number-${label}`, size: narrow ? 14 : 17, bold: true, fill };
    pen.markedText(place, ends[i] + (narrow ? 9 : 0), asked ? "?" : said, first && label === data.named, look);
  });
}

/**
 * The mean of a kind of cell at each distance, and each of its networks.
 *
 * @param {Pen} pen @param {RecallScene} scene @param {RecallLine} line @param {Scales} scales
 */
function drawLine(pen, { colour, narrow }, { label, role, dash, far, mean, seeds }, { x, y }) {
  const stroke = colour[role];
  const d = through(mean.map((share, i) => [x(far[i]), y(share)]));
  pen.path(d, { key: `line-${label}`, stroke, width: 4, dash });
  far.forEach((distance, i) =>
    seeds[i].forEach((share, seed) => {
      const key = `${label}-${distance}-${seed}`;
      pen.circle(x(distance), y(share), narrow ? 3 : 4.5, { key, fill: colour.background, stroke, line: 2 });
    }),
  );
}

// The gain of a gradient after 0, 1, 2 … steps back: curves on a logarithmic scale, between regions where gradients
// vanish and explode.

import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber, raised } from "../../drawing/numbers.js";
import { DIM, textWidth } from "../../drawing/pen.js";
import { apart, scalesOf } from "./vanish_scales.js";

/** @import { Component, GainCurve, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./vanish_scales.js" */
/** @typedef {Scene<"vanish">} VanishScene */
/** @typedef {ReturnType<typeof scalesOf>} Scales */
/** @typedef {(pen: Pen, scene: VanishScene, box: Box, scales: Scales) => void} Draw */

/** @param {Component<Scripts["vanish"]>} component */
export default function vanish(component) {
  return mainPicture(component, (pen, /** @type {VanishScene} */ scene) => {
    const { width, height, narrow, data } = scene;
    const box = narrow
      ? { left: 46, right: width - 92, top: 40, foot: height - 40 }
      : { left: 76, right: width - 212, top: 46, foot: height - 50 };
    const scales = scalesOf(data, box);
    drawRegions(pen, scene, box, scales);
    drawAxes(pen, scene, box, scales);
    drawReferences(pen, scene, box, scales);
    drawCurves(pen, scene, box, scales);
  });
}

/**
 * Where gradients vanish, and where they explode.
 *
 * @type {Draw}
 */
function drawRegions(pen, { data, colour }, { left, right }, { y }) {
  const fill = colour.gradient;
  for (const [from, to, said, drop] of /** @type {const} */ ([
    [data.high, 2, "explodes", 17],
    [-2, data.low, "vanishes", -8],
  ])) {
    const [top, foot] = [y(10 ** from), y(10 ** to)];
    pen.rect(left, top, right - left, foot - top, { fill, "fill-opacity": 0.08, r: 0 });
    pen.text(left + 10, drop > 0 ? top + drop + 2 : foot + drop, said, { size: 16, bold: true, fill });
  }
}

/** @type {Draw} */
function drawAxes(pen, { data, narrow, colour, width }, { left, right, foot }, { x, y }) {
  const { quiet } = colour;
  pen.group({ key: "axis y", "data-axis": "y", "data-title": data.yTitle }, (axis) => {
    for (let power = data.low; power <= data.high; power += 3) {
      const place = y(10 ** power);
      axis.line(left, place, right, place, { stroke: power ? colour.line : quiet, width: power ? 1 : 2 });
      axis.text(left - 8, place + 5, power ? `10${raised(power)}` : "1", { size: 14, fill: quiet, anchor: "end" });
    }
  });
  const ticks = [];
  for (let n = 0; n <= data.steps; n += narrow ? 25 : 10) ticks.push(n);
  pen.axis("x", x, {
    at: foot + 18,
    ticks,
    size: 14,
    title: data.xTitle,
    titled: {
      x: (left + right) / 2,
      y: foot + (narrow ? 34 : 40),
      size: narrow ? 13 : 15,
      fill: quiet,
      anchor: "middle",
    },
  });
  pen.text(narrow ? 8 : left, narrow ? 18 : 26, narrow ? data.yShort : data.yTitle, {
    size: narrow ? 13 : 15,
    bold: true,
    fill: colour.gradient,
  });
  if (!narrow) pen.text(width - 16, 26, data.note, { size: 14, fill: quiet, anchor: "end" });
}

/**
 * The powers of constant factors, to compare the curves with.
 *
 * @type {Draw}
 */
function drawReferences(pen, { data, colour }, _, { x, y }) {
  for (const [factor, steps] of data.references) {
    const [cx, cy] = [x(steps), y(factor ** steps)];
    pen.path(`M${cx - 5} ${cy - 5}l10 10m0 -10l-10 10`, { stroke: colour.ink, width: 1.8 });
    pen.text(cx - 10, cy - 8, `${formatNumber(factor)}${raised(steps)}`, { size: 14, anchor: "end", halo: true });
  }
}

/** @type {Draw} */
function drawCurves(pen, scene, box, scales) {
  const { data, values, narrow } = scene;
  const ends = data.curves.map(({ name }) => scales.y(values(`${name}${data.steps}`)));
  const places = apart(ends, narrow ? 34 : 24, { top: box.top + 6, foot: box.foot - 4 });
  data.curves.forEach((curve, i) => {
    pen.group({ key: curve.name, opacity: scene.dim(curve.part) ? DIM : null }, (its) => {
      drawCurve(its, scene, box, scales, curve, places[i]);
      drawGain(its, scene, box, curve, places[i]);
    });
  });
}

/**
 * A curve now and before the drag, and the line to its label.
 *
 * @param {Pen} pen
 * @param {VanishScene} scene
 * @param {Box} box
 * @param {Scales} scales
 * @param {GainCurve} curve
 * @param {number} place the height of its label
 */
function drawCurve(pen, { data, values, before, hidden, colour }, { right }, { x, y, along }, curve, place) {
  const { name, role, dash, thin } = curve;
  const last = /** @type {const} */ (`${name}${data.steps}`);
  if (hidden(last)) return;
  /** @param {VanishScene["values"]} numbers */
  const path = (numbers) => along(Array.from({ length: data.steps + 1 }, (_, n) => numbers(`${name}${n}`))) ?? "";
  if (before && Math.abs(before(last) - values(last)) > 1e-12) {
    pen.path(path(before), { key: "old", stroke: colour.ink, width: 1.5, dash: "6 4" });
  }
  const d = path(values);
  pen.path(d, { key: "curve", stroke: colour[role], width: thin ? 1.5 : 4, dash });
  if (!thin && !dash) pen.beads(d, colour.background, { width: 2.2 });
  const lead = { key: "lead", stroke: colour[role], width: 1 };
  pen.line(x(data.steps) + 3, y(values(last)), right + 18, place - 5, lead);
}

/**
 * The label of a curve, and the gain at its end.
 *
 * @param {Pen} pen @param {VanishScene} scene @param {Box} box @param {GainCurve} curve @param {number} place
 */
function drawGain(pen, { data, text, narrow, colour, moved }, { right }, { name, label, brief, role, thin }, place) {
  const last = /** @type {const} */ (`${name}${data.steps}`);
  const fill = colour[role];
  const said = narrow ? brief : label;
  const size = narrow ? 13 : 15;
  const named = !moved && last === data.named;
  pen.text(right + 22, place - (narrow ? 9 : 0), said, { size, bold: !thin, fill });
  const left = narrow ? right + 22 : right + 22 + textWidth(said, size, !thin) + 10;
  const look = { size: narrow ? 14 : 17, bold: true, fill };
  pen.markedText(left, place + (narrow ? 6 : 0), text(last), named, look);
}

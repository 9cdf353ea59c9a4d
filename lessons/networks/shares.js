// Softmax: an output unit for each class, a bar of e to the power of its score, and a column of height 1 that the bars
// share. A unit can be dragged up and down; the column is always the whole.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawColumn } from "./shares_column.js";
import { PLACES, ROLES } from "./shares_words.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"shares">} SharesScene */
/** @typedef {1 | 2 | 3} Place of a class */
/**
 * Where everything is.
 *
 * @typedef {object} SharesPlaces
 * @property {number[]} rows the middle of each class
 * @property {number} unit the middle of the units
 * @property {number} radius
 * @property {number} bar where the bars begin
 * @property {number} per units of the drawing for 1
 * @property {number} high of a bar
 * @property {{ left: number, wide: number, top: number, foot: number }} column
 */
/** @typedef {(pen: Pen, scene: SharesScene, at: SharesPlaces) => void} Draw */

/** @param {Component<Scripts["shares"]>} component */
export default function shares(component) {
  return mainPicture(component, (pen, /** @type {SharesScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "units", (its) => drawUnits(its, scene, at));
    pen.part(scene, "bars", (its) => drawBars(its, scene, at));
    pen.part(scene, "column", (its) => drawColumn(its, scene, at));
  });
}

/** @param {SharesScene} scene @returns {SharesPlaces} */
function placesOf({ width, height, narrow, data }) {
  const [top, foot] = narrow ? [34, height - 44] : [42, height - 38];
  const step = (foot - top) / 3;
  const rows = PLACES.map((k) => top + (k - 0.5) * step);
  const bar = narrow ? 74 : 250;
  const column = narrow
    ? { left: width - 122, wide: 60, top, foot }
    : { left: width - 280, wide: 128, top: 38, foot: height - 14 };
  const room = column.left - bar - (narrow ? 30 : 150);
  const radius = Math.min(narrow ? 24 : 46, step * 0.34);
  return {
    rows,
    unit: narrow ? 36 : 116,
    radius,
    bar,
    per: room / data.most,
    high: step * (narrow ? 0.34 : 0.5),
    column,
  };
}

/**
 * The output units with their scores; where the scores come from is cut off.
 *
 * @type {Draw}
 */
function drawUnits(pen, scene, { rows, unit, radius, bar }) {
  const { data, text, values, colour, narrow } = scene;
  const said = narrow ? "units" : "one output unit a class";
  pen.text(narrow ? 6 : 12, narrow ? 18 : 22, said, { size: narrow ? 13 : 18, bold: true, fill: colour.score });
  rows.forEach((y, i) => {
    const k = PLACES[i];
    for (const way of [-1.4, -0.5, 0.5, 1.4])
      pen.line(0, y + way * radius, unit - radius, y + way * radius * 0.3, {
        key: `in ${i} ${way}`,
        stroke: colour.weight,
        width: 2.5,
        "stroke-opacity": 0.3,
      });
    pen.line(unit + radius, y, bar - 8, y, { key: `to ${i}`, stroke: colour.score, width: 2.5 });
    const exp = { key: `exp ${i}`, size: 17, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
    if (!narrow) pen.text((unit + radius + bar - 8) / 2, y - 10, "exp", exp);
    const drag = { "data-n": `z${k}`, "data-per": 28, "data-way": "y", style: "cursor: ns-resize" };
    pen.group({ key: `unit ${i}`, class: "handle", ...drag }, (its) => {
      its.circle(unit, y, radius, { fill: colour.background, stroke: colour.score, line: 4 });
      for (const way of [-1, 1]) {
        const tip = y + way * (radius + (narrow ? 11 : 15));
        const look = { stroke: colour.score, width: 3.5, fill: "none" };
        its.path(`M${unit - 12} ${tip - way * 7}L${unit} ${tip}L${unit + 12} ${tip - way * 7}`, look);
      }
      const middle = { bold: true, anchor: /** @type {const} */ ("middle") };
      if (!narrow) its.text(unit, y - radius * 0.3, `z${"₁₂₃"[i]}`, { size: 18, fill: colour.score, ...middle });
      const size = narrow ? 17 : 26;
      its.text(unit, y + radius * (narrow ? 0.25 : 0.42), text(`z${k}`), { size, ...middle });
    });
    if (!data.marks || values(`o${k}`) === values(`z${k}`)) return;
    const was = { key: `was ${i}`, size: narrow ? 13 : 16, fill: colour.quiet };
    const [x, below] = narrow ? [6, y + radius + 30] : [unit + radius + 4, y + 30];
    pen.text(x, below, `was ${text(`o${k}`)}`, was);
  });
}

/**
 * e to the power of each score, on one scale; it stays while a score moves.
 *
 * @type {Draw}
 */
function drawBars(pen, { data, text, values, colour, narrow, height }, { rows, bar, per, high }) {
  const said = narrow ? "exp(z)" : "e to the power z: never below 0";
  pen.text(bar, narrow ? 18 : 22, said, { size: narrow ? 13 : 18, bold: true, fill: colour.quiet });
  rows.forEach((y, i) => {
    const k = PLACES[i];
    const long = values(`e${k}`) * per;
    pen.rect(bar, y - high / 2, long, high, { key: `bar ${i}`, r: 5, fill: colour[ROLES[i]] });
    const was = Math.exp(values(`o${k}`)) * per;
    if (data.marks && Math.abs(was - long) > 1)
      pen.rect(bar, y - high / 2, was, high, { key: `old ${i}`, r: 5, stroke: colour.ink, line: 2, dash: "6 5" });
    const size = narrow ? 15 : 24;
    const number = { key: `e ${i}`, size, bold: true, fill: colour[ROLES[i]], halo: true };
    const end = Math.max(long, data.marks ? was : 0);
    pen.text(narrow ? bar : bar + end + 8, y + (narrow ? high / 2 + 16 : 8), text(`e${k}`), number);
  });
  const line = height - (narrow ? 14 : 12);
  const sum = `together ${text("total")}`;
  pen.text(bar + (narrow ? 0 : 110), line, sum, { key: "total", size: narrow ? 15 : 20, bold: true });
  if (narrow) return;
  pen.path(`M${bar} ${line - 12}v10m0 -5h${per}m0 -5v10`, { key: "one", stroke: colour.quiet, width: 2 });
  pen.text(bar + per + 8, line, "1 = e⁰", { key: "unit", size: 15, fill: colour.quiet });
}

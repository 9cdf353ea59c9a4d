// One number of each row: a line with a mark at its end, and a bar from the reference to the chosen row.

import { textWidth } from "../../drawing/pen.js";
import { markPath } from "../../drawing/labels.js";
import { axisScale, legendRows, rowPlaces } from "./results_places.js";
import { between, drawAxes, drawFamily, pressable, tintOf } from "./results_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { AxisScale, LegendEntry, RowPlaces } from "./results_places.js" */
/** @import { DrawForm, Moment, ResultsScene } from "./results_scene.js" */

/** @typedef {{ at: RowPlaces, across: AxisScale, place: (i: number) => number, names: string[] }} Bars */
/** @typedef {(pen: Pen, scene: ResultsScene, now: Moment, bars: Bars) => void} DrawPart */

/** @type {DrawForm} */
export function drawBars(pen, scene, now) {
  const { data, narrow, width } = scene;
  const legend = legendRows(data.familyNames, width - (narrow ? 16 : 32), narrow ? 13 : 15, 20);
  const bars = barsOf(scene, legend);
  drawAxes(pen, scene, bars.at, bars.across);
  legend.forEach((entry, k) => drawFamily(pen, bars.at, entry, k, data.familyNames[k], { row: 24 }));
  pen.part(scene, "points", (its) => drawRows(its, scene, now, bars));
  if (now.chosen === now.reference) return;
  pen.part(scene, "arrow", (its) => drawRatio(its, scene, now, bars));
}

/** @param {ResultsScene} scene @param {LegendEntry[]} legend @returns {Bars} */
function barsOf(scene, legend) {
  const { data, narrow } = scene;
  const names = data.order.map((i) => (narrow ? data.shorts : data.labels)[i]);
  const widths = data.order.map((i) => textWidth(data.printed[i], narrow ? 14 : 17, true));
  const at = rowPlaces(scene, names, {
    legend: legend.length ? 1 + Math.max(...legend.map((entry) => entry.row)) : 0,
    behind: Math.max(...widths) + 34,
  });
  const { left, wide } = at.frame;
  const across = axisScale(
    data.order.map((i) => data.xs[i]),
    { log: data.xLog, from: left, to: left + wide, count: narrow ? 4 : 7, room: data.xLog ? 0.06 : 0.15 },
  );
  return { at, across, names, place: (i) => across.place(data.xs[i]) };
}

/** @type {DrawPart} */
function drawRows(pen, scene, now, bars) {
  const { data, width } = scene;
  const { at } = bars;
  const rows = data.order.map((_, k) => at.y(k));
  const band = { key: "band", r: 6, fill: pen.colour.ink, "fill-opacity": 0.07 };
  pen.rect(2, between(rows, now.exact) - at.pitch / 2 + 2, width - 4, at.pitch - 4, band);
  data.order.forEach((i, k) =>
    pressable(pen, scene, now, i, (its) => drawRow(its, scene, now, bars, k), { key: `row ${i}` }),
  );
}

/**
 * @param {Pen} pen
 * @param {ResultsScene} scene
 * @param {Moment} now
 * @param {Bars} bars
 * @param {number} k its position
 */
function drawRow(pen, { colour, data, width }, now, { at, place, names }, k) {
  const i = data.order[k];
  const group = data.families[i];
  const tint = tintOf(colour, group);
  const [x, y] = [place(i), at.y(k)];
  const { left } = at.frame;
  const [chosen, reference] = [i === now.chosen, i === now.reference];
  pen.rect(2, y - at.pitch / 2, width - 4, at.pitch, { fill: "transparent" });
  const named = { size: at.size, bold: chosen || reference, room: at.before - 4, fill: tint };
  pen.text(left - 12, y + 6, names[k], { ...named, anchor: "end" });
  pen.line(left, y, x, y, { stroke: tint, width: chosen ? 7 : 4, "stroke-opacity": chosen ? 1 : 0.55 });
  pen.path(markPath(group, x, y, at.small ? 7 : 9), { fill: tint, stroke: colour.background, width: 1.5 });
  if (reference) pen.circle(x, y, at.small ? 12 : 15, { stroke: colour.ink, line: 2, dash: "4 4" });
  const look = { size: at.size, bold: chosen, halo: !chosen };
  pen.markedText(x + (at.small ? 14 : 20), y + 6, data.printed[i], chosen, look);
}

/**
 * The ratio of the chosen number to the reference, as a bar between the two.
 *
 * @type {DrawPart}
 */
function drawRatio(pen, { colour, data, text }, now, { at, place }) {
  const { left, wide } = at.frame;
  const [x0, x1] = [place(now.reference), place(now.chosen)];
  const [y0, y1] = [at.y(data.order.indexOf(now.reference)), at.y(data.order.indexOf(now.chosen))];
  pen.line(x0, y0, x0, y1, { stroke: colour.ink, width: 2, dash: "4 4" });
  pen.line(x0, y1, x1, y1, { key: "ratio", stroke: colour.gradient, width: 7 });
  const label = `× ${text("ratio")}`;
  const size = at.size + 2;
  const half = textWidth(label, size, true) / 2;
  const middle = Math.min(Math.max((x0 + x1) / 2, left + half), left + wide - half);
  pen.text(middle, y1 - (at.small ? 9 : 11), label, {
    size,
    bold: true,
    anchor: "middle",
    fill: colour.gradient,
    halo: true,
    "pointer-events": "none",
  });
}

// Two numbers of each row: points on two axes, the frontier of the points that no other one beats on both axes, and the
// arrow from the reference to the chosen point.

import { labelRoom, markPath } from "../../drawing/labels.js";
import { axisScale, legendRows, scatterPlaces, staircase } from "./results_places.js";
import { between, drawAxes, drawFamily, pressable, tintOf } from "./results_scene.js";
import { drawLabels } from "./scatter_labels.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Taken } from "../../drawing/labels.js" */
/** @import { AxisScale, LegendEntry, ScatterPlaces } from "./results_places.js" */
/** @import { DrawForm, Moment, ResultsScene } from "./results_scene.js" */

/** @typedef {readonly [x: number, y: number]} Point */
/**
 * What all parts draw from.
 *
 * @typedef {object} Plot
 * @property {ScatterPlaces} at
 * @property {AxisScale} across
 * @property {AxisScale} up
 * @property {(i: number) => Point} spot
 * @property {readonly number[]} stairs the indices of the points on the frontier; empty while a question hides it
 * @property {number} radius of a mark
 */
/** @typedef {(pen: Pen, scene: ResultsScene, now: Moment, plot: Plot) => void} DrawPart */

/** @type {DrawForm} */
export function drawScatter(pen, scene, now) {
  const { data, narrow, width, hidden } = scene;
  const stairs = hidden("frontier") ? [] : data.frontier;
  const stairsName = narrow ? "frontier" : "frontier: no other is as good in both";
  const entries = [...data.familyNames, ...(stairs.length ? [stairsName] : [])];
  const legend = legendRows(entries, width - (narrow ? 16 : 32), narrow ? 13 : 15, 20);
  const at = scatterPlaces(scene, entries.length ? Math.max(...legend.map((entry) => entry.row)) + 1 : 0);
  const plot = plotOf(scene, at, stairs);
  drawAxes(pen, scene, at, plot.across, plot.up);
  drawTitle(pen, scene, at);
  pen.part(scene, "frontier", (its) => drawFrontier(its, scene, plot));
  drawLegend(pen, at, legend, entries, data.familyNames.length);
  const room = labelRoom(at.frame);
  for (const i of data.order) {
    const [x, y] = plot.spot(i);
    room.take([x - plot.radius, y - plot.radius, x + plot.radius, y + plot.radius]);
  }
  if (!narrow) for (const box of [...frontierBoxes(plot), ...arrowBoxes(plot, now)]) room.take(box);
  pen.part(scene, "arrow", (its) => drawArrow(its, scene, now, plot));
  pen.part(scene, "points", (its) => drawPoints(its, scene, now, plot));
  drawLabels(pen, scene, now, plot, room);
}

/** @param {ResultsScene} scene @param {ScatterPlaces} at @param {readonly number[]} stairs @returns {Plot} */
function plotOf({ data, narrow }, at, stairs) {
  const { left, top, wide, high } = at.frame;
  const across = axisScale(
    data.order.map((i) => data.xs[i]),
    { log: data.xLog, from: left, to: left + wide, count: narrow ? 4 : 8, room: 0.1 },
  );
  const up = axisScale(
    data.order.map((i) => data.ys[i]),
    { log: data.yLog, from: top + high, to: top, count: narrow ? 5 : 7, room: 0.1 },
  );
  const spot = (/** @type {number} */ i) => /** @type {const} */ ([across.place(data.xs[i]), up.place(data.ys[i])]);
  return { at, across, up, spot, stairs, radius: narrow ? 5 : 8 };
}

/**
 * The title of the vertical axis, above the legend.
 *
 * @param {Pen} pen @param {ResultsScene} scene @param {ScatterPlaces} at
 */
function drawTitle(pen, { data, narrow }, { legend }) {
  const title = `${data.yLabel}${data.yLog ? ", log scale" : ""} ${data.yBetter === "high" ? "↑" : "↓"} better`;
  pen.text(legend.left, narrow ? 16 : 22, title, { size: narrow ? 13 : 16, bold: true, room: legend.wide });
}

/**
 * The families, and after them the frontier.
 *
 * @param {Pen} pen
 * @param {ScatterPlaces} at
 * @param {LegendEntry[]} legend
 * @param {readonly string[]} names
 * @param {number} families
 */
function drawLegend(pen, at, legend, names, families) {
  const { ink } = pen.colour;
  legend.forEach((entry, k) => {
    const room = at.legend.wide - entry.x - 20;
    if (k < families) return drawFamily(pen, at, entry, k, names[k], { row: 22, room });
    const [x, y] = [at.legend.left + entry.x, at.legend.top + 22 * entry.row];
    pen.line(x, y - 5, x + 14, y - 5, { key: `legend ${k}`, stroke: ink, width: 3 });
    const look = { key: `legend text ${k}`, size: at.small ? 13 : 15, bold: true, fill: ink, room };
    pen.text(x + 20, y, names[k], look);
  });
}

/**
 * The frontier as a staircase, and the area that it beats.
 *
 * @param {Pen} pen @param {ResultsScene} scene @param {Plot} plot
 */
function drawFrontier(pen, { colour, data }, { at, spot, stairs }) {
  if (!stairs.length) return;
  const { left, top, wide, high } = at.frame;
  const bottom = data.yBetter === "high" ? top + high : top;
  const end = data.xBetter === "low" ? left + wide : left;
  const line = `${staircase(stairs.map(spot), bottom)}H${end}`;
  pen.path(`${line}V${bottom}z`, { key: "beaten", stroke: "none", fill: colour.ink, "fill-opacity": 0.05 });
  const look = { stroke: colour.ink, width: 2.5, "stroke-opacity": 0.55, "stroke-linejoin": "round" };
  pen.path(line, { key: "stairs", ...look });
}

/**
 * The boxes that the lines of the frontier cover, which labels avoid.
 *
 * @param {Plot} plot @returns {Taken[]}
 */
function frontierBoxes({ at, spot, stairs }) {
  if (!stairs.length) return [];
  const { left, top, wide, high } = at.frame;
  const corners = stairs.map(spot);
  const runs = corners.map(([x, y], i) => {
    const next = corners[i + 1]?.[0] ?? left + wide;
    return /** @type {Taken} */ ([Math.min(x, next), y - 3, Math.max(x, next), y + 3]);
  });
  const rises = corners.slice(1).map(([x, y], i) => {
    const before = corners[i][1];
    return /** @type {Taken} */ ([x - 3, Math.min(y, before), x + 3, Math.max(y, before)]);
  });
  const [x, y] = corners[0];
  return [...runs, ...rises, [x - 3, y, x + 3, top + high]];
}

/**
 * The boxes that both legs of the arrow cover, which labels avoid.
 *
 * @param {Plot} plot @param {Moment} now @returns {Taken[]}
 */
function arrowBoxes({ spot }, now) {
  const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
  return [
    [Math.min(x0, x1), y0 - 3, Math.max(x0, x1), y0 + 3],
    [x1 - 3, Math.min(y0, y1), x1 + 3, Math.max(y0, y1)],
  ];
}

const FAR = 26; // half the length below which the vertical leg of the arrow has no head

/**
 * The arrow from the reference to the chosen point: first the horizontal leg, then the vertical one.
 *
 * @type {DrawPart}
 */
function drawArrow(pen, { colour }, now, { spot }) {
  const [[x0, y0], [x1, y1]] = [spot(now.reference), spot(now.chosen)];
  if (now.reference === now.chosen) return;
  pen.line(x0, y0, x1, y0, { key: "over", stroke: colour.gradient, width: 3, dash: "7 5" });
  pen.line(x1, y0, x1, y1, { key: "up", stroke: colour.activation, width: 3, dash: "7 5" });
  const short = Math.abs(y1 - y0) < 2 * FAR;
  if (!short) pen.head(x1, y1 + (y1 < y0 ? 1 : -1) * 16, y1 < y0 ? -90 : 90, colour.activation, 11);
}

/** @type {DrawPart} */
function drawPoints(pen, scene, now, { spot, radius }) {
  const { colour, data } = scene;
  for (const i of data.order) {
    const [x, y] = spot(i);
    const group = data.families[i];
    const look = { fill: tintOf(colour, group), stroke: colour.background, width: 1.5 };
    const draw = (/** @type {Pen} */ mark) => {
      mark.circle(x, y, radius + 8, { fill: "transparent" });
      mark.path(markPath(group, x, y, radius), look);
    };
    pressable(pen, scene, now, i, draw, { key: `point ${i}` });
  }
  const places = data.order.map(spot);
  const ring = { key: "ring", stroke: colour.ink, line: 3 };
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  pen.circle(between(xs, now.exact), between(ys, now.exact), radius + 6, ring);
  const [x, y] = spot(now.reference);
  pen.circle(x, y, radius + 6, { key: "reference", stroke: colour.ink, line: 2, dash: "4 4" });
}

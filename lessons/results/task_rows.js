// The scores of each task: a row per task with a dot per system, and a bar from the reference's score to the score of
// the chosen system.

import { textWidth } from "../../drawing/pen.js";
import { markPath } from "../../drawing/labels.js";
import { axisScale, legendRows, rowPlaces } from "./results_places.js";
import { between, drawAxes, pressable, tintOf } from "./results_scene.js";

/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { LegendEntry, RowPlaces } from "./results_places.js" */
/** @import { DrawForm, Moment, ResultsScene } from "./results_scene.js" */

/** @typedef {{ at: RowPlaces, scale: (score: number) => number }} Rows */
/** @typedef {{ k: number, task: number, y: number, to: number, from: number, score: (i: number) => number }} Row */

/** @type {DrawForm} */
export function drawTasks(pen, scene, now) {
  const { colour, data, narrow, width } = scene;
  const labels = narrow ? data.shorts : data.labels;
  const legend = legendRows(labels, width - (narrow ? 16 : 32), narrow ? 13 : 15, 24);
  const lines = Math.max(...legend.map((entry) => entry.row)) + 1;
  const behind = narrow ? 58 : 92;
  const at = rowPlaces(scene, data.tasks, { legend: lines + 0.4, behind, below: data.below });
  const { left, wide } = at.frame;
  const how = { log: false, from: left + 8, to: left + wide - 8, count: narrow ? 4 : 8, room: 0.04 };
  const across = axisScale(Array.from(data.xs), how);
  drawAxes(pen, scene, at, across);
  pen.part(scene, "systems", (its) => legend.forEach((entry, i) => drawSystem(its, scene, now, at, entry, i)));
  pen.part(scene, "points", (its) => {
    const rows = data.order.map((_, k) => at.y(k));
    const band = { key: "band", r: 6, fill: colour.ink, "fill-opacity": 0.07 };
    its.rect(2, between(rows, now.exact) - at.pitch / 2 + 1, width - 4, at.pitch - 2, band);
    rows.forEach((_, k) => drawTask(its, scene, now, { at, scale: across.place }, k));
  });
}

/**
 * A system in the legend; a press chooses it.
 *
 * @param {Pen} pen
 * @param {ResultsScene} scene
 * @param {Moment} now
 * @param {RowPlaces} at
 * @param {LegendEntry} entry
 * @param {number} i
 */
function drawSystem(pen, scene, now, at, entry, i) {
  const { colour, data, narrow } = scene;
  const [x, y] = [at.legend.left + entry.x, at.legend.top + 24 * entry.row];
  const [chosen, reference] = [i === now.chosen, i === now.reference];
  const fill = tintOf(colour, i);
  const draw = (/** @type {Pen} */ its) => {
    if (chosen || reference)
      its.rect(x - 6, y - 17, entry.wide - 8, 23, {
        r: 6,
        stroke: colour.ink,
        line: chosen ? 2.5 : 1.5,
        dash: reference && !chosen ? "4 4" : null,
        fill: colour.background,
      });
    its.path(markPath(i, x + 9, y - 5, 6), { fill, stroke: "none" });
    its.text(x + 22, y, (narrow ? data.shorts : data.labels)[i], { size: narrow ? 13 : 15, bold: true, fill });
  };
  pressable(pen, scene, now, i, draw, { key: `system ${i}` });
}

/**
 * The row of a task; a press chooses it.
 *
 * @param {Pen} pen
 * @param {ResultsScene} scene
 * @param {Moment} now
 * @param {Rows} rows
 * @param {number} k its position
 */
function drawTask(pen, scene, now, { at, scale }, k) {
  const { colour, data, width, move, hidden } = scene;
  const task = data.order[k];
  const count = data.labels.length;
  const score = (/** @type {number} */ i) => scale(data.xs[task * count + i]);
  const row = { k, task, y: at.y(k), to: score(now.chosen), from: score(now.reference), score };
  const { y, to, from } = row;
  const { left, wide } = at.frame;
  const bold = k === now.position;
  const gain = to >= from === (data.xBetter === "high");
  const tint = gain ? colour.activation : colour.gradient;
  pen.button(
    `Task ${data.tasks[task]}`,
    () => move("place", k + 1, true),
    (its) => {
      its.rect(2, y - at.pitch / 2, width - 4, at.pitch, { fill: "transparent" });
      nameTask(its, scene, now, at, row);
      its.line(left, y, left + wide, y, { stroke: colour.line, width: 1 });
      const bar = { stroke: tint, width: bold ? 7 : 4, "stroke-opacity": bold ? 1 : 0.6 };
      if (to !== from) its.line(from, y, to, y, bar);
      const number = hidden("gap") ? "?" : data.gaps[task];
      its.text(width - 10, y + 6, number, { size: at.size, bold, anchor: "end", fill: tint });
      drawDots(its, scene, now, row);
      if (bold) drawScores(its, scene, now, at, row);
    },
    { key: `task ${k}`, chosen: bold },
  );
}

/**
 * The name of the task, with a note below it if there is room.
 *
 * @param {Pen} pen @param {ResultsScene} scene @param {Moment} now @param {RowPlaces} at @param {Row} row
 */
function nameTask(pen, { colour, data, narrow }, now, at, { k, task, y }) {
  const below = at.pitch >= 34 && !narrow ? data.below[task] : "";
  const x = at.frame.left - 14;
  const look = /** @type {const} */ ({ anchor: "end", room: at.before });
  pen.text(x, y + (below ? -1 : 5), data.tasks[task], { size: at.size, bold: k === now.position, ...look });
  if (below) pen.text(x, y + 15, below, { size: 13, fill: colour.quiet, ...look });
}

/**
 * The scores of all systems.
 *
 * @param {Pen} pen @param {ResultsScene} scene @param {Moment} now @param {Row} row
 */
function drawDots(pen, { colour, data, narrow }, now, { y, score }) {
  data.labels.forEach((_, i) => {
    const chosen = i === now.chosen;
    const main = chosen || i === now.reference;
    const r = (chosen ? 8 : main ? 7 : 5) * (narrow ? 0.75 : 1);
    pen.path(markPath(i, score(i), y, r), {
      key: `dot ${i}`,
      fill: tintOf(colour, i),
      stroke: chosen ? colour.ink : colour.background,
      width: chosen ? 2 : 1,
      "fill-opacity": main ? 1 : 0.7,
    });
  });
}

/**
 * The two scores of the task, each on the outer side of its dot, or above the dot if it does not fit.
 *
 * @param {Pen} pen @param {ResultsScene} scene @param {Moment} now @param {RowPlaces} at @param {Row} row
 */
function drawScores(pen, { colour, data }, now, at, { task, y, to, from }) {
  const { left, wide } = at.frame;
  const size = at.small ? 14 : 17;
  const away = at.small ? 12 : 17;
  /** @type {(i: number, x: number, right: boolean, key: string) => void} */
  const put = (i, x, right, key) => {
    const shown = data.printed[task * data.labels.length + i];
    const long = textWidth(shown, size, true) + away;
    const fits = right ? x + long < left + wide + 16 : x - long > left - 10;
    const anchor = /** @type {Anchor} */ (right === fits ? "start" : "end");
    const how = { key, size, bold: true, anchor };
    const side = fits ? (right ? away : -away) : right ? 10 : -10;
    if (i === now.chosen) pen.markedText(x + side, fits ? y + 6 : y - 12, shown, true, how);
    else pen.text(x + side, fits ? y + 6 : y - 12, shown, { ...how, fill: colour.ink, halo: true });
  };
  put(now.chosen, to, to >= from, "score");
  if (now.chosen !== now.reference) put(now.reference, from, to < from, "other score");
}

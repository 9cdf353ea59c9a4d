// The accuracy by the number of labels: a curve for each way to use the network, and a needle at the number now.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { drag } from "../../drawing/hand.js";
import { spread } from "../../drawing/labels.js";
import { drawNeedle, readings } from "./label_needle.js";
import { drawWay, waysOf } from "./label_ways.js";
import { whole } from "./network_parts.js";
import { curvesBox } from "./transfer_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Way } from "./label_ways.js" */
/** @import { TransferScene } from "./network_parts.js" */
/** @import { Places } from "./transfer_places.js" */
/** @typedef {ReturnType<typeof curvesBox>} Scales */
/** @typedef {(pen: Pen, scene: TransferScene, at: Places, scale: Scales) => void} Draw */

const GRID = [0, 0.25, 0.5, 0.75, 1];

/** @param {Pen} pen @param {TransferScene} scene @param {Places} at */
export function drawCurves(pen, scene, at) {
  const { data, hidden } = scene;
  const { left, top, wide } = at.curves;
  const scale = curvesBox(data, at.curves);
  drawAxes(pen, scene, at, scale);
  const title = `“${data.task}”: share of right answers`;
  pen.text(left, top - 8, title, { size: at.narrow ? 13 : 15, bold: true, room: wide + at.names });
  drawBest(pen, scene, at, scale);
  drawMostFrequent(pen, scene, at, scale);
  const shown = waysOf(scene).filter(({ number }) => !hidden(number));
  for (const way of shown) drawWay(pen, way, data.counts, scale);
  if (at.narrow) drawKey(pen, at, shown);
  else drawNames(pen, at, scale, shown);
  drawNeedle(pen, scene, at, scale);
  drawGrip(pen, scene, at, scale);
}

/** @type {Draw} */
function drawAxes(pen, { colour, data, values }, at, scale) {
  const { left, top, wide, high } = at.curves;
  const ticks = GRID.filter((share) => share >= scale.low);
  const lines = /** @type {const} */ ([left, left + wide]);
  pen.axis("y", scale.y, { at: left - 8, ticks, size: 14, lines, title: "share of right answers" });
  const now = Math.round(values("labels"));
  const title = `labels to learn from; ${data.budget}`;
  pen.group({ key: "axis x", "data-axis": "x", "data-title": title }, (axis) => {
    data.counts.forEach((count) => {
      const name = at.narrow && count >= 1000 ? `${count / 1000}k` : whole(count);
      const look = { bold: count === now, fill: count === now ? colour.ink : colour.quiet };
      axis.text(scale.x(count), top + high + 20, name, { key: `count ${count}`, size: 14, anchor: "middle", ...look });
    });
  });
  if (at.narrow) return;
  const look = /** @type {const} */ ({ size: 14, anchor: "middle", fill: colour.quiet, room: wide + at.names });
  pen.text(left + wide / 2, top + high + 40, title, look);
}

/**
 * Whether the needle is far enough to the left that names at the right end do not cover its numbers.
 *
 * @param {TransferScene} scene @param {Places} at @param {Scales} scale
 */
const needleLeft = ({ values }, { curves }, scale) => scale.x(values("labels")) < curves.left + 0.45 * curves.wide;

/**
 * The best possible score, from the grammar, with its band on these test texts.
 *
 * @type {Draw}
 */
function drawBest(pen, scene, at, scale) {
  const { colour, data, hidden } = scene;
  if (hidden("best")) return;
  const { left, wide } = at.curves;
  const [y, low, high] = [data.best, data.best_low, data.best_high].map(scale.y);
  const band = { key: "best band", fill: colour.ink, opacity: 0.1 };
  if (data.best_high > data.best_low) pen.rect(left, high, wide, low - high, band);
  pen.line(left, y, left + wide, y, { key: "best", stroke: colour.ink, width: 2, dash: "2 3" });
  const atEnd = at.narrow && needleLeft(scene, at, scale);
  const [x, anchor] = atEnd
    ? [left + wide - 6, /** @type {const} */ ("end")]
    : [left + 6, /** @type {const} */ ("start")];
  const look = { key: "best name", size: 13, fill: colour.ink, halo: true, anchor };
  pen.text(x, y + (at.narrow ? 16 : -6), `${data.best_name} ${formatNumber(data.best)}`, look);
}

/**
 * The accuracy of always giving the most frequent answer.
 *
 * @type {Draw}
 */
function drawMostFrequent(pen, scene, at, scale) {
  const { colour, data, hidden } = scene;
  const { left, wide, top, high } = at.curves;
  const line = scale.y(data.chance);
  pen.line(left, line, left + wide, line, { key: "chance", stroke: colour.mask, width: 1.5, dash: "8 5" });
  const name = at.narrow ? "most frequent answer" : `most frequent answer ${formatNumber(data.chance)}`;
  // The name is below its line, or above if that is under the axis or, on a phone, covers a number or the other name.
  const taken = at.narrow
    ? [...readings(scene, scale).map(({ foot }) => foot), hidden("best") ? 0 : scale.y(data.best) + 16]
    : [];
  /** @param {number} y */
  const free = (y) => y < top + high - 3 && taken.every((foot) => Math.abs(foot - y) > 19);
  const y = [16, -6, 36, -26].map((by) => line + by).find(free) ?? line + 16;
  const atEnd = needleLeft(scene, at, scale);
  pen.text(atEnd ? left + wide - 6 : left + 6, y, name, {
    key: "chance name",
    size: 13,
    fill: colour.quiet,
    anchor: atEnd ? "end" : "start",
    halo: true,
  });
}

/**
 * On a phone: the names of the curves in a row below.
 *
 * @param {Pen} pen @param {Places} at @param {readonly Way[]} shown
 */
function drawKey(pen, { curves: { left, top, high } }, shown) {
  let x = left - 34;
  const y = top + high + 38;
  for (const { name, tint, dash, chosen } of shown) {
    const short = name.replace("from ", "");
    pen.line(x, y, x + 14, y, { key: `key ${name}`, stroke: tint, width: 3, dash });
    pen.text(x + 18, y + 4, short, { key: `name ${name}`, size: 13, bold: chosen, fill: tint });
    x += 18 + textWidth(short, 13, chosen) + 8;
  }
}

/**
 * Each curve's name at its right end.
 *
 * @param {Pen} pen @param {Places} at @param {Scales} scale @param {readonly Way[]} shown
 */
function drawNames(pen, { curves: { left, wide } }, scale, shown) {
  const known = shown.flatMap((way) => {
    const last = Array.from(way.mean).findLast(Number.isFinite);
    return last === undefined ? [] : [{ ...way, end: scale.y(last) }];
  });
  const ends = spread(
    known.map(({ end }) => end),
    19,
  );
  known.forEach(({ name, tint, chosen }, i) =>
    pen.text(left + wide + 10, ends[i] + 5, name, {
      key: `name ${name}`,
      size: chosen ? 17 : 15,
      bold: true,
      fill: tint,
    }),
  );
}

/**
 * The handle that changes the number of labels; it stops at the recorded numbers.
 *
 * @type {Draw}
 */
function drawGrip(pen, { data, move, values }, at, scale) {
  const { left, top, wide, high } = at.curves;
  const node = pen.rect(left - 10, top - 4, wide + 20, high + 30, {
    key: "grab",
    fill: "transparent",
    style: "cursor:ew-resize;touch-action:pan-y",
  });
  const { mean } = data.depths[Math.round(values("frozen"))];
  const way = Array.from(mean).some(Number.isFinite) ? mean : data.depths[0].mean;
  const known = Array.from(data.counts).filter(
    (_, i) => Number.isFinite(way[i]) && Number.isFinite(data.scratch.mean[i]),
  );
  /** @param {number} x */
  const nearest = (x) =>
    known.reduce((best, count) => (Math.abs(scale.x(count) - x) < Math.abs(scale.x(best) - x) ? count : best));
  drag(node, {
    down: (x) => ({ at: nearest(x) }),
    start: (began) => move("labels", began.at, false),
    move: (began, x) => move("labels", (began.at = nearest(x)), false),
    up: (began) => move("labels", began.at, true),
  });
}

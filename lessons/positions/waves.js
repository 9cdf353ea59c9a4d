// The waves over the positions: a row for each pair of dimensions, its sine and its cosine.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth, through } from "../../drawing/pen.js";
import { middle, swingOf, whole } from "./position_sides.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { At, Draw, OrderScene } from "./position_sides.js" */

const FINE = 4; // points of a wave between two positions

/** @type {Draw} */
export function drawWaves(pen, scene, at) {
  const { data, colour, values, send } = scene;
  const { left, right, top, foot } = at.waves;
  const { narrow, label } = at;
  pen.rect(left, top, right - left, foot - top, { r: 10, fill: colour.input, "fill-opacity": 0.05 });
  if (!narrow) drawLegend(pen, scene, at);
  for (let row = 0; row < at.rows; row++) {
    const pair = whole(scene, `i${row}`);
    const chosen = pair === whole(scene, "pair");
    const said = `Pair ${pair}, period ${formatNumber(values(`period${row}`))} positions`;
    /** @param {Pen} its */
    const draw = (its) => {
      drawRow(its, scene, at, row, chosen);
      drawPeriod(its, scene, at, row);
    };
    pen.button(said, () => send({ pair }), draw, { key: `row${row}`, chosen });
  }
  const ticks = Array.from({ length: Math.ceil(data.places / (narrow ? 20 : 10)) }, (_, i) => i * (narrow ? 20 : 10));
  const y = at.score ? at.score.foot + 18 : foot + 15;
  const title = narrow ? "pos" : "position";
  const titled = { x: narrow ? label : label + 2, y, size: 13, fill: colour.quiet };
  pen.axis("x", at.across, { at: y, ticks, label: (place) => `${place}`, title, titled });
  if (narrow) pen.text(label, at.head, "period", { size: 13, fill: colour.quiet });
}

/** @type {Draw} */
function drawLegend(pen, scene, { label, head, rows }) {
  const { colour } = scene;
  const title = "PE: waves over positions";
  pen.text(label, head, title, { size: 15, bold: true, fill: colour.input });
  let x = label + textWidth(title, 15, true) + 18;
  const samples = [
    { name: "sin", dash: null, width: 2.6 },
    { name: "cos", dash: "2 4", width: 1.8 },
  ];
  for (const { name, dash, width } of samples) {
    pen.line(x, head - 5, x + 22, head - 5, { stroke: colour.input, width, dash });
    pen.text(x + 28, head, name, { size: 14, fill: colour.quiet });
    x += 28 + textWidth(name, 14) + 14;
  }
  pen.text(x + 4, head, `${rows} of ${whole(scene, "d") / 2} pairs`, { size: 14, fill: colour.quiet });
}

/**
 * Sine and cosine of a pair, and the sine before the drag.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {number} row @param {boolean} chosen
 */
function drawRow(pen, { data, values, before, colour }, at, row, chosen) {
  const { left, right } = at.waves;
  const { label, across } = at;
  const y = middle(at, row);
  const period = values(`period${row}`);
  pen.rect(label - 4, y - at.row / 2 + 2, right - label + 4, at.row - 4, {
    r: 8,
    fill: chosen ? colour.input : colour.background,
    "fill-opacity": chosen ? 0.08 : 0,
  });
  pen.line(left + 8, y, right - 8, y, { stroke: colour.line, width: 1.2 });
  /** @type {(period: number, turn: (angle: number) => number) => string} */
  const wave = (long, turn) => wavePath(across, data.places, long, y, swingOf(at), turn);
  const old = before?.(`period${row}`);
  if (old !== undefined && Math.abs(old - period) > 1e-9 * period)
    pen.path(wave(old, Math.sin), { key: "old", stroke: colour.quiet, width: 1.2, dash: "4 3" });
  const sine = wave(period, Math.sin);
  const area = { key: "area", stroke: "none", fill: colour.input, "fill-opacity": 0.12 };
  pen.path(`${sine}L${right - 8} ${y}H${left + 8}z`, area);
  pen.path(wave(period, Math.cos), { key: "cos", stroke: colour.input, width: 1.6, dash: "2 4" });
  pen.path(sine, { key: "sin", stroke: colour.input, width: 2.6 });
}

/**
 * The period of a pair, to the left of its waves.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {number} row
 */
function drawPeriod(pen, scene, at, row) {
  const { values, colour } = scene;
  const { label } = at;
  const y = middle(at, row);
  const long = values(`period${row}`);
  const period = formatNumber(long >= 100 ? Math.round(long) : Number(long.toFixed(1)));
  if (at.narrow) {
    pen.text(label, y + 5, period, { size: 13, bold: true, fill: colour.input, room: 48 });
    return;
  }
  pen.text(label + 2, y - 12, `pair ${whole(scene, `i${row}`)}`, { size: 15, bold: true, fill: colour.input });
  pen.text(label + 2, y + 7, "period", { size: 13, fill: colour.quiet });
  pen.text(label + 2, y + 25, period, { size: 15 });
}

/**
 * The smooth curve through the tensor's numbers, which are drawn as dots on it; both have the same period.
 *
 * @param {At["across"]} across
 * @param {number} count of positions
 * @param {number} period
 * @param {number} y
 * @param {number} swing
 * @param {(angle: number) => number} turn
 */
function wavePath(across, count, period, y, swing, turn) {
  /** @param {number} place */
  const height = (place) => y - swing * turn((2 * Math.PI * place) / period);
  const points = Array.from({ length: (count - 1) * FINE + 1 }, (_, i) => [across(i / FINE), height(i / FINE)]);
  return through(points);
}

// The name and the loss at the end of each line; labels that are too close are moved apart.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { apart, lossAt } from "./training_scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Chart, Draw, TrainingScene } from "./training_chart.js" */

/**
 * A label: `from` is the end of its line, or null; `side` is whether it is beside the chart rather than in it.
 *
 * @typedef {object} End
 * @property {string} key
 * @property {number} x
 * @property {number} y of the line
 * @property {readonly [x: number, y: number] | null} from
 * @property {boolean} side
 * @property {string} role
 * @property {string} label
 * @property {string} number
 * @property {boolean} named
 */

/** @type {Draw} */
export function drawEnds(pen, scene, chart) {
  const { narrow } = scene;
  const { scales, frame, uniform } = chart;
  const ends = endsOf(scene, chart);
  const side = ends.filter((end) => end.side);
  const guessing = scales.y(uniform);
  const above = side.length > 0 && side.every((end) => end.y > guessing - 4);
  const places = apart(
    side.map((end) => end.y + 5),
    narrow ? 17 : 21,
    above ? guessing + (narrow ? 26 : 32) : frame.top + 8,
    frame.foot + (narrow ? 0 : 4),
  );
  const free = above ? places : places.map((place) => besideGuessing(place, guessing, narrow ? 20 : 26));
  for (const end of ends) drawEnd(pen, scene, end, end.side ? free[side.indexOf(end)] : end.y - 12);
}

/**
 * Move a label that would cover the two text lines of the guessing line to above them.
 *
 * @param {number} place @param {number} line @param {number} room
 */
const besideGuessing = (place, line, room) => (Math.abs(place - line - 8) < room ? line - room + 2 : place);

/** @param {TrainingScene} scene @param {Chart} chart @returns {End[]} */
function endsOf(scene, chart) {
  const { colour, text } = scene;
  const { scales, frame, truth, lines, open, many } = chart;
  const x = frame.right + 12;
  const floor = truth !== null && { key: "floor", x, y: scales.y(truth), from: null, side: true, named: false };
  const runs = lines.flatMap((curve, i) => (lossAt(curve) && (open || many) ? [endOf(scene, chart, i)] : []));
  return [...(floor ? [{ ...floor, role: colour.activation, label: "grammar", number: text("truth") }] : []), ...runs];
}

/** @param {TrainingScene} scene @param {Chart} chart @param {number} i @returns {End} */
function endOf({ hidden, narrow, values }, { frame, scales, lines, open, many, role, named }, i) {
  const curve = lines[i];
  const [step, last] = lossAt(curve) ?? [0, null];
  const from = open && last !== null ? /** @type {const} */ ([scales.x(step), scales.y(last)]) : null;
  const [x, y] = from ?? [frame.right, (frame.top + frame.foot) / 2];
  const loss = values(`loss${i}`);
  const printed = last === null ? "not finite" : formatNumber(narrow ? Number(loss.toPrecision(3)) : loss);
  const outside = x + 150 > frame.right;
  const side = outside || !from;
  return {
    key: `run${i}`,
    x: side ? frame.right + 12 : x + 18,
    y,
    from,
    side,
    role: role(i),
    label: many || outside ? curve.label : `${curve.label}, validation`,
    number: hidden("final") || hidden("curve") ? "?" : printed,
    named: i === named && !hidden("winner"),
  };
}

/** @param {Pen} pen @param {TrainingScene} scene @param {End} end @param {number} y */
function drawEnd(pen, { narrow }, { key, x, from, side, role, label, number, named }, y) {
  if (from && side) pen.line(from[0] + 6, from[1], x - 3, y - 5, { key, stroke: role, width: 1.2 });
  const size = narrow ? 13 : 15;
  const look = { size, bold: true, fill: role, class: "end" };
  if (!narrow) pen.text(x, y, label, { key: `${key}l`, halo: !side, ...look });
  const left = narrow ? x : x + textWidth(label, size, true) + 12; // on a phone, the names are in the lanes
  pen.markedText(left, y, number, named, { key: `${key}n`, halo: !side && !named, ...look });
}

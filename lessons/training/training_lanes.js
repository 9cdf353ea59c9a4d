// The texts of several models: a lane for each run, with its rank, its name, its loss, and its last text.

import { formatNumber } from "../../drawing/numbers.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { control, FITS } from "../../ui/browser/runs.js";
import { lossAt } from "./training_scales.js";
import { SIGNS, STEER } from "./training_zone.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Chart, Follower, TrainingScene } from "./training_chart.js" */

/**
 * @typedef {{
 *   i: number, place: number, loss: number, asked: boolean, top: number, row: number, left: number
 * }} Lane
 */
/** @typedef {{ spoken: string, sign: string, press: () => void }} Steer */

/**
 * The lanes, sorted by loss unless a question hides the order.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {Follower} follower
 */
export function drawLanes(pen, scene, chart, follower) {
  const { narrow, hidden, memory } = scene;
  const { lines, frame } = chart;
  const asked = hidden("winner") || hidden("final");
  const losses = lines.map((curve) => lossAt(curve, memory.held ?? Infinity)?.[1] ?? Infinity);
  const order = lines.map((_, i) => i);
  if (!asked) order.sort((a, b) => losses[a] - losses[b]);
  const row = frame.texts / lines.length;
  order.forEach((i, place) => {
    const lane = { i, place, loss: losses[i], asked, top: frame.below + place * row, row, left: narrow ? 6 : 16 };
    drawStanding(pen, scene, chart, lane);
    const steers = narrow ? [] : steersOf(scene, follower, i);
    steers.forEach((steer, k) => drawSteer(pen, scene, chart, lane, steer, k));
    if (narrow) drawTextBelow(pen, scene, chart, lane);
    else drawText(pen, scene, chart, lane, steers.length);
  });
}

/**
 * The font size of a lane, and its base line.
 *
 * @param {Lane} lane @param {boolean} narrow
 */
function lettersOf({ top, row }, narrow) {
  const size = narrow ? 13 : Math.min(15, row * 0.52);
  return { size, base: top + (narrow ? 15 : row / 2 + size * 0.34) };
}

/**
 * The rank, name and loss of a run.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {Lane} lane
 */
function drawStanding(pen, { colour, narrow }, { lines, role, frame }, lane) {
  const { i, place, loss, asked, top, row, left } = lane;
  const { size, base } = lettersOf(lane, narrow);
  const fill = role(i);
  pen.line(left, top, frame.width - left, top, { key: `rule${i}`, stroke: colour.line, width: 1 });
  pen.rect(left, top + 4, 5, row - 8, { key: `swatch${i}`, fill, r: 2 });
  pen.text(left + 14, base, asked ? "" : `${place + 1}.`, { key: `rank${i}`, size, fill: colour.quiet });
  pen.text(left + 36, base, lines[i].label, { key: `name${i}`, size, bold: true, fill, room: narrow ? 120 : 128 });
  const printed = Number.isFinite(loss) ? formatNumber(Number(loss.toPrecision(4))) : "…";
  const first = !asked && place === 0 && Number.isFinite(loss);
  const look = /** @type {const} */ ({ key: `loss${i}`, size, bold: true, fill, anchor: "end" });
  pen.markedText(narrow ? frame.width - 10 : left + 236, base, asked ? "?" : printed, first, look);
}

/**
 * The actions that are possible now for one of several runs.
 *
 * @param {TrainingScene} scene @param {Follower} follower @param {number} i @returns {Steer[]}
 */
function steersOf({ data }, follower, i) {
  const run = data.runs[i];
  if (!run?.mine) return [];
  const state = follower.histories.get(run.name)?.state ?? null;
  const verbs = /** @type {const} */ (["pause", "resume", "stop"]);
  return verbs
    .filter((verb) => FITS[verb](state))
    .map((verb) => ({
      spoken: `${STEER[verb]} ${run.label}`,
      sign: SIGNS[verb],
      press: () => control(follower, [run.name], verb),
    }));
}

/**
 * @param {Pen} pen
 * @param {TrainingScene} scene
 * @param {Chart} chart
 * @param {Lane} lane
 * @param {Steer} steer
 * @param {number} k its place from the right
 */
function drawSteer(pen, { colour }, { frame }, { i, top, row }, { spoken, sign, press }, k) {
  const [x, y] = [frame.width - 32 - 30 * k, top + row / 2];
  pen.button(
    spoken,
    press,
    (button) => {
      button.rect(x - 12, y - 12, 24, 24, { fill: colour.background, stroke: colour.quiet, line: 1, r: 6 });
      button.path(sign, { fill: colour.ink, stroke: "none", width: 0, transform: `translate(${x} ${y})` });
    },
    { key: `steer${i}.${k}` },
  );
}

/**
 * The last text that the run wrote up to the step that is pointed at.
 *
 * @param {TrainingScene} scene @param {Chart} chart @param {Lane} lane
 */
const sampleOf = ({ memory }, { lines }, { i }) =>
  lines[i].samples.findLast(([step]) => step <= (memory.held ?? Infinity));

/**
 * @param {Pen} pen
 * @param {TrainingScene} scene
 * @param {Chart} chart
 * @param {Lane} lane
 * @param {number} buttons how many stand at the end
 */
function drawText(pen, scene, chart, lane, buttons) {
  const sample = sampleOf(scene, chart, lane);
  if (!sample) return;
  const { colour } = scene;
  const { i, left } = lane;
  const { size, base } = lettersOf(lane, false);
  const count = `step ${sample[0].toLocaleString("en")}`;
  pen.text(left + 256, base, count, { key: `at${i}`, size: Math.min(14, size), fill: colour.quiet });
  const from = left + 266 + textWidth("step 99,999", 14);
  const room = chart.frame.width - from - 20 - 30 * buttons;
  const fill = chart.lines[i].live ? colour.ink : colour.quiet;
  pen.text(from, base, sample[1], { key: `text${i}`, size, room, fill, class: "written" });
}

/**
 * On a phone: the text below the name, if there is room.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {Lane} lane
 */
function drawTextBelow(pen, scene, chart, lane) {
  const sample = sampleOf(scene, chart, lane);
  const { i, row, left } = lane;
  if (!sample || row < 32) return;
  const text = cutText(sample[1], chart.frame.width - left - 24, 13);
  const look = { key: `text${i}`, size: 13, fill: scene.colour.quiet, class: "written" };
  pen.text(left + 14, lettersOf(lane, true).base + 16, text, look);
}

// The Start button, and once there are runs, their status and the buttons that control them.

import { textWidth } from "../../drawing/pen.js";
import { control, FITS, WORDS } from "../../ui/browser/runs.js";
import { isOver, wrapped } from "./training_scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Verb } from "../../ui/browser/runs.js" */
/** @import { Box, Chart, Draw, Follower, TrainingScene } from "./training_chart.js" */
/** @typedef {(pen: Pen, scene: TrainingScene, chart: Chart, follower: Follower) => void} DrawRuns */

/** @type {DrawRuns} */
export function drawZone(pen, scene, chart, follower) {
  if (chart.live.length) return drawRuns(pen, scene, chart, follower);
  const { data, narrow } = scene;
  const { left, top, height } = chart.zone;
  drawHandle(pen, scene, chart);
  drawStart(pen, scene, chart.zone, data.start, narrow ? 16 : 19);
  drawNote(pen, scene, chart, left, top + height + (narrow ? 19 : 24));
}

/** @type {DrawRuns} */
function drawRuns(pen, scene, chart, follower) {
  const { colour, narrow, data } = scene;
  const { left, top } = chart.zone;
  const ground = { fill: colour.background, "fill-opacity": 0.82, r: 8 };
  if (!data.recorded.length) pen.rect(left - 10, top - 16, narrow ? 150 : 330, narrow ? 90 : 96, ground);
  drawProgress(pen, scene, chart);
  const row = top + (narrow ? 30 : 38);
  const mine = data.runs.filter((run) => run.mine).map((run) => run.name);
  const size = { width: narrow ? 120 : 150, height: narrow ? 36 : 40 };
  const only = "Only the person who started it can pause it.";
  if (chart.histories.every(({ state }) => isOver(state)))
    drawStart(pen, scene, { left, top: row, ...size }, data.blocked ? "Start" : "Start again", narrow ? 14 : 16);
  else if (mine.length) drawSteering(pen, scene, follower, mine, left, row);
  else pen.text(left, row + 18, only, { size: 13, fill: colour.quiet });
  const below = row + (narrow ? 54 : 62);
  const why = chart.histories.map((each) => each.refused || each.why).find(Boolean) ?? "";
  if (why) drawReason(pen, scene, chart, why, below);
  else if (data.recorded.length) drawNote(pen, scene, chart, left, below);
}

/**
 * The states and the progress of the runs.
 *
 * @type {Draw}
 */
function drawProgress(pen, { colour, narrow }, chart) {
  const { histories, named, frame } = chart;
  const { left, top } = chart.zone;
  const { steps, rate, device, parameters } = histories[named];
  const step = Math.min(...histories.map((each) => each.step));
  pen.text(left, top + 2, stateWords(chart), { size: narrow ? 14 : 17, bold: true, class: "state", halo: true });
  const counted = `step ${step.toLocaleString("en")} of ${steps.toLocaleString("en")}`;
  const speed = rate ? `, ${Math.round(rate / 100) / 10}k tokens/s on ${device}` : "";
  const weights = parameters ? `, ${parameters.toLocaleString("en")} weights` : "";
  pen.text(left, top + (narrow ? 20 : 24), narrow ? counted : `${counted}${speed}${weights}`, {
    size: narrow ? 13 : 14,
    fill: colour.quiet,
    halo: true,
    class: "count",
    room: frame.width - left - 150,
  });
}

/** @param {Chart} chart */
function stateWords({ histories }) {
  const words = histories.map((each) => WORDS[each.state ?? "queued"]);
  if (!words.every((word) => word === words[0]))
    return [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`).join(", ");
  if (histories.length > 1) return words[0];
  const [{ place, followers = 0 }] = histories;
  const waits = place ? `, place ${place} in the queue` : "";
  return `${words[0]}${waits}${followers > 1 ? `, shared with ${followers - 1} more` : ""}`;
}

/**
 * The reason why a run ended, or why a command was refused.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {string} why @param {number} y
 */
function drawReason(pen, { colour, narrow }, { frame, many, zone: { left } }, why, y) {
  const right = many && !narrow ? frame.left + 0.65 * (frame.right - frame.left) : frame.right;
  const room = right - left - 8;
  const look = { size: narrow ? 13 : 14, fill: colour.gradient, halo: true, room: room + 8 };
  pen.group({ key: "why", class: "why" }, (its) =>
    wrapped(why, room, 14, narrow ? 5 : 6, true).forEach((line, i) => its.text(left, y + 18 * i, `${line} `, look)),
  );
}

/**
 * The start of the curve, with a line that leads to the Start button.
 *
 * @type {Draw}
 */
function drawHandle(pen, { colour, narrow }, { scales, uniform, zone: { left, top, height } }) {
  const [x, y] = [scales.x(0), scales.y(uniform)];
  const look = { stroke: colour.ink, width: 2.4, "stroke-linejoin": "round" };
  if (!narrow) pen.path(`M${x} ${y}H${left - 22}V${top + height / 2}H${left}`, look);
  pen.circle(x, y, 10, { stroke: colour.ink, line: 2, class: "pulse" });
  pen.circle(x, y, 7, { fill: colour.ink });
}

/** @param {Pen} pen @param {TrainingScene} scene @param {Box} box @param {string} words @param {number} size */
function drawStart(pen, { colour, send, data }, { left, top, width, height }, words, size) {
  const wide = textWidth(words, size, true) + 30;
  const from = left + (width - wide) / 2;
  const middle = top + height / 2;
  const sign = { fill: colour.background, stroke: colour.background, "stroke-linejoin": "round" };
  const pressed = () => {
    const event = { start: true, at: Date.now() }; // the time makes each press a new value
    send(event);
  };
  pen.button(
    words === "Start" ? "Start training" : words,
    pressed,
    (button) => {
      button.rect(left, top, width, height, { fill: colour.ink, r: 9 });
      button.path(`M${from} ${middle - 9}l16 9l-16 9z`, sign);
      button.text(from + 30, middle + size * 0.36, words, { size, bold: true, fill: colour.background });
    },
    { key: "begin", disabled: Boolean(data.blocked) },
  );
}

/**
 * The date and the device of the recorded runs.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {number} left @param {number} top
 */
function drawNote(pen, { data, colour, narrow }, { frame }, left, top) {
  const room = frame.width - left - (narrow ? 8 : 150);
  const swatch = data.recorded.length && !narrow ? 34 : 0;
  const dashes = { key: "swatch", stroke: colour.ink, width: 2.4, dash: "7 4" };
  if (swatch) pen.line(left, top - 5, left + 26, top - 5, dashes);
  data.note.forEach((line, i) =>
    pen.text(left + (i ? 0 : swatch), top + (narrow ? 17 : 19) * i, line, {
      key: `note${i}`,
      size: narrow ? 13 : 14,
      bold: !i,
      fill: i ? colour.quiet : colour.ink,
      halo: true,
      room: room - (i ? 0 : swatch),
      class: "note",
    }),
  );
}

export const STEER = { pause: "Pause", resume: "Resume", step: "One step", stop: "Stop" };
export const SIGNS = {
  pause: "M-5 -6h3.5v12h-3.5zM2 -6h3.5v12h-3.5z",
  resume: "M-4 -7l10 7l-10 7z",
  step: "M-6 -6l8 6l-8 6zM4 -6h3v12h-3z",
  stop: "M-5.5 -5.5h11v11h-11z",
};

/**
 * The buttons Pause or Resume, Step and Stop, which take effect without a rerun of the page.
 *
 * @param {Pen} pen
 * @param {TrainingScene} scene
 * @param {Follower} follower
 * @param {string[]} names of the runs
 * @param {number} left
 * @param {number} top
 */
function drawSteering(pen, { colour, narrow }, follower, names, left, top) {
  const fitting = (/** @type {Verb} */ verb) =>
    names.filter((name) => FITS[verb](follower.histories.get(name)?.state ?? null));
  const all = names.length > 1 ? " all" : "";
  const first = fitting("pause").length ? "pause" : "resume";
  const buttons = /** @type {const} */ ([
    ["go", first],
    ["step", "step"],
    ["stop", "stop"],
  ]);
  let x = left;
  for (const [key, verb] of buttons) {
    const words = narrow ? "" : STEER[verb];
    const width = narrow ? 40 : 46 + textWidth(words, 15, true);
    const at = x;
    const sign = { fill: colour.ink, stroke: "none", width: 0, transform: `translate(${at + 20} ${top + 18})` };
    pen.button(
      STEER[verb] + all,
      () => control(follower, fitting(verb), verb),
      (button) => {
        button.rect(at, top, width, 36, { fill: colour.background, stroke: colour.ink, r: 8 });
        button.path(SIGNS[verb], sign);
        if (words) button.text(at + 34, top + 23, words, { size: 15, bold: true });
      },
      { key, disabled: !fitting(verb).length, "data-verb": verb },
    );
    x += width + 8;
  }
}

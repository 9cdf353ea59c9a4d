// For each task a bar of the words of 100 that are wrong without ELMo: what ELMo takes away, and what stays.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, TaggerScene } from "./tagger_places.js" */
/** @typedef {(pen: Pen, scene: TaggerScene, at: Places, n: number) => void} DrawTask */

const NONE = "±0";
const LITTLE = 0.05; // words of 100: a smaller gain is none

/** @param {string} kind @param {number} n @returns {NameOf<"tagger">} */
const number = (kind, n) => /** @type {NameOf<"tagger">} */ (`${kind} ${n}`);

/** @param {Pen} pen @param {TaggerScene} scene @param {Places} at */
export function drawErrors(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { bars, y } = at;
  const size = narrow ? 14 : 18;
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "wrong of 100 words" }, (axis) => {
    for (const tick of [0, data.most / 5, data.most * 0.4, data.most * 0.6, data.most * 0.8]) {
      axis.line(bars.left, y(tick), bars.right, y(tick), {
        stroke: tick ? colour.line : colour.quiet,
        width: tick ? 1 : 2,
      });
      axis.text(bars.left - 8, y(tick) + 5, formatNumber(tick), {
        size: narrow ? 14 : 17,
        fill: colour.quiet,
        anchor: "end",
      });
    }
  });
  const title = narrow ? bars.top - 14 : bars.top - 18;
  pen.text(narrow ? 8 : bars.left - 40, title, "wrong of 100 words", { size, bold: true, fill: colour.loss });
  data.tasks.forEach((task, n) => pen.group({ key: task }, (its) => drawTask(its, scene, at, n)));
}

/** @type {DrawTask} */
function drawTask(pen, scene, at, n) {
  const { data, colour, narrow } = scene;
  const { bars, each } = at;
  const middle = bars.left + (n + 0.5) * each;
  drawBar(pen, scene, at, n);
  drawGain(pen, scene, at, n);
  const size = narrow ? 14 : 21;
  const foot = bars.foot;
  const look = /** @type {const} */ ({ size, bold: true, anchor: "middle", room: each - 4 });
  pen.text(middle, foot + (narrow ? 20 : 30), data.tasks[n], look);
  if (narrow) return;
  pen.text(middle, foot + 56, data.asks[n], { size: 17, fill: colour.quiet, anchor: "middle" });
}

/**
 * Where a bar stands: at the left of its column, so that the gain has room at the right.
 *
 * @param {Places} at @param {number} n
 */
const leftOf = ({ bars, each, bar }, n) => bars.left + n * each + each * 0.08 + (each * 0.42 - bar) / 2;

/**
 * The errors that stay, and above them those that ELMo takes away.
 *
 * @type {DrawTask}
 */
function drawBar(pen, scene, at, n) {
  const { values, colour, hidden, text, data, narrow } = scene;
  const { y, bar, bars } = at;
  const x = leftOf(at, n);
  const [before, asked] = [values(number("before", n)), hidden(number("now", n))];
  const now = asked ? before : values(number("now", n));
  const taken = {
    fill: colour.activation,
    "fill-opacity": 0.18,
    stroke: colour.activation,
    line: 2,
    dash: "7 5",
    r: 0,
  };
  if (before > now) pen.rect(x, y(before), bar, y(now) - y(before), { key: "taken", ...taken });
  pen.rect(x, y(now), bar, bars.foot - y(now), { key: "stay", fill: colour.loss, r: 0 });
  if (!asked) drawSpread(pen, scene, at, n, x + bar / 2);
  const size = narrow ? 14 : 19;
  const middle = x + bar / 2;
  const alone = data.place === "none" && !asked;
  const named = n === data.named;
  const top = Math.min(y(before), asked ? Infinity : y(values(number("high", n)))) - 8;
  const look = /** @type {const} */ ({ key: "before", size: alone ? size * 1.4 : size, bold: alone, anchor: "middle" });
  pen.markedText(middle, top, text(number("before", n)), alone && named, {
    ...look,
    fill: alone ? colour.loss : colour.quiet,
  });
}

/**
 * From the lowest to the highest of the seeds.
 *
 * @param {Pen} pen @param {TaggerScene} scene @param {Places} at @param {number} n @param {number} x
 */
function drawSpread(pen, { values, colour }, { y }, n, x) {
  const [low, high] = [y(values(number("low", n))), y(values(number("high", n)))];
  const look = { stroke: colour.ink, width: 2 };
  pen.path(`M${x - 7} ${low}h14M${x} ${low}V${high}M${x - 7} ${high}h14`, { key: "spread", ...look });
}

/** @param {number} gain in words of 100 */
const gainSaid = (gain) => (Math.abs(gain) < LITTLE ? NONE : `${gain > 0 ? "−" : "+"}${Math.abs(gain).toFixed(1)}`);

/**
 * What a task gains, large, and what stays wrong.
 *
 * @type {DrawTask}
 */
function drawGain(pen, scene, at, n) {
  const { data, final, text, colour, hidden, narrow } = scene;
  if (data.place === "none" && !hidden(number("now", n))) return;
  const { y, bar, bars, each } = at;
  const x = leftOf(at, n) + bar + (narrow ? 4 : 14);
  const asked = hidden(number("now", n));
  const [before, now, gain] = ["before", "now", "gain"].map((kind) => final(number(kind, n)));
  const said = asked ? "?" : gainSaid(gain);
  const none = said === NONE;
  const widest = Math.max(...data.tasks.map((_, m) => textWidth(gainSaid(final(number("gain", m))), 1, true)));
  const large = Math.min(narrow ? 20 : 48, (bars.left + (n + 1) * each - x - 2) / widest);
  const middle = asked ? y(before / 2) : (y(before) + y(now)) / 2;
  const base = Math.min(middle + large * 0.35, bars.foot - (narrow ? 26 : 40));
  const fill = asked || none ? colour.quiet : gain > 0 ? colour.activation : colour.loss;
  pen.text(x, base, said, { key: "gain", size: none ? large * 0.7 : large, bold: true, fill });
  if (asked) return;
  const size = narrow ? 14 : 21;
  const look = { key: "now", size, bold: true, fill: colour.loss };
  pen.markedText(x, bars.foot - (narrow ? 5 : 8), text(number("now", n)), n === data.named, look);
}

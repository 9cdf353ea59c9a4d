// Scales and selections for the picture of training; nothing is drawn here.

import { line, scaleLinear, scaleLog } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";
import { logarithmicTicks, lossRange } from "../../drawing/scales.js";

/** @import { History } from "../../ui/browser/runs.js" */
/** @import { RecordedRun } from "../../drawing/types.js" */

/** @typedef {readonly [step: number, value: number | null]} Point null: not finite */
/** @typedef {[step: number, value: number]} Known */
/** @typedef {[step: number, text: string]} Sample */
/** @typedef {ReturnType<typeof curveOf>} LiveCurve */
/** @typedef {RecordedRun & { live?: boolean, state?: string | null, step?: number }} Curve live or recorded */
/** @typedef {ReturnType<typeof scalesOf>} Scales */

// As in lmcore.shipped.recordings: a step is drawn at log(1 + step / BEND), so that step 0 is on the axis.
export const BEND = 10;
const POINTS = 240;

/**
 * The points whose value is finite.
 *
 * @param {readonly Point[]} points @returns {Known[]}
 */
export const known = (points) => points.flatMap(([step, value]) => (value === null ? [] : [[step, value]]));

/**
 * Mean losses over batches: first of single batches, then of intervals with equal width on the axis of steps.
 *
 * @param {(number | null)[]} values
 */
export function wideningMeans(values) {
  const ratio = (1 + values.length / BEND) ** (1 / POINTS);
  const points = /** @type {[number, number | null][]} */ ([]);
  for (let start = 0; start < values.length;) {
    const end = Math.min(values.length, Math.max(start + 1, Math.round((start + BEND) * ratio) - BEND));
    const part = values.slice(start, end);
    const finite = part.filter((value) => value !== null);
    const mean = finite.reduce((sum, value) => sum + value, 0) / part.length;
    points.push([end, finite.length < part.length ? null : mean]);
    start = end;
  }
  return points;
}

/**
 * The drawn data of a live run, in the same form as a recorded run.
 *
 * @param {History} history @param {string} label
 */
export function curveOf(history, label) {
  return {
    label,
    live: true,
    state: history.state,
    step: history.step,
    steps: history.steps,
    why: history.why ?? "",
    batches: wideningMeans(history.losses),
    samples: history.samples,
    evaluations: history.evaluations.map(([step, loss]) => /** @type {[number, number | null]} */ ([step, loss])),
  };
}

/**
 * The scales of a chart in that frame, and the path through points.
 *
 * @param {readonly Curve[]} curves
 * @param {{ longest: number, uniform: number, truth: number | null }} what
 * @param {{ left: number, right: number, top: number, foot: number }} frame
 */
export function scalesOf(curves, { longest, uniform, truth }, frame) {
  const shown = curves.map((curve) => ({ ...curve, evaluations: known(curve.evaluations) }));
  const [low, high] = lossRange(
    shown.map((curve) => known(curve.batches)),
    shown,
    uniform,
    truth,
  );
  const along = scaleLinear([0, Math.log1p(longest / BEND)], [frame.left, frame.right]);
  const x = (/** @type {number} */ step) => along(Math.log1p(step / BEND));
  const inside = scaleLog([low, high], [frame.foot, frame.top]);
  const y = (/** @type {number} */ loss) =>
    Math.min(Math.max(inside(Math.max(loss, low / 1e3)), frame.top), frame.foot);
  const through = line(
    (/** @type {Known} */ [step]) => x(step),
    (/** @type {Known} */ [, loss]) => y(loss),
  );
  const stepAt = (/** @type {number} */ place) =>
    Math.max(0, Math.min(longest, Math.round(BEND * Math.expm1(along.invert(place)))));
  return {
    x,
    y,
    through: (/** @type {readonly Point[]} */ points) => through(known(points)) ?? "",
    nats: logarithmicTicks(low, high),
    steps: stepTicks(longest, x),
    stepAt,
  };
}

/** @param {number} longest @param {(step: number) => number} x */
function stepTicks(longest, x) {
  const round = [0, 10, 30, 100, 300, 1000, 3000, 10000, 30000].filter(
    (step) => step < longest && x(longest) - x(step) > 46,
  );
  return [...round, longest];
}

/**
 * Move the wanted places so that they are at least `gap` apart, and between top and foot.
 *
 * @param {readonly number[]} wanted @param {number} gap @param {number} top @param {number} foot
 */
export function apart(wanted, gap, top, foot) {
  const order = wanted.map((place, i) => ({ place, i })).sort((a, b) => a.place - b.place);
  order.forEach((each, k) => (each.place = Math.max(each.place, k ? order[k - 1].place + gap : top)));
  for (let k = order.length - 1, least = foot; k >= 0; k--) {
    order[k].place = Math.min(order[k].place, least);
    least = order[k].place - gap;
  }
  const places = wanted.slice();
  for (const { place, i } of order) places[i] = place;
  return places;
}

/**
 * The steps with texts below them: evenly spaced on the axis, including the first and the last.
 *
 * @param {number} longest @param {number} count
 */
export const textSteps = (longest, count) =>
  Array.from({ length: count }, (_, i) => Math.round(BEND * ((1 + longest / BEND) ** (i / (count - 1)) - 1)));

/**
 * The nearest text for each of these steps, or null, no text twice; the first step not yet reached gets the newest one.
 *
 * @param {readonly Sample[]} samples @param {readonly number[]} steps @param {number} reached
 */
export function chosenTexts(samples, steps, reached) {
  const at = (/** @type {number} */ step) => Math.log1p(step / BEND);
  let last = -1;
  return steps.map((wanted, i) => {
    const before = i ? (at(steps[i - 1]) + at(wanted)) / 2 : -Infinity;
    const after = i + 1 < steps.length ? (at(wanted) + at(steps[i + 1])) / 2 : Infinity;
    const newest = samples[samples.length - 1];
    if (newest && wanted > reached) {
      const next = (i === 0 || steps[i - 1] <= reached) && newest[0] > last;
      return next ? newest : null;
    }
    const fitting = samples.filter(([step]) => step > last && at(step) >= before && at(step) < after);
    if (!fitting.length) return null;
    const best = fitting.reduce((a, b) => (Math.abs(at(b[0]) - at(wanted)) < Math.abs(at(a[0]) - at(wanted)) ? b : a));
    last = best[0];
    return best;
  });
}

/**
 * The last evaluation up to a step, as [step, validation loss].
 *
 * @param {Pick<Curve, "evaluations">} curve
 */
export const lossAt = (curve, step = Infinity) => curve.evaluations.findLast(([at]) => at <= step) ?? null;

/**
 * A text in lines of at most that width; a `sentence` starts with a capital. The last line contains all the rest.
 *
 * @param {string} text
 * @param {number} room
 * @param {number} size
 * @param {number} most lines
 */
export function wrapped(text, room, size, most, sentence = false) {
  const lines = [""];
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  for (const word of (sentence ? whole : text).replace(/\s+/g, " ").split(" ")) {
    const longer = lines[lines.length - 1] ? `${lines[lines.length - 1]} ${word}` : word;
    if (textWidth(longer, size) <= room || !lines[lines.length - 1]) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), lines.slice(most - 1).join(" ")];
}

const OVER = ["finished", "diverged", "stopped", "failed", "gone"];
/** @param {string | null} [state] */
export const isOver = (state) => typeof state === "string" && OVER.includes(state);

/**
 * The beat in which nothing is dimmed: the current one while a run is going, else `lit`, the last such beat.
 *
 * @param {readonly { state: string | null }[]} runs @param {string} beat @param {string} [lit]
 */
export const litBeat = (runs, beat, lit) => (runs.some(({ state }) => !isOver(state)) ? beat : lit);

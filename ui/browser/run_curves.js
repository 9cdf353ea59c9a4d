// The losses of training runs as curves over their steps, on a logarithmic scale, in front of those of recorded runs.

import { line, scaleLinear, scaleLog } from "../../drawing/d3.js";
import { drawSvg, magnified } from "../../drawing/dom.js";
import { formatNumber, raised } from "../../drawing/numbers.js";
import { evenTicks, logarithmicTicks, lossRange, meanOfEvery } from "../../drawing/scales.js";

/** @import { History } from "./runs.js" */
/** @import { Palette, RecordedCurve, Scripts } from "../../drawing/types.js" */

/** @typedef {{ svg: SVGSVGElement, element: HTMLElement, colour: Palette, held: boolean, data: Scripts["runs"] }} Its */
/** @typedef {(value: number) => number} Scale */
/** @typedef {readonly [step: number, loss: number, ...unknown[]]} Point */
/** @typedef {(points: Point[]) => string | null} Along */

export const HEIGHT = 360;
const [LEFT, RIGHT, TOP, BOTTOM] = [58, 70, 26, 46];

/**
 * A loss as text; null is a loss that is not finite, once a run has diverged.
 *
 * @param {number | null} value
 */
export const written = (value) => (value === null ? "not finite" : formatNumber(value));

/**
 * The points of a curve: the evaluations that have a loss.
 *
 * @param {readonly (readonly [step: number, loss: number | null, ...unknown[]])[]} evaluations
 */
const pointsOf = (evaluations) => /** @type {Point[]} */ (evaluations.filter(([, loss]) => loss !== null));

/** @param {Its} picture @param {History[]} histories @param {number} step that is looked at */
export function drawCurves(picture, histories, step) {
  const { svg, colour } = picture;
  svg.replaceChildren();
  svg.setAttribute("aria-label", described(picture, histories));
  const width = spread(picture);
  const { recorded } = picture.data;
  const { uniform, truth = null } = histories.find((h) => h.uniform) ?? recorded[0] ?? {};
  if (uniform === undefined) return;
  const longest = longestOf(histories, recorded);
  const many = Math.ceil(longest / POINTS);
  const batches = histories.map((h) => meanOfEvery(h.losses, many));
  const [low, high] = lossRange(batches, [...histories, ...recorded], uniform, truth);
  const { x, y, along } = scalesOf(width, longest, low, high);
  axes(svg, x, y, { width, longest, low, high, colour, many });
  const frame = drawSvg("clipPath", { id: "frame" }, drawSvg("defs", {}, svg));
  drawSvg("rect", { x: LEFT, y: TOP, width: width - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }, frame);
  const bounds = boundsOf(uniform, truth);
  const look = { stroke: colour.ink, "stroke-dasharray": "7 5", "stroke-opacity": 0.7, class: "bound" };
  for (const [loss] of bounds) across(svg, width, y(loss), look);
  const ends = recorded.map(({ evaluations }) => y(lastOf(pointsOf(evaluations))[1]));
  recorded.forEach((its, i) => ghost(svg, its, i, { x, along, colour, at: nameAt(ends, i) }));
  const thin = drawSvg("g", { class: "curve", "clip-path": "url(#frame)" }, svg);
  batches.forEach((means, i) =>
    drawSvg("path", { ...THIN, d: along(means) ?? "", stroke: colour[`series-${i + 1}`], class: "batch" }, thin),
  );
  histories.forEach((history, i) => validation(svg, history, i, { x, y, along, colour }));
  if (picture.held) heldStep(svg, x(step), colour);
  // In front of all lines; one text above its own line, the other below, so that they never overlap.
  for (const [loss, off, text] of bounds) {
    const at = { x: width - RIGHT - 6, y: y(loss) + off, "text-anchor": "end", class: "bound" };
    drawSvg("text", { ...at, ...halo(colour) }, svg, text);
  }
}

/**
 * Make the picture as wide as there is room, so that letters keep their size on a phone; returns its width.
 *
 * @param {Its} picture
 */
function spread({ svg, element, colour }) {
  const width = Math.min(900, (element.clientWidth || 760) / magnified());
  const shape = { width: magnified() * width, viewBox: `0 0 ${width} ${HEIGHT}`, "font-size": 13, fill: colour.ink };
  for (const [name, value] of Object.entries(shape)) svg.setAttribute(name, String(value));
  return width;
}

/** @param {History[]} histories @param {readonly RecordedCurve[]} recorded */
const longestOf = (histories, recorded) =>
  Math.max(
    10,
    ...histories.map((h) => h.losses.length),
    ...recorded.map(({ evaluations }) => evaluations[evaluations.length - 1][0]),
  );

/**
 * Where steps and losses are in the picture, and the path along points of both.
 *
 * @param {number} width @param {number} longest @param {number} low @param {number} high
 */
function scalesOf(width, longest, low, high) {
  const x = scaleLinear([0, longest], [LEFT, width - RIGHT]);
  const inside = scaleLog([low, high], [HEIGHT - BOTTOM, TOP]);
  // Where the loss is 0, its logarithm is far below the frame.
  /** @type {Scale} */
  const y = (loss) => inside(Math.max(loss, low / 1e3));
  /** @type {Along} */
  const along = line(
    ([s]) => x(s),
    ([, loss]) => y(loss),
  );
  return { x, y, along };
}

/**
 * The losses that runs are compared with, how far off its line each name is, and the name.
 *
 * @param {number} uniform @param {number | null} truth
 */
function boundsOf(uniform, truth) {
  /** @type {[loss: number, off: number, text: string][]} */
  const bounds = [[uniform, -6, `ln |V| = ${formatNumber(uniform)}: uniform guessing`]];
  if (truth !== null) bounds.push([truth, 15, `the grammar's own loss: ${formatNumber(truth)}`]);
  return bounds;
}

/** @param {SVGElement} svg @param {number} width @param {number} y @param {Record<string, string | number>} look */
const across = (svg, width, y, look) => drawSvg("line", { x1: LEFT, x2: width - RIGHT, y1: y, y2: y, ...look }, svg);

/** @param {SVGElement} svg @param {number} x @param {Palette} colour */
const heldStep = (svg, x, colour) =>
  drawSvg(
    "line",
    { x1: x, x2: x, y1: TOP, y2: HEIGHT - BOTTOM, stroke: colour.ink, "stroke-width": 1.5, class: "held" },
    svg,
  );

/**
 * The look of a text that lines do not cross out.
 *
 * @param {Palette} colour
 */
const halo = ({ background }) => ({
  stroke: background,
  "stroke-width": 4,
  "stroke-linejoin": "round",
  "paint-order": "stroke",
});

// Few enough points that the thin line shows the loss, and not how much batches differ.
const POINTS = 200;
const THIN = { fill: "none", "stroke-width": 1, "stroke-opacity": 0.5 };
const THICK = { fill: "none", "stroke-width": 2.6 };
const DASHES = ["none", "9 5", "2 4", "9 4 2 4", "none", "none"];

/**
 * @param {SVGElement} svg
 * @param {History} history
 * @param {number} i
 * @param {{ x: Scale, y: Scale, along: Along, colour: Palette }} how
 */
function validation(svg, { evaluations }, i, { x, y, along, colour }) {
  const [judged, role] = [pointsOf(evaluations), colour[`series-${i + 1}`]];
  const group = drawSvg("g", { class: "curve" }, svg);
  drawSvg(
    "path",
    { ...THICK, d: along(judged) ?? "", stroke: role, "stroke-dasharray": DASHES[i], class: "validation" },
    group,
  );
  const end = judged.at(-1);
  if (end) drawSvg("circle", { cx: x(end[0]), cy: y(end[1]), r: 4, fill: role }, group);
}

/** @param {readonly Point[]} points */
const lastOf = (points) => points[points.length - 1];

/**
 * A recorded run, behind those that train now, with its name at its end.
 *
 * @param {SVGElement} svg
 * @param {RecordedCurve} curve
 * @param {number} i
 * @param {{ x: Scale, along: Along, colour: Palette, at: number }} how
 */
function ghost(svg, { label, evaluations }, i, { x, along, colour, at }) {
  const judged = pointsOf(evaluations);
  drawSvg(
    "path",
    {
      ...THICK,
      d: along(judged) ?? "",
      stroke: colour.quiet,
      "stroke-dasharray": i ? "2 4" : "7 5",
      class: "recorded",
    },
    drawSvg("g", { class: "curve" }, svg),
  );
  drawSvg(
    "text",
    { x: x(lastOf(judged)[0]) - 8, y: at, "text-anchor": "end", fill: colour.quiet, ...halo(colour) },
    svg,
    label,
  );
}

/**
 * The height of a name: above the end of its curve; names of curves that end close together are stacked.
 *
 * @param {number[]} ends @param {number} i
 */
function nameAt(ends, i) {
  const near = ends.filter((end) => Math.abs(end - ends[i]) < 20);
  const below = ends.filter((end, j) => near.includes(end) && (end > ends[i] || (end === ends[i] && j < i)));
  return Math.min(...near) - 9 - 16 * below.length;
}

/**
 * @param {SVGElement} svg
 * @param {Scale} x
 * @param {Scale} y
 * @param {{ width: number, longest: number, low: number, high: number, colour: Palette, many: number }} how
 */
function axes(svg, x, y, { width, longest, low, high, colour, many }) {
  for (const loss of logarithmicTicks(low, high)) {
    across(svg, width, y(loss), { stroke: colour.ink, "stroke-opacity": 0.13 });
    drawSvg("text", { x: LEFT - 8, y: y(loss) + 4, "text-anchor": "end", class: "nats" }, svg, formatNumber(loss));
    drawSvg("text", { x: width - RIGHT + 8, y: y(loss) + 4 }, svg, perplexity(loss));
  }
  const room = Math.floor((width - LEFT - RIGHT) / 60);
  for (const s of evenTicks(0, longest, Math.min(room, 5)))
    drawSvg("text", { x: x(s), y: HEIGHT - BOTTOM + 20, "text-anchor": "middle" }, svg, String(s));
  drawSvg("text", { x: (LEFT + width - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" }, svg, "training step");
  /** @type {(at: number, text: string, turn: number) => unknown} */
  const side = (at, text, turn) =>
    drawSvg(
      "text",
      { transform: `translate(${at} ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(${turn})`, "text-anchor": "middle" },
      svg,
      text,
    );
  side(14, "loss, nats per token, log scale", -90);
  side(width - 6, "perplexity", -90);
  legend(svg, many, colour);
}

/** @param {SVGElement} svg @param {number} many batches that one point of a thin line averages @param {Palette} colour */
function legend(svg, many, colour) {
  let at = LEFT;
  for (const { line, text, room } of [
    { line: THIN, text: many > 1 ? `mean of ${many} batches` : "each batch", room: 165 },
    { line: THICK, text: "validation", room: 0 },
  ]) {
    drawSvg("line", { ...line, x1: at, x2: at + 26, y1: 12, y2: 12, stroke: colour.ink }, svg);
    drawSvg("text", { x: at + 33, y: 16, class: "key" }, svg, text);
    at += room;
  }
}

/**
 * From 1e5 on, only the power of ten is shown.
 *
 * @param {number} loss
 */
function perplexity(loss) {
  if (loss < Math.log(1e5)) return formatNumber(Number(Math.exp(loss).toPrecision(3)));
  return `≈10${raised(Math.round(loss / Math.LN10))}`;
}

/** @param {Its} picture @param {History[]} histories */
function described(picture, histories) {
  const parts = picture.data.runs.map((run, i) => {
    const end = histories[i].evaluations.at(-1);
    return end
      ? `${run.label}: validation loss ${written(end[1])} nats after step ${end[0]}`
      : `${run.label}: no values yet`;
  });
  const before = picture.data.recorded.map(({ label, evaluations }) => {
    const [step, loss] = evaluations[evaluations.length - 1];
    return `${label}: ${written(loss)} nats after step ${step}`;
  });
  const every = [...parts, ...before];
  if (!every.length) return "Loss over training steps: no run yet.";
  return `Loss over training steps, on a logarithmic scale. Thin lines: batches; thick lines: validation. ${every.join(". ")}.`;
}

// A line at the step that is pointed at or reached with the arrow keys, with the numbers there.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { lossAt } from "./training_scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Chart, Follower, TrainingScene } from "./training_chart.js" */
/** @import { Curve } from "./training_scales.js" */

/** @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {Follower} follower */
export function drawReader(pen, scene, chart, follower) {
  const { memory, again } = scene;
  const { left, right, foot } = chart.frame;
  const last = Math.max(0, ...chart.lines.map((curve) => lossAt(curve)?.[0] ?? 0));
  const hold = (/** @type {number | null} */ step) => {
    const held = step === null ? null : Math.max(0, Math.min(last, step));
    if (held === memory.held) return;
    memory.held = held;
    again();
  };
  follower.reading = { hold, stepAt: chart.scales.stepAt, last };
  const held = chart.open ? (memory.held ?? null) : null;
  const area = pen.rect(left, foot - 26, right - left, 30, { fill: "transparent", r: 0, class: "scrub" });
  const knob = drawKnob(pen, scene, chart, held ?? last, last);
  listenTo(area, knob, follower);
  if (held !== null) drawReading(pen, scene, chart, held);
}

/**
 * @param {Pen} pen
 * @param {TrainingScene} scene
 * @param {Chart} chart
 * @param {number} step
 * @param {number} last step
 */
function drawKnob(pen, { colour }, { frame: { foot }, scales }, step, last) {
  const x = scales.x(step);
  const spoken = {
    role: "slider",
    tabindex: 0,
    "aria-label": "Step to look at",
    "aria-valuemin": 0,
    "aria-valuemax": last,
    "aria-valuenow": step,
    "aria-valuetext": `step ${step}`,
  };
  return pen.group({ key: "knob", ...spoken, class: "press knob" }, (its) => {
    its.rect(x - 12, foot - 19, 24, 24, { fill: "transparent" });
    its.path(`M${x} ${foot + 1}l-7 -11h14z`, { fill: colour.ink, stroke: colour.background });
  });
}

/**
 * The numbers at a step.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {number} step
 */
function drawReading(pen, { colour, narrow }, { frame, scales, lines, many }, step) {
  const { top, foot } = frame;
  const at = scales.x(step);
  pen.line(at, top, at, foot, { key: "held", stroke: colour.ink, width: 1.5, class: "held" });
  const said = lines.map((curve) => (many ? `${curve.label} ${printedAt(curve, step)}` : readingOf(curve, step)));
  const texts = [`step ${step.toLocaleString("en")}`, ...said];
  const width = Math.max(...texts.map((line, i) => textWidth(line, 14, !i))) + 20;
  const x = Math.max(4, Math.min(at + 10, frame.width - width - 4));
  const height = 19 * texts.length + 12;
  pen.rect(x, foot - height - 34, width, height, { fill: colour.background, stroke: colour.ink, r: 8 });
  texts.forEach((line, i) => {
    const look = { key: `read${i}`, size: narrow ? 13 : 14, bold: !i, class: "reading" };
    pen.text(x + 10, foot - height - 14 + 19 * i, line, look);
  });
}

/** @param {Curve} curve @param {number} step */
function printedAt(curve, step) {
  const found = lossAt(curve, step);
  if (!found) return "…";
  return found[1] === null ? "not finite" : formatNumber(found[1]);
}

/**
 * The readout of a single run at a step: loss, perplexity, and the loss of the batches.
 *
 * @param {Curve} curve @param {number} step
 */
function readingOf(curve, step) {
  const loss = lossAt(curve, step)?.[1] ?? null;
  const batch = curve.batches.find(([end]) => end >= step)?.[1] ?? null;
  const perplexity = loss === null ? "" : formatNumber(Number(Math.exp(loss).toPrecision(4)));
  return [
    `validation ${printedAt(curve, step)}`,
    ...(perplexity ? [`perplexity ${perplexity}`] : []),
    ...(batch === null ? [] : [`batch ${formatNumber(batch)}`]),
  ].join(", ");
}

/** @type {WeakSet<SVGElement>} */
const listening = new WeakSet();

/**
 * Listen to the pointer and to the keys, once for each of these nodes.
 *
 * @param {SVGElement} area @param {SVGElement} knob @param {Follower} follower
 */
function listenTo(area, knob, follower) {
  if (!listening.has(area)) listenToPointer(area, follower);
  if (!listening.has(knob)) listenToKeys(knob, follower);
  listening.add(area).add(knob);
}

/** @param {SVGElement} area @param {Follower} follower */
function listenToPointer(area, follower) {
  const move = (/** @type {PointerEvent} */ event) => {
    const svg = /** @type {SVGSVGElement} */ (area.ownerSVGElement);
    const screen = /** @type {DOMMatrix} */ (svg.getScreenCTM());
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
    follower.reading?.hold(follower.reading.stepAt(point.x));
  };
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerdown", move);
  area.addEventListener("pointerleave", () => follower.reading?.hold(null));
}

/** @param {SVGElement} knob @param {Follower} follower */
function listenToKeys(knob, follower) {
  knob.addEventListener("keydown", (event) => {
    const now = Number(knob.getAttribute("aria-valuenow"));
    const by = Math.max(1, Math.round(now / 10));
    /** @type {Record<string, number | undefined>} */
    const steps = {
      ArrowLeft: now - by,
      ArrowDown: now - by,
      ArrowRight: now + by,
      ArrowUp: now + by,
      Home: 0,
      End: follower.reading?.last,
    };
    const to = steps[event.key];
    if (to !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      follower.reading?.hold(to);
    } else if (event.key === "Escape") follower.reading?.hold(null);
  });
  knob.addEventListener("blur", () => follower.reading?.hold(null));
}

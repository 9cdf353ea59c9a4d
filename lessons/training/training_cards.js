// The texts that one model wrote, as cards below some of the steps.

import { formatNumber } from "../../drawing/numbers.js";
import { chosenTexts, lossAt, textSteps, wrapped } from "./training_scales.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Chart, Draw, TrainingScene } from "./training_chart.js" */
/** @import { Curve, Sample } from "./training_scales.js" */

/** @typedef {{ sample: Sample, curve: Curve, fresh: boolean }} Card fresh: of a run here */
/** @typedef {(pen: Pen, scene: TrainingScene, chart: Chart, card: Card, box: Box, i: number) => void} DrawCard */

const COUNT = { wide: 6, narrow: 2 };
const GAP = 10; // space between two cards

/**
 * Cards below their steps; a recorded text is shown until the run reaches that step.
 *
 * @type {Draw}
 */
export function drawCards(pen, scene, chart) {
  const { narrow, memory } = scene;
  const cards = cardsOf(scene, chart);
  if (cards.every((card) => !card)) return drawPromise(pen, scene, chart);
  drawWhyEmpty(pen, scene, chart, cards);
  const newest = cards.findLastIndex((card) => card?.fresh);
  const held = memory.held ?? null;
  cards.forEach((card, i) => {
    if (!card) return;
    const box = boxOf(chart, narrow, i);
    const next = cards[i + 1];
    const looked = held !== null && card.sample[0] <= held && !(next && next.sample[0] <= held);
    if (!narrow) drawLead(pen, scene, chart, card, box, i);
    const look =
      i === newest || looked ? { stroke: pen.colour.loss, line: 2.4 } : { stroke: pen.colour.line, line: 1.3 };
    const { left, top, width, height } = box;
    const dash = card.fresh ? null : "5 4";
    pen.rect(left, top, width, height, { key: `card${i}`, fill: pen.colour.background, ...look, dash, r: 8 });
    drawHeading(pen, scene, chart, card, box, i);
    drawText(pen, scene, chart, card, box, i);
  });
}

/**
 * The text below each step: from the run, or else from the recording.
 *
 * @param {TrainingScene} scene @param {Chart} chart @returns {(Card | null)[]}
 */
function cardsOf({ data, narrow, hidden }, { live: [live], longest }) {
  const steps = textSteps(longest, narrow ? COUNT.narrow : COUNT.wide);
  const samples = live ? chosenTexts(live.samples, steps, live.step) : [];
  const [recorded] = data.recorded;
  const before = recorded && !hidden("curve") ? chosenTexts(recorded.samples, steps, Infinity) : [];
  return steps.map((_, i) => {
    const [fresh, old] = [samples[i], before[i]];
    if (fresh) return { sample: fresh, curve: live, fresh: true };
    return old ? { sample: old, curve: recorded, fresh: false } : null;
  });
}

/** @param {Chart} chart @param {boolean} narrow @param {number} i @returns {Box} */
function boxOf({ frame }, narrow, i) {
  const { below, texts, width } = frame;
  if (narrow) {
    const high = texts / COUNT.narrow;
    return { left: 6, top: below + i * high, width: width - 12, height: high - 5 };
  }
  const pitch = (width - 32 + GAP) / COUNT.wide;
  return { left: 16 + i * pitch, top: below, width: pitch - GAP, height: texts };
}

/**
 * The reason why a recorded run ended early, in place of its last cards.
 *
 * @param {Pen} pen @param {TrainingScene} scene @param {Chart} chart @param {(Card | null)[]} cards
 */
function drawWhyEmpty(pen, { data, colour, narrow, hidden }, chart, cards) {
  const empty = cards.findLastIndex((card) => card) + 1;
  const why = chart.live.length ? "" : (data.recorded[0]?.why ?? "");
  if (!why || narrow || hidden("curve") || empty >= COUNT.wide - 1) return;
  const { left, top } = boxOf(chart, narrow, empty);
  const { width, texts } = chart.frame;
  const room = width - left - 20;
  wrapped(why, room, 15, Math.floor(texts / 20), true).forEach((line, k) => {
    const look = { key: `why${k}`, size: 15, fill: colour.gradient, room, class: "why" };
    pen.text(left + 8, top + 18 + 20 * k, `${line} `, look);
  });
}

/**
 * The line from the curve down to the card.
 *
 * @type {DrawCard}
 */
function drawLead(pen, { colour }, { scales, frame }, { sample: [step], curve }, { left, top, width }, i) {
  const loss = lossAt(curve, step)?.[1] ?? null;
  if (loss === null) return;
  const [x, y] = [scales.x(step), scales.y(loss)];
  const d = `M${x} ${y + 7}V${frame.foot + 24}L${left + width / 2} ${top - 8}V${top}`;
  pen.path(d, { key: `lead${i}`, stroke: colour.loss, width: 1.2, "stroke-opacity": 0.55 });
  pen.circle(x, y, 5.5, { key: `spot${i}`, fill: colour.background, stroke: colour.loss, line: 2.4 });
}

/** @type {DrawCard} */
function drawHeading(pen, { colour, narrow, hidden }, chart, { sample: [step], curve }, { left, top, width }, i) {
  const look = { size: narrow ? 13 : 14, bold: true, fill: colour.loss };
  pen.text(left + 10, top + 19, `step ${step.toLocaleString("en")}`, { key: `step${i}`, ...look });
  const loss = lossAt(curve, step)?.[1] ?? null;
  if (loss === null || hidden("final")) return;
  const number = formatNumber(Number(loss.toPrecision(3)));
  pen.text(left + width - 10, top + 19, number, { key: `loss${i}`, anchor: "end", ...look });
}

/** @type {DrawCard} */
function drawText(pen, { colour, narrow }, chart, { sample: [, text], fresh }, { left, top, width, height }, i) {
  const size = narrow ? 13 : 14;
  const most = Math.max(1, Math.floor((height - (narrow ? 22 : 26)) / 17));
  const fill = fresh ? colour.ink : colour.quiet;
  wrapped(text || "(nothing)", width - 20, size, most).forEach((line, k) => {
    const look = { key: `text${i}.${k}`, size, fill, room: width - 20, class: "written" };
    pen.text(left + 10, top + 37 + 17 * k, line, look);
  });
}

/**
 * A placeholder that says what will appear here.
 *
 * @type {Draw}
 */
function drawPromise(pen, { colour, narrow }, { frame: { width, below, texts } }) {
  const said = "What the model writes appears here, each text under the step after which it was written.";
  pen.rect(16, below, width - 32, texts - 6, { key: "promise", stroke: colour.line, dash: "5 4", r: 8 });
  const look = /** @type {const} */ ({ size: narrow ? 14 : 15, fill: colour.quiet, anchor: "middle" });
  wrapped(said, width - 48, 15, 3).forEach((line, i) =>
    pen.text(width / 2, below + 30 + 20 * i, line, { key: `promise${i}`, ...look }),
  );
}

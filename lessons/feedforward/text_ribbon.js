// The text, and in it the window of words that the model reads.

import { textWidth } from "../../drawing/pen.js";
import { placeOf } from "./feedforward_marks.js";
import { shownPlaces } from "./ribbon.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */
/** @import { Places } from "./feedforward_places.js" */
/** @typedef {ReturnType<typeof layText>} Laid */

/** @type {Draw} */
export function drawText(pen, scene, at) {
  const laid = layText(scene, at);
  drawRest(pen, scene, laid);
  drawWindow(pen, scene, at, laid);
  for (let i = laid.from; i <= laid.to; i++) drawWord(pen, scene, at, laid, i);
  if (!at.narrow) drawNotes(pen, scene, at, laid);
}

/**
 * Which words are shown, where they are drawn, and which the window holds: from `first` to `now`.
 *
 * @param {FlowScene} scene @param {Places} at
 */
function layText(scene, { narrow, ribbon }) {
  const { data, width } = scene;
  const now = placeOf(scene);
  const gap = narrow ? 6 : 10;
  const pad = narrow ? 6 : 10;
  const most = narrow ? 120 : 220;
  const hidesNext = scene.hidden("p1");
  const named = data.words.map((word, i) => (hidesNext && i === now + 1 ? "?" : word));
  const wide = named.map((word) => Math.min(textWidth(word, ribbon.size, true), most) + 2 * pad);
  const edge = narrow ? 30 : 66;
  const steps = wide.map((each) => each + gap);
  const [from, to] = shownPlaces(steps, now, data.sizes.context, width - 2 * edge);
  const whole = steps.slice(from, to + 1).reduce((sum, step) => sum + step, 0) - gap;
  let x = edge + Math.max((width - whole) / 2 - edge, 0);
  const left = /** @type {number[]} */ ([]);
  for (let i = from; i <= to; i++) {
    left[i] = x;
    x += steps[i];
  }
  const base = ribbon.top + ribbon.high / 2 + ribbon.size * 0.34;
  return { now, named, wide, left, gap, pad, base, from, to, first: Math.max(now - data.sizes.context + 1, from) };
}

/**
 * How many words are not shown on either side.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Laid} laid
 */
function drawRest(pen, { narrow, colour }, { named, left, wide, base, from, to }) {
  const look = { size: 13, fill: colour.quiet };
  const before = narrow ? `${from}…` : `${from} more …`;
  if (from > 0) pen.text(left[from] - 8, base, before, { ...look, anchor: "end" });
  const after = named.length - 1 - to;
  if (after > 0) pen.text(left[to] + wide[to] + 8, base, narrow ? "…" : `… ${after} more`, look);
}

/**
 * The window, which can be dragged; a dashed outline shows its place before the drag.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Laid} laid
 */
function drawWindow(pen, { colour, before, data }, at, { left, wide, from, to, first, now }) {
  const { top, high } = at.ribbon;
  /** @type {(a: number, b: number) => [number, number, number, number]} */
  const box = (a, b) => [left[a] - 4, top - 4, left[b] + wide[b] - left[a] + 8, high + 8];
  const was = before ? before("place") : now;
  if (was !== now && was <= to) {
    const start = Math.max(was - data.sizes.context + 1, from);
    const look = { key: "old", r: high / 2, stroke: colour.quiet, line: 1.5, dash: "5 4" };
    if (start <= was) pen.rect(...box(start, was), look);
  }
  const pitch = (left[now] + wide[now] - left[first]) / (now - first + 1);
  const moves = { key: "window", "data-n": "place", "data-per": Math.max(pitch, 24), "data-way": "x" };
  const look = { r: high / 2 + 4, stroke: colour.input, line: 2, fill: colour.input, "fill-opacity": 0.05 };
  pen.group(moves, (its) => its.rect(...box(first, now), look));
}

/** @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Laid} laid @param {number} i */
function drawWord(pen, scene, at, { named, left, wide, pad, base, first, now }, i) {
  const { colour } = scene;
  const { top, high, size } = at.ribbon;
  const read = i >= first && i <= now;
  const next = i === now + 1;
  const how = read ? "seen by the model" : next ? "to be predicted" : i < now ? "not seen" : "later";
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(left[i], top, wide[i], high, {
      r: high / 2,
      fill: read ? colour.input : colour.background,
      "fill-opacity": read ? 0.14 : 1,
      stroke: read ? colour.input : next ? colour.activation : colour.line,
      line: read || next ? 2 : 1.2,
      dash: next ? "5 4" : null,
    });
    its.text(left[i] + wide[i] / 2, base, named[i], {
      size,
      bold: read,
      anchor: "middle",
      room: wide[i] - 2 * pad + 1,
      fill: read || next ? colour.ink : colour.quiet,
    });
  };
  pen.button(`${named[i]}, ${how}; read up to here`, () => go(scene, i), draw, { key: `w${i}` });
}

/** @param {FlowScene} scene @param {number} to */
function go({ move, values }, to) {
  if (values("place") === to) return;
  move("place", to, false);
  move("place", to, true);
}

/**
 * Below the words: which of them the model does not read, and which one comes next.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Laid} laid
 */
function drawNotes(pen, { colour }, at, { left, wide, gap, from, to, first, now }) {
  const y = at.ribbon.top + at.ribbon.high + 17;
  if (first > from) {
    const room = left[first] - gap - left[from];
    const text = room > 150 ? "not seen: no effect" : "not seen";
    if (room >= textWidth(text, 13))
      pen.text(left[from] + room / 2, y, text, { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  if (now + 1 > to) return;
  const x = left[now + 1] + wide[now + 1] / 2;
  pen.text(x, y, "next", { size: 13, fill: colour.activation, anchor: "middle" });
}

// The sum of a unit as bars, one for each term: each begins where the one before ends.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";
import { barEnds } from "./neuron_scales.js";
import { frameBox, heading } from "./unit_marks.js";
import { barAt } from "./unit_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Places, UnitScene } from "./unit_places.js" */

/** @typedef {ReturnType<typeof sumsOf>} Sums */

/**
 * The sum after each term, now and before the drag, and where they are drawn.
 *
 * @param {UnitScene} scene @param {Places} at
 */
export function sumsOf({ data, values, before }, { sum }) {
  const now = data.terms.map((term) => values(term.sum));
  const old = before ? data.terms.map((term) => before(term.sum)) : [];
  const [low, high] = barEnds([...now, ...old]);
  const along = scaleLinear([low, high], [sum.left + sum.room, sum.right - sum.room]).clamp(true);
  return { low, high, now, old, along, end: along(now[now.length - 1]) };
}

/** @type {Draw} */
export function drawSum(pen, scene, at, sums) {
  const { colour, data } = scene;
  const { left, right, axis, labels } = at.sum;
  const { low, high, along, old, now } = sums;
  heading(pen, at, (left + right) / 2, "Σ add up the terms", colour.score);
  frameBox(pen, { left, right, top: at.top - 8, foot: at.foot }, colour.score);
  const ticks = low < 0 && high > 0 ? [low, 0, high] : [low, (low + high) / 2, high];
  pen.axis("x", along, { at: labels, ticks, title: "sum of the terms", lines: [at.top + 2, axis], zero: 2 });
  data.terms.forEach((_, i) => {
    if (old.length && Math.abs(old[i] - now[i]) > 1e-9) ghost(pen, at, sums, i);
    bar(pen, scene, at, sums, i);
  });
}

/**
 * A bar as it was before the drag.
 *
 * @param {Pen} pen @param {Places} at @param {Sums} sums @param {number} i
 */
function ghost(pen, at, { old, along }, i) {
  const [from, to] = [along(i ? old[i - 1] : 0), along(old[i])];
  const look = { key: `old${i}`, stroke: pen.colour.quiet, line: 1, dash: "4 3", r: 3 };
  pen.rect(Math.min(from, to), barAt(at, i) - at.bar / 2, Math.max(Math.abs(to - from), 2), at.bar, look);
}

/** @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {Sums} sums @param {number} i */
function bar(pen, scene, at, { now, along }, i) {
  const { data, colour, hidden } = scene;
  const term = data.terms[i];
  const y = barAt(at, i);
  const [from, to] = [along(i ? now[i - 1] : 0), along(now[i])];
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const [top, foot] = [y - at.bar / 2, y + at.bar / 2];
  const fill = term.bias ? colour.weight : colour.input;
  if (hidden(term.product)) return pen.text(at.sum.left + 40, y + 6, "?", { size: 18, bold: true });
  pen.rect(left, top, Math.max(right - left, 2.5), at.bar, { key: `bar${i}`, fill, r: 3 });
  if (i < data.terms.length - 1) {
    const next = barAt(at, i + 1) - at.bar / 2;
    pen.line(to, foot, to, next, { key: `link${i}`, stroke: colour.quiet, width: 1, dash: "2 3" });
  }
  numberOf(pen, scene, at, { left, right, i });
}

/**
 * The number of a term, to the right of its bar, or to the left if there is no room.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {{ left: number, right: number, i: number }} bar
 */
function numberOf(pen, { data, values, text, moved, colour }, at, { left, right, i }) {
  const term = data.terms[i];
  const number = text(term.product);
  const size = at.narrow ? 15 : 17;
  const flip = right + textWidth(number, size, true) + 14 > at.sum.right;
  const named = moved ? moved === term.weight || moved === term.input_slot : i === values("@largest");
  pen.markedText(flip ? left - 9 : right + 9, barAt(at, i) + 6, number, named && !data.gate, {
    key: `t${i}`,
    size,
    bold: true,
    fill: term.bias ? colour.weight : colour.input,
    anchor: flip ? "end" : "start",
    halo: !named,
  });
}

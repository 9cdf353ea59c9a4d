// The curve that bends z to y, with the point of the unit's z once the formula is computed to the end.

import { through, textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FormulaPlaces, FormulaScene } from "./formula_places.js" */

/** @type {Draw} */
export function drawBend(pen, scene, at) {
  const { data, colour, hidden } = scene;
  const { bend, inner, scales, narrow } = at;
  const middle = (bend.left + bend.right) / 2;
  const heading = `y = ${data.symbol}(z)`;
  const head = /** @type {const} */ ({ bold: true, fill: colour.activation, anchor: "middle" });
  pen.text(middle, bend.top + (narrow ? 26 : 48), heading, { key: "heading", size: narrow ? 22 : 38, ...head });
  const { across, down } = scales;
  const size = narrow ? 13 : 16;
  pen.axis("y", down, { at: inner.left - 7, ticks: data.levels, size, title: "y", lines: [inner.left, inner.right] });
  const ticks = [-data.reach, 0, data.reach];
  pen.axis("x", across, { at: inner.foot + size + 5, ticks, size, title: "z", lines: [inner.top, inner.foot] });
  const named = { size, bold: true, fill: colour.score };
  pen.text(across(data.reach / 2), inner.foot + size + 5, "z", { key: "z title", ...named, anchor: "middle" });
  const its = { ...named, fill: colour.activation, anchor: /** @type {const} */ ("end") };
  if (!narrow) pen.text(inner.left - 7, inner.top + 6, "y", { key: "y title", ...its });
  const curve = through(data.curve.map(([z, y]) => [across(z), down(y)]));
  const shown = data.to === "bend";
  pen.path(curve, { key: "curve", stroke: colour.activation, width: 5, "stroke-opacity": data.to === "sum" ? 0.3 : 1 });
  const foot = bend.foot - (narrow ? 8 : 18);
  if (shown && !hidden("z") && !hidden("y")) drawPoint(pen, scene, at);
  if (shown) drawResult(pen, scene, at, foot);
  else
    pen.text(middle, foot, data.bends, { key: "words", size: narrow ? 14 : 20, fill: colour.quiet, anchor: "middle" });
}

/**
 * The way from z up to the curve, and to y.
 *
 * @type {Draw}
 */
function drawPoint(pen, { values, before, colour }, { inner, scales }) {
  const { across, down } = scales;
  const [x, y] = [across(values("z")), down(values("y"))];
  pen.line(x, inner.foot, x, y, { key: "up", stroke: colour.score, width: 3, dash: "6 5" });
  pen.line(x, y, inner.left, y, { key: "over", stroke: colour.activation, width: 3, dash: "6 5" });
  const ghost = { key: "old", stroke: colour.quiet, line: 1.5, dash: "3 2" };
  if (before) pen.circle(across(before("z")), down(before("y")), 8, ghost);
  pen.circle(x, y, 9, { key: "point", fill: colour.activation, stroke: colour.background, line: 2.5 });
}

/**
 * z → y in numbers, y marked.
 *
 * @param {Pen} pen @param {FormulaScene} scene @param {FormulaPlaces} at @param {number} foot
 */
function drawResult(pen, { text, hidden, colour }, { bend, narrow }, foot) {
  const size = narrow ? 20 : 32;
  const [from, arrow, to] = [text("z"), "  →  ", text("y")];
  const wide = [from, arrow, to].reduce((sum, each) => sum + textWidth(each, size, true), 0);
  const left = (bend.left + bend.right - wide) / 2;
  const look = { size, bold: true };
  pen.text(left, foot, from, { key: "z", ...look, fill: colour.score });
  const next = left + textWidth(from, size, true);
  pen.text(next + textWidth(arrow, size, true) / 2, foot, "→", { key: "arrow", ...look, anchor: "middle" });
  const end = next + textWidth(arrow, size, true);
  pen.markedText(end, foot, to, !hidden("y"), { key: "y", ...look, fill: colour.activation });
}

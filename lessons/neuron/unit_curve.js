// The curve of a unit's activation: from the sum on the z axis to the output, with the slope at that point.

import { line } from "../../drawing/d3.js";
import { bent, textWidth } from "../../drawing/pen.js";
import { curveScales, tangentIn } from "./neuron_scales.js";
import { frameBox, output, route, total, wayOut, windowTitle } from "./unit_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Places, UnitScene } from "./unit_places.js" */
/** @typedef {ReturnType<typeof curveScales>} Scales */
/** @typedef {[x: number, y: number]} Point */

/** @type {Draw} */
export function drawCurve(pen, scene, at, sums) {
  const { data, values, before, hidden, colour } = scene;
  const { frame, inner } = at;
  const scales = curveScales(data, inner);
  const { across, down } = scales;
  windowTitle(pen, at, at.narrow ? `${data.symbol} bends` : data.bends);
  frameBox(pen, frame, colour.activation);
  flatParts(pen, scene, at, scales);
  const { levels, ticks, yTitle } = data;
  pen.axis("y", down, { at: inner.left - 7, ticks: levels, title: yTitle, lines: [inner.left, inner.right] });
  pen.axis("x", across, { at: inner.foot + 17, ticks, title: "z", lines: [inner.top, inner.foot], zero: 1.8 });
  const d = line(
    ([z]) => across(z),
    ([, y]) => down(y),
  )(data.curve);
  pen.path(d ?? "", { stroke: colour.activation, width: 3 });
  const was = { key: "old", fill: colour.background, stroke: colour.quiet, line: 1.5, dash: "3 2" };
  if (before) pen.circle(across(before("z")), down(before("y")), 8, was);
  /** @type {Point} */
  const point = [across(values("z")), down(values("y"))];
  route(pen, scene, at, sums, point);
  total(pen, scene, at, sums, point[0]);
  const end = Math.min(Math.max(point[1], frame.top + at.big), frame.foot - at.big);
  if (!hidden("y") && !hidden("z")) leaving(pen, scene, at, scales, point, end);
  output(pen, scene, at, end);
}

/**
 * The ranges of z where the slope is almost 0.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {Scales} scales
 */
function flatParts(pen, { data, colour }, { inner: { top, foot } }, { across }) {
  const fill = colour.gradient;
  for (const [from, to] of data.flat) {
    const wide = across(to) - across(from);
    pen.rect(across(from), top, wide, foot - top, { fill, "fill-opacity": 0.09, r: 0 });
    if (wide <= 34) continue;
    const y = from < 0 ? top + 18 : foot - 8;
    pen.text(across((from + to) / 2), y, "flat", { size: 13, fill, anchor: "middle" });
  }
}

/**
 * The line from the curve to the output, the point on the curve, and the tangent there.
 *
 * @param {Pen} pen
 * @param {UnitScene} scene
 * @param {Places} at
 * @param {Scales} scales
 * @param {Point} point
 * @param {number} end the height of the output
 */
function leaving(pen, scene, at, { across, down }, [x, y], end) {
  const { values, colour } = scene;
  const { frame, inner, output: out, big } = at;
  const corners = [
    [x, y],
    [frame.right, y],
    [out - big - 8, end],
    [out - big, end],
  ];
  wayOut(pen, bent(corners, 6));
  const [far, deep] = [across.copy().clamp(false), down.copy().clamp(false)];
  const tangent = tangentIn(
    [far(values("z")), deep(values("y"))],
    [far(values("z_after")), deep(values("y_after"))],
    inner,
  );
  const look = { stroke: colour.gradient, width: 3.5, "stroke-linecap": "round" };
  if (tangent) pen.line(...tangent[0], ...tangent[1], look);
  pen.circle(x, y, at.narrow ? 7 : 9, { fill: colour.activation, stroke: colour.background });
  slope(pen, scene, at, [x, y]);
}

/**
 * The slope as a number beside the point.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Places} at @param {Point} point
 */
function slope(pen, { text, colour }, { inner }, [x, y]) {
  const label = `slope ${text("slope")}`;
  const flip = x + textWidth(label, 16, true) + 18 > inner.right;
  const below = y + 34 < inner.foot - 4;
  pen.text(x + (flip ? -16 : 16), below ? y + 32 : y - 22, label, {
    size: 16,
    bold: true,
    fill: colour.gradient,
    anchor: flip ? "end" : "start",
    halo: true,
  });
}

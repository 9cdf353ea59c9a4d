// Activations on one plane whose two axes have the same scale, so that the angle of a tangent is the slope; below them
// a ridge for each, with its slope at every z; on the right, the share of a gradient that each passes at the chosen z.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth, through } from "../../drawing/pen.js";
import { drawShares } from "./slopes_shares.js";
import { placesOf, ridgeAt } from "./slopes_places.js";

/** @import { Component, Scripts, SlopedCurve } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, SlopesPlaces, SlopesScene } from "./slopes_places.js" */

const FAINT = 0.2;

/** @param {Component<Scripts["slopes"]>} component */
export default function slopes(component) {
  return mainPicture(component, (pen, /** @type {SlopesScene} */ scene) => {
    const at = placesOf(scene);
    pen.group({ "data-n": "z", "data-per": at.unit, "data-way": "x" }, (its) => {
      drawPlane(its, scene, at);
      drawNeedle(its, scene, at);
      scene.data.curves.forEach((curve, i) => drawRidge(its, scene, at, curve, i));
      for (const curve of ordered(scene)) drawCurve(its, scene, at, curve);
      drawHandle(its, scene, at);
    });
    drawShares(pen, scene, at);
  });
}

/**
 * The curves, those that are compared last.
 *
 * @param {SlopesScene} scene
 */
const ordered = ({ data }) => [...data.curves].sort((a, b) => Number(a.chosen) - Number(b.chosen));

/** @type {Draw} */
function drawPlane(pen, { data, colour }, at) {
  const { left, right, top, foot, x, y, narrow } = at;
  pen.rect(left, top, right - left, at.end - top, { key: "ground", fill: colour.background, r: 0 });
  const ticks = [-4, -2, 0, 2, 4];
  const size = narrow ? 13 : 15;
  pen.axis("x", x, { at: at.end + 17, ticks, size, title: "z", lines: [top, at.end], zero: 1 });
  pen.text(right - 2, at.end + 17, "z", { size, bold: true, fill: colour.score, anchor: "end" });
  const levels = [-1, 0, 1, 2];
  pen.axis("y", y, { at: left - 8, ticks: levels, size, title: "y = g(z)", lines: [left, right], zero: 2 });
  pen.text(left - 8, y(data.high) + (narrow ? 0 : 5), "y", { size, bold: true, anchor: "end" });
  pen.text(left - 8, foot + (narrow ? 14 : 18), "slope", { size, bold: true, fill: colour.gradient, anchor: "end" });
}

/**
 * A curve with its name, its point at z and the tangent there.
 *
 * @param {Pen} pen @param {SlopesScene} scene @param {SlopesPlaces} at @param {SlopedCurve} curve
 */
function drawCurve(pen, scene, at, curve) {
  const { data, values, hidden, colour } = scene;
  const { x, y, narrow } = at;
  const { name, role, chosen, outputs, label } = curve;
  const inside = outputs.map((value) => value <= data.high && value >= data.low);
  const points = data.points.map((z, i) => [x(z), y(outputs[i])]).filter((_, i) => inside[i]);
  pen.group({ key: `curve ${name}`, opacity: chosen ? null : FAINT }, (its) => {
    its.path(through(points), { stroke: colour[role], width: chosen ? 5 : 3, "stroke-linejoin": "round" });
    if (!chosen) return;
    const look = { size: 18, bold: true, fill: colour[role], halo: true };
    if (!narrow) its.text(x(label[0]), y(label[1]), name, { key: "name", ...look });
    const point = [x(values("z")), y(values(curve.y))];
    if (values(curve.y) > data.high || values(curve.y) < data.low) return;
    if (!hidden(curve.slope)) drawTangent(its, scene, at, curve);
    its.circle(point[0], point[1], narrow ? 5 : 7, { fill: colour[role], stroke: colour.background, line: 2.5 });
  });
}

/**
 * The tangent of a curve at z: the same length for every slope, but inside the plane.
 *
 * @param {Pen} pen @param {SlopesScene} scene @param {SlopesPlaces} at @param {SlopedCurve} curve
 */
function drawTangent(pen, { data, values, colour }, { x, y, narrow }, curve) {
  const [z, value, slope] = [values("z"), values(curve.y), values(curve.slope)];
  const most = 0.95 / Math.hypot(1, slope);
  const above = slope > 0 ? (data.high - value) / slope : most;
  const [before, after] = [Math.min(most, z + data.reach), Math.min(most, data.reach - z, above)];
  pen.line(x(z - before), y(value - slope * before), x(z + after), y(value + slope * after), {
    key: "tangent",
    stroke: colour.gradient,
    width: narrow ? 3 : 4,
    "stroke-linecap": "round",
  });
}

/**
 * The slope of a curve at every z, as a ridge between 0 and 1.
 *
 * @param {Pen} pen @param {SlopesScene} scene @param {SlopesPlaces} at @param {SlopedCurve} curve @param {number} i
 */
function drawRidge(pen, scene, at, curve, i) {
  const { values, hidden, colour } = scene;
  const { left, right, x, narrow, rise } = at;
  const { name, role, chosen, slopes } = curve;
  const base = ridgeAt(at, i);
  pen.group({ key: `ridge ${name}`, opacity: chosen ? null : FAINT }, (its) => {
    const asked = chosen && hidden(curve.slope);
    if (!asked) {
      const d = `${through([[left, base], ...ridgeLine(scene, at, slopes, base), [right, base]])}Z`;
      its.path(d, { key: "ridge", stroke: null, fill: colour.gradient, "fill-opacity": 0.3 });
    }
    its.line(left, base, right, base, { stroke: colour.quiet, width: 1.5 });
    its.line(left, base - rise, left + 10, base - rise, { stroke: colour.quiet });
    its.text(left + 14, base - rise + 6, "1", { size: narrow ? 13 : 14, fill: colour.quiet });
    const size = narrow ? 13 : 16;
    its.text(left - 8, base - 4, name, { size, bold: true, fill: colour[role], anchor: "end" });
    if (!chosen || asked) return;
    if (!narrow) for (const range of curve.dead) drawDead(its, scene, at, range, base);
    const spot = { fill: colour.gradient, stroke: colour.background, line: 2 };
    its.circle(x(values("z")), base - rise * values(curve.slope), narrow ? 4.5 : 6, spot);
  });
}

/**
 * The points of a ridge; where the slope jumps, there is a step.
 *
 * @param {SlopesScene} scene @param {SlopesPlaces} at @param {number[]} slopes @param {number} base
 */
const ridgeLine = ({ data }, { x, rise }, slopes, base) =>
  slopes.flatMap((slope, n) => {
    const point = [x(data.points[n]), base - rise * slope];
    const jumps = n > 0 && Math.abs(slope - slopes[n - 1]) > 0.5;
    return jumps ? [[x(data.points[n - 1]), point[1]], point] : [point];
  });

/**
 * Words where a curve has no slope at all, on the side of the needle that has room.
 *
 * @param {Pen} pen
 * @param {SlopesScene} scene
 * @param {SlopesPlaces} at
 * @param {[number, number]} range
 * @param {number} base
 */
function drawDead(pen, { values, colour }, { x }, [from, to], base) {
  const label = "nothing passes";
  const half = textWidth(label, 15) / 2 + 14;
  const needle = x(values("z"));
  const middle = (x(from) + x(to)) / 2;
  const near = Math.abs(needle - middle) < half;
  const place = near ? (needle + half < x(to) ? needle + half : needle - half) : middle;
  pen.text(place, base - 10, label, { size: 15, fill: colour.quiet, anchor: "middle", halo: true });
}

/** @type {Draw} */
function drawNeedle(pen, { values, colour }, { x, top, end }) {
  const place = x(values("z"));
  pen.line(place, top, place, end, { key: "needle", stroke: colour.ink, width: 1.5, dash: "6 5" });
}

/**
 * The chosen z as a number, between the plane and the ridges.
 *
 * @type {Draw}
 */
function drawHandle(pen, { values, text, colour }, { x, foot, narrow }) {
  const place = x(values("z"));
  const label = `‹ z = ${text("z")} ›`;
  const size = narrow ? 14 : 17;
  const width = textWidth(label, size, true) + 26;
  const middle = foot + (narrow ? 12 : 15);
  pen.rect(place - width / 2, middle - 14, width, 28, { key: "handle", r: 14, fill: colour.ink });
  pen.text(place, middle + 5.5, label, { key: "z", size, bold: true, fill: colour.background, anchor: "middle" });
}

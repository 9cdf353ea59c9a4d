// The plane of both inputs: the colour is the output, the line is z = 0, and each corner shows the output of the logic
// gate there.

import { scaleLinear } from "../../drawing/d3.js";
import { levelLines } from "./plane_levels.js";
import { frameBox, output, route, total, wayOut, windowTitle } from "./unit_marks.js";

/** @import { PathLook, Pen } from "../../drawing/pen.js" */
/** @import { Box, Draw, Places, UnitScene } from "./unit_places.js" */
/** @typedef {ReturnType<typeof planeScales>} Scales */

/** @type {Draw} */
export function drawPlane(pen, scene, at, sums) {
  const { data, values, before, hidden, colour } = scene;
  const { frame, inner, narrow } = at;
  const scales = planeScales(inner);
  windowTitle(pen, at, `${data.gate}: which side of the line?`);
  frameBox(pen, frame, colour.activation);
  shade(pen, scene, scales, inner);
  axes(pen, at, scales);
  if (before) border(pen, before, scales, { key: "old", stroke: colour.quiet, width: 2, dash: "6 4" });
  if (!hidden("y")) border(pen, values, scales, { key: "now", stroke: colour.score, width: 4 });
  const near = scales.y(0) - scales.y(1) < 76; // no room for a label below
  data.corners.forEach((_, i) => corner(pen, scene, scales, i, near));
  here(pen, scene, scales, near);
  route(pen, scene, at, sums, [narrow ? inner.right : frame.left - 8, at.route]);
  total(pen, scene, at, sums, narrow ? frame.right : frame.left);
  const middle = (frame.top + frame.foot) / 2;
  if (!hidden("y")) wayOut(pen, `M${frame.right} ${middle}H${at.output - at.big}`);
  output(pen, scene, at, middle);
}

/**
 * Scales from −½ to 1½; in a tall window, the y axis extends further at the same scale.
 *
 * @param {Box} box
 */
function planeScales({ left, right, top, foot }) {
  const more = Math.max(0, (foot - top) / (right - left) - 1);
  return { x: scaleLinear([-0.5, 1.5], [left, right]), y: scaleLinear([-0.5 - more, 1.5 + more], [foot, top]) };
}

/** @param {Pen} pen @param {Places} at @param {Scales} scales */
function axes(pen, { inner: { left, right, top, foot } }, { x, y }) {
  const ticks = [0, 1];
  const look = /** @type {const} */ ({ size: 14, fill: pen.colour.input, anchor: "end" });
  pen.axis("x", x, { at: foot + 17, ticks, title: "x₁", titled: { x: right - 2, y: foot + 17, ...look } });
  pen.axis("y", y, { at: left - 8, ticks, title: "x₂", titled: { x: left - 8, y: top + 12, ...look } });
}

/**
 * The colours of the outputs, which change at right angles to the line.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Scales} scales @param {Box} box
 */
function shade(pen, { data, values, hidden }, scales, { left, right, top, foot }) {
  const [wide, high] = [right - left, foot - top];
  pen.group({ tag: "clipPath", key: "clip", id: "plane" }, (clip) => clip.rect(left, top, wide, high, { r: 0 }));
  /** @param {number} y */
  const colourOf = (y) => {
    const share = (y - data.shadeLow) / (data.shadeHigh - data.shadeLow);
    return data.scale[Math.round(Math.min(Math.max(share, 0), 1) * (data.scale.length - 1))];
  };
  if (hidden("y")) return;
  const lines = levelLines(weightsOf(values), scales);
  const fill = lines ? "url(#outputs)" : colourOf(values("c0"));
  if (lines) {
    const [[x1, y1], [x2, y2]] = [lines.at(-data.reach), lines.at(data.reach)];
    const along = { key: "gradient", id: "outputs", gradientUnits: "userSpaceOnUse", x1, y1, x2, y2 };
    pen.group({ tag: "linearGradient", ...along }, (gradient) => {
      for (const [z, y] of data.curve)
        gradient.node("stop", { offset: (z + data.reach) / (2 * data.reach), "stop-color": colourOf(y) });
    });
  }
  pen.rect(left, top, wide, high, { key: "shade", fill, r: 0 });
}

/**
 * The line z = 0, clipped at the edges of the plane.
 *
 * @param {Pen} pen @param {UnitScene["values"]} values @param {Scales} scales @param {PathLook} look
 */
function border(pen, values, scales, look) {
  const ends = levelLines(weightsOf(values), scales)?.ends(0);
  if (ends) pen.line(...ends[0], ...ends[1], { "clip-path": "url(#plane)", ...look });
}

/** @param {UnitScene["values"]} values */
const weightsOf = (values) => ({ w1: values("w1"), w2: values("w2"), b: values("b") });

/**
 * The output of the gate in a corner, and whether the unit decides the same.
 *
 * @param {Pen} pen
 * @param {UnitScene} scene
 * @param {Scales} scales
 * @param {number} i
 * @param {boolean} near whether corners stand close together
 */
function corner(pen, { data, values, hidden, colour }, scales, i, near) {
  const [x1, x2, wanted] = data.corners[i];
  const [x, y] = [scales.x(x1), scales.y(x2)];
  const got = values(`c${i}z`) > 0 ? 1 : 0;
  const [right, asked] = [got === wanted, hidden("y")];
  const radius = near ? 13 : 21;
  const ring = asked || right ? { stroke: colour.ink, line: 2 } : { stroke: colour.gradient, line: 5 };
  pen.circle(x, y, radius, { fill: colour.background, ...ring });
  pen.text(x, y + (near ? 5 : 7), `${wanted}`, { size: near ? 15 : 20, bold: true, anchor: "middle" });
  if (asked) return;
  const label = right ? "✓" : `gets ${got}`;
  const look = { bold: true, fill: right ? colour.ink : colour.gradient, halo: true };
  if (near) pen.text(x + radius + 6, y + 5, label, { size: 13, anchor: "start", ...look });
  else pen.text(x, y + 42, label, { size: 15, anchor: "middle", ...look });
}

/**
 * A cross at the current inputs.
 *
 * @param {Pen} pen @param {UnitScene} scene @param {Scales} scales @param {boolean} near
 */
function here(pen, { values, colour }, scales, near) {
  const [x, y] = [scales.x(values("x1")), scales.y(values("x2"))];
  const ring = near ? 16 : 24;
  const cross = `M${x - ring - 12} ${y}h12M${x} ${y - ring - 12}v12`;
  pen.path(cross, { key: "halo", stroke: colour.background, width: 6 });
  pen.path(cross, { key: "cross", stroke: colour.ink, width: 3 });
}

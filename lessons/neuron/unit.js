// One unit, opened: inputs and weights on the left, the sum as bars that continue one another, and on the
// right the curve on which the sum lands, or the plane that the unit divides.

import { line, scaleLinear } from "../../ui/browser/d3.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { bent, textWidth } from "../../ui/browser/pen.js";
import { barEnds, curveScales, tangentIn } from "./neuron_scales.js";
import { levelLines } from "./plane_levels.js";

/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */

const DIM = 0.18;

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
export function drawUnit(pen, scene) {
  const at = scene.narrow ? narrowPlaces(scene) : places(scene);
  const sums = sumScale(scene, at);
  part(pen, scene, "inputs", (its) => inputs(its, scene, at));
  part(pen, scene, "weights", (its) => weights(its, scene, at));
  part(pen, scene, "sum", (its) => bars(its, scene, at, sums));
  const show = scene.data.gate ? plane : curve;
  part(pen, scene, "bend", (its) => show(its, scene, at, sums));
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

function places({ width, height, data }) {
  const more = width - 1036; // a wider stage gives its room to the two windows
  const foot = height - 62;
  const rows = data.terms.length;
  return {
    top: 46,
    foot,
    rows,
    row: (foot - 66) / rows,
    input: 54,
    radius: Math.min(29, (foot - 66) / rows / 2.25),
    weight: { left: 120, width: 112, height: 34 },
    sum: { left: 276, right: 556 + 0.35 * more },
    bend: { left: 634 + 0.4 * more, right: 920 + more },
    output: width - 52,
    big: 36,
    route: height - 30,
    head: 28,
    size: 15,
  };
}

function narrowPlaces({ width, height, data }) {
  const rows = data.terms.length;
  const row = Math.min(46, (height * 0.5 - 48) / rows);
  const middle = 42 + row * rows;
  return {
    top: 34,
    foot: middle,
    rows,
    row,
    input: 24,
    radius: Math.min(17, row / 2.2),
    weight: { left: 48, width: 72, height: Math.min(28, row - 6) },
    sum: { left: 134, right: width - 10 },
    bend: { left: 44, right: width - 76 },
    bendTop: middle + 62,
    output: width - 34,
    big: 26,
    route: middle + 28,
    head: 17,
    size: 13,
  };
}

const rowAt = (at, i) => at.top + at.row * (i + 0.5) + (at.big === 36 ? 8 : 2);
const isNarrow = (at) => at.bendTop !== undefined;

function inputs(pen, { data, text, colour }, at) {
  heading(pen, at.input, at, isNarrow(at) ? "x" : "inputs x", colour.input);
  data.terms.forEach((term, i) => {
    const y = rowAt(at, i);
    const ring = term.bias ? colour.quiet : colour.input;
    pen.circle(at.input, y, at.radius, { stroke: ring, fill: colour.background });
    const number = term.bias ? "1" : text(term.input_slot);
    if (at.radius < 25) {
      pen.text(at.input, y + 5, number, { anchor: "middle", bold: true, size: number.length > 4 ? 13 : 15 });
    } else {
      pen.text(at.input, y - 6, term.bias ? term.input || "always" : term.input, {
        anchor: "middle",
        size: term.bias ? 13 : 15,
        fill: ring,
      });
      pen.text(at.input, y + 15, number, { anchor: "middle", bold: true, size: number.length > 5 ? 14 : 18 });
    }
  });
}

function weights(pen, { data, text, values, moved, colour }, at) {
  const { left, width, height } = at.weight;
  heading(pen, left + width / 2, at, isNarrow(at) ? "× weight" : "× weights w", colour.weight);
  data.terms.forEach((term, i) => {
    const y = rowAt(at, i);
    const weight = values(term.weight);
    const d = `M${at.input + at.radius} ${y}H${at.sum.left}`;
    pen.path(d, {
      stroke: colour.weight,
      width: Math.min(2 + 8 * Math.abs(weight), 18),
      "stroke-opacity": 0.26,
      dash: weight < 0 ? "4 8" : null,
    });
    pen.beads(d, colour.weight);
    pen.group({ "data-n": term.weight, "data-per": 60, "data-way": "x" }, (handle) => {
      handle.rect(left, y - height / 2, width, height, {
        r: height / 2,
        fill: colour.background,
        stroke: colour.weight,
        line: term.weight === moved ? 3 : 1.5,
      });
      const label = term.weightLabel;
      const number = text(term.weight);
      const size = isNarrow(at) ? 14 : 16;
      const gap = 5;
      const whole = textWidth(label, size) + gap + textWidth(number, size, true);
      const x = left + (width - whole) / 2;
      handle.text(x, y + 5, label, { size, fill: colour.weight });
      handle.text(x + textWidth(label, size) + gap, y + 5, number, { size, bold: true });
      if (!isNarrow(at)) {
        handle.path(`M${left + 12} ${y - 5}l-4 5l4 5M${left + width - 12} ${y - 5}l4 5l-4 5`, {
          stroke: colour.weight,
          "stroke-opacity": 0.7,
        });
      }
    });
  });
}

function heading(pen, x, at, text, fill, anchor = "middle") {
  pen.text(x, at.head, text, { size: at.size, bold: true, fill, anchor });
}

function box(pen, left, top, right, foot, role) {
  pen.rect(left, top, right - left, foot - top, { r: 14, fill: role, "fill-opacity": 0.05, stroke: role, line: 1.5 });
}

function sumScale({ data, values, before }, at) {
  const sums = data.terms.map((term) => values(term.sum));
  const old = before ? data.terms.map((term) => before(term.sum)) : [];
  const [low, high] = barEnds([...sums, ...old]);
  const room = isNarrow(at) ? 16 : 30;
  return {
    low,
    high,
    sums,
    old,
    along: scaleLinear([low, high], [at.sum.left + room, at.sum.right - room]).clamp(true),
  };
}

function bars(pen, scene, at, { low, high, sums, old, along }) {
  const { data, values, text, moved, colour, hidden } = scene;
  const { left, right } = at.sum;
  heading(pen, (left + right) / 2, at, "Σ add up the terms", colour.score);
  box(pen, left, at.top - 8, right, at.foot, colour.score);
  const axis = at.foot - (isNarrow(at) ? 16 : 26);
  const ticks = low < 0 && high > 0 ? [low, 0, high] : [low, (low + high) / 2, high];
  ticks.forEach((tick) => {
    pen.line(along(tick), at.top + 2, along(tick), axis, { stroke: colour.line, width: tick ? 1 : 2 });
    pen.text(along(tick), at.foot - (isNarrow(at) ? 4 : 8), formatNumber(tick), {
      size: 13,
      fill: colour.quiet,
      anchor: "middle",
    });
  });
  const height = Math.min(34, at.row * 0.46);
  data.terms.forEach((term, i) => {
    const y = rowAt(at, i) - 4;
    const [from, to] = [along(i ? sums[i - 1] : 0), along(sums[i])];
    const role = term.bias ? colour.weight : colour.input;
    if (old.length && Math.abs(old[i] - sums[i]) > 1e-9) {
      const [a, b] = [along(i ? old[i - 1] : 0), along(old[i])];
      pen.rect(Math.min(a, b), y - height / 2, Math.max(Math.abs(b - a), 2), height, {
        key: `old${i}`,
        stroke: colour.quiet,
        line: 1,
        dash: "4 3",
        r: 3,
      });
    }
    if (hidden(term.product)) return pen.text(left + 40, y + 6, "?", { size: 18, bold: true });
    pen.rect(Math.min(from, to), y - height / 2, Math.max(Math.abs(to - from), 2.5), height, {
      key: `bar${i}`,
      fill: role,
      r: 3,
    });
    const last = i === data.terms.length - 1;
    const below = last ? at.foot : rowAt(at, i + 1) - 4 - height / 2;
    if (!last)
      pen.line(to, y + height / 2, to, below, { key: `link${i}`, stroke: colour.quiet, width: 1, dash: "2 3" });
    const number = text(term.product);
    const size = isNarrow(at) ? 15 : 17;
    const wide = textWidth(number, size, true) + 14;
    const flip = Math.max(from, to) + wide > right;
    const x = flip ? Math.min(from, to) - 9 : Math.max(from, to) + 9;
    const marked = moved ? [term.weight, term.input_slot].includes(moved) : i === values("@largest");
    pen.markedText(x, y + 6, number, marked && !data.gate, {
      key: `t${i}`,
      size,
      bold: true,
      fill: role,
      anchor: flip ? "end" : "start",
      halo: !marked,
    });
  });
}

// From the end of the sum down, along, and up to its place on the axis of the curve.
function route(pen, scene, at, sums, x, y) {
  const { colour, hidden } = scene;
  if (hidden("z")) return;
  const from = sums.along(sums.sums.at(-1));
  const height = Math.min(34, at.row * 0.46);
  const start = rowAt(at, at.rows - 1) - 4 + height / 2;
  const d = bent(
    [
      [from, start],
      [from, at.route],
      [x, at.route],
      [x, y],
    ],
    12,
  );
  pen.path(d, { stroke: colour.score, width: 4, "stroke-linejoin": "round" });
  pen.beads(d, colour.background, { width: 2.4 });
}

function total(pen, { text, data, values, colour }, at, sums, x) {
  const off = Math.abs(values("z")) > data.reach && !data.gate ? ", off the axis" : "";
  const label = `z = ${text("z")}${off}`;
  const size = isNarrow(at) ? 15 : 17;
  const width = textWidth(label, size, true) + 30;
  const from = sums.along(sums.sums.at(-1));
  const middle = isNarrow(at)
    ? Math.min(Math.max((from + x) / 2, width / 2 + 6), at.sum.right - width / 2)
    : (at.sum.right + at.bend.left - 40) / 2;
  pen.rect(middle - width / 2, at.route - 16, width, 32, {
    r: 16,
    fill: colour.background,
    stroke: colour.score,
    line: 2,
  });
  pen.text(middle, at.route + 6, label, { size, bold: true, fill: colour.score, anchor: "middle" });
}

function windowBox({ height }, at) {
  const narrow = isNarrow(at);
  const top = narrow ? at.bendTop : at.top - 8;
  const foot = narrow ? height - 8 : at.foot;
  return {
    left: at.bend.left - (narrow ? 36 : 44),
    right: at.bend.right + (narrow ? 10 : 18),
    top,
    foot,
    inner: { left: at.bend.left, right: at.bend.right, top: top + (narrow ? 14 : 24), foot: foot - (narrow ? 24 : 30) },
  };
}

function curve(pen, scene, at, sums) {
  const { data, values, before, text, hidden, colour } = scene;
  const frame = windowBox(scene, at);
  const { left, right, top, foot } = frame.inner;
  const { across, down } = curveScales(data, frame.inner);
  if (isNarrow(at))
    pen.text(frame.right, frame.top - 8, `${data.symbol} bends`, {
      size: 13,
      bold: true,
      fill: colour.activation,
      anchor: "end",
    });
  else heading(pen, (frame.left + frame.right) / 2, at, data.bends, colour.activation);
  box(pen, frame.left, frame.top, frame.right, frame.foot, colour.activation);
  for (const [from, to] of data.flat) {
    const wide = across(to) - across(from);
    pen.rect(across(from), top, wide, foot - top, { fill: colour.gradient, "fill-opacity": 0.09, r: 0 });
    if (wide > 34)
      pen.text(across((from + to) / 2), from < 0 ? top + 18 : foot - 8, "flat", {
        size: 13,
        fill: colour.gradient,
        anchor: "middle",
      });
  }
  for (const level of data.levels) {
    pen.line(left, down(level), right, down(level), { stroke: colour.line, width: 1 });
    pen.text(left - 7, down(level) + 5, formatNumber(level), { size: 13, fill: colour.quiet, anchor: "end" });
  }
  for (const tick of data.ticks) {
    pen.line(across(tick), top, across(tick), foot, { stroke: colour.line, width: tick ? 1 : 1.8 });
    pen.text(across(tick), foot + 17, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "middle" });
  }
  pen.path(
    line(
      ([z]) => across(z),
      ([, y]) => down(y),
    )(data.curve),
    { stroke: colour.activation, width: 3 },
  );
  if (before)
    pen.circle(across(before("z")), down(before("y")), 8, {
      key: "old",
      fill: colour.background,
      stroke: colour.quiet,
      line: 1.5,
      dash: "3 2",
    });
  const [x, y] = [across(values("z")), down(values("y"))];
  route(pen, scene, at, sums, x, y);
  total(pen, scene, at, sums, x);
  const end = Math.min(Math.max(y, frame.top + at.big), frame.foot - at.big);
  if (!hidden("y") && !hidden("z")) {
    const out = bent(
      [
        [x, y],
        [frame.right, y],
        [at.output - at.big - 8, end],
        [at.output - at.big, end],
      ],
      6,
    );
    pen.path(out, { stroke: colour.activation, width: 4 });
    pen.beads(out, colour.background, { width: 2.4 });
    const on = (z, y) =>
      /** @type {[number, number]} */ ([across.copy().clamp(false)(values(z)), down.copy().clamp(false)(values(y))]);
    const tangent = tangentIn(on("z", "y"), on("z_after", "y_after"), frame.inner);
    if (tangent)
      pen.line(...tangent[0], ...tangent[1], { stroke: colour.gradient, width: 3.5, "stroke-linecap": "round" });
    pen.circle(x, y, isNarrow(at) ? 7 : 9, { fill: colour.activation, stroke: colour.background });
    slope(pen, scene, x, y, frame);
  }
  output(pen, scene, at, end, text("y"));
}

function slope(pen, { text, colour }, x, y, frame) {
  const label = `slope ${text("slope")}`;
  const room = textWidth(label, 16, true) + 18;
  const flip = x + room > frame.inner.right;
  const low = y + 34 < frame.inner.foot - 4;
  pen.text(x + (flip ? -16 : 16), low ? y + 32 : y - 22, label, {
    size: 16,
    bold: true,
    fill: colour.gradient,
    anchor: flip ? "end" : "start",
    halo: true,
  });
}

function output(pen, { colour }, at, y, number) {
  if (!isNarrow(at)) heading(pen, at.output, at, "output y", colour.activation);
  pen.circle(at.output, y, at.big, { fill: colour.background, stroke: colour.activation, line: 2.5 });
  pen.text(at.output, y - 6, "y", { size: isNarrow(at) ? 13 : 15, fill: colour.activation, anchor: "middle" });
  pen.text(at.output, y + 14, number, {
    size: number.length > 6 || isNarrow(at) ? 14 : 17,
    bold: true,
    anchor: "middle",
  });
}

// The plane of both inputs: colour is the output, the line is where z = 0, and in the corners stands what a
// logic gate wants there.
function plane(pen, scene, at, sums) {
  const { data, values, before, text, hidden, colour } = scene;
  const frame = windowBox(scene, at);
  const { top, foot } = frame.inner;
  const { left, right } = frame.inner;
  const wide = right - left;
  const more = Math.max(0, (foot - top) / wide - 1); // above and below the square, at the same scale
  const scale = { x: scaleLinear([-0.5, 1.5], [left, right]), y: scaleLinear([-0.5 - more, 1.5 + more], [foot, top]) };
  const area = { left, top, wide, high: foot - top };
  const title = `${data.gate}: which side of the line?`;
  if (isNarrow(at))
    pen.text(frame.right, frame.top - 8, title, { size: 13, bold: true, fill: colour.activation, anchor: "end" });
  else heading(pen, (frame.left + frame.right) / 2, at, title, colour.activation);
  box(pen, frame.left, frame.top, frame.right, frame.foot, colour.activation);
  shade(pen, scene, scale, area);
  for (const tick of [0, 1]) {
    pen.text(scale.x(tick), foot + 17, `${tick}`, { size: 13, fill: colour.quiet, anchor: "middle" });
    pen.text(left - 8, scale.y(tick) + 5, `${tick}`, { size: 13, fill: colour.quiet, anchor: "end" });
  }
  pen.text(right - 2, foot + 17, "x₁", { size: 14, fill: colour.input, anchor: "end" });
  pen.text(left - 8, top + 12, "x₂", { size: 14, fill: colour.input, anchor: "end" });
  if (before) boundary(pen, before, scale, { stroke: colour.quiet, width: 2, dash: "6 4" }, "old");
  if (!hidden("y")) boundary(pen, values, scale, { stroke: colour.score, width: 4 }, "now");
  const near = scale.y(0) - scale.y(1) < 76; // no room for a label below
  data.corners.forEach(([x, y, wanted], i) => corner(pen, scene, scale.x(x), scale.y(y), wanted, `c${i}`, near));
  const [x, y] = [scale.x(values("x1")), scale.y(values("x2"))];
  const ring = near ? 16 : 24;
  const cross = `M${x - ring - 12} ${y}h12M${x} ${y - ring - 12}v12`;
  pen.path(cross, { key: "halo", stroke: colour.background, width: 6 });
  pen.path(cross, { key: "cross", stroke: colour.ink, width: 3 });
  route(pen, scene, at, sums, isNarrow(at) ? at.bend.right : frame.left - 8, at.route);
  total(pen, scene, at, sums, isNarrow(at) ? frame.right : frame.left);
  const middle = (frame.top + frame.foot) / 2;
  if (!hidden("y")) {
    const out = `M${frame.right} ${middle}H${at.output - at.big}`;
    pen.path(out, { stroke: colour.activation, width: 4 });
    pen.beads(out, colour.background, { width: 2.4 });
  }
  output(pen, scene, at, middle, text("y"));
}

function shade(pen, { data, values, hidden }, scale, { left, top, wide, high }) {
  pen.group({ tag: "clipPath", key: "clip", id: "plane" }, (clip) => clip.rect(left, top, wide, high, { r: 0 }));
  const colourOf = (y) =>
    data.scale[
      Math.round(
        Math.min(Math.max((y - data.shadeLow) / (data.shadeHigh - data.shadeLow), 0), 1) * (data.scale.length - 1),
      )
    ];
  if (hidden("y")) return;
  const lines = levelLines(weightsOf(values), scale);
  if (!lines) {
    const flat = values("c0");
    pen.rect(left, top, wide, high, { key: "shade", fill: colourOf(flat), r: 0 });
    return;
  }
  const [[x1, y1], [x2, y2]] = [lines.at(-data.reach), lines.at(data.reach)];
  pen.group(
    { tag: "linearGradient", key: "gradient", id: "outputs", gradientUnits: "userSpaceOnUse", x1, y1, x2, y2 },
    (gradient) => {
      for (const [z, y] of data.curve)
        gradient.node("stop", { offset: (z + data.reach) / (2 * data.reach), "stop-color": colourOf(y) });
    },
  );
  pen.rect(left, top, wide, high, { key: "shade", fill: "url(#outputs)", r: 0 });
}

// Where z = 0, cut at the edges of the plane.
function boundary(pen, values, scale, how, key) {
  const ends = levelLines(weightsOf(values), scale)?.ends(0);
  if (ends) pen.line(...ends[0], ...ends[1], { key, "clip-path": "url(#plane)", ...how });
}

const weightsOf = (values) => ({ w1: values("w1"), w2: values("w2"), b: values("b") });

function corner(pen, { values, hidden, colour }, x, y, wanted, name, near) {
  const got = values(`${name}z`) > 0 ? 1 : 0;
  const right = got === wanted;
  const asked = hidden("y");
  const radius = near ? 13 : 21;
  pen.circle(x, y, radius, {
    fill: colour.background,
    stroke: asked || right ? colour.ink : colour.gradient,
    line: asked || right ? 2 : 5,
  });
  pen.text(x, y + (near ? 5 : 7), `${wanted}`, { size: near ? 15 : 20, bold: true, anchor: "middle" });
  if (asked) return;
  const label = right ? "✓" : `gets ${got}`;
  pen.text(near ? x + radius + 6 : x, near ? y + 5 : y + 42, label, {
    size: near ? 13 : 15,
    bold: true,
    anchor: near ? "start" : "middle",
    fill: right ? colour.ink : colour.gradient,
    halo: true,
  });
}

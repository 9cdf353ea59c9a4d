// A line solved at once, and descent to it: the points, which are dragged; the line of the closed form and those of
// descent; the matrices of the closed form; and how far descent is after each step, on a logarithmic axis.

import { scaleLinear, scaleLog } from "../../drawing/d3.js";
import { drag } from "../../drawing/hand.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { computed, distance } from "./solved_model.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Model, Points } from "./solved_model.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { PathLook, Pen, Point } from "../../drawing/pen.js" */
/** @typedef {Scene<"solved", { dragged?: Points | null, of?: unknown }>} SolvedScene */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {{ data: Box, matrices: Box | null, distance: Box }} Places */

const LOWEST = 1e-8; // the end of the axis of the distance
const FADING = [1, 2, 3, 5, 8, 13, 21];

/** @param {Component<Scripts["solved"]>} component */
export default function solved(component) {
  return mainPicture(component, (pen, /** @type {SolvedScene} */ scene) => {
    const model = modelOf(scene);
    const at = placesOf(scene);
    pen.part(scene, "data", (its) => drawData(its, scene, model, at.data));
    const { matrices } = at;
    if (matrices) pen.part(scene, "matrices", (its) => drawMatrices(its, scene, model, matrices));
    pen.part(scene, "distance", (its) => drawDistance(its, scene, model, at.distance));
  });
}

/** @param {SolvedScene} scene @returns {Places} */
function placesOf({ width, height, narrow }) {
  if (narrow) {
    return {
      data: { left: 36, right: width - 6, top: 26, foot: height * 0.6 },
      matrices: null,
      distance: { left: 52, right: width - 10, top: height * 0.6 + 50, foot: height - 24 },
    };
  }
  const split = width * 0.5;
  return {
    data: { left: 48, right: split - 14, top: 34, foot: height - 30 },
    matrices: { left: split + 24, right: width - 10, top: 8, foot: 148 },
    distance: { left: split + 84, right: width - 16, top: 196, foot: height - 30 },
  };
}

/**
 * The points and all that follows from them: as the server computed it, or for the points that are dragged.
 *
 * @param {SolvedScene} scene @returns {Model}
 */
function modelOf({ data, values, memory }) {
  if (memory.of !== data) Object.assign(memory, { of: data, dragged: null });
  const moved = memory.dragged;
  if (moved) return computed(moved, data.start, data.shown, data.close);
  const path = Array.from({ length: data.shown + 1 }, (_, n) => [data.path[2 * n], data.path[2 * n + 1]]);
  const best = [values("s 0"), values("s 1")];
  const off = path.map((each) => distance(each, best));
  const inverse = /** @type {const} */ ([0, 1, 2, 3]).map((n) => values(`i ${n}`));
  const sums = [values("m 0"), values("m 1")];
  return {
    x: Float64Array.from(data.x),
    y: Float64Array.from(data.y),
    best,
    path,
    off,
    near: values("near"),
    inverse,
    sums,
  };
}

/** @param {SolvedScene} scene @param {Model} model */
const stepOf = ({ values, final, data }, { path }) => {
  const step = Math.min(values("step"), data.shown);
  const [from, to] = [Math.floor(step), Math.ceil(step)];
  const share = step - from;
  const beta = [0, 1].map((k) => path[from][k] * (1 - share) + path[to][k] * share);
  return { step, beta, settled: Math.round(final("step")) };
};

/**
 * The points, the line of the closed form, and those of descent.
 *
 * @param {Pen} pen @param {SolvedScene} scene @param {Model} model @param {Box} box
 */
function drawData(pen, scene, model, box) {
  const { data, colour, narrow } = scene;
  const { left, right, top, foot } = box;
  const [x0, x1, y0, y1] = data.window;
  const [x, y] = [scaleLinear([x0, x1], [left, right]), scaleLinear([y0, y1], [foot, top])];
  const size = narrow ? 13 : 15;
  const lines = /** @type {[number, number]} */ ([left, right]);
  const titled = { size, bold: true, fill: colour.quiet, anchor: /** @type {const} */ ("end") };
  pen.axis("x", x, {
    at: foot + 18,
    ticks: x.ticks(narrow ? 3 : 5).slice(0, -1),
    size,
    title: "x",
    titled: { x: right, y: foot + 18, ...titled },
  });
  pen.axis("y", y, {
    at: left - 8,
    ticks: y.ticks(4),
    size,
    lines,
    title: "y",
    titled: { x: left - 8, y: top + 4, ...titled },
  });
  pen.rect(left, top, right - left, foot - top, { key: "frame", r: 3, stroke: colour.quiet });
  pen.group({ tag: "clipPath", key: "clip", id: "solved-data" }, (clip) =>
    clip.rect(left, top, right - left, foot - top, { r: 3 }),
  );
  const { beta, settled } = stepOf(scene, model);
  pen.group({ key: "lines", "clip-path": "url(#solved-data)" }, (its) => {
    /** @param {readonly number[]} line @param {PathLook} look */
    const draw = ([b0, b1], look) => its.line(x(x0), y(b0 + b1 * x0), x(x1), y(b0 + b1 * x1), look);
    for (const step of [0, ...FADING].filter((each) => each < settled)) {
      draw(model.path[step], { key: `faded ${step}`, stroke: colour.loss, width: 1.5, "stroke-opacity": 0.35 });
    }
    draw(beta, { key: "descent", stroke: colour.loss, width: 3.5, dash: "10 6" });
    draw(model.best, { key: "best", stroke: colour.weight, width: 5.5 });
  });
  const name = narrow ? 14 : 18;
  pen.text(left, top - 9, "closed form", { key: "best name", size: name, bold: true, fill: colour.weight });
  const walking = {
    key: "descent name",
    size: name,
    bold: true,
    anchor: /** @type {const} */ ("end"),
    fill: colour.loss,
  };
  pen.text(right, top - 9, `descent, step ${settled}`, walking);
  model.x.forEach((value, i) =>
    drawPoint(pen, scene, model, { x: x(value), y: y(model.y[i]), i, back: (a, b) => [x.invert(a), y.invert(b)] }),
  );
}

/**
 * A point, which is dragged: the closed form follows at once.
 *
 * @param {Pen} pen
 * @param {SolvedScene} scene
 * @param {Model} model
 * @param {{ x: number, y: number, i: number, back: (x: number, y: number) => Point }} place
 */
function drawPoint(pen, scene, model, { x, y, i, back }) {
  const { data, memory, colour, narrow } = scene;
  const node = pen.group({ key: `point ${i}`, class: "grab", style: "cursor: grab; touch-action: none" }, (its) => {
    its.circle(x, y, 15, { fill: "transparent" });
    its.circle(x, y, narrow ? 6 : 8, { fill: colour.input, stroke: colour.background, line: 2 });
  });
  const [x0, x1, y0, y1] = data.window;
  /** @param {number} value @param {number} low @param {number} high */
  const held = (value, low, high) => Math.round(Math.min(Math.max(value, low), high) * 100) / 100;
  drag(node, {
    down: () => ({ moved: /** @type {Points | null} */ (null) }),
    move: (began, across, down) => {
      const [to, up] = back(across, down);
      const moved = { x: Float64Array.from(model.x), y: Float64Array.from(model.y) };
      moved.x[i] = held(to, x0, x1);
      moved.y[i] = held(up, y0, y1);
      if (moved.x.every((each) => each === moved.x[0])) return; // these have no best line
      began.moved = memory.dragged = moved;
      scene.again();
    },
    up: ({ moved }, has) => {
      if (has && moved) scene.send({ points: Array.from(moved.x, (each, k) => [each, moved.y[k]]) });
    },
  });
}

/**
 * (XᵀX)⁻¹ times Xᵀy is β*: three grids of numbers.
 *
 * @param {Pen} pen @param {SolvedScene} scene @param {Model} model @param {Box} box
 */
function drawMatrices(pen, { colour }, { inverse, sums, best }, { left, right, top, foot }) {
  const signs = 30; // the room of a sign between two grids
  const wide = (right - left - 2 * signs) / 4;
  const high = (foot - top - 34) / 2;
  /** @param {number} x @param {number} columns @param {readonly number[]} cells @param {string} name @param {string} fill */
  const grid = (x, columns, cells, name, fill) => {
    const middle = { key: `name ${name}`, size: 19, bold: true, fill, anchor: /** @type {const} */ ("middle") };
    pen.text(x + (columns * wide) / 2, top + 18, name, middle);
    cells.forEach((cell, n) => {
      const [cx, cy] = [x + (n % columns) * wide, top + 32 + Math.floor(n / columns) * high];
      pen.rect(cx + 2, cy + 2, wide - 4, high - 4, { key: `box ${name} ${n}`, r: 5, fill, "fill-opacity": 0.14 });
      const look = {
        key: `cell ${name} ${n}`,
        size: 20,
        bold: columns === 1,
        anchor: /** @type {const} */ ("middle"),
        room: wide - 8,
      };
      pen.text(cx + wide / 2, cy + high / 2 + 7, formatNumber(cell), look);
    });
  };
  grid(left, 2, inverse, "(XᵀX)⁻¹", colour.input);
  grid(left + 2 * wide + signs, 1, sums, "Xᵀy", colour.activation);
  grid(left + 3 * wide + 2 * signs, 1, best, "β*", colour.weight);
  const sign = { size: 26, anchor: /** @type {const} */ ("middle") };
  const y = top + 32 + high + 8;
  pen.text(left + 2 * wide + signs / 2, y, "·", { key: "times", ...sign });
  pen.text(left + 3 * wide + signs * 1.5, y, "=", { key: "equals", ...sign });
}

/**
 * How far descent is from β* after each step.
 *
 * @param {Pen} pen @param {SolvedScene} scene @param {Model} model @param {Box} box
 */
function drawDistance(pen, scene, model, { left, right, top, foot }) {
  const { data, colour, narrow, hidden } = scene;
  const size = narrow ? 13 : 15;
  const x = scaleLinear([0, data.shown], [left, right]);
  const y = scaleLog([LOWEST, Math.max(...model.off, 1) * 1.5], [foot, top]).clamp(true);
  const ticks = [1, 1e-2, 1e-4, 1e-6];
  const lines = /** @type {[number, number]} */ ([left, right]);
  const label = (/** @type {number} */ tick) =>
    tick === 1 ? "1" : `10${["⁻²", "⁻⁴", "⁻⁶"][-Math.log10(tick) / 2 - 1]}`;
  const title = narrow ? "distance to β*" : "distance of descent to β*";
  const titled = {
    x: narrow ? 8 : left - 60,
    y: top - (narrow ? 14 : 20),
    size: narrow ? 14 : 18,
    bold: true,
    fill: colour.loss,
  };
  pen.axis("y", y, { at: left - 8, ticks, size, lines, label, title, titled });
  const steps = { x: right, y: foot + 20, size, fill: colour.quiet, anchor: /** @type {const} */ ("end") };
  pen.axis("x", x, { at: foot + 20, ticks: x.ticks(5).slice(0, -1), size, title: "step", titled: steps });
  if (hidden("near")) return;
  const d = model.off
    .slice(0, data.shown + 1)
    .map((off, n) => `${n ? "L" : "M"}${x(n).toFixed(1)} ${y(Math.max(off, LOWEST)).toFixed(1)}`);
  pen.path(d.join(""), { key: "way", stroke: colour.loss, width: 3 });
  const { step } = stepOf(scene, model);
  const low = Math.floor(step);
  const here = x(step);
  const off = model.off[Math.min(low, model.off.length - 1)];
  pen.line(here, top, here, foot, { key: "now line", stroke: colour.ink, width: 1.5, dash: "4 4" });
  pen.circle(here, y(Math.max(off, LOWEST)), narrow ? 6 : 8, {
    key: "now",
    fill: colour.loss,
    stroke: colour.background,
    line: 2,
  });
  const near = Math.round(model.near);
  if (near < 0 || near > data.shown) return;
  const [nx, ny] = [x(near), y(data.close)];
  pen.circle(nx, ny, narrow ? 9 : 12, { key: "near", stroke: colour.ink, line: 2.5 });
  const look = {
    key: "near name",
    size: narrow ? 15 : 22,
    bold: true,
    anchor: /** @type {const} */ ("end"),
    halo: true,
  };
  pen.text(nx - (narrow ? 12 : 16), ny + (narrow ? 17 : 26), `${near} steps`, look);
}

// The line and the points of a regression. A point can be dragged, dragged out to remove it, or added by a press beside
// the others.

import { formatNumber } from "../../drawing/numbers.js";
import { through } from "../../drawing/pen.js";
import { drag } from "../../drawing/hand.js";
import { drawAxes, drawHeading, sumText } from "./data_axes.js";
import { between, modelOf, stateOf, take } from "./model.js";
import { dataScale, isInside } from "./descent_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw, Model, Points } from "./model.js" */
/** @import { Box, DataScale, Places } from "./descent_places.js" */
/** @typedef {{ out: boolean, last: Points | null }} Held `out`: whether the point is dragged out */

const FEWEST = 2; // points of a line
const MOST = 60;
const OUT = 22; // units beyond the panel at which a dragged point is removed

/** @type {Draw} */
export function drawRegression(pen, scene, model, at) {
  const { data, memory } = scene;
  const { left, top, wide, high } = at.data;
  const scale = dataScale(at.data, data.window);
  const [b0, b1] = between(scene, model, 0);
  const finite = Number.isFinite(b0 + b1) && Math.abs(b0) + Math.abs(b1) < 1e6;
  const run = data.labels.length > 1 ? `${data.labels[0]}: ` : "";
  const equation = `${run}ŷ = ${sumText(formatNumber(b0), b1, " x")}`;
  drawHeading(pen, at, finite ? equation : "ŷ has left the picture");
  drawAxes(pen, at, data.window, scale);
  const cover = pen.rect(left, top, wide, high, { key: "cover", fill: "transparent", "data-cover": "" });
  grabPlane(cover, scene, scale);
  pen.group({ key: "lines", "clip-path": "url(#descent-data)", "pointer-events": "none" }, (inside) => {
    drawFixedLines(inside, scene, model, scale);
    if (finite) drawLine(inside, scene, model, scale, [b0, b1]);
  });
  nameBest(pen, scene, at);
  model.x.forEach((_, i) => {
    const look = { key: `point ${i}`, class: "grab", "data-point": i, opacity: memory.out === i ? 0.3 : null };
    const point = pen.group(look, (its) => drawPoint(its, scene, model, scale, at, i));
    grabPoint(point, scene, scale, at.data, i);
  });
}

/**
 * A line over the whole window.
 *
 * @param {DescentScene} scene @param {DataScale} scale @param {number} intercept @param {number} slope
 */
function lineOver({ data }, scale, intercept, slope) {
  const [x0, x1] = data.window;
  return through([x0, x1].map((x) => [scale.x(x), scale.y(intercept + slope * x)]));
}

/**
 * The line that the run starts with, and the closed form.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Model} model @param {DataScale} scale
 */
function drawFixedLines(pen, scene, model, scale) {
  const { colour, hidden } = scene;
  const { best } = model;
  const [b0, b1] = stateOf(scene, model, model.rate, 0, 0);
  const look = { key: "first", stroke: colour.weight, width: 1.5, dash: "2 5", "stroke-opacity": 0.8 };
  if (model.step >= 1) pen.path(lineOver(scene, scale, b0, b1), look);
  if (!best || hidden("s0")) return;
  pen.path(lineOver(scene, scale, ...best), { key: "best", stroke: colour.ink, width: 2, dash: "8 5" });
}

/**
 * The current line, and its distance from each point.
 *
 * @param {Pen} pen
 * @param {DescentScene} scene
 * @param {Model} model
 * @param {DataScale} scale
 * @param {[intercept: number, slope: number]} line
 */
function drawLine(pen, scene, { x, y }, scale, [b0, b1]) {
  const errors = Array.from(x, (value, i) => `M${scale.x(value)} ${scale.y(y[i])}V${scale.y(b0 + b1 * value)}`);
  pen.path(errors.join(""), { key: "errors", stroke: scene.colour.gradient, width: 1.5 });
  pen.path(lineOver(scene, scale, b0, b1), { key: "now", stroke: scene.colour.weight, width: 4 });
}

/**
 * The name of the dashed line, beside the equation of the other one.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Places} at
 */
function nameBest(pen, { colour, hidden }, { narrow, data: { left, top, wide } }) {
  if (narrow || hidden("s0")) return;
  const right = left + wide;
  pen.text(right, top - 10, "β*, closed form", { size: 14, anchor: "end", key: "best name" });
  const look = { stroke: colour.ink, dash: "8 5", width: 2, key: "best line" };
  pen.line(right - 138, top - 15, right - 104, top - 15, look);
}

/**
 * @param {Pen} pen
 * @param {DescentScene} scene
 * @param {Model} model
 * @param {DataScale} scale
 * @param {Places} at
 * @param {number} i
 */
function drawPoint(pen, { colour }, model, scale, at, i) {
  const [x, y] = [scale.x(model.x[i]), scale.y(model.y[i])];
  pen.circle(x, y, 15, { fill: "transparent" });
  pen.circle(x, y, at.narrow ? 5 : 7, { fill: colour.input, stroke: colour.background, line: 2 });
}

/**
 * A number clamped to a range, and rounded to what a drag can set.
 *
 * @param {number} value @param {number} low @param {number} high
 */
function rounded(value, low, high) {
  const step = 10 ** Math.floor(Math.log10((high - low) / 200));
  return Number((Math.round(Math.min(Math.max(value, low), high) / step) * step).toPrecision(6));
}

/**
 * The point at a place of the drawing.
 *
 * @param {DescentScene} scene
 * @param {DataScale} scale
 * @param {number} across
 * @param {number} down
 * @returns {[x: number, y: number]}
 */
function pointAt({ data }, scale, across, down) {
  const [x0, x1, y0, y1] = data.window;
  const [x, y] = scale.back(across, down);
  return [rounded(x, x0, x1), rounded(y, y0, y1)];
}

/** @param {Points} points @returns {[x: number, y: number][]} */
const listOf = ({ x, y }) => Array.from(x, (value, i) => [value, y[i]]);

/** @param {SVGElement} node @param {DescentScene} scene @param {DataScale} scale @param {Box} box @param {number} i */
function grabPoint(node, scene, scale, box, i) {
  const { memory, send } = scene;
  drag(node, {
    down: () => /** @type {Held} */ ({ out: false, last: null }),
    move: (held, across, down) => {
      const its = modelOf(scene);
      const [x, y] = [Float64Array.from(its.x), Float64Array.from(its.y)];
      [x[i], y[i]] = pointAt(scene, scale, across, down);
      if (x.every((each) => each === x[0])) return; // these have no best line
      held.out = !isInside(box, across, down, OUT) && x.length > FEWEST;
      memory.out = held.out ? i : null;
      held.last = { x, y };
      take(scene, { x, y, start: its.start }, "points", "a point");
    },
    up: ({ out, last }, moved) => {
      memory.out = null;
      if (!moved || !last) return;
      if (out) memory.dragged = null; // the server's points, until it answers
      send({ points: listOf(last).filter((_, j) => !(out && j === i)) });
    },
  });
}

/**
 * A press beside the points adds one.
 *
 * @param {SVGElement} node @param {DescentScene} scene @param {DataScale} scale
 */
function grabPlane(node, scene, scale) {
  drag(node, {
    down: (across, down) => pointAt(scene, scale, across, down),
    move: () => {},
    up: (point, moved) => {
      const its = modelOf(scene);
      if (moved || its.x.length >= MOST) return;
      scene.send({ points: [...listOf(its), point] });
    },
  });
}

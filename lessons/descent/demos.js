// Two codes for one regression, side by side; what does the same in both is marked alike. Below each, the line it has
// after the epochs so far, over the same points.

import { boxesOf, layCode, writePiece } from "../../drawing/code_lines.js";
import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";

/** @import { CodeColumn, Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { LaidCode } from "../../drawing/code_lines.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"demos", { pair?: number }>} DemosScene */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {{ code: Box, plot: Box, title: number }} Column */

/** @type {readonly string[]} the role that colours each pair of parts */
const PAIRS = ["activation", "loss", "gradient", "weight"];

/** @param {Component<Scripts["demos"]>} component */
export default function demos(component) {
  return mainPicture(component, (pen, /** @type {DemosScene} */ scene) => {
    const columns = placesOf(scene);
    const laid = layBoth(scene, columns);
    scene.data.columns.forEach((column, n) => {
      pen.part(scene, "code", (its) => drawCode(its, scene, column, { at: columns[n], laid: laid[n] }), {
        key: `code ${n}`,
      });
      pen.part(scene, "result", (its) => drawLine(its, scene, columns[n].plot, n), { key: `result ${n}` });
    });
    if (!scene.narrow)
      pen.line(scene.width / 2, 4, scene.width / 2, scene.height - 6, { key: "split", stroke: scene.colour.line });
  });
}

/** @param {DemosScene} scene @returns {Column[]} */
function placesOf({ data, width, height, narrow }) {
  const half = width / 2;
  const lines = data.columns.map((column) => column.lines.length + 2.5); // the title, and a line that goes on
  const share = lines[0] / (lines[0] + lines[1]);
  return [0, 1].map((n) => {
    if (narrow) {
      const [top, foot] = n ? [height * share, height] : [0, height * share];
      const code = { left: 4, right: width - 4, top: top + 20, foot: foot - 4 };
      return { title: top + 15, code, plot: { left: 104, right: width - 4, top, foot: top + 20 } };
    }
    const left = n * half + (n ? 22 : 8);
    return {
      title: 22,
      code: { left, right: left + half - 30, top: 32, foot: height - 128 },
      plot: { left, right: left + half - 34, top: height - 118, foot: height - 8 },
    };
  });
}

/**
 * Both codes in letters of one size, with their loops side by side.
 *
 * @param {DemosScene} scene @param {Column[]} columns
 */
function layBoth({ data, narrow }, columns) {
  /** @param {number} most @param {number} step @param {number[]} down lines above each */
  const lay = (most, step = 0, down = [0, 0]) =>
    data.columns.map(({ lines }, n) => {
      const { left, right, top, foot } = columns[n].code;
      const high = step ? step * lines.length : foot - top;
      const box = { left, top: top + down[n] * step, room: right - left, high, most, least: narrow ? 13 : 14 };
      return layCode(lines, new Map(), box);
    });
  const size = Math.min(...lay(narrow ? 14 : 19).map((each) => each.size));
  const both = lay(size);
  if (narrow) return both;
  const loops = data.columns.map(({ lines }) => lines.findIndex((line) => line.startsWith("for ")));
  const down = loops.map((loop) => Math.max(...loops) - loop);
  return lay(size, Math.min(...both.map(({ step }) => step)), down);
}

/**
 * @param {Pen} pen
 * @param {DemosScene} scene
 * @param {CodeColumn} column
 * @param {{ at: Column, laid: LaidCode }} place
 */
function drawCode(pen, scene, { title, parts }, { at, laid }) {
  const { colour, narrow, memory } = scene;
  pen.text(at.code.left, at.title, title, { key: "title", size: narrow ? 14 : 20, bold: true });
  parts.forEach(({ line, start, end }, pair) => {
    const lit = memory.pair === pair;
    const pale = memory.pair !== undefined && !lit;
    const fill = colour[PAIRS[pair]];
    const choose = () => {
      if (lit) delete memory.pair;
      else memory.pair = pair;
      scene.again();
    };
    /** @param {Pen} its */
    const draw = (its) =>
      boxesOf(laid, line, start, end).forEach(({ x, y, wide, high }) => {
        its.rect(x - 3, y, wide + 6, high, { r: 4, fill, "fill-opacity": lit ? 0.4 : pale ? 0.05 : 0.18 });
        its.line(x - 3, y + high, x + wide + 3, y + high, {
          stroke: fill,
          width: 3,
          "stroke-opacity": pale ? 0.25 : null,
        });
      });
    pen.button(`${title}: part ${pair + 1}`, choose, draw, { key: `part ${pair}`, chosen: lit });
  });
  for (const piece of laid.pieces) writePiece(pen, laid, piece, { "pointer-events": "none" });
}

/**
 * The line of a code over the points, with β and L.
 *
 * @param {Pen} pen @param {DemosScene} scene @param {Box} box @param {number} n
 */
function drawLine(pen, scene, { left, right, top, foot }, n) {
  const { data, colour, values, text, hidden, narrow } = scene;
  /** @type {(k: number) => NameOf<"demos">} */
  const beta = (k) => `b ${n} ${k}`;
  const said = `β = (${text(beta(0))}, ${text(beta(1))})`;
  if (narrow)
    return void pen.text(right, top + 15, said, {
      key: "beta",
      size: 15,
      bold: true,
      anchor: "end",
      fill: colour.weight,
    });
  const wide = 190;
  const [x0, x1] = [Math.min(...data.x), Math.max(...data.x)];
  const [y0, y1] = [Math.min(...data.y), Math.max(...data.y)];
  const x = scaleLinear([x0 - 0.2, x1 + 0.2], [left, left + wide]);
  const y = scaleLinear([y0 - 0.4, y1 + 0.4], [foot, top]);
  pen.rect(left, top, wide, foot - top, { key: "frame", r: 4, stroke: colour.line });
  for (const [k, at] of data.x.entries()) {
    pen.circle(x(at), y(data.y[k]), 5, { key: `point ${k}`, fill: colour.input });
  }
  if (!hidden(beta(0))) {
    const line = [x0 - 0.2, x1 + 0.2].map((at) => [x(at), y(values(beta(0)) + values(beta(1)) * at)]);
    const [[ax, ay], [bx, by]] = within(line, top, foot);
    if (ax < bx) pen.line(ax, ay, bx, by, { key: "line", stroke: colour.weight, width: 4.5 });
  }
  const from = left + wide + 20;
  const middle = (top + foot) / 2;
  pen.text(from, middle - (narrow ? 4 : 6), said, {
    key: "beta",
    size: 26,
    bold: true,
    fill: colour.weight,
    room: right - from,
  });
  const loss = { key: "loss", size: 20, fill: colour.loss };
  return void pen.text(from, middle + 26, `L = ${text(`loss ${n}`)}`, loss);
}

/**
 * A line between two points, cut where it leaves the heights.
 *
 * @param {number[][]} line @param {number} top @param {number} foot
 */
function within([[ax, ay], [bx, by]], top, foot) {
  const slope = (by - ay) / (bx - ax);
  /** @param {number} x @param {number} y */
  const cut = (x, y) => {
    const held = Math.min(Math.max(y, top), foot);
    return held === y ? [x, y] : [ax + (held - ay) / slope, held];
  };
  return [cut(ax, ay), cut(bx, by)];
}

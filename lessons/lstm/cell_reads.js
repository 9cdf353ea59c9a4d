// A text whose characters are coloured by one cell's value, the true spans underlined; a bar for each cell that follows
// the property, and a mark for each of the others. The character that is read is dragged; a press on a bar chooses it.

import { drag } from "../../drawing/hand.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { characterAt, placesOf, spansOf, tileOf } from "./cell_reads_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ReadsPlaces, ReadsScene } from "./cell_reads_places.js" */
/** @typedef {(pen: Pen, scene: ReadsScene, at: ReadsPlaces) => void} Draw */

const CLOSE = 110; // units of an axis, below which it has no tick in its middle
const DEEPEST = 0.72; // opacity of the colour of the largest values

/** @param {Component<Scripts["cell_reads"]>} component */
export default function cell_reads(component) {
  return mainPicture(component, (pen, /** @type {ReadsScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "text", (its) => {
      drawLegend(its, scene, at);
      drawText(its, scene, at);
      drawSpans(its, scene, at);
      drawHead(its, scene, at);
    });
    pen.part(scene, "cells", (its) => drawCells(its, scene, at));
  });
}

/** @param {number} n @returns {NameOf<"cell_reads">} */
const followOf = (n) => `follow ${n}`;

/** @param {ReadsScene} scene @param {number} value */
function colourOf({ colour, data }, value) {
  const beyond = value - data.centre;
  const share = Math.min(Math.abs(beyond) / data.reach, 1);
  return { fill: beyond >= 0 ? colour.input : colour.gradient, "fill-opacity": Number((share * DEEPEST).toFixed(2)) };
}

/** @type {Draw} */
function drawLegend(pen, scene, { box, narrow }) {
  const { data, values, colour, hidden } = scene;
  const size = narrow ? 13 : 17;
  const name = `${data.symbol === "c" ? "cell" : "unit"} ${values("unit")}:`;
  pen.text(box.left, narrow ? 15 : 20, name, { key: "name", size: size + 2, bold: true });
  if (hidden("value")) return;
  let x = box.left + (narrow ? 62 : 88);
  for (const [n, share] of [-1, -0.5, 0, 0.5, 1].entries()) {
    const wide = narrow ? 26 : 46;
    const value = data.centre + share * data.reach;
    const look = { key: `scale ${n}`, stroke: colour.line, line: 1, r: 0, ...colourOf(scene, value) };
    pen.rect(x, narrow ? 3 : 4, wide, narrow ? 15 : 20, look);
    if (n % 2 === 0) {
      const said = value.toFixed(1).replace("-", "−");
      pen.text(x + wide / 2, narrow ? 15 : 19, said, {
        key: `value ${n}`,
        size: size - (narrow ? 0 : 3),
        anchor: "middle",
      });
    }
    x += wide;
  }
  if (!data.spans) return;
  const left = x + (narrow ? 10 : 28);
  pen.line(left, narrow ? 17 : 22, left + 34, narrow ? 17 : 22, { key: "span", stroke: colour.ink, width: 4 });
  pen.text(left + 42, narrow ? 15 : 20, narrow ? data.label : `truly ${data.label}`, { key: "true", size });
}

/** @type {Draw} */
function drawText(pen, scene, at) {
  const { data, colour, hidden } = scene;
  const letters = [...data.text];
  at.spots.forEach((spot, n) => {
    const { x, y, wide, high } = tileOf(at, spot);
    if (!hidden("value"))
      pen.rect(x, y, wide, high, {
        key: `tile ${n}`,
        r: 0,
        "shape-rendering": "crispEdges",
        ...colourOf(scene, data.values[n]),
      });
    if (letters[n] === " ") return;
    const mark = letters[n] === "\n";
    const look = {
      key: `letter ${n}`,
      size: mark ? Math.max(at.size * 0.7, 13) : at.size,
      fill: mark ? colour.quiet : colour.ink,
    };
    pen.text(x + wide / 2, y + at.size * 0.98, mark ? "⏎" : letters[n], { ...look, anchor: "middle" });
  });
}

/** @type {Draw} */
function drawSpans(pen, { data, colour }, at) {
  if (!data.spans) return;
  spansOf(at, data.labels).forEach(({ row, from, to }, n) => {
    const { x, y, high } = tileOf(at, { row, x: from, wide: to - from });
    pen.line(x + 1, y + high + 3, x + to - from - 1, y + high + 3, { key: `span ${n}`, stroke: colour.ink, width: 4 });
  });
}

/**
 * The character that is read, and its value; it is dragged over the text.
 *
 * @type {Draw}
 */
function drawHead(pen, scene, at) {
  const { values, colour, move, text, data } = scene;
  const n = Math.min(Math.round(values("at")), at.spots.length - 1);
  const { x, y, wide, high } = tileOf(at, at.spots[n]);
  pen.rect(x - 1, y - 1, wide + 2, high + 2, { key: "head", r: 2, stroke: colour.ink, line: 3 });
  const said = `${data.symbol} = ${text("value")}`;
  const right = at.narrow || x > (at.box.left + at.box.right) / 2;
  const size = at.narrow ? 15 : 20;
  const [left, foot] = at.narrow ? [at.cells.right, at.cells.top + 8] : [right ? x + wide : x, y + high + size + 2];
  const look = { key: "value", size, bold: true, halo: true, fill: colour.value };
  pen.text(left, foot, said, { ...look, anchor: right ? "end" : "start" });
  const style = "cursor: crosshair; touch-action: none";
  const node = pen.group({ key: "text", class: "handle", style }, (its) => {
    its.rect(at.box.left, at.box.top, at.box.right - at.box.left, at.rows * at.high, { fill: "transparent" });
  });
  drag(node, {
    down: (px, py) => ({ at: characterAt(at, px, py) }),
    start: (began) => move("at", began.at, false),
    move: (began, px, py) => move("at", (began.at = characterAt(at, px, py)), false),
    up: (began) => move("at", began.at, true),
  });
}

/**
 * The cells by how well they follow the property: a bar for the best, a mark for each of the others.
 *
 * @type {Draw}
 */
function drawCells(pen, scene, at) {
  const { data, colour, hidden, text, values, send } = scene;
  const { cells, follow, narrow } = at;
  const asked = hidden("follow 0");
  const bars = narrow ? data.bars.slice(0, 3) : data.bars;
  const size = narrow ? 14 : 18;
  const step = narrow ? 26 : Math.min((cells.foot - cells.top - 80) / bars.length, 44);
  const title = data.spans ? "separation" : "|r|";
  const heading = `${data.bars.length + data.others.length} cells, ${title}`;
  const top = { x: cells.left, y: narrow ? cells.top + 8 : 20, size: narrow ? 14 : 19, bold: true };
  const foot = cells.top + (narrow ? 18 : 8) + bars.length * step;
  const every = data.spans ? [0.5, 0.75, 1] : [0, 0.5, 1];
  const ticks = follow(every[2]) - follow(every[0]) < CLOSE ? [every[0], every[2]] : every;
  const lines = /** @type {[number, number]} */ ([cells.top + (narrow ? 16 : 4), foot + (narrow ? 20 : 34)]);
  pen.axis("x", follow, {
    at: lines[1] + (narrow ? 14 : 18),
    ticks,
    size: narrow ? 13 : 16,
    lines,
    title: heading,
    titled: top,
  });
  bars.forEach((unit, n) => {
    const chosen = unit === Math.round(values("unit"));
    const y = cells.top + (narrow ? 18 : 8) + n * step;
    const draw = (/** @type {Pen} */ its) => {
      its.rect(cells.left - 4, y, cells.right - cells.left + 8, step - 2, { key: "ground", fill: "transparent" });
      const name = `${data.symbol === "c" ? "cell" : "unit"} ${unit}`;
      its.text(cells.left, y + step / 2 + size * 0.35, name, { key: "name", size, bold: chosen });
      if (asked) return;
      const value = values(followOf(n));
      const wide = follow(value) - follow(data.chance);
      const look = { key: "bar", r: 2, fill: colour.activation, "fill-opacity": chosen ? 1 : 0.45 };
      its.rect(follow(data.chance), y + step * 0.2, wide, step * 0.6, look);
      const said = { key: "follow", size, bold: chosen, fill: colour.activation };
      its.text(follow(value) + 6, y + step / 2 + size * 0.35, text(followOf(n)), said);
    };
    pen.button(`cell ${unit}: colour the text by it`, () => send({ unit }), draw, { key: `cell ${unit}`, chosen });
  });
  if (asked) return;
  for (let n = 0; n < data.others.length; n++) {
    const x = follow(data.others[n]);
    pen.line(x, foot + 8, x, foot + (narrow ? 20 : 32), {
      key: `other ${n}`,
      stroke: colour.activation,
      "stroke-opacity": 0.4,
    });
  }
  pen.text(cells.left, foot + (narrow ? 20 : 28), `${data.others.length} more`, {
    key: "others",
    size: narrow ? 13 : 16,
    fill: colour.quiet,
  });
}

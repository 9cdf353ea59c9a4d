// Cross-attention: the words of the source are columns, the steps of the decoder rows. A disc is a weight, by its area.

import { mainPicture } from "../../drawing/main_picture.js";
import { through } from "../../drawing/pen.js";
import { crossPlaces } from "./cross_places.js";
import { drawDecoder, drawEncoder } from "./cross_sides.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { CrossScene, Places } from "./cross_places.js" */
/** @typedef {(pen: Pen, scene: CrossScene, at: Places) => void} Draw */

const LEAST = 0.004; // smaller weights have no disc

/** @param {Component<Scripts["cross"]>} component */
export default function cross(component) {
  return mainPicture(component, (pen, /** @type {CrossScene} */ scene) => {
    const at = crossPlaces(scene);
    drawGrid(pen, scene, at);
    pen.part(scene, "encoder", (its) => drawEncoder(its, scene, at));
    pen.part(scene, "decoder", (its) => drawDecoder(its, scene, at));
    pen.part(scene, "weights", (its) => {
      drawPath(its, scene, at);
      for (let i = 0; i < at.now; i++) its.group({ key: `step${i}` }, (row) => drawStep(row, scene, at, i));
    });
    drawFrame(pen, scene, at);
  });
}

/** @type {Draw} */
function drawGrid(pen, { data, colour }, { x, y, left, right, top, foot }) {
  data.source.forEach((_, j) => pen.line(x(j), top, x(j), foot, { stroke: colour.line, width: 1 }));
  data.read.forEach((_, i) => pen.line(left, y(i), right, y(i), { stroke: colour.line, width: 1 }));
}

/**
 * The way from the largest weight of a step to that of the next: the other order of the words.
 *
 * @type {Draw}
 */
function drawPath(pen, { data, hidden, colour }, { x, y, now }) {
  const shown = data.largest.slice(0, hidden("top") ? now - 1 : now);
  if (shown.length < 2) return;
  const d = through(shown.map((j, i) => [x(j), y(i)]));
  pen.path(d, { key: "path", stroke: colour.activation, width: 2.5, dash: "2 6", "stroke-linecap": "round" });
}

/**
 * The weights of one step as discs.
 *
 * @param {Pen} pen @param {CrossScene} scene @param {Places} at @param {number} i the step, from 0
 */
function drawStep(pen, scene, { x, y, now, radius }, i) {
  const { data, values, hidden, colour, text } = scene;
  const framed = i === now - 1;
  if (framed && hidden("top")) {
    pen.text((x(0) + x(data.source.length - 1)) / 2, y(i) + 9, "?", { size: 28, bold: true, anchor: "middle" });
    return;
  }
  data.source.forEach((_, j) => {
    const name = /** @type {NameOf<"cross">} */ (`a${i + 1}.${j + 1}`);
    const weight = values(name);
    if (weight < LEAST) return;
    const r = Math.max(radius * Math.sqrt(weight), 2);
    pen.circle(x(j), y(i), r, { key: name, fill: colour.activation, stroke: colour.background, line: 1.5 });
    if (framed && j === data.largest[i]) {
      pen.circle(x(j), y(i), r + 4, { key: "ring", stroke: colour.ink, line: 2.5 });
      const last = j === data.source.length - 1;
      const look = /** @type {const} */ ({ size: 19, bold: true, anchor: last ? "end" : "start" });
      pen.markedText(x(j) + (last ? -1 : 1) * (r + 15), y(i) + 6.5, text("top"), true, look);
    } else if (r >= 17) {
      const look = /** @type {const} */ ({ size: 14, bold: true, anchor: "middle", fill: colour.background });
      pen.text(x(j), y(i) + 5, weight.toFixed(2), look);
    }
  });
}

/**
 * The frame of the step, which can be dragged up and down.
 *
 * @type {Draw}
 */
function drawFrame(pen, { colour, narrow, width }, { y, now, left, pitch }) {
  const moves = { key: "frame", "data-n": "step", "data-per": -pitch, "data-way": "y", style: "cursor: ns-resize" };
  const [from, to] = [left - (narrow ? 4 : 30), width - 8];
  const high = Math.min(pitch - 2, 52);
  pen.group(moves, (its) => {
    its.rect(from, y(now - 1) - high / 2, to - from, high, {
      fill: "transparent",
      stroke: colour.query,
      line: 2.5,
      r: 8,
    });
  });
}

// Two relations over the heads of a model: how many sentences are right without each of them. Below the bars the heads
// are buttons that mute; what is lost is an empty, outlined part of a bar.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, RelationRow, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"relations">} RelationsScene */
/** @typedef {ReturnType<typeof placesOf>} At */

/** @param {Component<Scripts["relations"]>} component */
export default function relations(component) {
  return mainPicture(component, (pen, /** @type {RelationsScene} */ scene) => {
    const at = placesOf(scene);
    scene.data.rows.forEach((row, i) => pen.group({ key: row.name }, (its) => drawRelation(its, scene, at, row, i)));
    drawFrames(pen, scene, at);
    scene.data.heads.forEach((_, i) => drawHead(pen, scene, at, i));
    drawLayers(pen, scene, at);
  });
}

/**
 * Where the bars and the heads are.
 *
 * @param {RelationsScene} scene
 */
function placesOf({ width, height, narrow, data }) {
  const left = narrow ? 6 : 148;
  const pitch = (width - left - (narrow ? 6 : 24)) / data.heads.length;
  const [title, below] = narrow ? [52, 70] : [40, 84];
  const tall = (height - below) / 2 - title - 6;
  return {
    left,
    right: left + pitch * data.heads.length,
    pitch,
    bar: narrow ? 0.78 * pitch : 0.76 * pitch,
    tall,
    narrow,
    x: (/** @type {number} */ i) => left + (i + 0.5) * pitch,
    foot: (/** @type {number} */ row) => (row + 1) * (title + tall) + 6 * row,
    head: height - below + (narrow ? 26 : 36),
    last: height - (narrow ? 8 : 8),
    radius: narrow ? 17 : 23,
  };
}

/**
 * Frames around the bars of the muted head; not while the answer is asked for.
 *
 * @param {Pen} pen @param {RelationsScene} scene @param {At} at
 */
function drawFrames(pen, scene, { x, bar, foot, tall }) {
  const i = mutedPlace(scene);
  if (i < 0) return;
  scene.data.rows.forEach(({ name }, row) => {
    const look = { key: `frame ${name}`, stroke: scene.colour.ink, line: 3, r: 6 };
    pen.rect(x(i) - bar / 2 - 5, foot(row) - tall - 5, bar + 10, tall + 10, look);
  });
}

/**
 * The place of the muted head, −1 if none is, or the question is open.
 *
 * @param {RelationsScene} scene
 */
function mutedPlace({ data, hidden }) {
  return data.rows.some(({ bars }) => bars.some(hidden)) ? -1 : data.heads.indexOf(data.muted);
}

/**
 * A relation: its example, its bars, and the height of a guess.
 *
 * @param {Pen} pen @param {RelationsScene} scene @param {At} at @param {RelationRow} row @param {number} i
 */
function drawRelation(pen, scene, at, row, i) {
  const { colour, data } = scene;
  const { left, right, tall, narrow } = at;
  const foot = at.foot(i);
  const y = scaleLinear([0, 100], [foot, foot - tall]);
  drawTitle(pen, scene, at, row, foot - tall - (narrow ? 28 : 14));
  row.bars.forEach((_, head) => drawBar(pen, scene, at, row, head, y));
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "right with one head muted" }, (axis) => {
    axis.line(left - 4, foot, right, foot, { stroke: colour.quiet, width: 1.5 });
    axis.line(left - 4, y(data.chance), right, y(data.chance), { stroke: colour.ink, dash: "3 5" });
    const look = /** @type {const} */ ({ size: 15, fill: colour.quiet, anchor: "end" });
    if (!narrow) axis.text(left - 14, y(data.chance) + 5, `guessing ${data.chance} %`, look);
    if (!narrow) axis.text(left - 14, y(100) + 16, `right, of ${data.items}`, look);
  });
}

/**
 * @param {Pen} pen @param {RelationsScene} scene @param {At} at @param {RelationRow} row @param {number} y
 */
function drawTitle(pen, { colour, width }, { left, narrow }, { title, role, prefix, right, wrong }, y) {
  const size = narrow ? 15 : 20;
  const from = narrow ? left : left + 6;
  pen.text(from, y, title, { size, bold: true, fill: colour[role] });
  const said = narrow ? 13 : 17;
  const then = `→ ${right}, not ${wrong}`;
  if (narrow) {
    const room = width - from - 6;
    pen.text(from, y + 18, `“${prefix}” ${then}`, { size: said, fill: colour.quiet, room });
    return;
  }
  const start = from + textWidth(title, size, true) + 12;
  pen.text(start, y, `“${prefix}”`, { size: said });
  pen.text(start + textWidth(`“${prefix}”`, said) + 10, y, then, { size: said, bold: true });
}

/**
 * @param {Pen} pen
 * @param {RelationsScene} scene
 * @param {At} at
 * @param {RelationRow} row
 * @param {number} head
 * @param {(share: number) => number} y
 */
function drawBar(pen, scene, { x, bar, narrow }, { bars, role, needs }, head, y) {
  const { data, values, text, hidden, colour } = scene;
  const name = bars[head];
  const lost = !hidden(name) && needs.includes(data.heads[head]);
  const left = x(head) - bar / 2;
  const top = hidden(name) ? y(100) : y(values(name));
  const outline = { fill: "none", stroke: lost ? colour.gradient : colour.line, line: 2, r: 3 };
  if (lost || hidden(name)) pen.rect(left, y(100), bar, y(0) - y(100), { key: `whole${head}`, ...outline });
  const fill = lost ? colour.gradient : colour[role];
  if (!hidden(name)) {
    const opacity = lost ? 0.85 : 0.3;
    pen.rect(left, top, bar, y(0) - top, { key: `bar${head}`, fill, "fill-opacity": opacity, r: 3 });
  }
  const size = lost && !narrow ? 22 : narrow ? 13 : 16;
  const said = `${text(name)}${narrow ? "" : " %"}`;
  const ink = lost ? colour.background : colour.ink;
  const look = /** @type {const} */ ({ key: `share${head}`, size, bold: true, anchor: "middle", fill: ink });
  pen.markedText(x(head), y(25) + size / 3, said, data.named === name && !hidden(name), look);
}

/**
 * A head, as a button that mutes it.
 *
 * @param {Pen} pen @param {RelationsScene} scene @param {At} at @param {number} i
 */
function drawHead(pen, scene, { x, head, radius, narrow }, i) {
  const { data, send, colour } = scene;
  const name = data.heads[i];
  const chosen = mutedPlace(scene) === i;
  /** @param {Pen} its */
  const draw = (its) => {
    const fill = chosen ? colour.ink : colour.background;
    its.circle(x(i), head, radius, { fill, stroke: chosen ? colour.ink : colour.weight, line: 2.5 });
    const ink = chosen ? colour.background : colour.weight;
    its.text(x(i), head + 6, name, { size: narrow ? 13 : 17, bold: true, fill: ink, anchor: "middle" });
  };
  pen.button(`Mute head ${name}`, () => send({ head: i }), draw, { key: `head${i}`, chosen });
}

/**
 * The names of the layers, and what the row of heads is.
 *
 * @param {Pen} pen @param {RelationsScene} scene @param {At} at
 */
function drawLayers(pen, { data, colour }, { left, pitch, head, last, narrow }) {
  const size = narrow ? 13 : 15;
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "head muted" }, (axis) => {
    let from = 0;
    data.layers.forEach((count, layer) => {
      const middle = left + (from + count / 2) * pitch;
      axis.text(middle, last, `layer ${layer}`, { size, fill: colour.quiet, anchor: "middle" });
      from += count;
    });
    if (narrow) return;
    axis.text(left - 14, head + 1, "press to mute", { size: 17, bold: true, fill: colour.weight, anchor: "end" });
    axis.text(left - 14, head + 21, "layer.head", { size, fill: colour.quiet, anchor: "end" });
  });
}

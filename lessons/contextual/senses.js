// A word in seven sentences, a sense each: a thread leads from every sentence to its vector on a plane. At layer 0 all
// threads end in one point. A press on a sentence gives its cosine with each of the others.

import { mainPicture } from "../../drawing/main_picture.js";
import { labelRoom } from "../../drawing/labels.js";
import { mapScale } from "../../drawing/map_scale.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, Scripts, SenseSentence } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"senses", { pressed?: number }>} SensesScene */
/** @typedef {[x: number, y: number]} Spot */
/**
 * A sentence's row, where its thread begins, and its point.
 *
 * @typedef {{ x: number, y: number, size: number, from: Spot, to: Spot }} Row
 */

const FIRST = /** @type {const} */ ([0, 1, 2, 3, 4]);

/** @param {Component<Scripts["senses"]>} component */
export default function senses(component) {
  return mainPicture(component, (pen, /** @type {SensesScene} */ scene) => {
    const rows = rowsOf(scene);
    const together = isTogether(scene);
    if (!scene.narrow) rows.forEach((row, n) => drawThread(pen, scene, row, n));
    rows.forEach((row, n) => drawSentence(pen, scene, row, n));
    drawPoints(pen, scene, rows, together);
    if (together) drawStatic(pen, scene, rows[0].to);
    drawShare(pen, scene);
  });
}

/**
 * Whether all vectors are one: what is hidden is drawn as in layer 0.
 *
 * @param {SensesScene} scene
 */
const isTogether = ({ values, hidden }) => hidden("x 0") || values("layer") === 0;

/** @param {SensesScene} scene @returns {Row[]} */
function rowsOf({ data, values, hidden, width, height, narrow }) {
  const size = narrow ? 14 : 19;
  const step = narrow ? 25 : (height - 10) / data.senses.length;
  const top = narrow ? data.senses.length * step + 14 : 26;
  const box = narrow
    ? { left: 16, top, wide: width - 90, high: height - top - 30 }
    : { left: width * 0.5, top, wide: width * 0.5 - 130, high: height - top - 52 };
  const { x, y } = mapScale(data.points, box, 4);
  return data.senses.map((sense, n) => {
    const line = narrow ? 18 + n * step : n * step + step * 0.42;
    const wide = textWidth(`${sense.before} ${sense.word} ${sense.after}`, size) + 10;
    const left = narrow ? 34 : 28;
    const asked = hidden(`x ${n}`);
    const to = /** @type {Spot} */ (asked ? [x(0), y(0)] : [x(values(`x ${n}`)), y(values(`y ${n}`))]);
    return { x: left, y: line, size, from: [left + wide + 12, line - size * 0.3], to };
  });
}

/**
 * @param {Pen} pen @param {SensesScene} scene @param {Row} row @param {number} n
 */
function drawThread(pen, { colour, memory }, { from, to }, n) {
  const [[x1, y1], [x2, y2]] = [from, to];
  const middle = x1 + (x2 - x1) * 0.5;
  const other = memory.pressed !== undefined && memory.pressed !== n;
  pen.path(`M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, {
    key: `thread ${n}`,
    stroke: colour.input,
    width: memory.pressed === n ? 4 : 2.5,
    "stroke-opacity": other ? 0.15 : 0.4,
  });
}

/**
 * A sentence with its word, and below it the sense; a press compares it with the others.
 *
 * @param {Pen} pen @param {SensesScene} scene @param {Row} row @param {number} n
 */
function drawSentence(pen, scene, { x, y, size, from }, n) {
  const { data, memory, again, colour, narrow, width } = scene;
  const { before, word, after, gloss, name } = data.senses[n];
  const chosen = memory.pressed === n;
  const press = () => {
    memory.pressed = chosen ? undefined : n;
    again();
  };
  const label = `${before} ${word} ${after} Compare with the other sentences`;
  pen.button(
    label,
    press,
    (its) => {
      const high = narrow ? 24 : size * 1.3 + 26;
      const wide = narrow ? width - 16 : Math.max(from[0] - x, 150) + 8;
      its.rect(narrow ? 8 : x - 12, y - size * 1.1, wide, high, { fill: chosen ? colour.ground : "transparent", r: 8 });
      if (narrow) its.text(14, y, `${n + 1}`, { size: 14, bold: true, fill: colour.quiet });
      const space = size * 0.35;
      const start = before ? textWidth(before, size) + space : 0;
      if (before) its.text(x + start - space, y, before, { size, anchor: "end" });
      its.text(x + start, y, word, { size, bold: true, fill: colour.input });
      const end = x + start + textWidth(word, size, true) + space;
      its.text(end, y, after, { size, room: narrow ? width - end - 10 : 0 });
      if (narrow) return;
      its.text(x, y + 21, name, { size: 14, fill: colour.quiet });
      its.text(x + textWidth(`${name}  `, 14), y + 21, gloss, { size: 15, bold: true, fill: colour.quiet });
    },
    { key: `sentence ${n}`, chosen },
  );
}

/**
 * The points, each with its sense, or with its cosine with the pressed sentence.
 *
 * @param {Pen} pen @param {SensesScene} scene @param {Row[]} rows @param {boolean} together
 */
function drawPoints(pen, scene, rows, together) {
  const { data, colour, narrow, width, height, memory } = scene;
  const r = together ? 17 : narrow ? 8 : 11;
  const room = labelRoom({ left: narrow ? 0 : width * 0.42, top: 0, wide: width, high: height - 20 });
  for (const { to } of rows) room.take([to[0] - r, to[1] - r, to[0] + r, to[1] + r]);
  rows.forEach(({ to: [x, y] }, n) => {
    pen.circle(x, y, memory.pressed === n ? r + 4 : r, { key: `point ${n}`, fill: colour.input });
    if (together) return;
    const size = narrow ? 14 : 18;
    const said = labelOf(scene, data.senses[n], n);
    const free = room.place(x, y, r, said, { size, bold: true });
    /** @type {{ x: number, y: number, anchor: Anchor }} */
    const at = free ?? { x: x + r + 4, y: y + 5, anchor: "start" };
    pen.text(at.x, at.y, said, { key: `label ${n}`, size, bold: true, anchor: at.anchor, halo: true });
  });
}

/** @param {SensesScene} scene @param {SenseSentence} sense @param {number} n */
function labelOf({ memory, text, narrow }, { gloss }, n) {
  const { pressed } = memory;
  const said = narrow ? `${n + 1} ${gloss}` : gloss;
  return pressed === undefined || pressed === n ? said : `${said} ${text(`cos ${pressed} ${n}`)}`;
}

/**
 * The one vector of layer 0: its first numbers.
 *
 * @param {Pen} pen @param {SensesScene} scene @param {Spot} at
 */
function drawStatic(pen, { data, text, colour, narrow, width, hidden }, [x, y]) {
  const size = narrow ? 20 : 32;
  pen.text(x, y - 34, data.word, { key: "word", size, bold: true, fill: colour.input, anchor: "middle" });
  if (hidden("x 0")) return;
  const numbers = FIRST.map((n) => text(`e ${n}`));
  const said = `(${numbers.join(", ")}, …)`;
  const wide = textWidth(said, narrow ? 13 : 16);
  const left = narrow ? Math.min(x - wide / 2, width - wide - 10) : width - wide - 16; // clear of the threads
  pen.text(left, y + 52, said, { key: "vector", size: narrow ? 13 : 16 });
  const note = `${data.static}, ${data.width} numbers`;
  pen.text(left + wide / 2, y + 76, note, { key: "note", size: 14, fill: colour.quiet, anchor: "middle" });
}

/**
 * How much of the vectors the plane shows.
 *
 * @param {Pen} pen @param {SensesScene} scene
 */
function drawShare(pen, { data, values, colour, width, height, narrow, hidden }) {
  if (hidden("x 0") || values("layer") === 0) return;
  const said = `${Math.round(100 * values("share"))}% ${data.plane}`;
  pen.text(width - 12, height - (narrow ? 6 : 10), said, { size: 14, fill: colour.quiet, anchor: "end" });
}

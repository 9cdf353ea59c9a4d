// The input of a Transformer for one token: a row of each table as colours, and their sum. One dimension is framed; its
// numbers are at the end of the rows.

import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @typedef {Scene<"inputs">} InputsScene */
/** @typedef {ReturnType<typeof placesOf>} Places */

const GAP = 6; // space between two tokens

/** @param {Component<Scripts["inputs"]>} component */
export default function inputs(component) {
  return mainPicture(component, drawInputs);
}

/** @param {Pen} pen @param {InputsScene} scene */
function drawInputs(pen, scene) {
  const at = placesOf(scene);
  pen.part(scene, "tokens", (its) => drawTokens(its, scene, at));
  scene.data.rows.forEach(([name], row) => pen.part(scene, name, (its) => drawRow(its, scene, at, row)));
  pen.part(scene, "dimension", (its) => drawDimension(its, scene, at));
}

/** @param {InputsScene} scene */
function placesOf({ width, height, narrow, data }) {
  const [left, right] = narrow ? [12, width - 84] : [150, width - 128];
  const top = narrow ? 62 : 82;
  const foot = height - (narrow ? 34 : 44);
  const row = (foot - top) / data.rows.length;
  const head = narrow ? 22 : 0; // the name of a row is above it
  const tall = row - head - (narrow ? 8 : 26);
  return { narrow, width, left, right, top, foot, row, head, tall, cell: (right - left) / data.shown };
}

/**
 * The top of a row; the last row, the sum, is set apart.
 *
 * @param {Places} at @param {number} row @param {number} last
 */
const rowAt = (at, row, last) => at.top + row * at.row + at.head + (row === last ? (at.narrow ? 2 : 12) : 0);

/**
 * The tokens in a row; if they do not fit, only those around the chosen one.
 *
 * @param {Pen} pen @param {InputsScene} scene @param {Places} at
 */
function drawTokens(pen, scene, at) {
  const { data } = scene;
  const size = at.narrow ? 14 : 17;
  const wides = data.tokens.map((token) => Math.min(textWidth(token, size, true) + (at.narrow ? 12 : 20), 190));
  const { from, to, whole } = tokensThatFit(wides, data.at, at.width - 24);
  let x = (at.width - whole) / 2;
  for (let i = from; i < to; i++) {
    drawToken(pen, scene, at, i, { left: x, wide: wides[i], size });
    x += wides[i] + GAP;
  }
}

/**
 * The tokens that fit around one of them, from `from` up to but excluding `to`, and their total width.
 *
 * @param {readonly number[]} wides
 * @param {number} middle the token that is always included
 * @param {number} room
 */
function tokensThatFit(wides, middle, room) {
  let [from, to] = [middle, middle + 1];
  let whole = wides[middle] + GAP;
  for (let grown = true; grown;) {
    grown = false;
    for (const i of [to, from - 1]) {
      if (i < 0 || i >= wides.length || whole + wides[i] + GAP > room) continue;
      whole += wides[i] + GAP;
      if (i === to) to++;
      else from--;
      grown = true;
    }
  }
  return { from, to, whole };
}

/**
 * A token; a press chooses it.
 *
 * @param {Pen} pen
 * @param {InputsScene} scene
 * @param {Places} at
 * @param {number} i
 * @param {{ left: number, wide: number, size: number }} box
 */
function drawToken(pen, { data, colour, send }, at, i, { left, wide, size }) {
  const [top, tall] = at.narrow ? [8, 30] : [10, 40];
  const chosen = i === data.at;
  const middle = left + wide / 2;
  pen.button(
    `${data.tokens[i]}, position ${i}`,
    () => send(i),
    (its) => {
      its.rect(left, top, wide, tall, {
        r: 8,
        fill: chosen ? colour.input : colour.background,
        "fill-opacity": chosen ? 0.2 : 1,
        stroke: colour.input,
        line: chosen ? 3 : 1.5,
        dash: data.segments[i] ? "6 4" : null,
      });
      const look = /** @type {const} */ ({ size, bold: chosen, anchor: "middle", room: wide - 8 });
      its.text(middle, top + tall / 2 + size * 0.35, data.tokens[i], look);
    },
    { key: `token${i}`, chosen },
  );
  if (at.narrow) return;
  const look = /** @type {const} */ ({ size: 13, bold: chosen, fill: colour.quiet, anchor: "middle" });
  pen.text(middle, top + tall + 17, `${i}`, { key: `place${i}`, ...look });
}

/**
 * A row: its name, its numbers as colours, and the number in the framed dimension.
 *
 * @param {Pen} pen @param {InputsScene} scene @param {Places} at @param {number} row
 */
function drawRow(pen, scene, at, row) {
  const { data, text, hidden, colour } = scene;
  const last = data.rows.length - 1;
  const [name, , role] = data.rows[row];
  const y = rowAt(at, row, last);
  nameRow(pen, scene, at, row, y);
  for (let j = 0; j < data.shown; j++) {
    const share = (data.values[row * data.shown + j] / data.reach + 1) / 2;
    const place = Math.round(Math.min(Math.max(share, 0), 1) * (data.fills.length - 1));
    const fill = hidden(name) ? "none" : data.fills[place];
    pen.rect(at.left + j * at.cell, y, at.cell + 0.4, at.tall, { r: 0, fill, "shape-rendering": "crispEdges" });
  }
  pen.rect(at.left, y, at.right - at.left, at.tall, { key: "edge", r: 3, stroke: colour.line, line: 1.5 });
  const look = { key: "number", size: at.narrow ? 14 : 20, bold: true, fill: colour[role] };
  pen.markedText(at.right + (at.narrow ? 8 : 16), y + at.tall / 2 + 6, text(name), row === last, look);
}

/**
 * The name of a row, and its index in its table.
 *
 * @param {Pen} pen
 * @param {InputsScene} scene
 * @param {Places} at
 * @param {number} row
 * @param {number} y its top
 */
function nameRow(pen, { data, colour }, at, row, y) {
  const [name, symbol, role] = data.rows[row];
  const sum = row === data.rows.length - 1;
  /** @type {Record<string, number>} */
  const indices = { token: data.ids[data.at], position: data.at, segment: data.segments[data.at] };
  const sign = sum ? "=" : row ? "+" : "";
  const which = sum ? `x, position ${data.at}` : `${symbol}[${indices[name]}]`;
  const fill = colour[role];
  if (at.narrow) {
    pen.text(at.left, y - 6, `${sign} ${name}`.trim(), { size: 14, bold: true, fill });
    pen.text(at.right, y - 6, which, { size: 13, fill: colour.quiet, anchor: "end" });
    return;
  }
  const middle = y + at.tall / 2;
  if (sum) pen.line(at.left - 130, y - 14, at.right + 112, y - 14, { stroke: colour.ink, width: 2 });
  pen.text(16, middle + 9, sign, { size: 28, bold: true });
  pen.text(at.left - 14, middle - 2, name, { size: 18, bold: true, fill, anchor: "end" });
  pen.text(at.left - 14, middle + 18, which, { size: 14, fill: colour.quiet, anchor: "end" });
}

/**
 * The frame around one dimension of all rows, with the handle that moves it.
 *
 * @param {Pen} pen @param {InputsScene} scene @param {Places} at
 */
function drawDimension(pen, scene, at) {
  const { data, values, before, moved, colour } = scene;
  const x = (/** @type {number} */ d) => at.left + d * at.cell;
  const last = data.rows.length - 1;
  const [top, foot] = [at.top + at.head - 6, rowAt(at, last, last) + at.tall + 6];
  const old = { key: "old", stroke: colour.quiet, line: 1.5, dash: "5 4" };
  if (before && moved === "tokens_dim") pen.rect(x(before("tokens_dim")) - 2, top, at.cell + 4, foot - top, old);
  const d = values("tokens_dim");
  const label = `${Math.round(d)}`;
  const middle = x(d) + at.cell / 2;
  const wide = Math.max(30, textWidth(label, 15, true) + 16);
  const frames = at.narrow ? data.rows.map((_, row) => [rowAt(at, row, last) - 3, at.tall + 6]) : [[top, foot - top]];
  frames.forEach(([y, tall], i) => {
    pen.rect(x(d) - 3, y, at.cell + 6, tall, { key: `halo${i}`, stroke: colour.background, line: 6 });
    pen.rect(x(d) - 3, y, at.cell + 6, tall, { key: `frame${i}`, stroke: colour.ink, line: 2.5 });
  });
  const handle = { "data-n": "tokens_dim", "data-way": "x", "data-per": at.cell, style: "touch-action: none" };
  pen.rect(x(d) - 10, top, at.cell + 20, foot - top, { key: "grip", fill: "transparent", ...handle });
  pen.rect(middle - wide / 2, foot, wide, 26, { key: "knob", r: 13, fill: colour.ink, ...handle });
  pen.text(middle, foot + 18, label, {
    key: "label",
    size: 15,
    bold: true,
    fill: colour.background,
    anchor: "middle",
    style: "pointer-events: none",
  });
  explainColours(pen, scene, at, foot + 19, [middle - wide / 2, middle + wide / 2]);
}

/**
 * Which dimensions are drawn, and what their colours mean, on a side of the handle that has room.
 *
 * @param {Pen} pen
 * @param {InputsScene} scene
 * @param {Places} at
 * @param {number} y
 * @param {[left: number, right: number]} knob the ends of the handle
 */
function explainColours(pen, { data, colour }, at, y, [left, right]) {
  const reach = formatNumber(data.reach);
  const said = at.narrow
    ? `${data.shown} of ${data.wide} dimensions`
    : `dimensions 0 to ${data.shown - 1} of ${data.wide}; blue −${reach}, white 0, red ${reach}`;
  const far = textWidth(said, 13) + 12;
  const end = at.right + (at.narrow ? 80 : 0);
  const look = { key: "said", size: 13, fill: colour.quiet };
  if (left > at.left + far) pen.text(at.left, y, said, look);
  else if (right + far < end) pen.text(end, y, said, { ...look, anchor: "end" });
}

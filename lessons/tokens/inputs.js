// What enters a Transformer for a token: a row of each table as colours, and their sum; one dimension is framed,
// with its numbers at the end of the rows.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["inputs"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function inputs(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = places(scene);
    const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
    part("tokens", (its) => tokens(its, scene, at));
    scene.data.rows.forEach(([name], row) => part(name, (its) => strip(its, scene, at, row)));
    part("dimension", (its) => dimension(its, scene, at));
  });
}

function places({ width, height, narrow, data }) {
  const [left, right] = narrow ? [12, width - 84] : [150, width - 128];
  const top = narrow ? 62 : 82;
  const foot = height - (narrow ? 34 : 44);
  const row = (foot - top) / data.rows.length;
  const head = narrow ? 22 : 0; // the name of a row stands above it
  return {
    narrow,
    width,
    left,
    right,
    top,
    foot,
    row,
    head,
    tall: row - head - (narrow ? 8 : 26),
    cell: (right - left) / data.shown,
  };
}

const rowAt = (at, row, last) => at.top + row * at.row + at.head + (row === last ? (at.narrow ? 2 : 12) : 0);

/**
 * The tokens in a row, those around the one that is looked at where they are too many.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function tokens(pen, scene, at) {
  const { data, colour } = scene;
  const [size, tall, top] = at.narrow ? [14, 30, 8] : [17, 40, 10];
  const wides = data.tokens.map((token) => Math.min(textWidth(token, size, true) + (at.narrow ? 12 : 20), 190));
  const room = at.width - 24;
  let [from, to] = [data.at, data.at + 1];
  let whole = wides[data.at] + 6;
  for (let grown = true; grown;) {
    grown = false;
    for (const i of [to, from - 1]) {
      if (i < 0 || i >= wides.length || whole + wides[i] + 6 > room) continue;
      whole += wides[i] + 6;
      if (i === to) to++;
      else from--;
      grown = true;
    }
  }
  let x = (at.width - whole) / 2;
  for (let i = from; i < to; i++) {
    const [chosen, left] = [i === data.at, x];
    const segment = data.segments[i] ? "6 4" : null;
    pen.button(
      `${data.tokens[i]}, position ${i}`,
      () => scene.send(i),
      (its) => {
        its.rect(left, top, wides[i], tall, {
          r: 8,
          fill: chosen ? colour.input : colour.background,
          "fill-opacity": chosen ? 0.2 : 1,
          stroke: colour.input,
          line: chosen ? 3 : 1.5,
          dash: segment,
        });
        its.text(left + wides[i] / 2, top + tall / 2 + size * 0.35, data.tokens[i], {
          size,
          bold: chosen,
          anchor: "middle",
          room: wides[i] - 8,
        });
      },
      { key: `token${i}`, chosen },
    );
    if (!at.narrow)
      pen.text(left + wides[i] / 2, top + tall + 17, `${i}`, {
        key: `place${i}`,
        size: 13,
        bold: chosen,
        fill: colour.quiet,
        anchor: "middle",
      });
    x += wides[i] + 6;
  }
}

function strip(pen, { data, text, hidden, colour }, at, row) {
  const last = data.rows.length - 1;
  const [name, symbol, role] = data.rows[row];
  const y = rowAt(at, row, last);
  const indices = { token: data.ids[data.at], position: data.at, segment: data.segments[data.at] };
  const sign = row === last ? "=" : row ? "+" : "";
  const which = row === last ? `x, position ${data.at}` : `${symbol}[${indices[name]}]`;
  const middle = y + at.tall / 2;
  if (at.narrow) {
    pen.text(at.left, y - 6, `${sign} ${name}`.trim(), { size: 14, bold: true, fill: colour[role] });
    pen.text(at.right, y - 6, which, { size: 13, fill: colour.quiet, anchor: "end" });
  } else {
    if (row === last) pen.line(at.left - 130, y - 14, at.right + 112, y - 14, { stroke: colour.ink, width: 2 });
    pen.text(16, middle + 9, sign, { size: 28, bold: true });
    pen.text(at.left - 14, middle - 2, name, { size: 18, bold: true, fill: colour[role], anchor: "end" });
    pen.text(at.left - 14, middle + 18, which, { size: 14, fill: colour.quiet, anchor: "end" });
  }
  const unseen = hidden(name);
  for (let j = 0; j < data.shown; j++) {
    const share = (data.values[row * data.shown + j] / data.reach + 1) / 2;
    const fill = unseen ? "none" : data.fills[Math.round(Math.min(Math.max(share, 0), 1) * (data.fills.length - 1))];
    pen.rect(at.left + j * at.cell, y, at.cell + 0.4, at.tall, { r: 0, fill, "shape-rendering": "crispEdges" });
  }
  pen.rect(at.left, y, at.right - at.left, at.tall, { key: "edge", r: 3, stroke: colour.line, line: 1.5 });
  const number = text(name);
  pen.markedText(at.right + (at.narrow ? 8 : 16), middle + 6, number, row === last, {
    key: "number",
    size: at.narrow ? 14 : 20,
    bold: true,
    fill: colour[role],
  });
}

function dimension(pen, { data, values, before, moved, colour }, at) {
  const x = (/** @type {number} */ d) => at.left + d * at.cell;
  const last = data.rows.length - 1;
  const [top, foot] = [at.top + at.head - 6, rowAt(at, last, last) + at.tall + 6];
  if (before && moved === "tokens_dim")
    pen.rect(x(before("tokens_dim")) - 2, top, at.cell + 4, foot - top, {
      key: "old",
      stroke: colour.quiet,
      line: 1.5,
      dash: "5 4",
    });
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
  const said = at.narrow
    ? `${data.shown} of ${data.wide} dimensions`
    : `dimensions 0 to ${data.shown - 1} of ${data.wide}; blue −${formatNumber(data.reach)}, white 0, red ${formatNumber(data.reach)}`;
  const far = textWidth(said, 13) + 12;
  const right = middle - wide / 2 > at.left + far;
  if (right || middle + wide / 2 + far < at.right + (at.narrow ? 80 : 0))
    pen.text(right ? at.left : at.right + (at.narrow ? 80 : 0), foot + 19, said, {
      key: "said",
      size: 13,
      fill: colour.quiet,
      anchor: right ? "start" : "end",
    });
}

// The slide's snippet beside what it gives: a row of numbers for each token. The row that the last line prints is
// framed; a press on another row prints that one.

import { codeWidth, layCode, writeCode, writePiece } from "../../drawing/code_lines.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { LaidCode } from "../../drawing/code_lines.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"first_vector">} VectorScene */
/** @typedef {ReturnType<typeof placesOf>} Places */

const MOST_ROW = 44;

/** @param {Component<Scripts["first_vector"]>} component */
export default function first_vector(component) {
  return mainPicture(component, (pen, /** @type {VectorScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "code", (its) => drawCode(its, scene, at));
    pen.part(scene, "rows", (its) => drawRows(its, scene, at));
  });
}

/** @param {VectorScene} scene */
function placesOf({ data, width, height, narrow, final }) {
  const row = Math.round(final("row"));
  const split = narrow ? width : Math.round(width * 0.53);
  const lines = data.lines.map((line, n) => (n === data.lines.length - 1 ? `${line}${row}])` : line));
  const high = narrow ? height * 0.54 : height - 10;
  const box = { left: narrow ? 4 : 14, top: 6, room: split - (narrow ? 8 : 30), high };
  const laid = layCode(lines, new Map(), { ...box, most: narrow ? 14 : 19, least: narrow ? 13 : 14 });
  const top = narrow ? laid.foot + 12 : 38;
  const left = narrow ? 6 : split + 34;
  const count = data.tokens.length;
  const least = narrow ? 21 : 30;
  const shown = Math.min(count, Math.max(3, Math.floor((height - top - 6) / least)));
  const step = Math.min((height - top - 6) / shown, MOST_ROW);
  const first = Math.min(Math.max(row - Math.floor(shown / 2), 0), count - shown);
  const names = narrow ? 148 : 206;
  const columns = narrow ? 3 : data.shown;
  const cell = (width - (narrow ? 4 : 12) - left - names - 22) / columns;
  return { row, laid, lines, top, left, shown, step, first, names, columns, cell, split };
}

/** @param {Pen} pen @param {VectorScene} scene @param {Places} at */
function drawCode(pen, scene, { laid, row, left, top, step, first, split }) {
  const { data, colour, narrow, hidden } = scene;
  const last = data.lines.length - 1;
  const wrong = row === 0;
  for (const piece of laid.pieces) {
    const { line, x, y, text } = piece;
    const wide = codeWidth(text, laid.size);
    if (line === data.missing) {
      pen.rect(x - 3, y - laid.size, wide + 6, laid.size * 1.3, {
        key: "missing",
        r: 3,
        fill: colour.mask,
        "fill-opacity": 0.16,
      });
    }
    if (line === last) {
      const box = {
        key: "print",
        r: 3,
        fill: wrong && !hidden("row") ? colour.gradient : colour.activation,
        "fill-opacity": 0.2,
      };
      pen.rect(x - 3, y - laid.size * 1.05, wide + 6, laid.size * 1.4, box);
    }
    writePiece(pen, laid, piece, line === last ? { bold: true } : {});
  }
  const missing = laid.pieces.filter(({ line }) => line === data.missing).pop();
  if (missing) note(pen, laid, missing, narrow ? "not on the slide" : "missing on the slide", colour.quiet, split);
  const print = laid.pieces.filter(({ line }) => line === last).pop();
  if (!print || hidden("row")) return;
  if (wrong) note(pen, laid, print, "as on the slide", colour.gradient, split);
  if (narrow) return;
  const from = print.x + codeWidth(print.text, laid.size) + (wrong ? 138 : 10);
  const to = top + (row - first + 0.5) * step;
  const y = print.y - laid.size * 0.32;
  const middle = left - 22;
  const d = `M${from} ${y}L${middle - 10} ${y}Q${middle} ${y} ${middle} ${y - 10 * Math.sign(y - to)}L${middle} ${to + 10 * Math.sign(y - to)}Q${middle} ${to} ${middle + 8} ${to}`;
  pen.path(d, { key: "way", stroke: wrong ? colour.gradient : colour.activation, width: 3 });
  pen.head(left - 6, to, 0, wrong ? colour.gradient : colour.activation, 12);
}

/**
 * What is said of a line, behind it.
 *
 * @param {Pen} pen @param {LaidCode} laid @param {LaidCode["pieces"][number]} piece @param {string} said
 * @param {string} fill @param {number} split
 */
function note(pen, laid, { x, y, text }, said, fill, split) {
  const from = x + codeWidth(text, laid.size) + 14;
  pen.text(from, y, said, { key: `note ${said}`, size: Math.max(laid.size - 2, 13), fill, room: split - from });
}

/** @param {Pen} pen @param {VectorScene} scene @param {Places} at */
function drawRows(pen, scene, at) {
  const { data, colour, narrow, width } = scene;
  const { top, left, shown, first, names, cell, columns } = at;
  if (!narrow) {
    const said = `emb[0]: ${data.tokens.length} rows of ${data.width} numbers`;
    pen.text(left, 20, said, { key: "title", size: 18, fill: colour.quiet });
  }
  const rest = data.width > columns ? "…" : "";
  for (let k = first; k < first + shown; k++) drawRow(pen, scene, at, k);
  const x = left + names + cell * columns + 4;
  if (rest && x + 12 < width)
    pen.text(x, top + (at.step * shown) / 2 + 6, rest, { key: "rest", size: 18, fill: colour.quiet });
}

/** @param {Pen} pen @param {VectorScene} scene @param {Places} at @param {number} k */
function drawRow(pen, scene, { top, left, step, first, names, columns, cell, row }, k) {
  const { data, colour, narrow, hidden } = scene;
  const y = top + (k - first) * step;
  const chosen = k === row && !hidden("row");
  const size = narrow ? 13 : 17;
  const base = y + step / 2 + size * 0.35;
  const most = Math.max(...data.vectors.map(Math.abs)) || 1;
  const wide = names + cell * columns;
  const token = hidden("row") ? "?" : data.tokens[k];
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(left, y + 1, wide, step - 2, { r: 5, fill: chosen ? colour.mark : "transparent" });
    const ink = chosen ? colour.onMark : colour.ink;
    writeCode(its, left + 4, base, `[0][${k}]`, { size: narrow ? 13 : 16, fill: chosen ? ink : colour.quiet });
    const room = names - (narrow ? 66 : 82);
    its.text(left + (narrow ? 62 : 78), base, token, {
      size: size + (narrow ? 1 : 3),
      bold: true,
      fill: chosen ? ink : colour.input,
      room,
    });
    for (let n = 0; n < columns; n++) {
      const value = data.vectors[k * data.shown + n];
      const x = left + names + n * cell;
      const fill = value < 0 ? colour.input : colour.gradient;
      const opacity = (0.75 * Math.abs(value)) / most;
      its.rect(x + 1, y + 3, cell - 2, step - 6, {
        r: 3,
        fill: chosen ? "transparent" : fill,
        "fill-opacity": opacity,
      });
      its.text(x + cell - 6, base, shortened(value), { size: narrow ? 13 : 15, anchor: "end", fill: ink });
    }
  };
  pen.button(`Print emb[0][${k}]`, () => scene.move("row", k, true), draw, { key: `row ${k}`, chosen });
}

/** @param {number} value */
const shortened = (value) => (Math.abs(value) < 10 ? value.toFixed(2).replace("-", "−") : formatNumber(value));

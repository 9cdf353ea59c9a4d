// The matrices of the Transformer on one screen as grids of cells: each has a colour for size and sign, and two digits.
// The cells are painted on a canvas, because 600 DOM texts could not be updated 60 times a second.

import { canvasIn, font, sharpness } from "../../drawing/canvas.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Palette, Scripts, TinyGrid } from "../../drawing/types.js" */
/** @import { Get } from "./tiny_arithmetic.js" */
/** @import { Placed } from "./tiny_places.js" */

/**
 * What the cells look like.
 *
 * @typedef {object} CellsLook
 * @property {Pick<Scripts["tiny"], "signed" | "shares">} data the colours, from the least to the largest number
 * @property {Palette} colour
 * @property {Get} get
 * @property {(name: string) => boolean} covered whether the numbers of a matrix are to be predicted
 * @property {(name: string) => number} faint the opacity of a matrix
 */

const SIZE = 13;
const STRONGEST = 2.5; // the size from which a signed number has the colour at the end of the scale

/**
 * The cells of all matrices.
 *
 * @param {Pen} pen
 * @param {readonly Placed[]} all
 * @param {CellsLook & { width: number, height: number, stamp: string }} how `stamp` changes with the numbers
 */
export function cells(pen, all, { width, height, stamp, ...look }) {
  const fonts = document.fonts?.check(font(SIZE)); // repaint once the font has loaded
  const place = { key: "cells", left: 0, top: 0, width, height, sharp: sharpness(pen.parent) };
  canvasIn(pen, { ...place, stamp: `${stamp} ${fonts}` }, (brush) => {
    brush.font = font(SIZE);
    brush.textAlign = "center";
    for (const its of all) {
      brush.globalAlpha = look.faint(its.name);
      paint(brush, its, look);
    }
    brush.globalAlpha = 1;
  });
}

/** @param {CanvasRenderingContext2D} brush @param {Placed} its @param {CellsLook} look */
function paint(brush, its, { get, data, colour, covered }) {
  const { grid, pitch, row } = its;
  const hidden = covered(its.name);
  for (let i = 0; i < grid.rows; i++) {
    for (let j = 0; j < grid.columns; j++) {
      const value = get(its.name, i, j);
      const [fill, ink] = hidden || value === -Infinity ? [colour.line, colour.ink] : tint(grid.kind, value, data);
      const [x, y] = [its.x + j * pitch, its.y + i * row];
      brush.fillStyle = fill;
      brush.beginPath();
      brush.roundRect(x, y, pitch - 1, row - 1, grid.kind === "weight" ? 4 : 0); // weights are round
      brush.fill();
      brush.fillStyle = ink;
      brush.fillText(hidden ? "?" : compact(value), x + pitch / 2 - 0.5, y + row / 2 + 4, pitch - 2.5);
    }
  }
}

/**
 * The colour of a number, and that of its digits.
 *
 * @param {TinyGrid["kind"]} kind @param {number} value @param {CellsLook["data"]} data
 */
function tint(kind, value, { signed, shares }) {
  const [fills, inks] = kind === "share" ? shares : signed;
  const share = kind === "share" ? value : 0.5 + value / (2 * STRONGEST);
  const at = Math.round(Math.min(Math.max(share, 0), 1) * (fills.length - 1));
  return [fills[at], inks[at]];
}

/**
 * A number with two digits: .34, −.34, 1.2, 12; −∞ if it is masked.
 *
 * @param {number} value
 */
export function compact(value) {
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size >= 9.95) return `${sign}${size.toFixed(0)}`;
  if (size >= 0.995) return `${sign}${size.toFixed(1)}`;
  const text = size.toFixed(2);
  return text === "0.00" ? "0" : `${sign}${text.slice(1)}`;
}

/**
 * The frame of a matrix, and its title; weights have a thick one.
 *
 * @param {Pen} pen @param {Placed} its
 */
export function frame(pen, its) {
  const { colour } = pen;
  const weight = its.grid.kind === "weight";
  const how = weight ? { stroke: colour.weight, line: 1.6, r: 5 } : { stroke: colour.line, line: 1, r: 0 };
  pen.rect(its.x - 1.5, its.y - 1, its.wide + 2, its.high + 1.5, { key: `frame ${its.name}`, ...how });
  if (!its.title) return;
  const look = { key: `title ${its.name}`, fill: weight ? colour.weight : colour.ink };
  title(pen, its.x, its.y - (its.name === "U" ? 19 : 4), its.title, look);
}

/**
 * A text in which a letter after ^ is a superscript, as in W^Q.
 *
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {{ key: string, fill: string, size?: number, bold?: boolean }} look
 */
export function title(pen, x, y, text, { key, fill, size = SIZE, bold = true }) {
  const look = { "font-size": size, "font-weight": bold ? 650 : 400, fill };
  pen.group({ tag: "text", key, x, y, ...look }, (line) => {
    let back = 0;
    for (const part of text.split(/(\^[A-Z])/)) {
      if (!part) continue;
      const raised = part.startsWith("^");
      line.node("tspan", { dy: raised ? -4 : back, "font-size": raised ? 11 : null }, raised ? part.slice(1) : part);
      back = raised ? 4 : 0;
    }
  });
}

// The matrices of the Transformer on one screen as grids of cells: colour for size and sign, and two digits in each.
// The cells are painted on a canvas: six hundred texts that change sixty times a second are too many for a document.

import { canvasIn, font, sharpness } from "../shared/canvas.js";
import { TITLE } from "./tiny_places.js";

/** @import { Pen } from "../../ui/browser/pen.js" */
/** @import { Placed } from "./tiny_places.js" */

const SIZE = 13;
const STRONGEST = 2.5; // the number from which on a signed colour is the darkest

/**
 * The cells of all matrices.
 *
 * @param {Pen} pen
 * @param {readonly Placed[]} all
 * @param {{ width: number, height: number, stamp: string, get: (name: string, i: number, j: number) => number, data: any, colour: Record<string, string>, covered: (name: string) => boolean, faint: (name: string) => number }} how
 */
export function cells(pen, all, { width, height, stamp, ...how }) {
  const fonts = document.fonts?.check(font(SIZE)); // what was painted in another font is painted anew
  canvasIn(
    pen,
    { key: "cells", left: 0, top: 0, width, height, sharp: sharpness(pen.parent), stamp: `${stamp} ${fonts}` },
    (brush) => {
      brush.font = font(SIZE);
      brush.textAlign = "center";
      for (const its of all) {
        brush.globalAlpha = how.faint(its.name);
        paint(brush, its, how);
      }
      brush.globalAlpha = 1;
    },
  );
}

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
 * The frame of a matrix, and its title; weights have a thick one.
 *
 * @param {Pen} pen
 * @param {Placed} its
 */
export function frame(pen, its, colour) {
  const weight = its.grid.kind === "weight";
  const how = weight ? { stroke: colour.weight, line: 1.6, r: 5 } : { stroke: colour.line, line: 1, r: 0 };
  pen.rect(its.x - 1.5, its.y - 1, its.wide + 2, its.high + 1.5, { key: `frame ${its.name}`, ...how });
  if (its.title)
    title(pen, its.x, its.y - (its.name === "U" ? 19 : 4), its.title, {
      key: `title ${its.name}`,
      fill: weight ? colour.weight : colour.ink,
    });
}

function tint(kind, value, { signed, shares }) {
  const [fills, inks] = kind === "share" ? shares : signed;
  const share = kind === "share" ? value : 0.5 + value / (2 * STRONGEST);
  const at = Math.round(Math.min(Math.max(share, 0), 1) * (fills.length - 1));
  return [fills[at], inks[at]];
}

/** Two digits: .34, −.34, 1.2, 12; −∞ where it is masked. */
export function compact(value) {
  if (value === -Infinity) return "−∞";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size >= 9.95) return `${sign}${size.toFixed(0)}`;
  if (size >= 0.995) return `${sign}${size.toFixed(1)}`;
  const text = size.toFixed(2);
  return text === "0.00" ? "0" : `${sign}${text.slice(1)}`;
}

/** A text in which ^Q stands for a raised Q. */
export function title(pen, x, y, text, { key, fill, size = SIZE, bold = true }) {
  pen.group({ tag: "text", key, x, y, "font-size": size, "font-weight": bold ? 650 : 400, fill }, (line) => {
    let back = 0;
    text.split(/(\^[A-Z])/).forEach((part) => {
      if (!part) return;
      const raised = part.startsWith("^");
      line.node("tspan", { dy: raised ? -4 : back, "font-size": raised ? 11 : null }, raised ? part.slice(1) : part);
      back = raised ? 4 : 0;
    });
  });
}

const STEPS = [
  ["P", "x"],
  ["beta1", "n1"],
  ["n1", "WQ"],
  ["n1", "WK"],
  ["n1", "WV"],
  ["WQ", "q"],
  ["WK", "k"],
  ["WV", "v"],
  ["q", "s"],
  ["k", "s"],
  ["s", "alpha"],
  ["alpha", "z"],
  ["v", "z"],
  ["z", "WO"],
  ["bO", "o"],
  ["o", "r"],
  ["beta2", "n2"],
  ["n2", "W1"],
  ["b1", "f"],
  ["f", "g"],
  ["g", "W2"],
  ["W2", "m"],
  ["m", "h"],
  ["beta3", "n3"],
  ["n3", "U"],
  ["U", "logits"],
  ["logits", "p"],
];

/** The arrows between the matrices, and the residual stream over the panels. */
export function arrows(pen, at, colour) {
  const { placed } = at;
  const stroke = { stroke: colour.quiet, width: 1.5 };
  for (const [from, to] of STEPS.map((pair) => pair.map((name) => placed[name]))) {
    if (!from || !to) continue;
    if (to.x > from.x + from.wide) {
      const [x1, x2] = [from.x + from.wide + 2, to.x - 3];
      const lane = x1 + (x2 - x1) * 0.4;
      pen.path(`M${x1} ${level(from)}H${lane}V${level(to)}H${x2 - 4}`, stroke);
      pen.head(x2, level(to), 0, colour.quiet, 7);
    } else {
      const x = to.x + Math.max(to.wide, 4 * to.pitch) - 5;
      pen.line(x, to.y - TITLE + 3, x, to.y - 7, stroke);
      pen.head(x, to.y - 3, 90, colour.quiet, 7);
    }
  }
  residual(pen, at, placed.x, placed.r, colour);
  residual(pen, at, placed.r, placed.h, colour);
}

const level = (its) => its.y + its.high / 2;

// x goes on beside the part that is added to it.
function residual(pen, at, from, to, colour) {
  if (!from || !to) return;
  const y = at.top + 21;
  const [x1, x2] = [from.x + from.wide + 2, to.x - 3];
  const [up, along] = [from.y + 0.5 * from.row, to.y + 0.5 * to.row];
  pen.path(`M${x1} ${up}H${x1 + 3}V${y}H${x2 - 5}V${along}H${x2 - 2}`, {
    stroke: colour.activation,
    width: 2,
    "stroke-opacity": 0.75,
  });
  pen.head(x2, along, 0, colour.activation, 7);
}

// The cell of a step: its hidden state as a strip, and in the large column the details of one unit.

import { bent } from "../../drawing/pen.js";
import { stripAt } from "./chain.js";
import { between, short, sub } from "./column_numbers.js";
import { drawStrip } from "./heat_strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Column, Draw, WalkScene } from "./column.js" */
/** @import { StripBox } from "./heat_strip.js" */

/** @type {Draw} */
export function drawCell(pen, scene, column) {
  const { data, colour } = scene;
  const { t, wide, rows, big, done, fade } = column;
  const { top, foot } = rows.cell;
  const ready = done("h");
  const [left, right] = [between(7, 3, big), wide - between(7, 3, big)];
  pen.rect(left, top, right - left, foot - top, {
    r: between(8, 14, big),
    fill: colour.activation,
    "fill-opacity": ready ? 0.06 : 0,
    stroke: ready ? colour.activation : colour.line,
    line: ready ? 1.5 + 0.8 * big : 1,
    dash: ready ? null : "4 4",
  });
  const look = { size: 15, bold: true, fill: colour.weight, opacity: fade };
  if (fade) pen.text(left + 8, (top + foot) / 2 - 9, "Wₕ", { key: "past", ...look });
  if (!ready) return;
  const width = between(16, 26, big);
  const gap = between(7, 9, big);
  const box = { left: stripAt(column) - width / 2, top: top + gap, wide: width, high: foot - top - 2 * gap };
  drawStrip(pen, data.h, t, data.scale, box, false);
  const y = drawFrame(pen, scene, box);
  if (done("y")) drawWayUp(pen, column);
  if (!fade) return;
  pen.group({ key: "unit", opacity: fade }, (its) =>
    drawUnit(its, scene, column, { left: left + 34, right: box.left - 14, top, foot, y }),
  );
}

/**
 * The arrow from the hidden state up to the probabilities.
 *
 * @param {Pen} pen @param {Column} column
 */
function drawWayUp(pen, column) {
  const { rows, big, fade } = column;
  const { weight, activation } = pen.colour;
  const { top, foot } = rows.up;
  const x = stripAt(column);
  const d = `M${x} ${rows.cell.top}V${top + 8}`;
  pen.path(d, { key: "up", stroke: weight, width: 2 + big, "stroke-opacity": 0.6 });
  pen.head(x, top + 3, -90, weight, 7);
  if (!fade) return;
  pen.beads(d, activation, { key: "beads" });
  const look = /** @type {const} */ ({ size: 15, bold: true, fill: weight, anchor: "end", opacity: fade });
  pen.text(x - 9, (top + foot) / 2 + 7, "U", { key: "weight", ...look });
}

/**
 * Frame the chosen unit in the strip; returns its y coordinate, or null if the strip does not show it.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {StripBox} box
 */
function drawFrame(pen, { data, colour }, { left, top, wide, high }) {
  if (data.unit > data.h.shown) return null;
  const each = high / data.h.shown;
  const y = top + each * (data.unit - 0.5);
  const tall = Math.max(each, 3) + 3;
  pen.rect(left - 2, y - tall / 2, wide + 4, tall, { key: "frame", stroke: colour.ink, line: 1.6, r: 2 });
  return y;
}

/**
 * One hidden unit: the terms from the previous state, the word and the bias, their sum, and its tanh.
 *
 * @param {Pen} pen
 * @param {WalkScene} scene
 * @param {Column} column
 * @param {{ left: number, right: number, top: number, foot: number, y: number | null }} box y: the unit's y in the
 *   strip
 */
function drawUnit(pen, scene, { t, current }, { left, right, top, foot, y }) {
  const { data, values, hidden, narrow, colour } = scene;
  const rows = /** @type {const} */ ([
    ["wh", `Wₕh${sub(t)}`, colour.activation],
    ["wx", `Wₓe${sub(t + 1)}`, colour.input],
    ["b", "b", colour.weight],
    ["z", "z", colour.score],
    ["h", `h${sub(t + 1)}`, colour.activation],
  ]);
  /** @param {string} name */
  const number = (name) => data.table[t * data.names.length + data.names.indexOf(name)];
  const [labels, numbers] = [narrow ? 40 : 50, 44];
  const middle = (left + labels + right - numbers) / 2;
  const half = (right - numbers - left - labels) / 2 - 2;
  const scale = half / Math.max(1, ...rows.map(([name]) => Math.abs(number(name))));
  const high = (foot - top - 24) / rows.length;
  pen.text(left, top + 17, `unit ${data.unit} of ${data.h.size}`, { size: 13, fill: colour.quiet });
  rows.forEach(([name, label, fill], i) => {
    const line = top + 22 + high * (i + 0.5);
    const value = number(name);
    pen.text(left, line + 5, label, { size: 14, fill });
    const bar = { from: middle, long: value * scale, y: line, thick: Math.min(high, 14) };
    if (!hidden(name)) drawBar(pen, name, bar, fill);
    const marked = name === "h" && current && values("@phase") === data.phases.indexOf("h");
    const look = /** @type {const} */ ({ size: 15, bold: i > 2, fill, anchor: "end" });
    pen.markedText(right - 4, line + 5, hidden(name) ? "?" : short(value), marked, { key: `number${name}`, ...look });
  });
  pen.line(middle, top + 26, middle, foot - 6, { stroke: colour.line, width: 1 });
  if (y !== null) drawLink(pen, right, top + 22 + high * 4.5, y);
}

/**
 * @param {Pen} pen
 * @param {string} name
 * @param {{ from: number, long: number, y: number, thick: number }} bar to the left, where `long` is negative
 * @param {string} fill
 */
function drawBar(pen, name, { from, long, y, thick }, fill) {
  const [left, width] = [from + Math.min(long, 0), Math.max(Math.abs(long), 1.5)];
  pen.rect(left, y - thick / 2 + 1, width, thick - 2, { key: `bar${name}`, fill, r: 2 });
}

/**
 * The line from the opened unit to its place in the strip.
 *
 * @param {Pen} pen @param {number} right @param {number} from @param {number} to
 */
function drawLink(pen, right, from, to) {
  const corners = [
    [right + 1, from],
    [right + 6, from],
    [right + 6, to],
    [right + 12, to],
  ];
  pen.path(bent(corners, 3), { key: "link", stroke: pen.colour.activation, width: 1.5 });
}

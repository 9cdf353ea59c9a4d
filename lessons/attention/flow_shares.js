// The third panel: the softmax turns the divided scores into shares that sum to 1; keys that the mask hides get none.

import { textWidth } from "../../drawing/pen.js";
import { inside } from "./flow_layout.js";
import { drawFoot, drawPanel } from "./flow_marks.js";
import { digits, short } from "./flow_numbers.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw } from "./flow_panels.js" */
/** @import { FlowScene, KeyRow, RowLook } from "./flow_scene.js" */

/** @typedef {{ left: number, wide: number }} Column */
/**
 * The bar of a share: its column and its key.
 *
 * @typedef {Column & KeyRow} Share
 */

/** @type {Draw} */
export function drawShares(pen, scene, at) {
  const { data, text, colour, hidden } = scene;
  const span = inside(at.panels.softmax);
  const { left, right, wide } = span;
  const title = data.mask ? "mask, softmax" : "softmax";
  const about = data.mask || "shares that sum to 1";
  drawPanel(pen, at, "softmax", { number: 3, title, about, role: colour.activation });
  const sum = { size: 15, fill: colour.quiet, room: wide };
  if (data.best >= 0) pen.text(left, at.query + (at.many ? 5 : 0), `Σ exp = ${text("sum")}`, sum);
  for (const { j, y } of at.keys)
    pen.group({ key: `key${j}` }, (row) => drawShare(row, scene, at, { left, wide, j, y }));
  if (data.second < 0) return;
  const how = hidden("ratio") ? "" : `exp(${text("apart")})`;
  const foot = { middle: (left + right) / 2, label: `${text("ratio")} to 1`, how, role: colour.activation };
  drawFoot(pen, at, foot, span);
}

/**
 * A share as a bar in its frame, which is 1 long.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {RowLook} look @param {Share} share
 */
export function drawShare(pen, scene, look, share) {
  const { data, values, before, text, hidden, colour } = scene;
  const { left, wide, j, y } = share;
  const { high, size } = look;
  const name = /** @type {const} */ (`w${j + 1}`);
  const top = y - high / 2;
  if (data.closed[j]) {
    drawClosed(pen, look, share);
    return;
  }
  pen.rect(left, top, wide, high, { r: 4, fill: colour.background, stroke: colour.line });
  const how = `exp(${text(`h${j + 1}`)}) ÷ Σ exp`;
  if (look.above) pen.text(left, top - 8, how, { size: 15, fill: colour.quiet, room: wide });
  if (hidden(name)) {
    pen.text(left + 10, y + 6, "?", { size, bold: true });
    return;
  }
  if (before && Math.abs(before(name) - values(name)) > 1e-6) {
    const ghost = { key: "old", stroke: colour.quiet, line: 1.2, dash: "4 3", r: 3 };
    pen.rect(left, top - 3, Math.max(wide * before(name), 2), high + 6, ghost);
  }
  const filled = wide * values(name);
  pen.rect(left, top, Math.max(filled, 1), high, { key: "bar", r: 4, fill: colour.activation });
  drawShareNumber(pen, scene, look, share, filled);
  if (look.tall && data.scaled && !before) drawUndivided(pen, scene, { ...share, y: y + high / 2 + 6 });
}

/**
 * The number of a share: in its bar, after it, or where there is room.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {RowLook} look
 * @param {Share} share
 * @param {number} filled the length of its bar
 */
function drawShareNumber(pen, scene, { size }, { left, wide, j, y }, filled) {
  const { data, text, colour } = scene;
  const name = /** @type {const} */ (`w${j + 1}`);
  const number = scene.narrow ? short(scene, name) : text(name);
  const marked = data.marked === name;
  const needs = textWidth(number, size, true);
  const fits = filled > needs + 12;
  const x = fits ? left + 8 : Math.min(left + filled + 9, left + wide - needs - 5);
  pen.markedText(x, y + size * 0.35, number, marked, {
    key: "number",
    size,
    bold: true,
    fill: fits ? colour.background : colour.activation,
    halo: !fits && x < left + filled + 4 && !marked,
  });
}

/**
 * What the weight would be without the division.
 *
 * @param {Pen} pen
 * @param {FlowScene} scene
 * @param {Share} share `y`: the top of its bar
 */
function drawUndivided(pen, { values, text, hidden, colour }, { left, wide, j, y }) {
  const name = /** @type {const} */ (`n${j + 1}`);
  if (hidden(name)) return;
  const weight = values(name);
  pen.rect(left, y, Math.max(wide * weight, 2), 8, { stroke: colour.quiet, line: 1.2, dash: "3 2", r: 2 });
  const number = weight > 0.9995 ? "almost 1" : digits(weight, 2);
  const look = { size: 13, fill: colour.quiet, room: wide + 8 };
  pen.text(left, y + 25, `without ÷ ${text("root")}: ${number}`, look);
}

/**
 * A key that the mask hides: its row is crossed out.
 *
 * @param {Pen} pen @param {RowLook} look @param {Share} share
 */
function drawClosed(pen, { high, size }, { left, wide, y }) {
  const { background, mask } = pen.colour;
  const [top, bottom, right, middle] = [y - high / 2, y + high / 2, left + wide, left + wide / 2];
  pen.rect(left, top, wide, high, { r: 4, fill: background, stroke: mask, dash: "4 3", line: 1.5 });
  const cross = `M${left} ${top}L${right} ${bottom}M${left} ${bottom}L${right} ${top}`;
  pen.path(cross, { stroke: mask, "stroke-opacity": 0.7 });
  const half = textWidth("−∞ → 0", size, true) / 2 + 8;
  pen.rect(middle - half, top + 2, 2 * half, high - 4, { fill: background, r: 0 });
  pen.text(middle, y + size * 0.35, "−∞ → 0", { size, bold: true, fill: mask, anchor: "middle" });
}

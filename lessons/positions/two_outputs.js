// The attention output of the word in both orders, without positions and with them.

import { cutText, textWidth } from "../../drawing/pen.js";
import { whole } from "./position_sides.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./positions_layout.js" */
/** @import { At, OrderScene } from "./position_sides.js" */
/** @typedef {"plain" | "gap"} Difference the number of the difference without positions, or of that with them */

/** @param {Pen} pen @param {OrderScene} scene @param {At} at @param {Difference} name */
export function drawOutput(pen, scene, at, name) {
  const { values, hidden, colour } = scene;
  const box = at.lanes[name === "gap" ? 1 : 0];
  const { left, right, top, foot } = box;
  const small = at.narrow;
  const secret = hidden(name);
  drawFrame(pen, scene, at, name, box);
  const result = small ? 22 : 32;
  const labels = top + (small ? 32 : 42);
  const area = { left, right, top: labels + (small ? 4 : 7), foot: foot - result - (small ? 2 : 4) };
  drawBothOutputs(pen, scene, at, name, area, labels);
  const y = (area.top + area.foot) / 2;
  const equal = values(name) === 0;
  pen.text((left + right) / 2, y + (small ? 7 : 11), secret ? "?" : equal ? "=" : "≠", {
    size: small ? 20 : 34,
    bold: true,
    anchor: "middle",
    fill: secret || equal ? colour.ink : at.second,
  });
  drawDifference(pen, scene, at, name, box);
}

/**
 * The frame with its title, and the reason why the outputs agree or differ.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {Difference} name @param {Box} box
 */
function drawFrame(pen, scene, { narrow }, name, { left, right, top, foot }) {
  const { colour } = scene;
  const placed = name === "gap";
  const role = placed ? colour.input : colour.mask;
  const look = { r: 12, fill: role, "fill-opacity": 0.07, stroke: role, line: placed ? 1.8 : 1.2 };
  pen.rect(left, top, right - left, foot - top, look);
  const title = placed ? "with positions" : "without positions";
  const fill = placed ? colour.input : colour.ink;
  pen.text(left + 10, top + (narrow ? 16 : 20), title, { size: narrow ? 13 : 15, bold: true, fill });
  if (narrow) return;
  const room = right - left - 30 - textWidth(title, 15, true);
  pen.text(right - 10, top + 20, why(scene, placed), { size: 14, anchor: "end", room });
}

/** @param {OrderScene} scene @param {boolean} placed */
function why({ data, values }, placed) {
  if (placed) return values("k") ? "x = e + PE: its position counts" : "x = e + PE: others moved";
  if (data.causal) return "the mask hides later words";
  return "x = e: a sum has no order";
}

/**
 * The output in the first order and that in the second one, side by side.
 *
 * @param {Pen} pen
 * @param {OrderScene} scene
 * @param {At} at
 * @param {Difference} name
 * @param {Box} area
 * @param {number} labels the base line of their labels
 */
function drawBothOutputs(pen, scene, at, name, { left, right, top, foot }, labels) {
  const { data, hidden } = scene;
  const [size, between] = at.narrow ? [13, 22] : [15, 44];
  const wide = (right - left - 20 - between) / 2;
  const placed = name === "gap";
  const word = data.words[data.word];
  /** @type {const} */ ([
    [placed ? "u" : "a", "pos", at.first],
    [placed ? "v" : "b", "other", at.second],
  ]).forEach(([letter, position, fill], n) => {
    const x = left + 10 + n * (wide + between);
    const tail = placed ? `${at.narrow ? "+" : " + "}PE(${whole(scene, position)})` : "";
    const shown = cutText(word, wide - textWidth(tail, size, true), size, true);
    pen.text(x + wide / 2, labels, `${shown}${tail}`, { key: `of${n}`, size, bold: true, fill, anchor: "middle" });
    const box = { left: x, right: x + wide, top, foot };
    drawBars(pen, scene, box, letter, n === 1 && hidden(name), fill, n);
  });
}

/**
 * The number of components that are drawn, and the distance of the outputs.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {Difference} name @param {Box} box
 */
function drawDifference(pen, scene, { narrow }, name, { left, right, foot }) {
  const { data, values, text, hidden, colour } = scene;
  const [drawn, all] = [values("@cells"), whole(scene, "d")];
  const part = narrow ? `${drawn}/${all}` : `${drawn} of ${all}`;
  if (drawn < all) pen.text(left + 10, foot - (narrow ? 8 : 10), part, { key: "part", size: 13, fill: colour.quiet });
  const [label, size, air] = narrow
    ? /** @type {const} */ (["Δ", 17, 9])
    : /** @type {const} */ (["‖difference‖ =", 20, 13]);
  const number = hidden(name) ? "?" : text(name);
  const x = (left + right - textWidth(label, size) - air - textWidth(number, size, true)) / 2;
  const y = foot - (narrow ? 7 : 10);
  pen.text(x, y, label, { key: "label", size });
  const look = { key: "number", size, bold: true };
  pen.markedText(x + textWidth(label, size) + air, y, number, data.marked === name, look);
}

/**
 * A vector as bars up and down from 0: equal vectors look the same.
 *
 * @param {Pen} pen
 * @param {OrderScene} scene
 * @param {Box} box
 * @param {"a" | "b" | "u" | "v"} letter
 * @param {boolean} secret whether it is to be predicted
 * @param {string} fill
 * @param {number} n
 */
function drawBars(pen, { data, values, colour }, { left, right, top, foot }, letter, secret, fill, n) {
  const count = values("@cells");
  const y = (top + foot) / 2;
  const frame = { key: `box${n}`, r: 6, fill: colour.background, stroke: colour.line };
  pen.rect(left, top, right - left, foot - top, frame);
  if (secret) {
    pen.text((left + right) / 2, y + 8, "?", { key: `secret${n}`, size: 24, bold: true, anchor: "middle" });
    return;
  }
  pen.line(left + 4, y, right - 4, y, { key: `zero${n}`, stroke: colour.line, width: 1 });
  const step = (right - left - 10) / count;
  const unit = (foot - top - 6) / 2 / data.reach;
  for (let c = 0; c < count; c++) {
    const value = values(`${letter}${c}`) * unit;
    const x = left + 5 + c * step + step * 0.12;
    const high = Math.max(Math.abs(value), 1);
    pen.rect(x, Math.min(y, y - value), step * 0.76, high, { key: `${letter}${c}`, fill, r: 1 });
  }
}

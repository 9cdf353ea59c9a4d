// A word in a lane: a bar of its p, and the number.

import { formatNumber } from "../../drawing/numbers.js";
import { drawLyingBar } from "./lane_marks.js";
import { shortNumber } from "./lane_places.js";

/** @import { Pen, TextLook } from "../../drawing/pen.js" */
/** @import { LaneScene } from "./lane_marks.js" */
/** @import { PlacedLane, Places } from "./lane_rows.js" */

/** @param {Pen} pen @param {LaneScene} scene @param {Places} at @param {PlacedLane} placed @param {number} word */
export function drawCell(pen, { data, colour, values, hidden, send }, at, { lane, i, y, foot }, word) {
  const slot = /** @type {const} */ (`${lane.name}.${word + 1}`);
  const [p, asked] = [values(slot), hidden(slot)];
  const { column, flat } = at;
  const chosen = i === data.chosen && word === data.here;
  const x = at.x(word);
  const said = `${lane.label}, ${data.words[word]}: ${asked ? "?" : formatNumber(p)}`;
  /** @type {TextLook} */
  const look = { size: column < 50 ? 13 : column < 58 ? 14 : 16, bold: chosen || p === 0, anchor: "middle" };
  const cell = { middle: x + column / 2, top: y + 12, foot, p: asked ? null : p, marked: chosen && !asked };
  /** @param {Pen} its */
  const draw = (its) => {
    its.node("title", {}, said);
    const frame = { stroke: chosen ? colour.ink : null, line: chosen ? 2 : null };
    its.rect(x + 1, y + 4, column - 2, at.lane - 7, { r: 8, fill: "transparent", ...frame });
    if (flat) drawFlat(its, { ...cell, width: column - 10 }, look);
    else drawUpright(its, { ...cell, width: Math.min(62, column - 12) }, look);
  };
  pen.button(said, () => send([i, word]), draw, { key: `cell${word}`, tabindex: null });
  const last = Math.min(data.words.length, at.first + at.count) - 1;
  if (word < last && column >= 62 && !flat)
    pen.text(x + column, foot + 19, "·", { key: `times${word}`, size: 17, anchor: "middle", fill: colour.quiet });
}

/**
 * The data of a cell; p is null if it is to be predicted.
 *
 * @typedef {{ middle: number, top: number, foot: number, width: number, p: number | null, marked: boolean }} Cell
 */

/**
 * In a low lane: the number, and the bar below it.
 *
 * @param {Pen} pen @param {Cell} cell @param {TextLook} look
 */
function drawFlat(pen, { middle, foot, width, p, marked }, look) {
  drawLyingBar(pen, { x: middle - width / 2, y: foot - 6, room: width, p: p ?? 0, high: 6 });
  const number = p === null ? "?" : p === 0 ? "✕ 0" : shortNumber(p);
  pen.markedText(middle, foot - 12, number, marked, look);
}

/** @param {Pen} pen @param {Cell} cell @param {TextLook} look */
function drawUpright(pen, { middle, top, foot, width, p, marked }, look) {
  const fill = pen.colour.activation;
  const [left, high] = [middle - width / 2, foot - top];
  pen.rect(left, top, width, high, { r: 4, fill, "fill-opacity": 0.07 });
  if (p) {
    const bar = Math.max(high * p, 2);
    pen.rect(left, foot - bar, width, bar, { r: Math.min(4, bar / 2), fill });
  }
  if (p === null) pen.text(middle, foot - high / 2 + 9, "?", { size: 26, bold: true, anchor: "middle" });
  if (p === 0) drawCross(pen, middle, foot - high / 2, Math.min(high / 2 - 4, 13));
  pen.markedText(middle, foot + 20, p === null ? "?" : shortNumber(p), marked, look);
}

/**
 * The cross of a word that is impossible under a model.
 *
 * @param {Pen} pen @param {number} x @param {number} y @param {number} size
 */
function drawCross(pen, x, y, size) {
  const d = `M${x - size} ${y - size}L${x + size} ${y + size}M${x - size} ${y + size}L${x + size} ${y - size}`;
  pen.path(d, { stroke: pen.colour.ink, width: 4, "stroke-linecap": "round" });
}

// The first choice on a wide stage: p of each next token as a bar, the part that a filter cuts, and the line at which
// top-k and min-p cut.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { scaleEnd, tail } from "./lane_token_places.js";
import { chosenRow } from "./strategies_scene.js";
import { rowAt } from "./strategies_wide_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Shown, StrategiesScene } from "./strategies_scene.js" */
/** @import { Places } from "./strategies_wide_places.js" */
/** @typedef {ReturnType<typeof tokenRows>[number]} TokenRow */
/** @typedef {{ left: number, width: number, end: number }} Scale `end`: the p at its right end */

/** @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {Places} at */
export function drawFirstChoice(pen, scene, shown, at) {
  drawHeading(pen, scene, shown, at);
  const rows = tokenRows(scene, shown);
  const tokens = rows.filter((row) => !row.rest);
  const largest = Math.max(...tokens.map((row) => row.model));
  const most = Math.max(...rows.map((row) => row.p), largest);
  const scale = { ...at.bars, end: scaleEnd(most) };
  const chosen = shown.lanes.map((each) => chosenRow(scene, shown, each));
  rows.forEach((row, i) => {
    const picked = chosen.includes(row.rest ? -1 : i);
    pen.group({ key: `row${i}` }, (its) => drawRow(its, scene, shown, at, scale, { ...row, y: rowAt(at, i), picked }));
  });
  drawCutLine(pen, scene, shown, at, scale, largest);
  drawAxis(pen, at, scale);
}

/**
 * The tokens that are shown, and the others: their p under the strategy, and under the model.
 *
 * @param {StrategiesScene} scene @param {Shown} shown
 */
export function tokenRows({ data, values, hidden }, { focus }) {
  const tokens = data.rows.map((label, row) => ({
    label,
    rest: false,
    name: /** @type {const} */ (`${focus.name}.${row}`),
    model: values(`walk.${row}`),
  }));
  const others = {
    label: `${data.others.toLocaleString("en")} others`,
    rest: true,
    name: /** @type {const} */ (`${focus.name}.rest`),
    model: values("walk.rest"),
  };
  return [...tokens, others].map((row) => {
    const p = values(row.name);
    return { ...row, p, cut: !row.rest && p === 0 && row.model > 0 && !hidden(row.name) };
  });
}

/**
 * p of a token as it is printed.
 *
 * @param {StrategiesScene} scene @param {TokenRow} row
 */
export function chanceText({ hidden }, { name, p, cut }) {
  if (cut) return "cut";
  if (hidden(name)) return "?";
  return p < 0.001 ? "≈ 0" : formatNumber(Number(p.toPrecision(2)));
}

/**
 * The end of the prompt, as much as fits this width.
 *
 * @param {string} prompt @param {number} room @param {number} size
 */
export const promptEnd = (prompt, room, size) =>
  `${tail(prompt || "nothing yet", room, size, (text) => textWidth(text, size, true))} …`;

/**
 * The prompt, the strategy whose distribution the bars show, and how much of it may be chosen.
 *
 * @param {Pen} pen @param {StrategiesScene} scene @param {Shown} shown @param {Places} at
 */
function drawHeading(pen, { data, values, hidden, colour }, { focus }, at) {
  pen.text(at.left, at.top + 14, promptEnd(data.prompt, 228, 16), { size: 16, bold: true, fill: colour.input });
  const kept = /** @type {const} */ (`@${focus.name}.kept`);
  const left = hidden(kept) ? "?" : values(kept).toLocaleString("en");
  const heading = focus.takes.length
    ? `first choice, ${focus.brief}: ${left} of ${data.types.toLocaleString("en")} kept`
    : "first choice: p under the model";
  pen.text(at.left, at.top + 36, heading, { size: 14, fill: colour.quiet, room: at.choice - at.left + 30 });
}

/**
 * A token, its bar, and its p.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {Shown} shown
 * @param {Places} at
 * @param {Scale} scale
 * @param {TokenRow & { y: number, picked: boolean }} row `picked`: whether a lane begins with it
 */
function drawRow(pen, scene, { marked }, at, scale, row) {
  const { colour } = scene;
  const { y, picked, rest, cut } = row;
  const word = pen.text(scale.left - 8, y + 5, row.label, {
    size: rest ? 13 : 16,
    bold: picked && !rest,
    anchor: "end",
    room: 88,
    fill: cut || rest ? colour.quiet : colour.ink,
    "text-decoration": cut ? "line-through" : null,
  });
  word.style.opacity = "1";
  drawBar(pen, scene, scale, Math.min(22, at.row * 0.62), row);
  const named = marked === row.name;
  const look = { size: 15, bold: picked || named, fill: cut ? colour.quiet : colour.ink };
  pen.markedText(scale.left + scale.width + 8, y + 5, chanceText(scene, row), named, look);
}

/**
 * p as a bar, with a dashed outline of p under the model if that differs; for a cut token, the bar it had under the
 * model.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {Scale} scale
 * @param {number} height
 * @param {TokenRow & { y: number }} row
 */
function drawBar(pen, { colour, hidden }, { left, width, end }, height, { y, p, model, cut, rest, name }) {
  const top = y - height / 2;
  /** @type {(value: number, least: number) => number} */
  const long = (value, least) => Math.max(Math.min(width, (width * value) / end), least);
  pen.rect(left, top, width, height, { r: 3, fill: colour.activation, "fill-opacity": 0.07 });
  if (cut) {
    pen.rect(left, top, long(model, 2), height, { r: 3, fill: "url(#cut)", stroke: colour.quiet, line: 1 });
    return;
  }
  if (hidden(name)) return;
  const look = { r: 3, fill: colour.activation, "fill-opacity": rest ? 0.45 : 1 };
  if (p > 0) pen.rect(left, top, long(p, 1.5), height, look);
  const outline = { r: 3, stroke: colour.ink, line: 1.2, dash: "3 3" };
  if (Math.abs(p - model) > 1e-6) pen.rect(left, top, long(model, 1.5), height, outline);
}

/**
 * The line at which top-k and min-p cut, which can be dragged: below the k-th bar, or at a share of the largest bar.
 *
 * @param {Pen} pen
 * @param {StrategiesScene} scene
 * @param {Shown} shown
 * @param {Places} at
 * @param {Scale} scale
 * @param {number} largest p under the model
 */
function drawCutLine(pen, { values, hidden }, { focus }, at, { left, width, end }, largest) {
  if (hidden(`@${focus.name}.kept`)) return;
  const k = values("top_k");
  if (focus.name === "top_k" && k >= 1 && k < at.rows) {
    const y = rowAt(at, Math.min(k, at.rows - 1)) - at.row / 2;
    const moves = { "data-n": "top_k", "data-per": -at.row, "data-way": "y" };
    drawCut(pen, moves, [left - 70, y], [left + width + 48, y]);
  }
  if (focus.name === "min_p") {
    const x = left + Math.min(width, (width * values("min_p") * largest) / end);
    const moves = { "data-n": "min_p", "data-per": Math.max((width * largest) / end, 1), "data-way": "x" };
    drawCut(pen, moves, [x, rowAt(at, 0) - at.row / 2], [x, rowAt(at, at.rows - 2) + at.row / 2]);
  }
}

/**
 * A dashed line with a knob at its end by which it can be dragged.
 *
 * @param {Pen} pen
 * @param {{ "data-n": string, "data-per": number, "data-way": string }} moves the slider, and how far it is dragged
 * @param {[x: number, y: number]} from
 * @param {[x: number, y: number]} to
 */
function drawCut(pen, moves, from, to) {
  const { background, weight } = pen.colour;
  pen.group({ key: `cut ${moves["data-n"]}`, ...moves }, (its) => {
    its.node("title", {}, "Drag it: it moves the cut");
    its.line(...from, ...to, { stroke: "transparent", width: 16 });
    its.line(...from, ...to, { stroke: weight, width: 2.5, dash: "6 4" });
    its.circle(...to, 7, { fill: background, stroke: weight, line: 2.5 });
  });
}

/** @param {Pen} pen @param {Places} at @param {Scale} scale */
function drawAxis(pen, at, { left, width, end }) {
  const foot = rowAt(at, at.rows - 1) + at.row * 0.5 + 13;
  /** @param {number} p */
  const x = (p) => left + (width * p) / end;
  const look = /** @type {const} */ ({ size: 13, fill: pen.colour.quiet, anchor: "middle" });
  pen.axis("x", x, { at: foot, ticks: [0, end], title: "p", titled: { x: left + width / 2, y: foot, ...look } });
}

// One LSTM cell: bars for what it holds, with the gates between them as slots that open. Left: what
// is kept and what is written add up to the memory. Right: how much of it is read out.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { BarColumn, Component, GateColumn, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["gates"]} Data */

const COLUMN = 53;
const AREA = { left: 40, top: 64, height: 170 };

/** @param {Component<Data>} component */
export default function gates({ data, parentElement }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.writing, isDark(parentElement)]));
  if (fresh) picture.parts = build(picture, data, colours(parentElement));
  const parts = picture.parts;
  parts.reach = 0;
  return follow(picture, data, (values) => {
    const needed = Math.max(...parts.bars.map(({ column }) => Math.abs(endOf(column, values))));
    parts.reach = Math.max(parts.reach, [1, 1.5, 2, 3, 5, 8, 12, 25].find((size) => size >= needed));
    for (const canvas of parts.canvases) scale(canvas, parts.reach);
    for (const bar of parts.bars) drawBar(bar, parts.reach, values);
    for (const gate of parts.gates) drawGate(gate, values);
    parts.lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
    for (const { svg } of parts.canvases) svg.setAttribute("aria-label", fill(data.alt, values));
  });
}

/** @param {BarColumn} column */
const endOf = (column, values) => (column.base ? values(column.base) : 0) + values(column.slot);

/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function build(picture, data, colour) {
  const pictures = html("div", { class: "pictures" }, picture.element);
  const parts = { canvases: [], bars: [], gates: [], lines: [], reach: 0 };
  [data.writing, data.reading].forEach((columns, i) => panel(parts, pictures, columns, data.titles[i], colour));
  const list = html("div", { class: "lines" }, picture.element);
  parts.lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, list));
  saveButtons(picture.element, () => ["gates", parts.canvases.map(({ svg }) => [svg])]);
  return parts;
}

/**
 * @param {any} parts
 * @param {any} parent
 * @param {(BarColumn | GateColumn)[]} columns
 */
function panel(parts, parent, columns, title, colour) {
  const width = AREA.left + COLUMN * columns.length + 6;
  const height = AREA.top + AREA.height + 34;
  const svg = drawSvg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 15, fill: colour.ink,
      style: `flex: ${width} 1 ${0.68 * width}px; max-width: ${1.1 * width}px` },
    parent,
  );
  drawSvg("text", { x: AREA.left, y: 16, fill: colour.quiet, "font-size": 14 }, svg, title);
  const ticks = [1, 0, -1].map((at) => tick(svg, at, width, colour));
  parts.canvases.push({ svg, ticks });
  columns.forEach((column, i) => {
    const x = AREA.left + COLUMN * (i + 0.5);
    const role = colour[column.role];
    drawSvg("text", { x, y: 40, "text-anchor": "middle", fill: role, "font-weight": 600 }, svg, column.label);
    if (column.kind === "bar" && column.sign) {
      drawSvg("text", { x: x - COLUMN / 2, y: 40, "text-anchor": "middle", fill: colour.quiet }, svg, column.sign);
    }
    if (column.kind === "gate") parts.gates.push(gate(svg, column, x, role, colour));
    else parts.bars.push(bar(svg, column, x, role));
  });
}

function tick(svg, at, width, colour) {
  const y = AREA.top + (AREA.height * (1 - at)) / 2;
  drawSvg("path", { d: `M${AREA.left} ${y}H${width}`, stroke: colour.quiet, "stroke-opacity": at ? 0.25 : 0.8 }, svg);
  return { at, text: drawSvg("text", { x: AREA.left - 6, y: y + 5, "text-anchor": "end", fill: colour.quiet, "font-size": 14 }, svg) };
}

function number(svg, x, role) {
  return drawSvg(
    "text",
    { x, y: AREA.top + AREA.height + 24, "text-anchor": "middle", fill: role, "font-weight": 600, "font-size": 14 },
    svg,
  );
}

/**
 * @param {any} svg
 * @param {BarColumn} column
 */
function bar(svg, column, x, role) {
  const rect = drawSvg("rect", { x: x - 18, width: 36, fill: role, rx: 2 }, svg);
  const link = drawSvg("path", { stroke: role, "stroke-width": 1.5, "stroke-dasharray": "4 4" }, svg);
  return { column, rect, link, x, text: number(svg, x, role) };
}

/**
 * A gate is a slot as high as the picture: the part that lets through is filled, from below.
 *
 * @param {any} svg
 * @param {GateColumn} column
 */
function gate(svg, column, x, role, colour) {
  drawSvg("text", { x: x - COLUMN / 2, y: 40, "text-anchor": "middle", fill: colour.quiet }, svg, "×");
  drawSvg("rect", { x: x - 9, y: AREA.top, width: 18, height: AREA.height, fill: colour.background, stroke: role, "stroke-width": 2, rx: 3 }, svg);
  const level = drawSvg("rect", { x: x - 6, width: 12, fill: role }, svg);
  return { column, level, text: number(svg, x, role) };
}

function scale({ ticks }, reach) {
  for (const { at, text } of ticks) text.textContent = formatNumber(at * reach);
}

const down = (value, reach) => AREA.top + (AREA.height * (1 - value / reach)) / 2;

/** @param {{ column: BarColumn, [part: string]: any }} bar */
function drawBar({ column, rect, link, x, text }, reach, values) {
  const from = down(column.base ? values(column.base) : 0, reach);
  const to = down(endOf(column, values), reach);
  rect.setAttribute("y", Math.min(from, to));
  rect.setAttribute("height", Math.max(Math.abs(to - from), 1.5));
  // Where the sum begins, and where it is carried on to.
  link.setAttribute("d", column.base ? `M${x - 24} ${from}H${x + 18}M${x + 18} ${to}H${x + COLUMN - 18}` : "");
  text.textContent = short(values(column.slot));
}

/** @param {{ column: GateColumn, [part: string]: any }} gate */
function drawGate({ column, level, text }, values) {
  const height = (AREA.height - 6) * values(column.slot);
  level.setAttribute("y", AREA.top + AREA.height - 3 - height);
  level.setAttribute("height", height);
  text.textContent = short(values(column.slot));
}

// Room for seven characters under a column; every digit stands in the lines below.
function short(value) {
  const text = formatNumber(value);
  return text.length <= 7 ? text : formatNumber(Number(value.toPrecision(2)));
}

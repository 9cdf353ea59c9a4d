// One unit, drawn twice: as the diagram of the lecture, and as a sum that lands on the curve.
// The bars have a scale of their own, since the terms are small beside the width of the curve;
// a leader carries the end of the sum to its place on the z axis.

import { line } from "../../ui/browser/d3.js";
import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { PLOT, barScale, scalesOf, widen } from "./neuron_scales.js";

/** @import { Component, Picture, Scripts, TermPayload } from "../../ui/browser/types.js" */
/** @typedef {Scripts["neuron"]} Data */
/** @typedef {Data & ReturnType<typeof scalesOf> & { bars: number, foot: number, top: number }} Plot */

const ROW = 27;

/** @param {Component<Data>} component */
export default function neuron({ data, parentElement }) {
  const shape = JSON.stringify([data.terms, data.curve, data.flat, data.symbol, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  if (fresh) picture.parts = build(picture, data, colours(parentElement));
  const parts = picture.parts;
  return follow(picture, data, (values) => {
    diagram(parts.diagram, data, values);
    landing(parts.landing, data, values);
    parts.lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
    for (const svg of parts.svgs) svg.setAttribute("aria-label", fill(data.alt, values));
  });
}

/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function build(picture, data, colour) {
  const pictures = html("div", { class: "pictures" }, picture.element);
  const diagramParts = buildDiagram(pictures, data, colour);
  const landingParts = buildLanding(pictures, data, colour);
  const list = html("div", { class: "lines" }, picture.element);
  const lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, list));
  saveButtons(picture.element, () => ["neuron", [[diagramParts.svg], [landingParts.svg]]]);
  return {
    diagram: diagramParts,
    landing: landingParts,
    lines,
    svgs: [diagramParts.svg, landingParts.svg],
  };
}

function canvas(parent, width, height, colour) {
  return drawSvg(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 15, fill: colour.ink,
      style: `flex: ${width} 1 ${0.62 * width}px; max-width: ${1.35 * width}px` },
    parent,
  );
}

// --- the lecture's diagram ------------------------------------------------------------------

/** @param {Data} data */
function buildDiagram(parent, data, colour) {
  const step = data.terms.length > 6 ? 50 : 58;
  const height = Math.max(step * data.terms.length + 40, 200);
  const svg = canvas(parent, 322, height, colour);
  const middle = height / 2;
  const heights = data.terms.map((_, i) => 30 + step * (i + 0.5));
  const edges = heights.map((y) =>
    drawSvg("path", { d: `M58 ${y}L168 ${middle}`, fill: "none", stroke: colour.weight, "stroke-opacity": 0.75, "stroke-linecap": "round" }, svg),
  );
  const rows = data.terms.map((term, i) => ({
    edge: edges[i],
    input: node(svg, 32, heights[i], 24, term.bias ? colour.quiet : colour.input, term.input),
    weight: onEdge(svg, heights[i], middle, colour),
  }));
  const sum = node(svg, 202, middle, 34, colour.score, "Σ");
  drawSvg("path", { d: `M236 ${middle}h14`, stroke: colour.quiet, "stroke-width": 2 }, svg);
  const bend = node(svg, 284, middle, 34, colour.activation, data.symbol);
  drawSvg("text", { x: 202, y: middle + 56, "text-anchor": "middle", fill: colour.score }, svg, "z");
  drawSvg("text", { x: 284, y: middle + 56, "text-anchor": "middle", fill: colour.activation }, svg, "y");
  return { svg, rows, sum, bend };
}

// The weight stands on its edge, near its input, where edges are still apart.
function onEdge(svg, y, middle, colour) {
  const text = label(svg, colour.weight, colour);
  text.setAttribute("x", 62);
  text.setAttribute("y", y + (middle - y) * 0.24 + 5);
  return text;
}

function node(svg, x, y, radius, stroke, label) {
  drawSvg("circle", { cx: x, cy: y, r: radius, fill: "none", stroke, "stroke-width": 2 }, svg);
  drawSvg("text", { x, y: y - radius * 0.18, "text-anchor": "middle", fill: stroke, "font-size": 14 }, svg, label);
  return drawSvg("text", { x, y: y + radius * 0.55, "text-anchor": "middle", "font-weight": 600 }, svg);
}

/**
 * @param {any} parts
 * @param {Data} data
 */
function diagram({ rows, sum, bend }, data, values) {
  rows.forEach((row, i) => {
    const term = data.terms[i];
    const weight = values(term.weight);
    row.weight.textContent = `${term.weightLabel} ${formatNumber(weight)}`;
    row.input.textContent = term.bias ? "1" : formatNumber(values(term.input_slot));
    row.edge.setAttribute("stroke-width", Math.min(1 + 2.2 * Math.abs(weight), 10));
    row.edge.setAttribute("stroke-dasharray", weight < 0 ? "2 12" : "none");
  });
  sum.textContent = formatNumber(values("z"));
  bend.textContent = formatNumber(values("y"));
}

// --- the sum, landing on the curve ------------------------------------------------------------

/** @param {Data} data */
function buildLanding(parent, data, colour) {
  const bars = 22;
  const foot = bars + ROW * data.terms.length;
  const top = foot + 52;
  const plot = { ...data, ...scalesOf(data, top), bars, foot, top };
  const svg = canvas(parent, 414, plot.top + PLOT.curve + 44, colour);
  frame(svg, plot, colour);
  const ticks = ["low", "zero", "high"].map(() => barTick(svg, plot, colour));
  const rows = data.terms.map((term, i) => landingRow(svg, term, bars + 3 + ROW * i, colour));
  const guide = drawSvg("path", { fill: "none", stroke: colour.score, "stroke-width": 1.5, "stroke-dasharray": "4 4" }, svg);
  const total = label(svg, colour.score, colour);
  total.setAttribute("y", foot + 20);
  const tangent = drawSvg("path", { stroke: colour.gradient, "stroke-width": 3, "stroke-linecap": "round" }, svg);
  const point = drawSvg("circle", { r: 7, fill: colour.activation, stroke: colour.background, "stroke-width": 2 }, svg);
  const outcome = label(svg, colour.activation, colour);
  const slope = label(svg, colour.gradient, colour);
  return { svg, ticks, rows, total, guide, tangent, point, outcome, slope, plot };
}

function label(svg, fill, colour) {
  return drawSvg(
    "text",
    { fill, "font-weight": 600, stroke: colour.background, "stroke-width": 5, "paint-order": "stroke" },
    svg,
  );
}

/**
 * @param {any} svg
 * @param {Plot} plot
 */
function barTick(svg, plot, colour) {
  const line = drawSvg("path", { stroke: colour.quiet, "stroke-opacity": 0.45 }, svg);
  const text = drawSvg("text", { y: 12, "text-anchor": "middle", fill: colour.quiet, "font-size": 14 }, svg);
  return { line, text };
}

/**
 * @param {any} svg
 * @param {Plot} plot
 */
function frame(svg, plot, colour) {
  const bottom = plot.top + PLOT.curve;
  for (const [from, to] of plot.flat) {
    const x = plot.across(from);
    drawSvg("rect", { x, y: plot.top, width: plot.across(to) - x, height: PLOT.curve, fill: colour.gradient, opacity: 0.1 }, svg);
    if (plot.across(to) - x > 40) {
      drawSvg("text", { x: (x + plot.across(to)) / 2, y: bottom - 6, "text-anchor": "middle", fill: colour.gradient, "font-size": 14 }, svg, "flat");
    }
  }
  for (const tick of plot.ticks) {
    const x = plot.across(tick);
    drawSvg("path", { d: `M${x} ${plot.top}V${bottom}`, stroke: colour.quiet, "stroke-opacity": tick === 0 ? 0.8 : 0.22 }, svg);
    drawSvg("text", { x, y: bottom + 17, "text-anchor": "middle", fill: colour.quiet }, svg, formatNumber(tick));
  }
  for (const tick of plot.levels) {
    const y = plot.down(tick);
    drawSvg("path", { d: `M${PLOT.left} ${y}H${PLOT.right}`, stroke: colour.quiet, "stroke-opacity": 0.22 }, svg);
    drawSvg("text", { x: PLOT.left - 8, y: y + 4, "text-anchor": "end", fill: colour.quiet }, svg, formatNumber(tick));
  }
  const middle = plot.top + PLOT.curve / 2;
  drawSvg("text", { x: (PLOT.left + PLOT.right) / 2, y: bottom + 36, "text-anchor": "middle", fill: colour.score }, svg, plot.zTitle);
  drawSvg("text", { x: 14, y: middle, "text-anchor": "middle", fill: colour.activation, transform: `rotate(-90 14 ${middle})` },
    svg, plot.yTitle);
  const path = line(([z]) => plot.across(z), ([, y]) => plot.down(y))(plot.curve);
  drawSvg("path", { d: path, fill: "none", stroke: colour.activation, "stroke-width": 2.5 }, svg);
}

/**
 * @param {any} svg
 * @param {TermPayload} term
 */
function landingRow(svg, term, y, colour) {
  const role = term.bias ? colour.weight : colour.input;
  drawSvg("text", { x: 4, y: y + 14, fill: role }, svg, term.label);
  const bar = drawSvg("rect", { y, height: ROW - 6, fill: role, rx: 2 }, svg);
  const link = drawSvg("path", { stroke: colour.quiet, "stroke-width": 1 }, svg);
  return { bar, link, y, text: label(svg, role, colour) };
}

/** @param {Data} data */
function landing(parts, data, values) {
  const { plot, rows } = parts;
  const sums = data.terms.map((term) => values(term.sum));
  if (parts.data !== data) Object.assign(parts, { data, scale: { low: 0, high: 0 } });
  const scale = widen(parts.scale, sums);
  const along = barScale(scale);
  [scale.low, 0, scale.high].forEach((tick, i) => {
    const x = along(tick);
    parts.ticks[i].line.setAttribute("d", `M${x} ${plot.bars - 4}V${plot.foot}`);
    parts.ticks[i].text.setAttribute("x", x);
    parts.ticks[i].text.textContent = tick === 0 && i !== 1 ? "" : formatNumber(tick);
  });
  rows.forEach((row, i) => bar(row, along, i ? sums[i - 1] : 0, sums[i], values(data.terms[i].product)));
  const z = values("z");
  mark(parts, values, along(z));
  parts.total.textContent = `z = ${formatNumber(z)}${Math.abs(z) > plot.reach ? " (off the axis)" : ""}`;
  beside(parts.total, (along(z) + plot.across(z)) / 2, 14);
}

function bar(row, along, from, to, product) {
  const [left, right] = [along(Math.min(from, to)), along(Math.max(from, to))];
  row.bar.setAttribute("x", left);
  row.bar.setAttribute("width", Math.max(right - left, 1.5));
  row.link.setAttribute("d", `M${along(to)} ${row.y + ROW - 6}v6`);
  const flip = right > PLOT.right - 60;
  row.text.setAttribute("x", flip ? left - 6 : right + 6);
  row.text.setAttribute("text-anchor", flip ? "end" : "start");
  row.text.setAttribute("y", row.y + 14);
  row.text.textContent = formatNumber(product);
}

function mark(parts, values, from) {
  const { plot } = parts;
  const [x, y] = [plot.across(values("z")), plot.down(values("y"))];
  parts.guide.setAttribute("d", `M${from} ${plot.foot}L${x} ${plot.top - 12}V${y}H${PLOT.left}`);
  parts.point.setAttribute("cx", x);
  parts.point.setAttribute("cy", y);
  const ends = ["before", "after"].map((end) => [plot.across(values(`z_${end}`)), plot.down(values(`y_${end}`))]);
  parts.tangent.setAttribute("d", `M${ends[0].join(" ")}L${ends[1].join(" ")}`);
  for (const [text, string, dy] of [
    [parts.outcome, `y = ${formatNumber(values("y"))}`, -14],
    [parts.slope, `slope dy/dz = ${formatNumber(values("slope"))}`, 26],
  ]) {
    beside(text, x, 12);
    text.setAttribute("y", Math.min(Math.max(y + dy, plot.top + 14), plot.top + PLOT.curve - 6));
    text.textContent = string;
  }
}

// Put a label on the side of x where there is room.
function beside(text, x, gap) {
  const flip = x > (PLOT.left + PLOT.right) / 2;
  text.setAttribute("text-anchor", flip ? "end" : "start");
  text.setAttribute("x", x + (flip ? -gap : gap));
}

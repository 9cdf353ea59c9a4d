// The slide's tree: all texts there are, each edge its probability, with the paths that greedy and
// beam search take; beside it what was drawn. Every number comes with the frame.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["slidetree"]} Data */

const GROVE = { left: 26, step: 158, top: 40, row: 46, right: 52, bar: 250, label: 92 };
const GREEDY = "gradient";
const BEAM = "input";

/** @param {Component<Data>} component */
export default function slidetree({ data, parentElement }) {
  const shape = JSON.stringify([data.texts, data.words, data.width, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  if (fresh) picture.parts = growSlide(picture, data, colours(parentElement));
  return follow(picture, data, (values) => moveSlide(picture.parts, data, values));
}

// The position of each node: one row per text, one column per word.
const rowAt = (row) => GROVE.top + row * GROVE.row;
const columnAt = (depth) => GROVE.left + depth * GROVE.step;

/** @typedef {{ depth: number, row: number }} Place */

// Every edge: the name of its number (none: it is certain), from, to, what it leads to, and the
// texts whose path it is part of.
function edgesOf(data) {
  const [yes, ok, end] = data.words;
  const root = { depth: 0, row: 3 };
  const first = [{ depth: 1, row: 1 }, { depth: 1, row: 4 }];
  /** @type {{ name?: string, from: Place, to: Place, word: string, texts: number[] }[]} */
  const edges = [
    { name: "e00", from: root, to: first[0], word: yes, texts: [0, 1, 2] },
    { name: "e01", from: root, to: first[1], word: ok, texts: [3, 4, 5] },
    { name: "e02", from: root, to: { depth: 1, row: 6 }, word: end, texts: [6] },
  ];
  first.forEach((node, w) => {
    data.words.forEach((word, i) => {
      const to = { depth: 2, row: 3 * w + i };
      edges.push({ name: `e${w + 1}${i}`, from: node, to, word, texts: [to.row] });
      if (word !== end) edges.push({ from: to, to: { depth: 3, row: to.row }, word: end, texts: [to.row] });
    });
  });
  return edges;
}

/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function growSlide(picture, data, colour) {
  const key = html("div", { class: "row grove-key" }, picture.element);
  for (const [role, dash, text] of [[GREEDY, "7 4", "greedy"], [BEAM, "none", `beam of ${data.width}`]]) {
    const line = drawSvg("svg", { width: 34, height: 12, "aria-hidden": "true" }, key);
    drawSvg("path", { d: "M1 6H33", stroke: colour[role], "stroke-width": 4, "stroke-dasharray": dash }, line);
    html("span", {}, key, text);
  }
  const frame = html("div", { class: "pictures grove" }, picture.element);
  const height = rowAt(data.texts.length - 1) + 44;
  const width = columnAt(3) + GROVE.right;
  const svg = drawSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 16, fill: colour.ink, style: "flex: 1 1 24rem; max-width: 620px" }, frame);
  const edges = edgesOf(data).map((edge) => edgeOf(svg, edge, colour));
  const nodes = [{ to: { depth: 0, row: 3 }, word: data.start }, ...edges.map(({ edge }) => edge)];
  for (const node of nodes) nodeOf(svg, node, colour);
  // Numbers on top, so that no path hides them.
  for (const each of edges) numberOf(svg, each, colour);
  const bars = barsOf(frame, data, height, colour);
  const list = html("div", { class: "lines" }, picture.element);
  const lines = [GREEDY, BEAM, "ink"].map((role) => html("div", { class: `line ${role}` }, list));
  saveButtons(picture.element, () => [data.name, [[svg], [bars.svg]]]);
  return { svg, edges, bars, lines };
}

function edgeOf(svg, edge, colour) {
  const [x1, x2] = [columnAt(edge.from.depth) + 14, columnAt(edge.to.depth) - 20];
  const [y1, y2] = [rowAt(edge.from.row), rowAt(edge.to.row)];
  const along = (by) => `M${x1} ${y1 + by}L${x2} ${y2 + by}`;
  const plain = drawSvg("path", { d: along(0), stroke: colour.quiet, fill: "none" }, svg);
  const beam = drawSvg("path", { d: along(3), stroke: colour[BEAM], "stroke-width": 4, fill: "none" }, svg);
  const greedy = drawSvg("path", { d: along(-3), stroke: colour[GREEDY], "stroke-width": 4, "stroke-dasharray": "7 4", fill: "none" }, svg);
  return { edge, plain, beam, greedy, middle: [(x1 + x2) / 2, (y1 + y2) / 2] };
}

function numberOf(svg, each, colour) {
  if (!each.edge.name) return;
  const [x, y] = each.middle;
  drawSvg("rect", { x: x - 26, y: y - 11, width: 52, height: 22, rx: 4, fill: colour.background, "fill-opacity": 0.88 }, svg);
  each.number = drawSvg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", "font-weight": 600 }, svg);
}

function nodeOf(svg, { to, word }, colour) {
  const [x, y] = [columnAt(to.depth), rowAt(to.row)];
  const half = 8 + 4.6 * word.length;
  drawSvg("rect", { x: x - half, y: y - 15, width: 2 * half, height: 30, rx: 8, fill: colour.background, stroke: colour.quiet }, svg);
  drawSvg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, svg, word);
}

/**
 * One row per text: its probability as a bar, two standard errors about it, and the share that was drawn.
 *
 * @param {Data} data
 */
function barsOf(frame, data, height, colour) {
  const width = GROVE.label + GROVE.bar + 150;
  const svg = drawSvg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "font-size": 15, fill: colour.ink, style: "flex: 1 1 22rem; max-width: 560px" }, frame);
  drawSvg("text", { x: GROVE.label, y: 14, fill: colour.activation, "font-weight": 600 }, svg, "p of the text");
  const drawn = drawSvg("text", { x: GROVE.label + 100, y: 14, fill: colour.score, "font-weight": 600 }, svg);
  for (const share of [0, 0.5, 1]) {
    const x = GROVE.label + share * GROVE.bar;
    drawSvg("path", { d: `M${x} 24V${height - 20}`, stroke: colour.quiet, "stroke-opacity": share ? 0.3 : 0.8 }, svg);
    drawSvg("text", { x, y: height - 5, "text-anchor": "middle", fill: colour.quiet, "font-size": 14 }, svg, share);
  }
  const rows = data.texts.map((text, i) => {
    const y = rowAt(i);
    drawSvg("text", { x: GROVE.label - 8, y, "text-anchor": "end", "dominant-baseline": "central" }, svg, text);
    const bar = drawSvg("rect", { x: GROVE.label, y: y - 14, height: 14, fill: colour.activation }, svg);
    const reach = drawSvg("path", { stroke: colour.score, "stroke-width": 2, fill: "none" }, svg);
    const dot = drawSvg("circle", { r: 5, cy: y + 8, fill: colour.score }, svg);
    const number = drawSvg("text", { y: y - 8, "dominant-baseline": "central", "font-weight": 600 }, svg);
    const share = drawSvg("text", { y: y + 9, "dominant-baseline": "central", fill: colour.score, "font-size": 14 }, svg);
    return { bar, reach, dot, number, share, y };
  });
  return { svg, rows, drawn };
}

/**
 * @param {any} parts
 * @param {Data} data
 */
function moveSlide({ svg, edges, bars, lines }, data, values) {
  const [greedy, beam] = [values("greedy"), values("beam")];
  for (const each of edges) {
    const p = each.edge.name ? values(each.edge.name) : 1;
    each.plain.setAttribute("stroke-width", 0.5 + 5 * p);
    each.plain.setAttribute("stroke-opacity", p ? 0.55 : 0.2);
    each.greedy.style.display = each.edge.texts.includes(greedy) ? "" : "none";
    each.beam.style.display = each.edge.texts.includes(beam) ? "" : "none";
    if (each.number) each.number.textContent = formatNumber(p);
  }
  bars.drawn.textContent = `share of ${values("n")} drawn; line: p ± 2 standard errors`;
  bars.rows.forEach((row, i) => moveBar(row, values(`p${i}`), values(`f${i}`), values(`s${i}`)));
  const name = (which) => data.texts[values(which)];
  lines[0].textContent = `Greedy search: ${name("greedy")}, p = ${formatNumber(values("greedyp"))}`;
  lines[1].textContent = `Beam of ${data.width}: ${name("beam")}, p = ${formatNumber(values("beamp"))}`;
  lines[2].textContent = `Most probable of all: ${name("best")}, p = ${formatNumber(values("bestp"))}`;
  svg.setAttribute("aria-label", data.alt);
  bars.svg.setAttribute("aria-label", data.texts.map((text, i) => `${text}: p ${formatNumber(values(`p${i}`))}, drawn ${formatNumber(values(`f${i}`))}`).join("; "));
}

function moveBar(row, p, share, error) {
  const at = (value) => GROVE.label + GROVE.bar * Math.min(Math.max(value, 0), 1);
  row.bar.setAttribute("width", at(p) - at(0));
  row.reach.setAttribute("d", `M${at(p - 2 * error)} ${row.y + 8}H${at(p + 2 * error)}`);
  row.dot.setAttribute("cx", at(share));
  const beside = Math.max(at(p), at(p + 2 * error), at(share) + 6) + 8;
  row.number.setAttribute("x", at(p) + 8);
  row.number.textContent = formatNumber(p);
  row.share.setAttribute("x", beside);
  row.share.textContent = formatNumber(share);
}

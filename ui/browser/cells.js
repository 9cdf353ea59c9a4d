// A grid of probabilities: one row per model, one column per word, the number in its cell. An impossible word has a
// cross and no colour. The labels stay while the cells scroll.

import { drawSvg, html, magnified } from "../../drawing/dom.js";
import { saveButtons } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";
import { colours, isDark } from "../../drawing/theme.js";

/** @import { Component, Palette, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["cells"]} Data */
/** @typedef {{ row: number, at: number, left: number, width: number }} Place of a cell; `at` is its column */

const CELL = { height: 34, head: 30, end: 78, letter: 7.4, least: 46 };

/** @param {Component<Data>} component */
export default function cells({ data, parentElement }) {
  const shape = JSON.stringify([data, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  if (fresh) buildCells(picture, data, colours(parentElement));
}

/** @param {Picture<Data>} picture @param {Data} data @param {Palette} colour */
function buildCells(picture, data, colour) {
  const height = CELL.head + data.labels.length * CELL.height + 2;
  const pair = html("div", { class: "cells" }, picture.element);
  const names = sheet(pair, namesWidth(data), height, colour);
  const scroll = scroller("The grid", pair);
  const rest = sheet(scroll, gridWidth(data), height, colour);
  names.setAttribute("aria-hidden", "true");
  rest.setAttribute("role", "img");
  rest.setAttribute("aria-label", data.alt);
  data.labels.forEach((label, row) => nameOf(names, label, row, data, colour));
  let [left, looked] = [0, 0];
  data.columns.forEach((column, at) => {
    const width = columnWidth(data, at);
    if (data.here?.[1] === at) looked = left + width / 2;
    headOf(rest, left + width / 2, column, data.here?.[1] === at, colour);
    data.labels.forEach((_, row) => cellOf(rest, { row, at, left, width }, data, colour));
    left += width;
  });
  for (const end of data.ends) {
    headOf(rest, left + CELL.end / 2, end.name, false, colour);
    end.texts.forEach((text, row) => write(rest, left + CELL.end / 2, middleOf(row), text, colour.ink, 600));
    left += CELL.end;
  }
  saveButtons(picture.element, () => {
    const at = scroll.scrollLeft;
    scroll.scrollLeft = 0; // otherwise the cells cover the names
    requestAnimationFrame(() => (scroll.scrollLeft = at));
    return [data.name, [[names], [rest]]];
  });
  // The current column is in view, in the middle where there is room.
  scroll.scrollLeft = magnified() * looked - scroll.clientWidth / 2;
}

/** @type {(parent: Element, width: number, height: number, colour: Palette) => SVGSVGElement} */
const sheet = (parent, width, height, colour) =>
  drawSvg(
    "svg",
    {
      width: magnified() * width,
      height: magnified() * height,
      viewBox: `0 0 ${width} ${height}`,
      "font-size": 13,
      fill: colour.ink,
    },
    parent,
  );
/** @param {number} row */
const middleOf = (row) => CELL.head + (row + 0.5) * CELL.height;
/** @param {Data} data */
const namesWidth = (data) => 10 + 6.8 * Math.max(...data.labels.map((label) => label.length));
/** @param {Data} data @param {number} at */
const columnWidth = (data, at) => {
  const here = data.labels.map((_, row) => data.texts[row * data.columns.length + at].length * 6.1);
  return Math.max(CELL.least, data.columns[at].length * CELL.letter + 8, Math.max(...here) + 7);
};
/** @param {Data} data */
const gridWidth = (data) =>
  data.columns.reduce((sum, _, at) => sum + columnWidth(data, at), 0) + data.ends.length * CELL.end + 2;

/** @param {SVGElement} svg @param {number} x @param {number} y @param {string} text @param {string} ink */
function write(svg, x, y, text, ink, weight = 400, anchor = "middle") {
  const attributes = { x, y, fill: ink, "font-weight": weight, "text-anchor": anchor, "dominant-baseline": "central" };
  return drawSvg("text", attributes, svg, text);
}

/** @param {SVGElement} svg @param {string} label @param {number} row @param {Data} data @param {Palette} colour */
function nameOf(svg, label, row, data, colour) {
  write(svg, 0, middleOf(row), label, colour.ink, data.here?.[0] === row ? 700 : 400, "start");
}

/** @param {SVGElement} svg @param {number} x @param {string} text @param {boolean} here @param {Palette} colour */
function headOf(svg, x, text, here, colour) {
  const head = write(svg, x, CELL.head / 2, text, colour.ink, here ? 700 : 500);
  if (here) head.setAttribute("text-decoration", "underline");
}

/** @param {SVGElement} svg @param {Place} its @param {Data} data @param {Palette} colour */
function cellOf(svg, { row, at, left, width }, data, colour) {
  const place = row * data.columns.length + at;
  const [top, text] = [CELL.head + row * CELL.height, data.texts[place]];
  const group = drawSvg("g", {}, svg);
  const box = { x: left + 1, y: top + 1, width: width - 2, height: CELL.height - 2, rx: 3 };
  const [fill, ink] = [data.fills[place] || colour.background, data.inks[place] || colour.ink];
  drawSvg(
    "rect",
    { ...box, fill, ...(data.fills[place] ? {} : { stroke: colour.quiet, "stroke-dasharray": "4 3" }) },
    group,
  );
  if (data.here?.[1] === at)
    drawSvg(
      "path",
      { d: `M${left + 4} ${top + CELL.height - 3}H${left + width - 4}`, stroke: ink, "stroke-width": 2 },
      group,
    );
  const written = write(group, left + width / 2, middleOf(row), text, ink, data.fills[place] ? 500 : 700);
  written.setAttribute("font-size", "12");
  drawSvg("title", {}, group, `${data.labels[row]}, ${data.columns[at]}: ${text}`);
}

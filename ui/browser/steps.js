// The step table: one row per operation; its numbers follow the sliders; a row opens to its operands.

import { html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { fill, fillWhole } from "../../drawing/numbers.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Picture, Scripts, StepRow } from "../../drawing/types.js" */
/** @typedef {Scripts["steps"]} Data */

/** @param {Component<Data>} component */
export default function steps({ data, parentElement }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.caption, data.rows.map(outline)]));
  if (fresh) build(picture, data);
  picture.data = data;
  const cells = [...picture.element.querySelectorAll("[data-cell]")];
  const templates = data.rows.flatMap((row) => [row.formula, ...row.operands.map((o) => o[1]), row.value]);
  return follow(picture, data, (values) => {
    picture.values = values;
    cells.forEach((cell, i) => (cell.textContent = fill(templates[i], values)));
  });
}

/**
 * What the table is built from; its numbers are filled in afterwards.
 *
 * @param {StepRow} row
 */
const outline = ({ name, symbol, shape, role, operands }) => [name, symbol, shape, role, operands.map((o) => o[0])];

/** @param {Picture<Data>} picture @param {Data} data */
function build(picture, data) {
  const table = html("table", {}, scroller(data.caption, picture.element));
  html("caption", { class: "unseen" }, table, data.caption);
  const head = html("tr", {}, html("thead", {}, table));
  for (const title of ["Step", "With the numbers in", "Value", "Shape"]) {
    html("th", { scope: "col", class: title === "Shape" ? "shape" : "" }, head, title);
  }
  const body = html("tbody", {}, table);
  for (const row of data.rows) {
    const line = html("tr", {}, body);
    const name = html("th", { scope: "row" }, line, row.name);
    if (row.symbol) html("span", { class: "symbol" }, name, row.symbol);
    formula(html("td", {}, line), row);
    html("td", { class: `number ${row.role}`, "data-cell": "" }, line);
    html("td", { class: "shape" }, line, row.shape);
  }
  saveTable(picture.element, () => [
    `${data.group}-steps`,
    ["step", "symbol", "with the numbers in", "value", "shape"],
    written(picture),
  ]);
}

/** @param {Picture<Data>} picture */
const written = (picture) =>
  picture.data.rows.map(({ name, symbol, formula, value, shape }) => [
    name,
    symbol,
    fillWhole(formula, picture.values),
    fillWhole(value, picture.values),
    shape,
  ]);

/**
 * The formula opens to its operands, each with its name and number.
 *
 * @param {HTMLElement} cell @param {StepRow} row
 */
function formula(cell, row) {
  if (!row.operands.length) return html("span", { "data-cell": "" }, cell);
  const details = html("details", {}, cell);
  html("span", { "data-cell": "" }, html("summary", { title: "Show the operands" }, details));
  const list = html("dl", {}, details);
  for (const [label] of row.operands) {
    html("dt", {}, list, label);
    html("dd", { "data-cell": "" }, list);
  }
}

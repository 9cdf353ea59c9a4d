// A table of numbers: four digits on screen, all of them in the CSV.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["table"]} Data */

/** @param {Component<Data>} component */
export default function table({ data, parentElement }) {
  /** @type {[Picture<Data, { csv: () => (string | number)[][] }>, boolean]} */
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.columns, data.labels, data.caption]));
  picture.data = data;
  if (fresh) build(picture, data);
  const width = data.columns.length - 1;
  picture.element.querySelectorAll("td").forEach((cell, i) => (cell.textContent = formatNumber(data.numbers[i])));
  picture.csv = () => rowsOf(data, width);
}

/** @param {Picture<Data, { csv: () => (string | number)[][] }>} picture @param {Data} data */
function build(picture, data) {
  const grid = html("table", {}, scroller(data.caption, picture.element));
  html("caption", { class: "unseen" }, grid, data.caption);
  const head = html("tr", {}, html("thead", {}, grid));
  data.columns.forEach((column, i) => html("th", { scope: "col", class: i ? "number" : "" }, head, column));
  const body = html("tbody", {}, grid);
  for (const label of data.labels) {
    const line = html("tr", {}, body);
    html("th", { scope: "row" }, line, label);
    for (let i = 1; i < data.columns.length; i++) html("td", { class: "number" }, line);
  }
  saveTable(picture.element, () => [picture.data.name, picture.data.columns, picture.csv()]);
}

/** @param {Data} data @param {number} width */
const rowsOf = ({ labels, numbers }, width) =>
  labels.map((label, i) => [label, ...numbers.subarray(i * width, (i + 1) * width)]);

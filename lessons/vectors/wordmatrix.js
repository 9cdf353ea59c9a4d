// A matrix of words by words: each cell shows its number and is pressed to open it.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["wordmatrix"]} Data */
/** @typedef {Picture<Data, {}>} Matrix */

/** @param {Component<Data>} component */
export default function wordmatrix({ data, parentElement, setTriggerValue }) {
  /** @type {[Matrix, boolean]} */
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.rows, data.columns, data.kind, data.caption]));
  picture.data = data;
  if (fresh) build(picture, data);
  picture.element.querySelectorAll("td button").forEach((node, k) => {
    const button = /** @type {HTMLButtonElement} */ (node);
    const [row, column] = [Math.floor(k / data.columns.length), k % data.columns.length];
    button.textContent = formatNumber(data.numbers[k]);
    button.style.background = data.fills[k];
    button.style.color = data.inks[k];
    button.setAttribute("aria-pressed", String(row === data.row && column === data.column));
    button.setAttribute("aria-label", `${data.rows[row]}, ${data.columns[column]}: ${button.textContent}`);
    button.onclick = () => setTriggerValue("event", { row: data.rows[row], column: data.columns[column] });
  });
}

/** @param {Matrix} picture @param {Data} data */
function build(picture, data) {
  const table = html("table", { class: "word-matrix" }, scroller(data.caption, picture.element));
  html("caption", { class: "unseen" }, table, data.caption);
  const head = html("tr", {}, html("thead", {}, table));
  html("th", { scope: "col" }, head, data.kind);
  for (const column of data.columns) html("th", { scope: "col" }, head, column);
  const body = html("tbody", {}, table);
  for (const row of data.rows) {
    const cells = html("tr", {}, body);
    html("th", { scope: "row" }, cells, row);
    for (let i = 0; i < data.columns.length; i++) html("button", { type: "button" }, html("td", {}, cells));
  }
  saveTable(picture.element, () => {
    const now = picture.data;
    /** @type {(word: string, i: number) => (string | number)[]} */
    const line = (word, i) => [
      word,
      ...Array.from(now.numbers.slice(i * now.columns.length, (i + 1) * now.columns.length)),
    ];
    return ["word-matrix", [now.kind, ...now.columns], now.rows.map(line)];
  });
}

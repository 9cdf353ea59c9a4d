// A table that is sorted by pressing a column's title; a press on a row's label is sent to the page.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";
import { isDark } from "../../drawing/theme.js";

/** @import { Component, Events, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["ranking"]} Data */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {object} Remembered
 * @property {(event: Events["ranking"]) => void} send
 * @property {{ cell: HTMLElement, press: HTMLButtonElement }[]} titles
 * @property {HTMLElement} body
 * @property {number} by the column by which the rows are sorted, from 0; −1: by the heads
 * @property {boolean} down whether the largest comes first
 * @property {number} sortedBy the column in the server's last data
 * @property {string} shown identifies the rows that are filled in
 */
/** @typedef {Picture<Data, Remembered>} Ranking */

/** @param {Component<Data>} component */
export default function ranking({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.columns, data.helps, data.caption, isDark(parentElement)]);
  /** @type {[Ranking, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  const rows = JSON.stringify([data.heads, [...data.numbers].map(String), data.here]);
  picture.data = data;
  picture.send = (event) => setTriggerValue("event", event);
  if (fresh) build(picture);
  const resorted = fresh || picture.sortedBy !== data.by;
  if (resorted) Object.assign(picture, { by: data.by, down: data.down, sortedBy: data.by });
  if (resorted || picture.shown !== rows) fillIn(picture);
  picture.shown = rows;
}

/** @param {Ranking} picture */
function build(picture) {
  const { data } = picture;
  const table = html("table", {}, scroller(data.caption, picture.element, "ranking"));
  html("caption", { class: "unseen" }, table, data.caption);
  const head = html("tr", {}, html("thead", {}, table));
  picture.titles = data.columns.map((title, n) => {
    const cell = html("th", { scope: "col", class: n ? "number" : "" }, head);
    const press = html("button", { type: "button", title: data.helps[n] }, cell, title);
    press.onclick = () => sort(picture, n - 1);
    return { cell, press };
  });
  picture.body = html("tbody", {}, table);
  saveTable(picture.element, () => {
    const { name, columns, labels } = picture.data;
    return [name, columns, labels.map((label, n) => [label, ...rowOf(picture.data, n)])];
  });
}

/**
 * The numbers of a row.
 *
 * @param {Data} data @param {number} n
 */
const rowOf = ({ numbers, columns }, n) => numbers.subarray(n * (columns.length - 1), (n + 1) * (columns.length - 1));

/**
 * Sort by a column, the largest absolute value first; on a second press, the smallest first.
 *
 * @param {Ranking} picture
 * @param {number} by the column; −1: by the heads, the first one first
 */
function sort(picture, by) {
  picture.down = picture.by === by ? !picture.down : by >= 0;
  picture.by = by;
  fillIn(picture);
}

/** @param {Ranking} picture */
function fillIn(picture) {
  const { data, by, down, titles, body } = picture;
  titles.forEach(({ cell, press }, n) => {
    const sorts = n - 1 === by;
    cell.setAttribute("aria-sort", sorts ? (down ? "descending" : "ascending") : "none");
    press.textContent = data.columns[n] + (sorts ? (down ? " ▼" : " ▲") : "");
  });
  /** @param {number} n */
  const value = (n) => (by < 0 ? n : Math.abs(rowOf(data, n)[by]));
  const order = data.labels.map((_, n) => n).sort((a, b) => (value(a) - value(b)) * (down ? -1 : 1) || a - b);
  body.replaceChildren();
  for (const n of order) addRow(picture, n);
}

/** @param {Ranking} picture @param {number} n */
function addRow(picture, n) {
  const { data, body } = picture;
  const isOpen = data.heads[n] === data.here;
  const line = html("tr", isOpen ? { class: "here" } : {}, body);
  const press = html(
    "button",
    { type: "button", title: "Open this head", "aria-pressed": isOpen },
    html("th", { scope: "row" }, line),
    data.labels[n],
  );
  press.onclick = () => picture.send(data.heads[n]);
  for (const number of rowOf(data, n))
    html("td", { class: "number" }, line, Number.isNaN(number) ? "–" : formatNumber(number));
}

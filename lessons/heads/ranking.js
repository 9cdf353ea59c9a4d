// A table sorted by pressing a column's title; a press on a row's label is sent to the page.

import { html } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveTable } from "../../ui/browser/saving.js";
import { scroller } from "../../ui/browser/scrollers.js";
import { stage } from "../../ui/browser/stage.js";
import { isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["ranking"]} Data */

/** @param {Component<Data>} component */
export default function ranking({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.columns, data.name, isDark(parentElement)]);
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  const other = JSON.stringify([data.heads, [...data.numbers].map(String), data.here]);
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value) });
  if (fresh) build(picture);
  if (fresh || picture.sortedBy !== data.by) Object.assign(picture, { by: data.by, down: data.down });
  picture.sortedBy = data.by;
  if (fresh || picture.shown !== other) fillIn(picture);
  picture.shown = other;
}

/** @param {Picture<Data, any>} picture */
function build(picture) {
  const { data } = picture;
  const frame = scroller(data.caption, picture.element, "ranking");
  const grid = html("table", {}, frame);
  html("caption", { class: "unseen" }, grid, data.caption);
  const head = html("tr", {}, html("thead", {}, grid));
  picture.titles = data.columns.map((title, n) => {
    const cell = html("th", { scope: "col", class: n ? "number" : "" }, head);
    const press = html("button", { type: "button", title: data.helps[n] }, cell, title);
    press.onclick = () => sort(picture, n - 1);
    return [cell, press];
  });
  picture.body = html("tbody", {}, grid);
  saveTable(picture.element, () => [
    data.name,
    picture.data.columns,
    picture.data.labels.map((label, n) => [label, ...rowOf(picture.data, n)]),
  ]);
}

/** @param {Data} data */
const rowOf = ({ numbers, columns }, n) => numbers.subarray(n * (columns.length - 1), (n + 1) * (columns.length - 1));

/**
 * The largest first; pressed again, the smallest first. A size without its sign, if it has one.
 *
 * @param {Picture<Data, any>} picture
 */
function sort(picture, by) {
  picture.down = picture.by === by ? !picture.down : by >= 0;
  picture.by = by;
  fillIn(picture);
}

/** @param {Picture<Data, any>} picture */
function fillIn(picture) {
  const { data, by, down } = picture;
  const value = (n) => (by < 0 ? n : Math.abs(rowOf(data, n)[by]));
  const order = data.labels.map((_, n) => n).sort((a, b) => (value(a) - value(b)) * (down ? -1 : 1) || a - b);
  picture.titles.forEach(([cell, press], n) => {
    const here = n - 1 === by;
    cell.setAttribute("aria-sort", here ? (down ? "descending" : "ascending") : "none");
    press.textContent = data.columns[n] + (here ? (down ? " ▼" : " ▲") : "");
  });
  picture.body.replaceChildren();
  for (const n of order) {
    const line = html("tr", data.heads[n] === data.here ? { class: "here" } : {}, picture.body);
    const press = html(
      "button",
      { type: "button", title: "Open this head", "aria-pressed": String(data.heads[n] === data.here) },
      html("th", { scope: "row" }, line),
      data.labels[n],
    );
    press.onclick = () => picture.send(data.heads[n]);
    for (const number of rowOf(data, n))
      html("td", { class: "number" }, line, Number.isNaN(number) ? "–" : formatNumber(number));
  }
}

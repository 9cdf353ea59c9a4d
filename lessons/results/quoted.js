// A table as printed. Pressing a heading sorts it; below a number that cannot be reproduced is the recomputed one.

import { focusIn, html } from "../../drawing/dom.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["quoted"]} Data */

/** @param {Component<Data>} component */
export default function quoted({ data, parentElement, setTriggerValue }) {
  const [{ element }] = stage(parentElement, "quoted");
  const focused = focusIn(element)?.closest?.("[data-k]")?.getAttribute("data-k");
  element.replaceChildren();
  const scroll = scroller(data.caption, element);
  const grid = html("table", { class: "quoted" }, scroll);
  html("caption", { class: "unseen" }, grid, data.caption);
  const head = html("tr", {}, html("thead", {}, grid));
  data.columns.forEach((column, k) => heading(head, data, column, k, (sort) => setTriggerValue("event", { sort })));
  const body = html("tbody", {}, grid);
  data.rows.forEach((cells, i) => {
    const line = html("tr", {}, body);
    cells.forEach((text, k) => {
      const note = k ? data.marks[i][k - 1] : "";
      const cell = html(k ? "td" : "th", k ? { class: note ? "number wrong" : "number" } : { scope: "row" }, line);
      html(note ? "mark" : "span", {}, cell, text);
      if (note) html("div", { class: "again" }, cell, note);
    });
  });
  saveTable(element, () => [data.name, data.columns, data.rows]);
  if (focused) /** @type {HTMLElement | null} */ (element.querySelector(`[data-k="${focused}"]`))?.focus();
}

/**
 * A heading. A press sorts from the highest, then from the lowest, then leaves the rows as they are printed.
 *
 * @param {HTMLElement} head
 * @param {Data} data
 * @param {string} column
 * @param {number} k its place
 * @param {(sort: number) => void} sort
 */
function heading(head, data, column, k, sort) {
  const way = Math.abs(data.sorted) === k + 1 ? Math.sign(data.sorted) : 0;
  const said = way === 0 ? "none" : way > 0 ? "ascending" : "descending";
  const sorts = data.sorts ? { "aria-sort": said } : null;
  const cell = html("th", { scope: "col", class: k ? "number" : "", ...sorts }, head);
  if (!data.sorts) {
    html("span", {}, cell, column);
    return;
  }
  const button = html("button", { type: "button", class: "sort", "data-k": k, title: `Sort by ${column}` }, cell);
  html("span", {}, button, `${column}${way ? (way > 0 ? " ▲" : " ▼") : ""}`);
  if (data.below[k]) html("small", {}, button, data.below[k]);
  button.onclick = () => sort(way === 0 ? -(k + 1) : way > 0 ? 0 : k + 1);
}

// A table that is sorted by pressing a column's title; a press on a row's label is told.

import { html } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveTable } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { isDark } from "../../ui/browser/theme.js";

export default function ranking({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.columns, data.name, isDark(parentElement)]);
  const [root, fresh] = stage(parentElement, shape);
  const other = JSON.stringify([data.labels, [...data.numbers].map(String), data.here]);
  Object.assign(root, { data, tell: (value) => setTriggerValue("told", value) });
  if (fresh) build(root);
  if (fresh || root.sortedBy !== data.by) Object.assign(root, { by: data.by, down: data.down });
  root.sortedBy = data.by;
  if (fresh || root.shown !== other) fillIn(root);
  root.shown = other;
}

function build(root) {
  const { data } = root;
  const frame = html("div", { class: "scroll ranking", tabindex: 0, role: "group", "aria-label": data.caption }, root);
  const grid = html("table", {}, frame);
  html("caption", { class: "unseen" }, grid, data.caption);
  const head = html("tr", {}, html("thead", {}, grid));
  root.titles = data.columns.map((title, n) => {
    const cell = html("th", { scope: "col", class: n ? "number" : "" }, head);
    const press = html("button", { type: "button", title: data.helps[n] }, cell, title);
    press.onclick = () => sort(root, n - 1);
    return [cell, press];
  });
  root.body = html("tbody", {}, grid);
  saveTable(root, () => [data.name, root.data.columns, root.data.labels.map((label, n) => [label, ...rowOf(root.data, n)])]);
}

const rowOf = ({ numbers, columns }, n) => numbers.subarray(n * (columns.length - 1), (n + 1) * (columns.length - 1));

// The largest first; pressed again, the smallest first. A size without its sign, if it has one.
function sort(root, by) {
  root.down = root.by === by ? !root.down : by >= 0;
  root.by = by;
  fillIn(root);
}

function fillIn(root) {
  const { data, by, down } = root;
  const value = (n) => (by < 0 ? n : Math.abs(rowOf(data, n)[by]));
  const order = data.labels.map((_, n) => n).sort((a, b) => (value(a) - value(b)) * (down ? -1 : 1) || a - b);
  root.titles.forEach(([cell, press], n) => {
    const here = n - 1 === by;
    cell.setAttribute("aria-sort", here ? (down ? "descending" : "ascending") : "none");
    press.textContent = data.columns[n] + (here ? (down ? " ▼" : " ▲") : "");
  });
  root.body.replaceChildren();
  for (const n of order) {
    const line = html("tr", data.labels[n] === data.here ? { class: "here" } : {}, root.body);
    const press = html("button", { type: "button", title: "Open this head", "aria-pressed": String(data.labels[n] === data.here) }, html("th", { scope: "row" }, line), data.labels[n]);
    press.onclick = () => root.tell(data.labels[n]);
    for (const number of rowOf(data, n)) html("td", { class: "number" }, line, Number.isNaN(number) ? "–" : formatNumber(number));
  }
}

// The terms of the loss, a row a word: which places have a target, and what the model gives there.

import { html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveTable } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";

export default function losses({ data, parentElement }) {
  const [root, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.has_model]));
  root.data = data;
  if (fresh) buildLosses(root);
  return follow(root, data, (values) => {
    root.values = values;
    const rows = termsOf(root);
    root.cells.forEach((cells, i) => cells.forEach((cell, k) => (cell.textContent = rows[i][k])));
    root.lines.forEach((line, i) => (line.className = values(`f${i}`) ? "here" : ""));
  });
}

const titlesOf = ({ data }) => ["word", "stood there", "shown", "fate", "target", ...(data.has_model ? ["−log p, nats"] : [])];

function buildLosses(root) {
  const { data } = root;
  root.replaceChildren();
  const grid = html("table", {}, html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The terms of the loss" }, root));
  html("caption", { class: "unseen" }, grid, "Each place, its target, and the term it adds to the loss");
  const head = html("tr", {}, html("thead", {}, grid));
  titlesOf(root).forEach((title, k) => html("th", { scope: "col", class: k === 5 ? "number" : "" }, head, title));
  const body = html("tbody", {}, grid);
  root.lines = [...data.tokens, ""].map(() => html("tr", {}, body));
  root.cells = root.lines.map((line) => titlesOf(root).map((_, k) => html(k ? "td" : "th", k ? { class: k === 5 ? "number loss" : "" } : { scope: "row" }, line)));
  saveTable(root, () => ["corruption-terms", titlesOf(root), termsOf(root, String)]);
}

function termsOf({ data, values }, written = formatNumber) {
  const rows = data.tokens.map((token, i) => {
    const fate = values(`f${i}`);
    const shown = fate === 1 ? "[MASK]" : fate === 2 ? (values("hand") ? data.standing[i] : data.drawn[i]) : token;
    const term = data.has_model ? [!fate ? "no term" : values("asked") ? written(values(`l${i}`)) : "…"] : [];
    return [data.may[i] > 0 ? String(data.tokens.filter((_, k) => k <= i && data.may[k] > 0).length) : "–", token, shown, data.may[i] > 0 ? data.fates[fate] : "never chosen", fate ? token : "–", ...term];
  });
  const chosen = values("n_chosen");
  const mean = data.has_model ? [!chosen ? "no term" : values("asked") ? written(values("loss")) : "…"] : [];
  return [...rows, ["L", "", "", "", `mean over ${chosen}`, ...mean]];
}

// The terms of the loss, one row per word: which places have a target, and the model's probability of it.

import { html } from "./dom.js";
import { follow } from "./frames.js";
import { formatNumber } from "./numbers.js";
import { saveTable } from "./saving.js";
import { scroller } from "./scrollers.js";
import { stage } from "./stage.js";

/** @import { Component, Picture, Scripts } from "./types.js" */
/** @typedef {Scripts["losses"]} Data */
/** @typedef {Picture<Data, { cells: HTMLElement[][], lines: HTMLElement[] }>} Its */

/** @param {Component<Data>} component */
export default function losses({ data, parentElement }) {
  /** @type {[Its, boolean]} */
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.has_model]));
  picture.data = data;
  if (fresh) buildLosses(picture);
  return follow(picture, data, (values) => {
    picture.values = values;
    const rows = termsOf(picture);
    picture.cells.forEach((cells, i) => cells.forEach((cell, k) => (cell.textContent = rows[i][k])));
    picture.lines.forEach((line, i) => (line.className = values(`f${i}`) ? "here" : ""));
  });
}

/** @param {Its} picture */
const titlesOf = ({ data }) => [
  "word",
  "original",
  "shown",
  "outcome",
  "target",
  ...(data.has_model ? ["−log p, nats"] : []),
];

/** @param {Its} picture */
function buildLosses(picture) {
  const { data } = picture;
  picture.element.replaceChildren();
  const grid = html("table", {}, scroller("The terms of the loss", picture.element));
  html("caption", { class: "unseen" }, grid, "Each place, its target, and the term it adds to the loss");
  const head = html("tr", {}, html("thead", {}, grid));
  titlesOf(picture).forEach((title, k) => html("th", { scope: "col", class: k === 5 ? "number" : "" }, head, title));
  const body = html("tbody", {}, grid);
  picture.lines = [...data.tokens, ""].map(() => html("tr", {}, body));
  picture.cells = picture.lines.map((line) =>
    titlesOf(picture).map((_, k) =>
      html(k ? "td" : "th", k ? { class: k === 5 ? "number loss" : "" } : { scope: "row" }, line),
    ),
  );
  saveTable(picture.element, () => ["corruption-terms", titlesOf(picture), termsOf(picture, String)]);
}

/** @param {Its} picture */
function termsOf({ data, values }, written = formatNumber) {
  const rows = data.tokens.map((token, i) => {
    const outcome = values(`f${i}`);
    const shown =
      outcome === 1 ? "[MASK]" : outcome === 2 ? (values("hand") ? data.standing[i] : data.drawn[i]) : token;
    const term = data.has_model ? [!outcome ? "no term" : values("asked") ? written(values(`l${i}`)) : "…"] : [];
    return [
      data.maskable[i] > 0 ? String(data.tokens.filter((_, k) => k <= i && data.maskable[k] > 0).length) : "–",
      token,
      shown,
      data.maskable[i] > 0 ? data.outcomes[outcome] : "never chosen",
      outcome ? token : "–",
      ...term,
    ];
  });
  const chosen = values("n_chosen");
  const mean = data.has_model ? [!chosen ? "no term" : values("asked") ? written(values("loss")) : "…"] : [];
  return [...rows, ["L", "", "", "", `mean over ${chosen}`, ...mean]];
}

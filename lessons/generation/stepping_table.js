// The tokens that may come next: a row for each token, a column for each stage, with what is left of p.

import { html, magnified } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { chanceOf } from "./stepping_words.js";

/** @import { StepPayload } from "../../drawing/types.js" */
/** @import { Data } from "./stepping.js" */
/** @import { Pressed } from "./stepping_branches.js" */

const ROOMY = 1050; // px: a narrower table has no column for reasons

/**
 * The table as rows of a file.
 *
 * @param {StepPayload} step
 */
export const rowsOf = (step) =>
  step.labels.map((label, row) => [
    label,
    step.ranks[row],
    ...step.names.map((_, stage) => chanceOf(step, stage, row)),
    step.why[row],
  ]);

/**
 * @param {HTMLElement} parent that scrolls
 * @param {Data} data
 * @param {number} place of the step
 * @param {Pressed & { room: number }} how
 */
export function drawTable(parent, data, place, { go, send, room }) {
  const step = data.steps[place];
  const scrolled = parent.scrollTop;
  // Without room for another column, the reasons are below the tokens.
  const narrow = room / magnified() < ROOMY;
  parent.replaceChildren();
  const table = html("table", { class: "gen-table" }, parent);
  // The fewer stages, the longer their bars.
  table.style.setProperty("--bar", `${Math.max(3.2, 15 / step.names.length)}rem`);
  drawHead(table, data, step, narrow);
  const body = html("tbody", {}, table);
  step.ids.forEach((id, row) => {
    const force = () => send({ force: [place, id] });
    drawRow(body, step, row, narrow, row === step.free && !step.forced ? () => go(place + 1) : force);
  });
  drawOthers(body, step, narrow);
  parent.scrollTop = scrolled;
}

/**
 * The stages, and how many tokens each leaves.
 *
 * @param {HTMLElement} table @param {Data} data @param {StepPayload} step @param {boolean} narrow
 */
function drawHead(table, { stages }, { names, left, why }, narrow) {
  const head = html("tr", {}, html("thead", {}, table));
  html("th", { scope: "col" }, head, "token");
  names.forEach((name, stage) => {
    const title = html("th", { scope: "col" }, head, stages[name]);
    html("span", { class: "gen-left" }, title, `${left[stage]} left`);
  });
  if (!narrow) html("th", { scope: "col" }, head, why.some(Boolean) ? "reason" : "");
}

/**
 * A token with its p after each stage, as a number and as a bar, and why it is cut.
 *
 * @param {HTMLElement} body
 * @param {StepPayload} step
 * @param {number} row
 * @param {boolean} narrow
 * @param {() => void} pressed
 */
function drawRow(body, step, row, narrow, pressed) {
  const cut = step.cut[row] >= 0;
  const chosen = row === step.chosen;
  const line = html("tr", { class: [cut && "cut", chosen && "here"].filter(Boolean).join(" ") }, body);
  const first = html("th", { scope: "row" }, line);
  const look = { type: "button", title: `Rank ${step.ranks[row]} under the model: force it here` };
  html("button", look, first, step.labels[row]).onclick = pressed;
  const how = step.forced ? " ⚑ forced" : step.uniform === null ? " ▸ largest" : " ▸ drawn";
  if (chosen) html("span", { class: "gen-mark" }, first, how);
  step.names.forEach((_, stage) => {
    const cell = html("td", { class: "gen-cell" }, line);
    const p = chanceOf(step, stage, row);
    const gone = cut && stage >= step.cut[row];
    const whole = html("span", { class: "whole" }, cell);
    html("span", { class: "chance" }, whole).style.width = `${100 * p}%`;
    html("span", { class: "number" }, cell, gone ? "✕" : formatNumber(p));
  });
  if (!narrow) html("td", { class: "gen-why" }, line, step.why[row]);
  else if (step.why[row]) html("div", { class: "gen-why" }, first, step.why[row]);
}

/**
 * p of all tokens that have no row.
 *
 * @param {HTMLElement} body @param {StepPayload} step @param {boolean} narrow
 */
function drawOthers(body, { others, otherP, names }, narrow) {
  const line = html("tr", { class: "gen-rest" }, body);
  html("th", { scope: "row" }, line, `${others} others`);
  names.forEach((_, stage) => html("td", { class: "number" }, line, formatNumber(otherP[stage])));
  if (!narrow) html("td", {}, line);
}

// The candidates of one step, and the texts that have ended, as tables.

import { html } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["beam"]} Data */

export const TITLES = ["rank", "hypothesis", "token", "its log p", "sum", "score", "outcome", "why"];

/** @param {Picture<Data>} picture */
export const candidatesOf = ({ data, step }) => data.tokens.map((_, i) => i).filter((i) => data.b_step[i] === step);

/** @param {Picture<Data>} picture */
export function rowOf({ data }, i) {
  const beginning = data.beginnings[data.b_parent[i]] || "(prompt)";
  return [data.b_rank[i], beginning, data.tokens[i], data.b_log_p[i], data.b_total[i], data.b_score[i], data.outcome_names[data.outcomes[i]], data.reasons[i]];
}

function headOf(parent, caption, titles) {
  const grid = html("table", { class: "vine-table" }, parent);
  html("caption", { class: "unseen" }, grid, caption);
  const head = html("tr", {}, html("thead", {}, grid));
  for (const [title, number] of titles) html("th", { scope: "col", class: number ? "number" : "" }, head, title);
  return html("tbody", {}, grid);
}

/** @param {Picture<Data>} picture */
export function drawCandidates(picture) {
  picture.table.replaceChildren();
  const { data, step } = picture;
  const grouped = data.groups > 1;
  const titles = TITLES.map((title, i) => [i === 5 ? `${title}, a = ${formatNumber(data.searched)}` : title, i === 0 || (i > 2 && i < 6)]);
  const body = headOf(picture.table, `Candidates of step ${step}`, grouped ? [["group", true], ...titles] : titles);
  for (const i of candidatesOf(picture)) {
    const line = html("tr", { class: ["vine-on", "vine-end", "vine-cut"][data.outcomes[i]] }, body);
    if (grouped) html("td", { class: "number" }, line, data.b_group[i] + 1);
    rowOf(picture, i).forEach((cell, at) => {
      const number = at === 0 || (at > 2 && at < 6);
      const text = at > 2 && at < 6 ? formatNumber(cell) : String(cell);
      html("td", { class: number ? "number" : "" }, line, at === 2 && data.b_greedy[i] ? `${text} (greedy)` : text);
    });
  }
}

/**
 * The best first: scores come with the frame, for each a.
 *
 * @param {Picture<Data>} picture
 */
export function rankedEnded(picture) {
  const { data, values, step } = picture;
  const soFar = data.ended.map((each, i) => ({ ...each, score: values(`s${i}`) })).filter((each) => each.step <= step);
  return soFar.sort((one, other) => other.score - one.score);
}

/** @param {Picture<Data>} picture */
export function drawEnded(picture) {
  const { data, list, values, step } = picture;
  list.replaceChildren();
  const rows = rankedEnded(picture);
  html("div", { class: "mask-title" }, list, `Ended by step ${step}, ranked by sum / tᵃ with a = ${formatNumber(values("a"))}`);
  if (!rows.length) {
    html("div", {}, list, "None yet.");
    return;
  }
  const body = headOf(list, "Texts that have ended", [["rank", true], ["text", false], ["tokens t", true], ["sum", true], ["score", true], ["", false]]);
  rows.forEach((row, at) => {
    const line = html("tr", { class: at < data.width ? "vine-end" : "vine-cut" }, body);
    html("td", { class: "number" }, line, at + 1);
    html("td", {}, line, row.text);
    for (const number of [row.length, row.total, row.score]) html("td", { class: "number" }, line, formatNumber(number));
    const said = [row.greedy ? "found by greedy search" : "", row.kept ? "" : `dropped at a = ${formatNumber(data.searched)}`];
    html("td", {}, line, said.filter(Boolean).join("; "));
  });
  const greedy = html("div", { class: "line gradient" }, list);
  greedy.textContent = `Greedy: ${data.greedy_text || "(empty)"}, sum ${formatNumber(data.greedy_total)}`;
}

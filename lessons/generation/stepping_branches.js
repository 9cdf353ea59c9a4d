// The branches that were stepped through: their texts, each token in the colour of its p.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";

/** @import { BranchPayload, TokenChip } from "../../drawing/types.js" */
/** @import { Data, Stepping } from "./stepping.js" */
/** @typedef {{ go: (at: number) => void, send: Stepping["send"] }} Pressed what presses do */

/**
 * @param {HTMLElement} parent
 * @param {Data} data
 * @param {number} at how many tokens of the selected branch are written
 * @param {Pressed} pressed
 */
export function drawBranches(parent, data, at, { go, send }) {
  parent.replaceChildren();
  data.branches.forEach((branch, b) => {
    const row = html("div", { class: "gen-branch" }, parent);
    const head = html("div", { class: "row gen-row" }, row);
    if (data.branches.length > 1) drawHead(head, branch, b, b === data.branch, send);
    const text = html("div", { class: "gen-text" }, row);
    html("span", { class: "gen-given" }, text, data.prompt || "nothing yet");
    if (b === data.branch) drawSelected(text, branch, at, go, at === data.steps.length);
    else for (const chip of branch.chips) drawToken(text, chip, "span");
  });
}

/**
 * The title of a branch and its buttons: each branch can be selected, and dropped unless it has no forced token.
 *
 * @param {HTMLElement} head
 * @param {BranchPayload} branch
 * @param {number} b its place
 * @param {boolean} selected
 * @param {Stepping["send"]} send
 */
function drawHead(head, { title, said }, b, selected, send) {
  const pick = html("button", { type: "button", "aria-pressed": selected }, head, title);
  pick.onclick = () => send({ branch: b });
  if (b) {
    const look = { type: "button", "aria-label": `Drop the branch “${title}”`, title: "Drop this branch" };
    html("button", look, head, "✕").onclick = () => send({ drop: b });
  }
  html("span", { class: "aside" }, head, said);
}

/**
 * The selected branch as far as it is written; a press on a token rewinds the text to before it.
 *
 * @param {HTMLElement} text
 * @param {BranchPayload} branch
 * @param {number} at how many tokens are written
 * @param {(at: number) => void} go
 * @param {boolean} over whether the branch is written to its end
 */
function drawSelected(text, branch, at, go, over) {
  branch.chips.slice(0, at).forEach((chip, place) => {
    const token = drawToken(text, chip, "button");
    token.setAttribute("aria-label", `Token ${place + 1}, ${chip.text}: rewind to before it`);
    token.onclick = () => go(place);
  });
  if (!over) html("span", { class: "gen-next" }, text, "?");
}

/**
 * A token in the colour of its p.
 *
 * @param {HTMLElement} parent @param {TokenChip} chip @param {"button" | "span"} tag
 */
function drawToken(parent, { text, p, fill, ink, forced, wrong }, tag) {
  const marks = `${forced ? " forced" : ""}${wrong ? " wrong" : ""}`;
  const node = html(tag, { class: `gen-token${marks}` }, parent, forced ? `${text} ⚑` : text);
  Object.assign(node.style, { background: fill, color: ink });
  node.title = `p = ${formatNumber(p)}${forced ? ", forced" : ""}${wrong ? "; the grammar excludes this" : ""}`;
  if (tag === "button") node.setAttribute("type", "button");
  return node;
}

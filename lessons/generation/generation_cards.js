// One card per strategy: what may come first, with its bars, which follow the hand; the text it wrote,
// each token in the colour of its p; and the text's numbers.

import { html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { stage } from "../../ui/browser/stage.js";
import { isDark } from "../../ui/browser/theme.js";

/** @import { CardsPayload, Component, Shown, StrategyCard, TokenChip } from "../../ui/browser/types.js" */
/** @typedef {CardsPayload & Shown} Data */

/** @param {Component<Data>} component */
export function strategyCards({ data, parentElement }) {
  const shape = JSON.stringify(["generation", data.prompt, data.rows, data.cards, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  if (fresh) {
    const said = html("div", { class: "readout gen-prompt" }, picture.element);
    html("span", { class: "aside" }, said, "After ");
    html("span", { class: "gen-given" }, said, data.prompt || "nothing");
    const grid = html("div", { class: "gen-cards", role: "list", "aria-label": "Strategies side by side" }, picture.element);
    picture.cards = data.cards.map((card) => buildCard(grid, card, data));
  }
  const settled = (name) => data.now[data.names.indexOf(name)];
  return follow(picture, data, (values) => picture.cards.forEach((card) => drawCard(card, values, settled)));
}

/**
 * @param {any} grid
 * @param {StrategyCard} card
 * @param {Data} data
 */
function buildCard(grid, card, { rows, model }) {
  const box = html("section", { class: "gen-card", role: "listitem", "aria-label": card.label }, grid);
  const head = html("div", { class: "gen-head" }, box);
  html("span", { class: "gen-name" }, head, card.label);
  if (card.beyond) html("span", { class: "gen-beyond" }, head, "not in the decks");
  html("div", { class: "gen-how" }, box, card.how);
  const bars = html("div", { class: "gen-bars", role: "group", "aria-label": "First token" }, box);
  const lines = rows.map((label, i) => buildBar(bars, label, model[i]));
  const text = html("div", { class: "gen-text" }, box);
  card.chips.forEach((chip) => tokenOf(text, chip, "span"));
  if (!card.chips.length) html("span", { class: "aside" }, text, "no token");
  const stale = html("div", { class: "gen-end" }, box, card.end);
  const facts = html("dl", { class: "gen-facts" }, box);
  for (const [name, value] of card.facts) {
    const fact = html("div", {}, facts);
    html("dt", {}, fact, name);
    html("dd", {}, fact, value);
  }
  return { card, lines, box, stale };
}

function buildBar(parent, label, model) {
  const line = html("div", { class: "gen-bar" }, parent);
  const word = html("span", { class: "word" }, line, label);
  const whole = html("span", { class: "whole" }, line);
  const bar = html("span", { class: "chance" }, whole);
  const number = html("span", { class: "number" }, line);
  return { line, word, bar, number, label, model };
}

/** @param {{ card: StrategyCard, [part: string]: any }} parts */
function drawCard({ card, lines, box, stale }, values, settled) {
  const chosen = values(`${card.name}.chosen`);
  lines.forEach((row, i) => {
    const p = values(`${card.name}.${i}`);
    row.bar.style.width = `${100 * p}%`;
    const cut = p === 0 && row.model > 0;
    row.number.textContent = cut ? "cut" : formatNumber(p);
    row.line.classList.toggle("cut", cut);
    row.line.classList.toggle("picked", i === chosen);
    row.word.textContent = i === chosen ? `▸ ${row.label}` : row.label;
  });
  // While the hand moves, the text and its numbers are those of where it began.
  const old = lines.some((_, i) => values(`${card.name}.${i}`) !== settled(`${card.name}.${i}`));
  box.classList.toggle("old", old);
  stale.textContent = old ? "release the slider to write the text again" : card.end;
}

/**
 * A token in the colour of its p; the same in cards and where it is stepped.
 *
 * @param {any} parent
 * @param {TokenChip} chip
 */
export function tokenOf(parent, chip, tag) {
  const marks = `${chip.forced ? " forced" : ""}${chip.wrong ? " wrong" : ""}`;
  const node = html(tag, { class: `gen-token${marks}` }, parent);
  Object.assign(node.style, { background: chip.fill, color: chip.ink });
  node.textContent = chip.text;
  node.title = `p = ${formatNumber(chip.p)}${chip.forced ? ", forced" : ""}${chip.wrong ? "; the grammar excludes this" : ""}`;
  if (tag === "button") node.type = "button";
  return node;
}

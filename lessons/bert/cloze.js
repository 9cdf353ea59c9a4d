// A text whose words are covered by a press, and under it what is put there: one card per covered word,
// two bars a filler. What the next press shows is here already, where the model is small.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews } from "../../ui/browser/events.js";

/** @import { ClozeCard, Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["cloze"]} Data */

const CARD = { width: 360, left: 92, right: 138, head: 30, row: 27, bar: 9, foot: 26 };
// How much larger the cards of a text are where there are few.
const WIDER = { 1: 1.7, 2: 1.35 };

/** @param {Component<Data>} component */
export default function cloze({ data, parentElement, setTriggerValue }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.tokens, data.maskable, data.typed, isDark(parentElement)]));
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, data.at)) picture.at = data.at;
  if (fresh) buildCloze(picture);
  drawCloze(picture);
}

/** @param {Picture<Data>} picture */
function buildCloze(picture) {
  const { data } = picture;
  picture.element.replaceChildren();
  const text = html("div", { class: "looks outcomes", role: "group", "aria-label": data.spoken }, picture.element);
  picture.chips = data.tokens.map((token, i) => {
    const open = data.maskable.includes(i) && !data.typed.includes(i);
    const chip = html(open ? "button" : "span", { class: "look outcome", ...(open ? { type: "button", "data-place": i } : {}) }, text);
    const parts = ["word", "was", "tag"].map((name) => html("span", { class: name }, chip, ""));
    if (open) chip.onclick = () => pressCloze(picture, i);
    return { chip, open, parts };
  });
  picture.said = html("div", { class: "readout", "aria-live": "polite" }, picture.element);
  picture.cards = html("div", { class: "pictures", style: "align-items: flex-start" }, picture.element);
  saveButtons(picture.element, () => [picture.data.name, [...picture.cards.querySelectorAll("svg")].map((svg) => [svg])]);
  picture.save = picture.element.lastElementChild;
}

/** @param {Picture<Data>} picture */
const coveredOf = (picture) => new Set(picture.at.split(",").filter(Boolean).map(Number));

/** @param {Picture<Data>} picture */
function pressCloze(picture, place) {
  const now = coveredOf(picture);
  if (!now.delete(place)) now.add(place);
  picture.at = [...now].sort((a, b) => a - b).join(",");
  picture.sent.push(picture.at);
  drawCloze(picture);
  picture.send(picture.at);
}

/** @param {Picture<Data>} picture */
function drawCloze(picture) {
  const { data } = picture;
  const now = coveredOf(picture);
  picture.chips.forEach(({ chip, open, parts: [word, was, tag] }, i) => {
    const typed = data.typed.includes(i);
    const hidden = now.has(i) || typed;
    word.textContent = hidden ? "[MASK]" : data.tokens[i];
    was.textContent = hidden && !typed ? data.tokens[i] : "";
    tag.textContent = data.maskable.includes(i) ? String(i) : "–";
    chip.className = `look outcome outcome${hidden ? 1 : 0}`;
    if (!open) return;
    chip.setAttribute("aria-pressed", String(hidden));
    chip.setAttribute("aria-label", `Word ${i}, ${data.tokens[i]}`);
  });
  const view = data.views[picture.at];
  picture.said.textContent = view ? view.said : data.wait;
  picture.cards.style.opacity = view ? 1 : 0.35;
  if (view) picture.cards.replaceChildren(...view.cards.map((card) => drawCard(picture, card, WIDER[view.cards.length] ?? 1)));
  picture.save.style.display = view?.cards.length ? "" : "none";
}

/**
 * @param {Picture<Data>} picture
 * @param {ClozeCard} card
 */
function drawCard(picture, card, wider) {
  const { colour } = picture;
  const height = CARD.head + card.words.length * CARD.row + CARD.foot;
  const size = magnified() * CARD.width * wider;
  const svg = drawSvg("svg", { viewBox: `0 0 ${CARD.width} ${height}`, width: size, role: "img", "aria-label": card.alt, "font-size": 13, fill: colour.ink, style: "max-width: 100%" });
  drawSvg("text", { x: 0, y: 15, "font-weight": 600 }, svg, card.title);
  card.words.forEach((word, n) => drawFiller(picture, svg, card, word, n));
  const y = CARD.head + card.words.length * CARD.row + 12;
  drawSvg("text", { x: 0, y, "font-size": 12, fill: colour.quiet }, svg, card.foot);
  return svg;
}

/**
 * @param {Picture<Data>} picture
 * @param {any} svg
 * @param {ClozeCard} card
 */
function drawFiller({ colour }, svg, card, word, n) {
  const top = CARD.head + n * CARD.row;
  const width = CARD.width - CARD.left - CARD.right;
  const middle = top + CARD.bar + 1;
  const bold = word === card.own ? 700 : 400;
  drawSvg("text", { x: CARD.left - 6, y: middle, "text-anchor": "end", "dominant-baseline": "central", "font-weight": bold }, svg, `${bold > 400 ? "▸ " : ""}${short(word)}`);
  /** @type {[number, number, object][]} */
  const bars = [[card.q[n], top, { fill: colour.activation }]];
  if (card.p) bars.push([card.p[n], top + CARD.bar + 2, { fill: colour.weight }]);
  for (const [share, y, look] of bars) {
    drawSvg("rect", { x: CARD.left, y, width: width, height: CARD.bar, fill: colour.quiet, "fill-opacity": 0.14 }, svg);
    drawSvg("rect", { x: CARD.left, y, width: share * width, height: CARD.bar, ...look }, svg);
  }
  const x = CARD.width - CARD.right + 6;
  const numbers = drawSvg("text", { x, y: middle, "dominant-baseline": "central", "font-size": 12 }, svg);
  drawSvg("tspan", { fill: colour.activation, "font-weight": 600 }, numbers, formatNumber(card.q[n]));
  if (card.p) drawSvg("tspan", { x: x + 72, fill: colour.weight, "font-weight": 600 }, numbers, formatNumber(card.p[n]));
}

const short = (word) => ([...word].length > 11 ? `${[...word].slice(0, 10).join("")}…` : word);

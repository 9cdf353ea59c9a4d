// Five steps from three words to the next one, at any place of a text.
//
// The whole trace is here, so moving along the text asks the server nothing; it hears where the hand
// has stopped. Which numbers are shown is decided here, the numbers come from the trace.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["pipeline"]} Data */

const BAND = { label: 20, cells: 22, gap: 12 };
const WIDE = 560; // from here on a one-hot row and its row of E stand side by side
const ROLE = { embedding: "input", concatenated: "input", pre_activation: "score", hidden: "activation" };

/** @param {Component<Data>} component */
export default function pipeline({ data, parentElement, setTriggerValue }) {
  const room = (parentElement.host.clientWidth || 700) / magnified();
  const shape = JSON.stringify([data.words, data.strips.hidden.reach, room, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  picture.data = data;
  picture.send = (at) => setTriggerValue("event", at);
  if (fresh) build(picture, Math.min(room, 900), colours(parentElement));
  // An answer to an older move does not take the hand back.
  if (fresh || data.at !== picture.sent) picture.at = data.at;
  picture.sent = data.at;
  draw(picture);
}

/** @param {Picture<Data>} picture */
function build(picture, width, colour) {
  const { data } = picture;
  picture.width = width;
  picture.colour = colour;
  picture.text = html("div", { class: "row tokens", role: "group", "aria-label": "The text; press a word to move there" }, picture.element);
  picture.chips = data.words.map((word, i) => {
    const chip = html("button", { type: "button", class: "token" }, picture.text, word);
    chip.onclick = () => settle(picture, i);
    return chip;
  });
  const scrub = html("label", { class: "scrub" }, picture.element);
  html("span", {}, scrub, "Place");
  picture.range = html("input", { type: "range", min: 0, max: data.words.length - 1, step: 1, "aria-label": "Position in the text" }, scrub);
  picture.range.oninput = () => {
    picture.at = Number(picture.range.value);
    draw(picture);
  };
  picture.range.onchange = () => settle(picture, Number(picture.range.value));
  picture.words = html("div", { class: "words", "aria-live": "polite" }, picture.element);
  const box = html("div", { class: "pictures" }, picture.element);
  picture.svg = drawSvg("svg", { role: "group", "font-size": 14, fill: colour.ink, width: "100%" }, box);
  picture.svg.style.maxWidth = `${magnified() * width}px`;
  picture.value = html("div", { class: "line", "aria-live": "polite" }, picture.element);
  saveButtons(picture.element, () => ["feedforward", [[picture.svg]]]);
}

/** @param {Picture<Data>} picture */
function settle(picture, at) {
  picture.at = at;
  draw(picture);
  picture.send(at);
}

/** @param {Picture<Data>} picture */
function draw(picture) {
  const { data, at } = picture;
  const { context } = data.sizes;
  picture.range.value = at;
  picture.range.setAttribute("aria-valuetext", `after ${data.words[at]}, word ${at + 1} of ${data.words.length}`);
  picture.chips.forEach((chip, i) => {
    const seen = i <= at && i > at - context;
    chip.className = `token${seen ? " seen" : ""}${i === at + 1 ? " next" : ""}`;
    chip.setAttribute("aria-pressed", String(i === at));
    chip.title = seen ? "the model sees this word" : i === at + 1 ? "the word to be predicted" : "not seen";
  });
  const target = data.words[at + 1];
  picture.words.textContent = `${seenWords(data, at).join(" · ")} → ${data.best[at][0]} ` +
    `(${formatNumber(data.chances[at * data.best[at].length])})` + (target ? `; the text goes on with ${target}` : "; the text ends here");
  picture.value.textContent = "A cell's mark is above its middle where the number is above 0. Point at a cell, or tab to a strip and press ← →, to read it.";
  picture.svg.replaceChildren();
  let y = lookup(picture, 4);
  for (const name of /** @type {const} */ (["concatenated", "pre_activation", "hidden"])) {
    const [label, which] = data.headings[name];
    const { reach } = data.strips[name];
    y = heading(picture, y, label, `${which}, colours from −${formatNumber(reach)} to ${formatNumber(reach)}`, ROLE[name]);
    strip(picture, name, at, { x: 0, y, width: picture.width });
    y += BAND.cells + BAND.gap;
  }
  y = outcome(picture, y);
  picture.svg.setAttribute("viewBox", `0 0 ${picture.width} ${y}`);
  picture.svg.setAttribute("aria-label", picture.words.textContent);
}

/** @param {Data} data */
const seenWords = (data, at) => data.window_words[at];

/** @param {Picture<Data>} picture */
function heading(picture, y, label, note, role) {
  const wide = picture.width >= WIDE;
  const text = drawSvg("text", { x: 0, y: y + 14, fill: picture.colour[role], "font-weight": 600 }, picture.svg, label);
  const spot = { x: wide ? picture.width : 0, y: y + (wide ? 14 : 31), fill: picture.colour.quiet, "font-size": 12.5 };
  drawSvg("text", { ...spot, "text-anchor": wide ? "end" : "start" }, picture.svg, note);
  text.setAttribute("class", "label");
  return y + BAND.label + (wide ? 0 : 17);
}

// --- step 1: one-hot × E = a row ------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function lookup(picture, top) {
  const { data, at, width, colour, svg } = picture;
  const { context } = data.sizes;
  const [label, which] = data.headings.lookup;
  const wide = width >= WIDE;
  const { reach } = data.strips.embedding;
  let y = heading(picture, top, label, `${which}, colours from −${formatNumber(reach)} to ${formatNumber(reach)}`, "input");
  const half = wide ? width * 0.42 : width;
  for (let k = 0; k < context; k++) {
    const id = data.window[at * context + k];
    drawSvg("text", { x: 0, y: y + 14, fill: colour.ink }, svg, `${data.window_words[at][k]} = ${id}`);
    const left = wide ? 96 : 128;
    const right = half - (wide ? 34 : 0);
    drawSvg("rect", { x: left, y: y + 4, width: right - left, height: 12, fill: "none", stroke: colour.quiet }, svg);
    const x = left + ((id + 0.5) / data.types) * (right - left);
    const one = drawSvg("rect", { x: x - 2, y: y + 1, width: 4, height: 18, fill: colour.input }, svg);
    drawSvg("title", {}, one, `number ${id} of ${data.types} is 1, all others are 0`);
    if (wide) drawSvg("text", { x: half - 28, y: y + 15, fill: colour.quiet }, svg, "→");
    if (!wide) y += BAND.label;
    strip(picture, "embedding", at * context + k, { x: wide ? half : 0, y, width: wide ? width - half : width });
    y += BAND.cells + (wide ? 4 : 8);
  }
  return y + BAND.gap - 4;
}

/**
 * A strip of cells: colour by value, and a mark above the middle line where it is above 0.
 *
 * @param {Picture<Data>} picture
 * @param {keyof Data["strips"]} name
 */
function strip(picture, name, row, { x, y, width }) {
  const { data, svg, colour } = picture;
  const { values, cells, reach } = data.strips[name];
  const here = values.subarray(row * cells, (row + 1) * cells);
  const title = (i) => `${nameOf(picture, name, row, i)} = ${formatNumber(here[i])}`;
  const all = [...here].map(formatNumber).join(", ");
  const group = drawSvg("g", { tabindex: 0, role: "img", class: "strip", "aria-label": `first ${cells} numbers: ${all}` }, svg);
  const size = width / cells;
  const frames = [...here].map((value, i) => {
    const share = value / (reach || 1);
    const shade = data.scale[Math.round(((share + 1) / 2) * (data.scale.length - 1))];
    const cell = drawSvg("rect", { x: x + i * size, y, width: size - 1, height: BAND.cells, fill: shade, stroke: colour.quiet, "stroke-width": 0.5 }, group);
    const level = y + (BAND.cells - 3) * (1 - (share + 1) / 2);
    drawSvg("rect", { x: x + i * size + 1, y: level, width: Math.max(size - 3, 1), height: 3, fill: data.marks[Math.abs(share) > 0.7 ? 1 : 0], stroke: "none", "pointer-events": "none" }, group);
    cell.onpointerenter = () => (picture.value.textContent = title(i));
    return cell;
  });
  if (name === "concatenated") parting(svg, { x, y, width }, data.sizes.context, colour);
  let now = -1;
  group.onfocus = () => point(0);
  group.onblur = () => now >= 0 && mark(frames[now], false, colour);
  group.onkeydown = (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    point(Math.min(Math.max(now + by, 0), cells - 1));
  };
  function point(i) {
    if (now >= 0) mark(frames[now], false, colour);
    now = i;
    mark(frames[now], true, colour);
    picture.value.textContent = title(now);
  }
}

function mark(cell, on, colour) {
  cell.setAttribute("stroke", on ? colour.ink : colour.quiet);
  cell.setAttribute("stroke-width", on ? 2.5 : 0.5);
}

// e is made of the rows: bars part what comes from each word.
function parting(svg, { x, y, width }, context, colour) {
  for (let k = 1; k < context; k++) {
    drawSvg("rect", { x: x + (width * k) / context - 2, y: y - 3, width: 3, height: BAND.cells + 6, fill: colour.ink }, svg);
  }
}

/**
 * @param {Picture<Data>} picture
 * @param {keyof Data["strips"]} name
 */
function nameOf(picture, name, row, i) {
  const { data } = picture;
  const { context } = data.sizes;
  const short = data.short[name];
  if (name === "embedding") return `${short.replace("{}", data.window_words[Math.floor(row / context)][row % context])}, number ${i + 1}`;
  if (name !== "concatenated") return `${short}, number ${i + 1}`;
  const each = data.strips.concatenated.cells / context;
  const word = Math.floor(i / each);
  return `${short}, number ${word * data.sizes.width + (i % each) + 1} (number ${(i % each) + 1} of ${data.window_words[row][word]})`;
}

// --- steps 4 and 5: logits and probabilities ------------------------------------------------------

/** @param {Picture<Data>} picture */
function outcome(picture, top) {
  const { data, at, width, colour, svg } = picture;
  const wide = width >= WIDE;
  let y = heading(picture, top, ...data.headings.outcome, "activation");
  const count = data.best[at].length;
  const target = data.words[at + 1];
  /** @type {[string, number | null, number, number][]} */
  const rows = data.best[at].map((word, i) => [word, data.logits[at * count + i], data.chances[at * count + i], i + 1]);
  const rank = data.ranks[at];
  if (target && !data.best[at].includes(target)) rows.push([target, null, data.true[at], rank]);
  const [left, right] = [wide ? 250 : 112, width - 74];
  for (const [word, logit, chance, place] of rows) {
    const right_word = word === target;
    drawSvg("text", { x: 0, y: y + 15, "font-weight": right_word ? 700 : 400, fill: right_word ? colour.input : colour.ink }, svg,
      `${right_word ? "✓ " : ""}${word}`);
    const note = logit === null ? `rank ${place}` : `logit ${formatNumber(logit)}`;
    if (wide) drawSvg("text", { x: left - 12, y: y + 15, "text-anchor": "end", fill: colour.score }, svg, note);
    drawSvg("rect", { x: left, y: y + 3, width: right - left, height: 15, fill: "none", stroke: colour.quiet, "stroke-width": 0.5 }, svg);
    drawSvg("rect", { x: left, y: y + 3, width: Math.max(chance * (right - left), 1), height: 15, fill: colour.activation }, svg);
    drawSvg("text", { x: right + 8, y: y + 15, "font-weight": right_word ? 700 : 400 }, svg, formatNumber(chance));
    y += 24;
  }
  const note = target ? "✓ marks the actual next word" : "nothing is typed after this word";
  drawSvg("text", { x: 0, y: y + 14, fill: colour.quiet, "font-size": 12.5 }, svg, note);
  return y + 24;
}

// A recurrent network unrolled: one column per word, its numbers as heat strips, and the loop beside
// them. All steps are here from the start, so the hand and the arrow keys ask the server nothing.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { frameEvent } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";

/** @import { Component, HeatStrip, PhaseLines, Picture, Scripts, UnrolledPlace } from "../../ui/browser/types.js" */
/** @typedef {Scripts["unrolled"]} Data */

const GUTTER = 98;
const COLUMN = 57;
const CELL = { few: 4, many: 2 };
const BARS = 58; // height of the five chances, and of the loss bars
const SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉";
const sub = (number) => String(number).replace(/\d/g, (digit) => SUBSCRIPTS[digit]);
/** @type {Record<keyof PhaseLines, string>} */
const NAMES = { x: "xₜ", e: "eₜ", h: "hₜ", y: "ŷₜ", J: "J(t)" };
const SAID = { x: "read the word", e: "look up its embedding", h: "new hidden state", y: "predict", J: "loss" };
const ROLE = { x: "input", e: "input", h: "activation", y: "activation", J: "loss" };

/** @param {Component<Data>} component */
export default function unrolled({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.words, data.e.shown, data.h.shown, data.code, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, placeOf(data.at))) picture.at = { step: data.at.step, phase: data.at.phase };
  const outline = JSON.stringify([data.choices, data.unit, [...data.losses].map(String)]);
  if (fresh) build(picture);
  if (fresh || picture.outline !== outline) drawColumns(picture);
  picture.outline = outline;
  show(picture);
  return () => clearTimeout(picture.timer);
}

/** @param {UnrolledPlace} place */
const placeOf = ({ step, phase }) => JSON.stringify([step, phase]);

/** @param {Picture<Data>} picture */
function go(picture, step, phase, held = false) {
  picture.at = { step: Math.min(Math.max(step, 1), picture.data.words.length), phase };
  show(picture);
  sendAtRest(picture, placeOf(picture.at), { value: { ...picture.at, unit: picture.data.unit }, held });
}

/**
 * The next quantity of this word, or the next word.
 *
 * @param {Picture<Data>} picture
 */
function onward(picture) {
  const { phases, words } = picture.data;
  const place = phases.indexOf(picture.at.phase);
  if (place + 1 < phases.length) go(picture, picture.at.step, phases[place + 1]);
  else if (picture.at.step < words.length) go(picture, picture.at.step + 1, phases[0]);
}

// --- built once a text -------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function build(picture) {
  const bar = html("div", { class: "row" }, picture.element);
  const button = (label, title, press) => {
    const node = html("button", { type: "button", title }, bar, label);
    node.onclick = press;
    return node;
  };
  picture.back = button("◀ Word", "The word before", () => go(picture, picture.at.step - 1, picture.at.phase));
  picture.forward = button("Word ▶", "The next word", () => go(picture, picture.at.step + 1, picture.at.phase));
  picture.onward = button("Step ▶", "The next quantity: x, e, h, ŷ, J, and on to the next word", () => onward(picture));
  const phases = html("span", { class: "row", role: "group", "aria-label": "Computed last" }, bar);
  picture.phases = picture.data.phases.map((phase) => {
    const node = html("button", { type: "button", title: SAID[phase] }, phases, NAMES[phase]);
    node.onclick = () => go(picture, picture.at.step, phase);
    return node;
  });
  const scrub = html("label", { class: "scrub" }, picture.element, "Time t ");
  const last = picture.data.words.length;
  picture.range = html("input", { type: "range", min: 1, max: last, value: 1, "aria-label": "Time t" }, scrub);
  picture.range.oninput = () => go(picture, Number(picture.range.value), picture.at.phase, true);
  picture.range.onchange = () => go(picture, Number(picture.range.value), picture.at.phase);
  picture.place = html("output", {}, scrub);
  const frame = html("div", { class: "unrolled" }, picture.element);
  picture.gutter = drawSvg("svg", { width: GUTTER, "aria-hidden": "true" }, frame);
  picture.scroll = html("div", { class: "columns", tabindex: 0, role: "group", "aria-label": "The network, one column per word; ← and → move" }, frame);
  picture.svg = drawSvg("svg", { role: "img" }, picture.scroll);
  picture.svg.onpointermove = (event) => point(picture, event);
  picture.svg.onclick = (event) => choose(picture, event);
  picture.readout = html("div", { class: "readout" }, picture.element);
  const below = html("div", { class: "beside" }, picture.element);
  picture.code = html("pre", { class: "loop", tabindex: 0, "aria-label": "The loop that runs" }, below);
  picture.codeLines = picture.data.code.map((row) => html("span", { "data-phase": row.phase }, picture.code, `${row.text}\n`));
  picture.words = html("div", {}, below);
  picture.keydown ??= picture.element.addEventListener("keydown", (event) => onKey(picture, event)) ?? true;
  saveButtons(picture.element, () => ["unrolled", [[picture.gutter], [picture.svg]]]);
}

/** @param {Picture<Data>} picture */
function onKey(picture, event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || event.target === picture.range || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  go(picture, picture.at.step + step, picture.at.phase);
}

// --- the columns -------------------------------------------------------------------------------

/** @param {Data} data */
function rows({ e, h }) {
  const tall = (/** @type {HeatStrip} */ strip) => strip.shown * (strip.shown > 64 ? CELL.many : CELL.few);
  const top = { x: 16, e: 58 };
  top.h = top.e + tall(e) + 26;
  top.y = top.h + tall(h) + 26;
  top.J = top.y + BARS + 62;
  return { top, tall, height: top.J + BARS + 26 };
}

/** @param {Picture<Data>} picture */
function drawColumns(picture) {
  const { data, svg, gutter, colour } = picture;
  const place = rows(data);
  const width = COLUMN * data.words.length + 6;
  for (const [node, wide] of [[svg, width], [gutter, GUTTER]]) {
    node.replaceChildren();
    for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * place.height, viewBox: `0 0 ${wide} ${place.height}`, fill: colour.ink, "font-size": 13 })) {
      node.setAttribute(name, value);
    }
  }
  labels(picture, place);
  picture.marker = drawSvg("rect", { y: 1, width: COLUMN - 2, height: place.height - 2, rx: 6, fill: "none", stroke: colour.ink, "stroke-width": 2 }, svg);
  picture.columns = data.words.map((word, t) => column(picture, place, word, t));
  // Edged with the background, the line can be seen on the bars as well.
  picture.mean = [{ stroke: colour.background, "stroke-width": 6 }, { stroke: colour.ink, "stroke-width": 2, "stroke-dasharray": "5 3" }].map(
    (pen) => drawSvg("polyline", { fill: "none", ...pen }, svg),
  );
  mark(picture, place);
}

/** @param {Picture<Data>} picture */
function labels({ data, gutter, colour }, { top, tall }) {
  const say = (y, text, fill, weight = 400) => drawSvg("text", { x: 0, y, fill, "font-weight": weight }, gutter, text);
  say(top.x, "word xₜ", colour.input, 600);
  say(top.x + 19, "its id", colour.quiet);
  for (const strip of [data.e, data.h]) {
    const y = top[strip.letter];
    const role = strip.letter === "e" ? colour.input : colour.activation;
    say(y + 12, `${strip.letter}ₜ`, role, 600);
    say(y + 29, strip.word, role);
    say(y + 46, strip.shown < strip.size ? `first ${strip.shown} of ${strip.size}` : `all ${strip.size}`, colour.quiet);
    legend(gutter, strip, data.scale, y + 56, colour);
  }
  say(top.y + 12, "ŷₜ", colour.activation, 600);
  say(top.y + 29, "5 most likely", colour.activation);
  say(top.y + 46, "bars 0 to 1", colour.quiet);
  say(top.y + BARS + 15, "the first one", colour.quiet);
  say(top.y + BARS + 31, "its probability", colour.quiet);
  say(top.J + 12, "J(t), nats", colour.loss, 600);
  say(top.J + 29, "- - mean so far", colour.ink);
}

/**
 * @param {any} gutter
 * @param {HeatStrip} strip
 * @param {string[]} scale
 */
function legend(gutter, strip, scale, y, colour) {
  for (let i = 0; i < 9; i++) {
    drawSvg("rect", { x: 9 * i, y, width: 9, height: 9, fill: scale[5 * i] }, gutter);
  }
  const reach = formatNumber(strip.reach).slice(0, 4);
  for (const [x, text, anchor] of [[0, `−${reach}`, "start"], [40, "0", "middle"], [81, reach, "end"]]) {
    drawSvg("text", { x, y: y + 23, fill: colour.quiet, "font-size": 12, "text-anchor": anchor }, gutter, text);
  }
}

/** @param {Picture<Data>} picture */
function column(picture, place, word, t) {
  const { data, svg, colour } = picture;
  const { top } = place;
  const left = 3 + COLUMN * t;
  const middle = left + COLUMN / 2 - 1;
  const parts = {};
  const group = (phase) => (parts[phase] = { shapes: drawSvg("g", {}, svg), texts: [] });
  const write = (part, y, text, role, weight = 400) => {
    const size = text.length > 7 ? 11 : 13;
    const node = drawSvg("text", { x: middle, y, "text-anchor": "middle", "font-size": size, "font-weight": weight,
      stroke: colour.background, "stroke-width": 3, "paint-order": "stroke" }, svg, text);
    part.texts.push([node, role]);
  };
  const x = group("x");
  write(x, top.x, word, colour.input, 600);
  write(x, top.x + 19, String(data.ids[t]), colour.quiet);
  strip(group("e"), data.e, t, middle, place, data.scale);
  drawSvg("path", { d: arrow(middle, top.e + place.tall(data.e) + 3, middle, top.h - 4), stroke: colour.weight, fill: "none" }, parts.e.shapes);
  strip(group("h"), data.h, t, middle, place, data.scale);
  const half = top.h + place.tall(data.h) / 2;
  if (t) drawSvg("path", { d: arrow(middle - COLUMN + 16, half, middle - 17, half), stroke: colour.weight, fill: "none", "stroke-width": 2 }, parts.h.shapes);
  drawSvg("path", { d: arrow(middle, top.y - 22, middle, top.y - 4), stroke: colour.weight, fill: "none" }, parts.h.shapes);
  const y = group("y");
  chances(y, data, t, left, top.y, colour);
  write(y, top.y + BARS + 15, data.choices[t][0], colour.activation, 600);
  write(y, top.y + BARS + 31, formatNumber(data.chances[t * data.choices[t].length]), colour.activation);
  lossBar(group("J"), picture, t, middle, top.J, write);
  return parts;
}

function arrow(x1, y1, x2, y2) {
  const [dx, dy] = [Math.sign(x2 - x1), Math.sign(y2 - y1)];
  return `M${x1} ${y1}L${x2} ${y2}m${-4 * dx - 3 * dy} ${-4 * dy - 3 * dx}L${x2} ${y2}l${-4 * dx + 3 * dy} ${-4 * dy + 3 * dx}`;
}

/**
 * @param {any} part
 * @param {HeatStrip} data
 */
function strip(part, data, t, middle, place, scale) {
  const cell = place.tall(data) / data.shown;
  for (let i = 0; i < data.shown; i++) {
    const share = Math.min(Math.max(data.values[t * data.shown + i] / data.reach, -1), 1);
    const fill = scale[Math.round(((share + 1) / 2) * (scale.length - 1))];
    drawSvg("rect", { x: middle - 14, y: place.top[data.letter] + cell * i, width: 28, height: cell, fill }, part.shapes);
  }
}

/**
 * Five chances on one scale from 0 to 1; the word that came next has a dot.
 *
 * @param {Data} data
 */
function chances(part, data, t, left, top, colour) {
  const each = data.choices[t];
  each.forEach((word, i) => {
    const share = data.chances[t * each.length + i];
    const y = top + i * (BARS / each.length);
    drawSvg("rect", { x: left + 4, y, width: COLUMN - 12, height: 9, fill: "none", stroke: colour.quiet, "stroke-opacity": 0.4 }, part.shapes);
    drawSvg("rect", { x: left + 4, y, width: Math.max((COLUMN - 12) * share, 0.8), height: 9, fill: colour.activation }, part.shapes);
    if (word === data.words[t + 1]) drawSvg("circle", { cx: left + COLUMN - 13, cy: y + 4.5, r: 3, fill: colour.ink }, part.shapes);
  });
}

/** @param {Data} data */
const most = (data) => Math.max(1, ...[...data.losses].filter(Number.isFinite));
/** @param {Data} data */
const high = (data, loss) => BARS * Math.min(loss / most(data), 1);

/**
 * @param {any} part
 * @param {Picture<Data>} picture
 */
function lossBar(part, { data, colour }, t, middle, top, write) {
  const loss = data.losses[t];
  // Below the bars no line crosses the numbers.
  const y = top + BARS + 17;
  if (Number.isNaN(loss)) return write(part, y, "?", colour.loss, 600);
  const height = Math.max(high(data, loss), 1);
  drawSvg("rect", { x: middle - 14, y: top + BARS - height, width: 28, height, fill: colour.loss }, part.shapes);
  return write(part, y, loss < 0.005 ? "<0.01" : loss.toFixed(2), colour.loss);
}

/**
 * The chosen unit is marked across all columns.
 *
 * @param {Picture<Data>} picture
 */
function mark({ data, svg, colour }, place) {
  if (data.unit > data.h.shown) return;
  const cell = place.tall(data.h) / data.h.shown;
  const y = place.top.h + cell * (data.unit - 1) - 1;
  drawSvg("rect", { x: 2, y, width: COLUMN * data.words.length, height: cell + 2, fill: "none", stroke: colour.ink, "stroke-width": 1.2 }, svg);
}

// --- pointing ----------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function under(picture, event) {
  const { data } = picture;
  const { top, tall } = rows(data);
  const box = picture.svg.getBoundingClientRect();
  const t = Math.floor(((event.clientX - box.left) / magnified() - 3) / COLUMN);
  const y = (event.clientY - box.top) / magnified();
  if (!(t >= 0 && t < data.words.length)) return null;
  const strip = [data.e, data.h].find((one) => y >= top[one.letter] && y < top[one.letter] + tall(one));
  if (!strip) return { t };
  return { t, strip, unit: Math.floor(((y - top[strip.letter]) / tall(strip)) * strip.shown) };
}

/** @param {Picture<Data>} picture */
function point(picture, event) {
  const at = under(picture, event);
  if (!at?.strip) return;
  const value = at.strip.values[at.t * at.strip.shown + at.unit];
  picture.readout.textContent = `${at.strip.letter}${sub(at.t + 1)}, unit ${at.unit + 1}: ${formatNumber(value)}`;
}

/**
 * A press on a column goes there; on its hidden state, it opens that unit as well.
 *
 * @param {Picture<Data>} picture
 */
function choose(picture, event) {
  const at = under(picture, event);
  if (!at) return;
  if (at.strip?.letter === "h") {
    picture.at.step = at.t + 1;
    clearTimeout(picture.timer);
    picture.sent.push(placeOf(picture.at));
    picture.send({ ...picture.at, unit: at.unit + 1 });
    show(picture);
  } else go(picture, at.t + 1, picture.at.phase);
}

// --- what moves --------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function show(picture) {
  const { data, colour } = picture;
  const { step, phase } = picture.at;
  const reached = data.phases.indexOf(phase);
  picture.columns.forEach((parts, t) => {
    data.phases.forEach((each, i) => {
      const later = t + 1 > step || (t + 1 === step && i > reached);
      parts[each].shapes.setAttribute("opacity", later ? 0.22 : 1);
      for (const [node, role] of parts[each].texts) node.setAttribute("fill", later ? colour.quiet : role);
    });
  });
  picture.marker.setAttribute("x", 3 + COLUMN * (step - 1));
  meanLine(picture, reached === data.phases.length - 1 ? step : step - 1);
  picture.phases.forEach((node, i) => node.setAttribute("aria-pressed", i === reached));
  picture.range.value = step;
  picture.place.textContent = `${step} of ${data.words.length}: ${data.words[step - 1]}`;
  picture.range.setAttribute("aria-valuetext", picture.place.textContent);
  picture.back.disabled = step === 1;
  picture.forward.disabled = step === data.words.length;
  picture.onward.disabled = step === data.words.length && reached === data.phases.length - 1;
  picture.svg.setAttribute("aria-label", data.phases.slice(0, reached + 1).map((each) => data.lines[step - 1][each]).join(". "));
  for (const line of picture.codeLines) line.classList.toggle("lit", line.dataset.phase === phase);
  spell(picture, step, reached);
  keepInView(picture, step);
  const names = data.names.length;
  const detail = { row: data.table.subarray((step - 1) * names, step * names) };
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail }));
}

/** @param {Picture<Data>} picture */
function meanLine({ data, mean }, until) {
  const { top } = rows(data);
  const points = [...data.means].slice(0, until).filter((value) => !Number.isNaN(value));
  const y = (value) => top.J + BARS - high(data, value);
  const line = points.map((value, t) => `${3 + COLUMN * (t + 0.5)},${y(value)}`).join(" ");
  for (const each of mean) each.setAttribute("points", line);
}

/**
 * The formulas of this step so far, and the five words it holds most likely.
 *
 * @param {Picture<Data>} picture
 */
function spell({ data, words }, step, reached) {
  words.replaceChildren();
  const list = html("div", { class: "lines" }, words);
  data.phases.slice(0, reached + 1).forEach((phase) => {
    html("div", { class: `line ${ROLE[phase]}` }, list, data.lines[step - 1][phase]);
  });
  if (reached < data.phases.indexOf("y")) return;
  const table = html("table", { class: "choices" }, words);
  html("caption", { class: "unseen" }, table, "The most likely next words");
  const count = data.choices[step - 1].length;
  data.choices[step - 1].forEach((word, i) => {
    const row = html("tr", {}, table);
    const chance = data.chances[(step - 1) * count + i];
    html("th", { scope: "row" }, row, word);
    html("td", { class: "number" }, row, formatNumber(chance));
    const cell = html("td", {}, row);
    html("span", { class: "chance", style: `width: ${Math.max(100 * chance, 0.5)}%` }, html("span", { class: "whole" }, cell));
    html("td", {}, row, word === data.words[step] ? "● came next" : "");
  });
}

/** @param {Picture<Data>} picture */
function keepInView({ scroll }, step) {
  const [left, right] = [COLUMN * (step - 2), COLUMN * (step + 1)].map((x) => magnified() * x);
  if (left < scroll.scrollLeft) scroll.scrollLeft = left;
  else if (right > scroll.scrollLeft + scroll.clientWidth) scroll.scrollLeft = right - scroll.clientWidth;
}

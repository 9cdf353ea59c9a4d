// Two masks side by side: the scores with −∞ where nothing may be seen, and the weights that softmax
// makes of them. A painted cell turns at once; its numbers follow when the server has computed them.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["masking"]} Data */

const CELLS = { height: 24, least: 15, most: 58, two: 30, one: 20, letter: 6.4, label: 84, apart: 18, turned: 28 };
const QUANTITIES = ["scaled", "weights"];

/** @param {Component<Data>} component */
export default function masking({ data, parentElement, setTriggerValue }) {
  const kinds = data.sides.map((side) => [side.columns, side.hand, side.values, side.paints]);
  const held = (parentElement.activeElement ?? document.activeElement)?.getAttribute("role") === "group";
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.rows, kinds, isDark(parentElement)]));
  Object.assign(picture, { send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (olderThanTheHand(picture, data)) return () => {};
  picture.data = data;
  picture.local = null;
  picture.spots = data.sides.map((side) => side.at);
  if (isNews(picture, data.at)) picture.at = data.at;
  if (fresh) build(picture);
  lay(picture, fresh);
  // A hand at the keys goes on painting where the grids had to be built anew.
  if (fresh && held) picture.panels.find((panel) => panel.paints)?.scroll.focus({ preventScroll: true });
  return () => picture.watch.disconnect();
}

/**
 * A mask that was painted over since is no news; the one painted last, or any other, is.
 *
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function olderThanTheHand(picture, data) {
  const painted = data.sides.find((side) => side.paints)?.text;
  if (picture.pending && painted !== picture.pending && picture.sent.includes(painted)) return true;
  picture.pending = null;
  picture.sent = [painted];
  return false;
}

/** @param {Picture<Data>} picture */
function build(picture) {
  const sliders = html("div", { class: "beside-sliders" }, picture.element);
  picture.query = slider(sliders, "Query", picture.data.rows.length, (index) => go(picture, index, true), (index) => go(picture, index));
  picture.hands = picture.data.sides.map((side, s) => {
    if (side.values.length < 2) return null;
    const move = (index) => {
      picture.spots[s] = index;
      show(picture);
    };
    return slider(sliders, side.hand.label, side.values.length, move, (index) => picture.send({ name: side.hand.name, value: side.values[index] }));
  });
  picture.masks = html("div", { class: "masks" }, picture.element);
  picture.readout = html("div", { class: "readout", "aria-live": "polite" }, picture.element, picture.data.hint);
  picture.looks = picture.data.sides.map(() => html("div", { class: "looks" }, picture.element));
  saveButtons(picture.element, () => [picture.data.name, picture.panels.map((panel) => [panel.svg])]);
  picture.watch = new ResizeObserver(() => lay(picture));
  picture.watch.observe(picture.element);
}

function slider(parent, label, count, moved, settled) {
  const line = html("label", { class: "scrub" }, parent, `${label} `);
  const range = html("input", { type: "range", min: 0, max: count - 1, "aria-label": label }, line);
  const output = html("output", {}, line);
  range.oninput = () => moved(Number(range.value));
  range.onchange = () => settled(Number(range.value));
  return { range, output };
}

/** @param {Picture<Data>} picture */
function go(picture, at, held = false) {
  picture.at = at;
  show(picture);
  sendAtRest(picture, at, { value: { name: "query", value: at + 1 }, held });
}

// --- the grids ---------------------------------------------------------------------------------

/**
 * As many columns of grids, and cells as wide, as there is room for.
 *
 * @param {Picture<Data>} picture
 */
function lay(picture, anew = false) {
  const width = picture.element.clientWidth / magnified() || 640;
  const columns = width >= 520 ? 2 : 1;
  const names = Math.min(CELLS.label, 22 + CELLS.letter * Math.max(...picture.data.rows.map((row) => [...row].length)));
  const room = (width - (columns - 1) * CELLS.apart) / columns - names - CELLS.turned;
  const cell = Math.floor(Math.min(Math.max(room / Math.max(...picture.data.sides.map((side) => side.columns.length)), CELLS.least), CELLS.most));
  const key = JSON.stringify([columns, cell, names, magnified()]);
  if (anew || picture.laid !== key) draw(picture, columns, cell, names);
  picture.laid = key;
  show(picture);
}

/** @param {Picture<Data>} picture */
function draw(picture, columns, cell, names) {
  picture.masks.replaceChildren();
  picture.masks.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
  picture.panels = QUANTITIES.flatMap((quantity) => picture.data.sides.map((_, s) => panelOf(picture, quantity, s, cell, names)));
}

/** @param {Picture<Data>} picture */
function panelOf(picture, quantity, s, cell, names) {
  const { data, colour } = picture;
  const side = data.sides[s];
  const [rows, wide] = [data.rows.length, side.columns.length];
  const paints = side.paints && quantity === "scaled";
  const box = html("div", { class: "mask" }, picture.masks);
  const title = html("div", { class: "mask-title" }, box);
  const scroll = html("div", paints ? { class: "scroll", tabindex: 0, role: "group", "aria-label": "Mask to paint: arrow keys move, the space bar shows or hides" } : { class: "scroll" }, box);
  const turned = cell < 44 || side.columns.some((column) => [...column].length * CELLS.letter > cell);
  const head = turned ? 46 : 20;
  const size = { width: names + wide * cell + (turned ? CELLS.turned : 4), height: head + rows * CELLS.height + 4 };
  const svg = drawSvg("svg", { role: "img", viewBox: `0 0 ${size.width} ${size.height}`, width: magnified() * size.width, height: magnified() * size.height, "font-size": 12, fill: colour.ink }, scroll);
  const panel = { quantity, s, title, scroll, svg, paints, cell, names, head, wide };
  side.columns.forEach((column, j) => {
    const [x, y] = [names + (j + 0.5) * cell, head - 6];
    const attributes = turned ? { x: x - 4, y, transform: `rotate(-42 ${x - 4} ${y})` } : { x, y, "text-anchor": "middle" };
    drawSvg("title", {}, drawSvg("text", { ...attributes, fill: colour.key }, svg, shortened(column, turned ? 9 : 12)), column);
  });
  panel.labels = data.rows.map((row, i) => {
    const label = drawSvg("text", { x: names - 6, y: head + (i + 0.5) * CELLS.height, "text-anchor": "end", "dominant-baseline": "central", fill: colour.query }, svg, shortened(row, Math.floor((names - 8) / CELLS.letter)));
    drawSvg("title", {}, label, row);
    return label;
  });
  panel.cells = data.rows.flatMap((_, i) => side.columns.map((_, j) => cellAt(svg, panel, i, j)));
  panel.frame = drawSvg("rect", { x: names - 1, width: wide * cell + 2, height: CELLS.height, fill: "none", stroke: colour.ink, "stroke-width": 2, rx: 3, "pointer-events": "none" }, svg);
  panel.cursor = drawSvg("rect", { width: cell - 2, height: CELLS.height - 2, fill: "none", stroke: colour.gradient, "stroke-width": 3, visibility: "hidden", "pointer-events": "none" }, svg);
  listen(picture, panel, scroll);
  return panel;
}

const shortened = (text, most) => ([...text].length > most ? `${[...text].slice(0, Math.max(most - 1, 1)).join("")}…` : text);

function cellAt(svg, panel, i, j) {
  const [x, y] = [panel.names + j * panel.cell, panel.head + i * CELLS.height];
  const group = drawSvg("g", { "data-at": i * panel.wide + j }, svg);
  const box = drawSvg("rect", { x: x + 0.5, y: y + 0.5, width: panel.cell - 1, height: CELLS.height - 1 }, group);
  const text = drawSvg("text", { x: x + panel.cell / 2, y: y + CELLS.height / 2, "text-anchor": "middle", "dominant-baseline": "central", "font-size": panel.cell < 24 ? 9.5 : 11, "pointer-events": "none" }, group);
  return { group, box, text };
}

/**
 * The number of a cell of a side, at the place where the hand holds that side's slider.
 *
 * @param {Picture<Data>} picture
 * @param {number} s
 * @param {"mask" | "scaled" | "weights"} name
 * @param {number} at
 */
function valueOf(picture, s, name, at) {
  const { [name]: numbers, columns } = picture.data.sides[s];
  return numbers[picture.spots[s] * picture.data.rows.length * columns.length + at];
}
/** @param {Picture<Data>} picture */
const seenAt = (picture, s, at) => (picture.local && picture.data.sides[s].paints ? picture.local[at] : valueOf(picture, s, "mask", at)) > 0;
/** @param {Picture<Data>} picture */
const touched = (picture, s, i) => {
  const wide = picture.data.sides[s].columns.length;
  if (!picture.local || !picture.data.sides[s].paints) return false;
  return picture.data.sides[s].columns.some((_, j) => (picture.local[i * wide + j] > 0) !== (valueOf(picture, s, "mask", i * wide + j) > 0));
};

/** @param {Picture<Data>} picture */
function show(picture) {
  const { data } = picture;
  const name = (index, names) => `${index + 1} of ${names.length}: ${shortened(names[index], 14)}`;
  picture.query.range.value = picture.at;
  picture.query.output.textContent = name(picture.at, data.rows);
  picture.hands.forEach((hand, s) => {
    if (!hand) return;
    hand.range.value = picture.spots[s];
    hand.output.textContent = String(data.sides[s].values[picture.spots[s]]);
  });
  for (const panel of picture.panels) paintPanel(picture, panel);
  picture.looks.forEach((node, s) => looksOf(picture, node, s));
}

/** @param {Picture<Data>} picture */
function paintPanel(picture, panel) {
  const { data, colour } = picture;
  const stale = data.rows.map((_, i) => touched(picture, panel.s, i));
  panel.title.textContent = data.sides[panel.s].titles[panel.quantity];
  panel.svg.setAttribute("aria-label", data.sides[panel.s].alts[panel.quantity]);
  panel.cells.forEach((cell, at) => {
    const value = valueOf(picture, panel.s, panel.quantity, at);
    const seen = seenAt(picture, panel.s, at);
    const [fill, ink] = seen ? shade(data, panel.quantity, value) : [colour.mask, colour.ink];
    cell.box.setAttribute("fill", seen ? fill : colour.mask);
    cell.box.setAttribute("fill-opacity", seen ? 1 : 0.14);
    cell.text.setAttribute("fill", ink);
    cell.text.textContent = seen ? written(value, panel.cell) : hiddenText(panel);
    const old = stale[Math.floor(at / panel.wide)] && panel.quantity === "weights";
    cell.group.setAttribute("opacity", old ? 0.35 : 1);
    cell.group.style.cursor = panel.paints ? "cell" : "pointer";
  });
  panel.frame.setAttribute("y", panel.head + picture.at * CELLS.height);
  panel.labels.forEach((label, i) => label.setAttribute("font-weight", i === picture.at ? 700 : 400));
}

const hiddenText = (panel) => (panel.quantity === "weights" ? "0" : panel.cell >= 17 ? "−∞" : "∞");
/** @param {Data} data */
function shade(data, quantity, value) {
  const scale = quantity === "weights" ? data.shares : data.signed;
  const share = quantity === "weights" ? value : (value / data.reach + 1) / 2;
  const step = Math.round(Math.min(Math.max(share, 0), 1) * (scale.fills.length - 1));
  return [scale.fills[step], scale.inks[step]];
}

function written(value, cell) {
  if (cell < CELLS.one) return "";
  const digits = cell < CELLS.two || Math.abs(value) >= 9.995 ? 1 : 2;
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * What the query may look at, word by word, with the weight of each.
 *
 * @param {Picture<Data>} picture
 */
function looksOf(picture, node, s) {
  const side = picture.data.sides[s];
  node.replaceChildren();
  html("span", { class: "looks-title" }, node, `${side.short}: “${shortened(picture.data.rows[picture.at], 14)}” sees`);
  const stale = touched(picture, s, picture.at);
  side.columns.forEach((column, j) => {
    const at = picture.at * side.columns.length + j;
    const seen = seenAt(picture, s, at);
    const chip = html("span", { class: `look ${seen ? "open" : "shut"}` }, node);
    html("span", { class: "word" }, chip, shortened(column, 14));
    const weight = valueOf(picture, s, "weights", at);
    if (seen && !stale) html("span", { class: "bar", style: `width: ${Math.round(100 * weight)}%` }, html("span", { class: "whole" }, chip));
    else html("span", { class: "whole" }, chip).style.visibility = "hidden";
    html("span", { class: "number" }, chip, !seen ? "hidden" : stale ? "…" : formatNumber(weight));
  });
}

// --- the hand ----------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function listen(picture, panel, scroll) {
  const { svg, paints } = panel;
  const at = (event) => {
    const under = svg.getRootNode().elementFromPoint(event.clientX, event.clientY);
    const group = under?.closest?.("[data-at]");
    return group && svg.contains(group) ? Number(group.dataset.at) : null;
  };
  svg.onpointermove = (event) => {
    const here = at(event);
    if (here === null) return;
    tellCell(picture, panel, here);
    if (picture.brush !== undefined && picture.brush !== null && paints) turn(picture, panel, here, picture.brush);
  };
  svg.onclick = (event) => {
    const here = at(event);
    if (here === null) return;
    if (!paints) go(picture, Math.floor(here / panel.wide));
    else if (event.pointerType === "touch") {
      turn(picture, panel, here, !seenAt(picture, panel.s, here));
      commit(picture, panel);
    }
  };
  if (!paints) return;
  svg.onpointerdown = (event) => {
    const here = at(event);
    if (here === null || event.pointerType === "touch" || event.button !== 0) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    picture.brush = !seenAt(picture, panel.s, here);
    turn(picture, panel, here, picture.brush);
  };
  svg.onpointerup = svg.onpointercancel = () => {
    if (picture.brush === undefined || picture.brush === null) return;
    picture.brush = null;
    commit(picture, panel);
  };
  keys(picture, panel, scroll);
}

/** @param {Picture<Data>} picture */
function turn(picture, panel, at, open) {
  const side = picture.data.sides[panel.s];
  picture.local ??= Array.from({ length: picture.data.rows.length * side.columns.length }, (_, each) => valueOf(picture, panel.s, "mask", each));
  if (picture.local[at] > 0 === open) return;
  picture.local[at] = open ? 1 : 0;
  show(picture);
}

/** @param {Picture<Data>} picture */
function commit(picture, panel) {
  if (!picture.local) return;
  const rows = picture.data.rows.map((_, i) => picture.local.slice(i * panel.wide, (i + 1) * panel.wide).map((each) => (each > 0 ? 1 : 0)).join(""));
  picture.pending = rows.join(".");
  picture.sent.push(picture.pending);
  picture.send({ name: "painted", value: picture.pending });
}

/** @param {Picture<Data>} picture */
function keys(picture, panel, scroll) {
  const [last, wide] = [picture.data.rows.length - 1, panel.wide];
  picture.cursor ??= [0, 0];
  const place = () => {
    const [i, j] = picture.cursor = [Math.min(picture.cursor[0], last), Math.min(picture.cursor[1], wide - 1)];
    panel.cursor.setAttribute("x", panel.names + j * panel.cell + 1);
    panel.cursor.setAttribute("y", panel.head + i * CELLS.height + 1);
    tellCell(picture, panel, i * wide + j);
  };
  scroll.onfocus = () => {
    if (!scroll.matches(":focus-visible")) return;
    panel.cursor.setAttribute("visibility", "visible");
    place();
  };
  scroll.onblur = () => panel.cursor.setAttribute("visibility", "hidden");
  scroll.onkeydown = (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!step && event.key !== " " && event.key !== "Enter")) return;
    event.preventDefault();
    event.stopPropagation();
    panel.cursor.setAttribute("visibility", "visible");
    if (step) {
      picture.cursor = [Math.min(Math.max(picture.cursor[0] + step[0], 0), last), Math.min(Math.max(picture.cursor[1] + step[1], 0), wide - 1)];
      place();
      return;
    }
    const at = picture.cursor[0] * wide + picture.cursor[1];
    turn(picture, panel, at, !seenAt(picture, panel.s, at));
    tellCell(picture, panel, at);
    clearTimeout(picture.painting);
    picture.painting = setTimeout(() => commit(picture, panel), 350);
  };
}

/** @param {Picture<Data>} picture */
function tellCell(picture, panel, at) {
  const side = picture.data.sides[panel.s];
  const [i, j] = [Math.floor(at / panel.wide), at % panel.wide];
  const score = formatNumber(valueOf(picture, panel.s, "scaled", at));
  const seen = seenAt(picture, panel.s, at);
  const weight = touched(picture, panel.s, i) ? "…" : formatNumber(valueOf(picture, panel.s, "weights", at));
  const what = seen ? `score ${score}, weight ${weight}` : `hidden: score ${score} becomes −∞, weight 0`;
  picture.readout.textContent = `${side.short}: ${i + 1} “${picture.data.rows[i]}” → ${j + 1} “${side.columns[j]}”: ${what}`;
}

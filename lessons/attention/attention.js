// The step table of attention: one stage a block, each number in a cell that can be opened. With one
// query, one row per key, so that a stage is a column; with all queries, every stage a matrix.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons, saveTable } from "../../ui/browser/saving.js";
import { scroller } from "../../ui/browser/scrollers.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, MatrixBlock, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["attention"]} Data */

const BOX = {
  height: 30,
  gap: 12,
  band: 10,
  head: 56,
  plain: 26,
  letter: 7.1,
  moving: 54,
  narrow: 46,
  wide: 52,
  bar: 44,
};
const LABEL = { least: 40, most: 118, letter: 7.4 };
const MATRIX_LABEL = 16;

/** @param {Component<Data>} component */
export default function attention({ data, parentElement, setTriggerValue }) {
  const { host } = parentElement;
  const room = Math.max(Math.floor((host.clientWidth || 900) / magnified() / 40) * 40, 280);
  const values = nowOf(data);
  const least = data.mode === "query" ? BOX.moving : data.tokens.length > 8 ? BOX.wide : BOX.narrow;
  const widths = data.blocks.map((block) => columnWidth(block, values, least));
  const outline = data.blocks.map(({ title, role, heads, top, rows, foot, bar }) => [
    title,
    role,
    heads,
    top.length,
    rows.length,
    foot.length,
    bar,
  ]);
  const shape = JSON.stringify([data.mode, data.tokens, outline, widths, room, isDark(parentElement)]);
  /** @type {[Picture<Data, any>, boolean]} */
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value) });
  if (fresh) build(picture, { room, widths }, colours(parentElement));
  choose(picture);
  picture.list.replaceChildren();
  picture.lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, picture.list));
  return follow(picture, data, (current) => paint(picture, current));
}

/** @param {Data} data */
function nowOf(data) {
  const index = new Map(data.names.map((name, i) => [name, i]));
  return (name) => data.now[index.get(name)];
}

/**
 * As wide as its longest number now; what moves has room for any.
 *
 * @param {MatrixBlock} block
 */
function columnWidth(block, values, least) {
  const cells = [...block.top, ...block.rows].flat();
  const longest = Math.max(...cells.map(([name]) => formatNumber(values(name)).length));
  return Math.max(block.moves ? least : 0, BOX.plain, Math.min(longest * BOX.letter + 8, BOX.moving));
}

// --- built once a shape ------------------------------------------------------------------------

/** @param {Picture<Data, any>} picture */
function build(picture, { room, widths }, colour) {
  picture.colour = colour;
  picture.cells = [];
  picture.subs = [];
  const bar = html("div", { class: "row" }, picture.element);
  const label = html("label", { class: "row" }, bar, "Query: ");
  picture.select = html("select", { "aria-label": "Query" }, label);
  picture.data.tokens.forEach((token, i) => html("option", { value: i + 1 }, picture.select, `${i + 1} ${token}`));
  picture.select.onchange = () => picture.send({ query: Number(picture.select.value) });
  const frame = html("div", { class: "cells table" }, picture.element);
  const layers =
    picture.data.mode === "query" ? buildColumns(picture, frame, widths) : buildMatrices(picture, frame, widths, room);
  picture.list = html("div", { class: "lines opened", "aria-live": "polite" }, picture.element);
  const save = html("div", { class: "row" }, picture.element);
  saveButtons(save, () => ["attention", layers]);
  saveTable(save, () => ["attention", ["stage", "row", "column", "value"], table(picture)]);
}

const sheet = (parent, width, height, colour) =>
  drawSvg(
    "svg",
    {
      width: magnified() * width,
      height: magnified() * height,
      viewBox: `0 0 ${width} ${height}`,
      "font-size": 13,
      fill: colour.ink,
    },
    parent,
  );

/** @param {Picture<Data, any>} picture */
function sheetThatScrolls(picture, frame, width, height) {
  const scroll = scroller("The matrix", frame);
  const svg = sheet(scroll, width, height, picture.colour);
  svg.setAttribute("role", "group");
  svg.onclick = (event) => press(picture, /** @type {Element} */ (event.target).closest("[data-i]"));
  svg.onkeydown = (event) => onKey(picture, event);
  picture.svg = svg;
  return svg;
}

/** @param {Picture<Data, any>} picture */
function press(picture, node) {
  if (!node) return;
  const opens = picture.cells[Number(node.dataset.i)].cell[1];
  if (!opens) return;
  picture.data = { ...picture.data, cell: opens };
  choose(picture);
  picture.send({ cell: opens });
}

const shorten = (text, most) => {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
};

/**
 * Columns of one query: labels that stay, and blocks side by side that scroll.
 *
 * @param {Picture<Data, any>} picture
 */
function buildColumns(picture, frame, widths) {
  const { data, colour } = picture;
  const longest = Math.max(...data.tokens.map((token) => [...token].length + 3));
  const side = Math.min(Math.max(longest * LABEL.letter, LABEL.least), LABEL.most);
  const across = data.blocks.map((block, b) => widths[b] * block.rows[0].length + (block.bar ? BOX.bar : 0));
  const width = across.reduce((sum, each) => sum + each + BOX.gap, 0);
  const first = BOX.head + BOX.height + BOX.band;
  const last = first + BOX.height * data.tokens.length + BOX.band;
  const names = sheet(frame, side + 6, last + BOX.height + 4, colour);
  names.setAttribute("aria-hidden", "true");
  const svg = sheetThatScrolls(picture, frame, width, last + BOX.height + 4);
  const room = Math.floor(side / LABEL.letter);
  const say = (y, text, attributes = {}) =>
    write(names, 0, y + BOX.height / 2, text, { "text-anchor": "start", ...attributes });
  picture.queryName = say(BOX.head, "", { fill: colour.query, "font-weight": 700 });
  picture.queryRoom = room;
  data.tokens.forEach((token, i) => {
    const text = say(first + BOX.height * i, shorten(`${i + 1} ${token}`, room), { fill: colour.key });
    drawSvg("title", {}, text, token);
  });
  say(last, "Σ", { "font-weight": 700 });
  let left = 4;
  data.blocks.forEach((block, b) => {
    const at = { x: left, width: widths[b] };
    title(picture, svg, block, at, across[b]);
    band(picture, svg, block, block.top, { ...at, y: BOX.head }, "top", b);
    band(picture, svg, block, block.rows, { ...at, y: first }, "rows", b);
    band(picture, svg, block, block.foot, { ...at, y: last }, "foot", b);
    left += across[b] + BOX.gap;
  });
  return [[names], [svg]];
}

/**
 * Every stage a matrix: blocks flow from left to right, a line as wide as there is room; what is
 * given stands in the first lines. The names of the rows begin each line.
 *
 * @param {Picture<Data, any>} picture
 */
function buildMatrices(picture, frame, widths, room) {
  const { data } = picture;
  const label = Math.min(Math.max(...data.tokens.map((token) => [...token].length)) + 3, MATRIX_LABEL) * 6.4;
  const across = data.blocks.map((block, b) => Math.max(widths[b] * block.rows[0].length, block.title.length * 7.5));
  const tall = BOX.head + BOX.height * data.tokens.length;
  const places = [];
  let [left, top, widest] = [label, 0, 0];
  data.blocks.forEach((block, b) => {
    const full = left > label && left + across[b] > room;
    if (full || block.key === "score") [left, top] = [label, top + tall + BOX.gap];
    places.push({ left, top, first: left === label });
    widest = Math.max(widest, left + across[b]);
    left += across[b] + BOX.gap;
  });
  const svg = sheetThatScrolls(picture, frame, widest + 4, top + tall + 4);
  picture.rowNames = [];
  data.blocks.forEach((block, b) => {
    const { left: x, top: y, first } = places[b];
    title(picture, svg, block, { x, width: widths[b], y }, widths[b] * block.rows[0].length);
    if (first) rowNames(picture, svg, label - 6, y + BOX.head);
    band(picture, svg, block, block.rows, { x, width: widths[b], y: y + BOX.head }, "rows", b);
  });
  return [[svg]];
}

/** @param {Picture<Data, any>} picture */
function rowNames(picture, svg, x, y) {
  picture.data.tokens.forEach((token, i) => {
    const said = shorten(`${i + 1} ${token}`, MATRIX_LABEL);
    const node = write(svg, x, y + BOX.height * (i + 0.5), said, { "text-anchor": "end", "font-size": 12 });
    drawSvg("title", {}, node, token);
    picture.rowNames.push([node, i + 1]);
  });
}

function write(svg, x, y, text, attributes = {}) {
  const node = drawSvg("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central", ...attributes }, svg);
  node.append(document.createTextNode(text));
  return node;
}

/**
 * "W^Q" with its Q raised.
 *
 * @param {Picture<Data, any>} picture
 * @param {any} svg
 * @param {MatrixBlock} block
 */
function title(picture, svg, block, { x, width, y = 0 }, across) {
  const { colour } = picture;
  const [before, raised] = block.title.split("^");
  const node = drawSvg(
    "text",
    { x, y: y + 14, fill: colour[block.role], "font-weight": 700, "font-size": 14 },
    svg,
    before,
  );
  if (raised) drawSvg("tspan", { dy: -5, "font-size": 10 }, node, raised);
  picture.subs.push(drawSvg("text", { x, y: y + 31, fill: colour.quiet, "font-size": 12 }, svg)); // one a block, in their order
  block.heads.forEach((head, c) =>
    write(svg, x + width * (c + 0.5), y + 46, head, { fill: colour.quiet, "font-size": 11 }),
  );
  drawSvg("path", { d: `M${x} ${y + BOX.head - 2}h${across}`, stroke: colour[block.role], "stroke-width": 2 }, svg);
}

/**
 * @param {Picture<Data, any>} picture
 * @param {any} svg
 * @param {MatrixBlock} block
 */
function band(picture, svg, block, rows, { x, y, width }, part, b) {
  const { colour } = picture;
  rows.forEach((row, r) =>
    row.forEach((cell, c) => {
      const i = picture.cells.length;
      const [left, top] = [x + width * c, y + BOX.height * r];
      const presses = Boolean(cell[1]);
      const group = drawSvg("g", presses ? { class: "step", role: "button", tabindex: -1, "data-i": i } : {}, svg);
      const box = drawSvg("rect", { x: left + 1, y: top + 1, width: width - 2, height: BOX.height - 2, rx: 3 }, group);
      const text = write(group, left + width / 2, top + BOX.height / 2 + 0.5, "");
      const bar =
        block.bar &&
        part === "rows" &&
        drawSvg(
          "rect",
          { x: left + width + 3, y: top + 6, width: 0, height: BOX.height - 12, fill: colour.activation },
          group,
        );
      if (bar)
        drawSvg(
          "rect",
          {
            x: left + width + 3,
            y: top + 6,
            width: BOX.bar - 4,
            height: BOX.height - 12,
            fill: "none",
            stroke: colour.quiet,
            "stroke-opacity": 0.5,
          },
          group,
        );
      picture.cells.push({
        b,
        part,
        r,
        c,
        group,
        box,
        text,
        bar,
        presses,
        centre: [left + width / 2, top + BOX.height / 2],
      });
    }),
  );
}

// --- what moves --------------------------------------------------------------------------------

/**
 * Which cell is open and which row is the query's; the names of the numbers are the data's.
 *
 * @param {Picture<Data, any>} picture
 */
function choose(picture) {
  const { data, colour } = picture;
  picture.select.value = data.query;
  if (picture.queryName)
    picture.queryName.textContent = shorten(`q${sub(data.query)} ${data.tokens[data.query - 1]}`, picture.queryRoom);
  picture.rowNames?.forEach(([node, i]) => {
    const here = i === data.query;
    node.setAttribute("font-weight", here ? 700 : 400);
    node.setAttribute("fill", here ? colour.query : colour.quiet);
  });
  let open = null;
  picture.cells.forEach((each) => {
    each.cell = data.blocks[each.b][each.part][each.r][each.c];
    const here = each.presses && each.cell[1] === data.cell;
    if (here) open = each;
    each.open = here;
    if (each.presses) {
      each.group.setAttribute("aria-pressed", here);
      each.group.setAttribute("tabindex", -1);
    }
  });
  (open ?? picture.cells.find((each) => each.presses)).group.setAttribute("tabindex", 0);
}

const sub = (number) => String(number).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);

/** @param {Picture<Data, any>} picture */
function paint(picture, values) {
  const { data, colour } = picture;
  picture.values = values;
  for (const each of picture.cells) {
    const block = data.blocks[each.b];
    const value = values(each.cell[0]);
    const text = formatNumber(value);
    if (each.text.textContent !== text) {
      each.text.textContent = text;
      each.text.setAttribute("font-size", text.length > 7 ? 10 : text.length > 5 ? 12 : 13);
      if (each.presses) each.group.setAttribute("aria-label", `${each.cell[1]}: ${text}`);
    }
    dye(each, block, value, data, colour);
    if (each.bar) each.bar.setAttribute("width", Math.max((BOX.bar - 4) * value, 0.5));
  }
  picture.subs.forEach((node, b) => (node.textContent = fill(data.blocks[b].sub, values)));
  picture.lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
  picture.svg.setAttribute("aria-label", fill(data.alt, values));
}

/**
 * What the mask hides has no colour but a dashed edge; the open cell has a thick one.
 *
 * @param {any} cell
 * @param {MatrixBlock} block
 * @param {number} value
 * @param {Data} data
 */
function dye({ box, text, cell, open, part }, block, value, data, colour) {
  const hidden = cell[2] === "hidden";
  const plain = hidden || (part === "foot" && block.kind === "probability") || !Number.isFinite(value);
  const [fills, inks] = block.kind === "probability" ? data.probability : data.signed;
  const share = block.kind === "probability" ? value : (value / block.reach + 1) / 2;
  const at = Math.round(Math.min(Math.max(share || 0, 0), 1) * (fills.length - 1));
  box.setAttribute("fill", plain ? colour.background : fills[at]);
  text.setAttribute("fill", plain ? (hidden ? colour.mask : colour.ink) : inks[at]);
  text.setAttribute("font-weight", open || part === "foot" ? 700 : 500);
  box.setAttribute("stroke", open ? colour.ink : plain ? colour.quiet : "none");
  box.setAttribute("stroke-width", open ? 3 : 1);
  box.setAttribute("stroke-dasharray", hidden && !open ? "4 3" : "none");
}

// --- the keyboard ------------------------------------------------------------------------------

const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/** @param {Picture<Data, any>} picture */
function onKey(picture, event) {
  const node = event.target.closest("[data-i]");
  if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = WAYS[event.key];
  if (!way && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  if (!way) return void press(picture, node);
  const next = nearestIn(picture, picture.cells[Number(node.dataset.i)], way);
  if (!next) return;
  node.setAttribute("tabindex", -1);
  next.group.setAttribute("tabindex", 0);
  next.group.focus();
}

/**
 * The next cell in that direction; one that lies straight ahead is nearer than one to the side.
 *
 * @param {Picture<Data, any>} picture
 */
function nearestIn(picture, from, [dx, dy]) {
  let best = null;
  let least = Infinity;
  for (const each of picture.cells) {
    if (!each.presses || each === from) continue;
    const [x, y] = [each.centre[0] - from.centre[0], each.centre[1] - from.centre[1]];
    const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    const far = ahead + 4 * aside;
    if (ahead > 1 && far < least) [best, least] = [each, far];
  }
  return best;
}

/** @param {Picture<Data, any>} picture */
const table = (picture) =>
  picture.cells.map(({ b, part, r, c, cell }) => [
    picture.data.blocks[b].key,
    part === "rows" ? r + 1 : part,
    c + 1,
    picture.values(cell[0]),
  ]);

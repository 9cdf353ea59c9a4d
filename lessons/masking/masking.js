// Two masks side by side: the scores with −∞ where nothing may be seen, and the weights that softmax
// makes of them. A painted cell turns at once; its numbers follow when the server has computed them.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, tellAtRest } from "../../ui/browser/told.js";

const CELLS = { height: 24, least: 15, most: 58, two: 30, one: 20, letter: 6.4, label: 84, apart: 18, turned: 28 };
const QUANTITIES = ["scaled", "weights"];

export default function masking({ data, parentElement, setTriggerValue }) {
  const kinds = data.sides.map((side) => [side.columns, side.hand, side.values, side.paints]);
  const held = (parentElement.activeElement ?? document.activeElement)?.getAttribute("role") === "group";
  const [root, fresh] = stage(parentElement, JSON.stringify([data.rows, kinds, isDark(parentElement)]));
  Object.assign(root, { tell: (value) => setTriggerValue("told", value), colour: colours(parentElement) });
  if (olderThanTheHand(root, data)) return () => {};
  root.data = data;
  root.local = null;
  root.spots = data.sides.map((side) => side.at);
  if (isNews(root, data.at)) root.at = data.at;
  if (fresh) build(root);
  lay(root, fresh);
  // A hand at the keys goes on painting where the grids had to be built anew.
  if (fresh && held) root.panels.find((panel) => panel.paints)?.scroll.focus({ preventScroll: true });
  return () => root.watch.disconnect();
}

// A mask that was painted over since is no news; the one painted last, or any other, is.
function olderThanTheHand(root, data) {
  const painted = data.sides.find((side) => side.paints)?.text;
  if (root.pending && painted !== root.pending && root.sent.includes(painted)) return true;
  root.pending = null;
  root.sent = [painted];
  return false;
}

function build(root) {
  const sliders = html("div", { class: "beside-sliders" }, root);
  root.query = slider(sliders, "Query, who looks", root.data.rows.length, (index) => go(root, index, true), (index) => go(root, index));
  root.hands = root.data.sides.map((side, s) => {
    if (side.values.length < 2) return null;
    const move = (index) => {
      root.spots[s] = index;
      show(root);
    };
    return slider(sliders, side.hand.label, side.values.length, move, (index) => root.tell({ name: side.hand.name, value: side.values[index] }));
  });
  root.masks = html("div", { class: "masks" }, root);
  root.readout = html("div", { class: "readout", "aria-live": "polite" }, root, root.data.hint);
  root.looks = root.data.sides.map(() => html("div", { class: "looks" }, root));
  saveButtons(root, () => [root.data.name, root.panels.map((panel) => [panel.svg])]);
  root.watch = new ResizeObserver(() => lay(root));
  root.watch.observe(root);
}

function slider(parent, label, count, moved, settled) {
  const line = html("label", { class: "scrub" }, parent, `${label} `);
  const range = html("input", { type: "range", min: 0, max: count - 1, "aria-label": label }, line);
  const output = html("output", {}, line);
  range.oninput = () => moved(Number(range.value));
  range.onchange = () => settled(Number(range.value));
  return { range, output };
}

function go(root, at, held = false) {
  root.at = at;
  show(root);
  tellAtRest(root, at, { value: { name: "query", value: at + 1 }, held });
}

// --- the grids ---------------------------------------------------------------------------------

// As many columns of grids, and cells as wide, as there is room for.
function lay(root, anew = false) {
  const width = root.clientWidth / magnified() || 640;
  const columns = width >= 520 ? 2 : 1;
  const names = Math.min(CELLS.label, 22 + CELLS.letter * Math.max(...root.data.rows.map((row) => [...row].length)));
  const room = (width - (columns - 1) * CELLS.apart) / columns - names - CELLS.turned;
  const cell = Math.floor(Math.min(Math.max(room / Math.max(...root.data.sides.map((side) => side.columns.length)), CELLS.least), CELLS.most));
  const key = JSON.stringify([columns, cell, names, magnified()]);
  if (anew || root.laid !== key) draw(root, columns, cell, names);
  root.laid = key;
  show(root);
}

function draw(root, columns, cell, names) {
  root.masks.replaceChildren();
  root.masks.style.gridTemplateColumns = `repeat(${columns}, max-content)`;
  root.panels = QUANTITIES.flatMap((quantity) => root.data.sides.map((_, s) => panelOf(root, quantity, s, cell, names)));
}

function panelOf(root, quantity, s, cell, names) {
  const { data, colour } = root;
  const side = data.sides[s];
  const [rows, wide] = [data.rows.length, side.columns.length];
  const paints = side.paints && quantity === "scaled";
  const box = html("div", { class: "mask" }, root.masks);
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
  listen(root, panel, scroll);
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

// The number of a cell of a side, at the place where the hand holds that side's slider.
function valueOf(root, s, name, at) {
  const side = root.data.sides[s];
  return side[name][root.spots[s] * root.data.rows.length * side.columns.length + at];
}
const seenAt = (root, s, at) => (root.local && root.data.sides[s].paints ? root.local[at] : valueOf(root, s, "mask", at)) > 0;
const touched = (root, s, i) => {
  const wide = root.data.sides[s].columns.length;
  if (!root.local || !root.data.sides[s].paints) return false;
  return root.data.sides[s].columns.some((_, j) => (root.local[i * wide + j] > 0) !== (valueOf(root, s, "mask", i * wide + j) > 0));
};

function show(root) {
  const { data } = root;
  const name = (index, names) => `${index + 1} of ${names.length}: ${shortened(names[index], 14)}`;
  root.query.range.value = root.at;
  root.query.output.textContent = name(root.at, data.rows);
  root.hands.forEach((hand, s) => {
    if (!hand) return;
    hand.range.value = root.spots[s];
    hand.output.textContent = String(data.sides[s].values[root.spots[s]]);
  });
  for (const panel of root.panels) paintPanel(root, panel);
  root.looks.forEach((node, s) => looksOf(root, node, s));
}

function paintPanel(root, panel) {
  const { data, colour } = root;
  const stale = data.rows.map((_, i) => touched(root, panel.s, i));
  panel.title.textContent = data.sides[panel.s].titles[panel.quantity];
  panel.svg.setAttribute("aria-label", data.sides[panel.s].alts[panel.quantity]);
  panel.cells.forEach((cell, at) => {
    const value = valueOf(root, panel.s, panel.quantity, at);
    const seen = seenAt(root, panel.s, at);
    const [fill, ink] = seen ? shade(data, panel.quantity, value) : [colour.mask, colour.ink];
    cell.box.setAttribute("fill", seen ? fill : colour.mask);
    cell.box.setAttribute("fill-opacity", seen ? 1 : 0.14);
    cell.text.setAttribute("fill", ink);
    cell.text.textContent = seen ? written(value, panel.cell) : hiddenText(panel);
    const old = stale[Math.floor(at / panel.wide)] && panel.quantity === "weights";
    cell.group.setAttribute("opacity", old ? 0.35 : 1);
    cell.group.style.cursor = panel.paints ? "cell" : "pointer";
  });
  panel.frame.setAttribute("y", panel.head + root.at * CELLS.height);
  panel.labels.forEach((label, i) => label.setAttribute("font-weight", i === root.at ? 700 : 400));
}

const hiddenText = (panel) => (panel.quantity === "weights" ? "0" : panel.cell >= 17 ? "−∞" : "∞");
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

// What the query may look at, word by word, with the weight of each.
function looksOf(root, node, s) {
  const side = root.data.sides[s];
  node.replaceChildren();
  html("span", { class: "looks-title" }, node, `${side.short}: “${shortened(root.data.rows[root.at], 14)}” sees`);
  const stale = touched(root, s, root.at);
  side.columns.forEach((column, j) => {
    const at = root.at * side.columns.length + j;
    const seen = seenAt(root, s, at);
    const chip = html("span", { class: `look ${seen ? "open" : "shut"}` }, node);
    html("span", { class: "word" }, chip, shortened(column, 14));
    const weight = valueOf(root, s, "weights", at);
    if (seen && !stale) html("span", { class: "bar", style: `width: ${Math.round(100 * weight)}%` }, html("span", { class: "whole" }, chip));
    else html("span", { class: "whole" }, chip).style.visibility = "hidden";
    html("span", { class: "number" }, chip, !seen ? "hidden" : stale ? "…" : formatNumber(weight));
  });
}

// --- the hand ----------------------------------------------------------------------------------

function listen(root, panel, scroll) {
  const { svg, paints } = panel;
  const at = (event) => {
    const under = svg.getRootNode().elementFromPoint(event.clientX, event.clientY);
    const group = under?.closest?.("[data-at]");
    return group && svg.contains(group) ? Number(group.dataset.at) : null;
  };
  svg.onpointermove = (event) => {
    const here = at(event);
    if (here === null) return;
    tellCell(root, panel, here);
    if (root.brush !== undefined && root.brush !== null && paints) turn(root, panel, here, root.brush);
  };
  svg.onclick = (event) => {
    const here = at(event);
    if (here === null) return;
    if (!paints) go(root, Math.floor(here / panel.wide));
    else if (event.pointerType === "touch") {
      turn(root, panel, here, !seenAt(root, panel.s, here));
      commit(root, panel);
    }
  };
  if (!paints) return;
  svg.onpointerdown = (event) => {
    const here = at(event);
    if (here === null || event.pointerType === "touch" || event.button !== 0) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
    root.brush = !seenAt(root, panel.s, here);
    turn(root, panel, here, root.brush);
  };
  svg.onpointerup = svg.onpointercancel = () => {
    if (root.brush === undefined || root.brush === null) return;
    root.brush = null;
    commit(root, panel);
  };
  keys(root, panel, scroll);
}

function turn(root, panel, at, open) {
  const side = root.data.sides[panel.s];
  root.local ??= Array.from({ length: root.data.rows.length * side.columns.length }, (_, each) => valueOf(root, panel.s, "mask", each));
  if (root.local[at] > 0 === open) return;
  root.local[at] = open ? 1 : 0;
  show(root);
}

function commit(root, panel) {
  if (!root.local) return;
  const rows = root.data.rows.map((_, i) => root.local.slice(i * panel.wide, (i + 1) * panel.wide).map((each) => (each > 0 ? 1 : 0)).join(""));
  root.pending = rows.join(".");
  root.sent.push(root.pending);
  root.tell({ name: "painted", value: root.pending });
}

function keys(root, panel, scroll) {
  const [last, wide] = [root.data.rows.length - 1, panel.wide];
  root.cursor ??= [0, 0];
  const place = () => {
    const [i, j] = root.cursor = [Math.min(root.cursor[0], last), Math.min(root.cursor[1], wide - 1)];
    panel.cursor.setAttribute("x", panel.names + j * panel.cell + 1);
    panel.cursor.setAttribute("y", panel.head + i * CELLS.height + 1);
    tellCell(root, panel, i * wide + j);
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
      root.cursor = [Math.min(Math.max(root.cursor[0] + step[0], 0), last), Math.min(Math.max(root.cursor[1] + step[1], 0), wide - 1)];
      place();
      return;
    }
    const at = root.cursor[0] * wide + root.cursor[1];
    turn(root, panel, at, !seenAt(root, panel.s, at));
    tellCell(root, panel, at);
    clearTimeout(root.painting);
    root.painting = setTimeout(() => commit(root, panel), 350);
  };
}

function tellCell(root, panel, at) {
  const side = root.data.sides[panel.s];
  const [i, j] = [Math.floor(at / panel.wide), at % panel.wide];
  const score = formatNumber(valueOf(root, panel.s, "scaled", at));
  const seen = seenAt(root, panel.s, at);
  const weight = touched(root, panel.s, i) ? "…" : formatNumber(valueOf(root, panel.s, "weights", at));
  const what = seen ? `score ${score}, weight ${weight}` : `hidden: score ${score} becomes −∞, weight 0`;
  root.readout.textContent = `${side.short}: ${i + 1} “${root.data.rows[i]}” → ${j + 1} “${side.columns[j]}”: ${what}`;
}

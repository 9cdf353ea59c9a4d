// What the picture is made of, and what the hand and the keys do to it.

import { html, magnified } from "../../ui/browser/dom.js";
import { hand } from "../../ui/browser/saving.js";
import { font, sharpness, useFontOf } from "./heads_canvas.js";
import { change, drawMarks, say } from "./heads_draw.js";
import { underGrid } from "./heads_grid.js";
import { MAP, underLines, underMap } from "./heads_map.js";

export function build(root) {
  useFontOf(root);
  controls(root);
  const frame = html("div", { class: "heads" }, root);
  root.left = html("div", { class: "heads-left" }, frame);
  html("div", { class: "heading" }, root.left, `${root.data.layers} layers of ${root.data.heads} heads, counted from 0. Press one to open it.`);
  root.gridBox = box(root.left, "", `${root.data.alt} Arrow keys open another head.`);
  [root.grid, root.gridMarks] = layers(root.gridBox);
  legend(root);
  const right = html("div", { class: "heads-right" }, frame);
  root.heading = html("div", { class: "heads-title" }, right);
  root.readout = html("div", { class: "heads-readout" }, right);
  root.aloud = html("div", { class: "unseen", "aria-live": "polite" }, right);
  root.pair = html("div", { class: "heads-pair" }, right);
  openHead(root, root.pair);
  root.keys ??= root.addEventListener("keydown", (event) => onKey(root, event)) ?? true;
  listen(root);
}

const SIDES = { all: "all", AA: "A → A", AB: "A → B", BA: "B → A", BB: "B → B" };

const box = (parent, kind, label) =>
  html("div", { class: `heads-box ${kind}`, tabindex: 0, role: "group", "aria-label": label }, parent);

// A canvas for what is drawn once, and one above it for what follows the hand.
function layers(parent) {
  const inner = html("div", { class: "heads-layers" }, parent);
  return [0, 1].map(() => html("canvas", { "aria-hidden": "true" }, inner));
}

function openHead(root, pair) {
  root.mapBox = box(pair, "heads-map", "The open head: a row looks, a column is looked at. Arrow keys move from cell to cell.");
  root.corner = html("div", { class: "heads-corner", "aria-hidden": "true" }, root.mapBox);
  html("span", { class: "key" }, root.corner, "at whom");
  html("span", { class: "query" }, root.corner, "looks");
  root.columnLabels = html("canvas", { class: "heads-columns", "aria-hidden": "true" }, root.mapBox);
  root.rowLabels = html("canvas", { class: "heads-rows", "aria-hidden": "true" }, root.mapBox);
  const inner = html("div", { class: "heads-layers" }, root.mapBox);
  root.map = html("canvas", { "aria-hidden": "true" }, inner);
  [root.rowMark, root.columnMark] = ["query", "key"].map((role) => html("div", { class: `heads-mark ${role}` }, inner));
  root.inner = inner;
  root.linesBox = box(pair, "heads-lines", `The open head as lines, the thicker the larger the weight; those fainter than ${MAP.faintest} are left out`);
  root.linesBox.title = `Lines fainter than ${MAP.faintest} are left out`;
  root.lines = html("canvas", { "aria-hidden": "true" }, root.linesBox);
  const along = (from, to) => from.addEventListener("scroll", () => (to.scrollTop = from.scrollTop));
  along(root.mapBox, root.linesBox);
  along(root.linesBox, root.mapBox);
}

function controls(root) {
  const bar = html("div", { class: "row heads-bar" }, root);
  const tick = (text, name) => {
    const label = html("label", { class: "heads-tick" }, bar);
    const input = html("input", { type: "checkbox" }, label);
    html("span", {}, label, text);
    input.onchange = () => change(root, { [name]: input.checked });
    return input;
  };
  root.special = root.data.special.some(Boolean) ? tick("Hide special tokens", "special") : null;
  root.faint = tick("Bring out faint weights", "faint");
  const slide = html("label", { class: "heads-tick" }, bar, "Hide weights under");
  root.threshold = html("input", { type: "range", min: 0, max: 0.95, step: 0.01, "aria-label": "Hide weights under" }, slide);
  root.under = html("output", {}, slide);
  root.threshold.oninput = () => change(root, { threshold: Number(root.threshold.value) });
  if (root.data.pair) sides(root, bar);
  const save = html("button", { type: "button", title: "Save the picture as PNG" }, bar, "PNG");
  save.onclick = () => savePicture(root);
}

function sides(root, bar) {
  const label = html("label", { class: "heads-tick" }, bar, "Sentences");
  root.between = html("select", { "aria-label": "Who looks at whom" }, label);
  for (const [value, text] of Object.entries(SIDES)) html("option", { value }, root.between, text);
  root.between.onchange = () => change(root, { between: root.between.value });
}

function legend(root) {
  const row = html("div", { class: "row heads-legend" }, root.left);
  html("span", {}, row, "weight α");
  root.bar = html("canvas", { "aria-hidden": "true" }, row);
  const marks = html("span", {}, row);
  html("span", { class: "query" }, marks, "▪ who looks");
  html("span", { class: "key" }, marks, " ▪ at whom");
}

// --- the hand --------------------------------------------------------------------------------------------

function listen(root) {
  const spot = (event, canvas) => {
    const frame = canvas.getBoundingClientRect();
    return [(event.clientX - frame.left) / magnified(), (event.clientY - frame.top) / magnified()];
  };
  const over = (canvas, under, press) => {
    canvas.onpointermove = (event) => aim(root, under(root, ...spot(event, canvas)));
    canvas.onpointerleave = () => aim(root, null);
    canvas.onclick = (event) => {
      const found = under(root, ...spot(event, canvas));
      if (found) press(found);
    };
  };
  over(root.gridMarks, underGrid, ({ layer, head }) => open(root, layer, head));
  const keep = (found) => change(root, toggled(root, found));
  over(root.inner, underMap, keep);
  over(root.lines, underLines, keep);
  over(root.rowLabels, (_, x, y) => {
    const query = root.view.rows[Math.floor(y / root.cell)];
    return query === undefined ? null : { query };
  }, keep);
  over(root.columnLabels, (_, x) => {
    const key = root.view.columns[Math.floor(x / root.cell)];
    return key === undefined ? null : { key };
  }, keep);
}

// A second press on what is followed already lets go of it.
function toggled({ at }, found) {
  const same = Object.entries(found).every(([name, place]) => at[name] === place);
  return Object.fromEntries(Object.entries(found).map(([name, place]) => [name, same ? -1 : place]));
}

function open(root, layer, head) {
  root.point = null;
  change(root, { layer, head });
}

// The number is said at once; what else follows the hand is drawn with the next frame.
function aim(root, point) {
  const key = (each) => (each ? [each.layer, each.head, each.query, each.key].join() : "");
  if (key(point) === key(root.point)) return;
  root.point = point;
  say(root);
  root.frame ??= requestAnimationFrame(() => {
    root.frame = null;
    drawMarks(root);
  });
}

// --- the keys --------------------------------------------------------------------------------------------

const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

function onKey(root, event) {
  const move = MOVES[event.key];
  const focused = root.getRootNode().activeElement;
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  if (focused !== root.gridBox && focused !== root.mapBox) return;
  event.preventDefault();
  event.stopPropagation();
  root.point = null;
  const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
  if (focused === root.gridBox) {
    open(root, within(root.at.layer + move[0], root.data.layers), within(root.at.head + move[1], root.data.heads));
    root.aloud.textContent = `${root.heading.textContent}. ${root.readout.textContent}`;
    return;
  }
  const { rows, columns } = root.view;
  const next = (places, place, by) => places[within(Math.max(places.indexOf(place), 0) + by, places.length)];
  change(root, { query: next(rows, root.at.query, move[0]), key: next(columns, root.at.key, move[1]) });
  bringIntoView(root);
  say(root, true);
}

function bringIntoView(root) {
  const { mapBox, view, cell, at, label: margin } = root;
  const step = magnified() * cell;
  const place = { top: view.rows.indexOf(at.query) * step, left: view.columns.indexOf(at.key) * step };
  const [tall, wide] = [mapBox.clientHeight - magnified() * margin, mapBox.clientWidth - magnified() * margin];
  if (place.top < mapBox.scrollTop || place.top + step > mapBox.scrollTop + tall) mapBox.scrollTop = place.top - tall / 2;
  if (place.left < mapBox.scrollLeft || place.left + step > mapBox.scrollLeft + wide) mapBox.scrollLeft = place.left - wide / 2;
}

// --- saving ----------------------------------------------------------------------------------------------

// The grid, the map with its tokens, and the lines, side by side, whole even where the page scrolls.
// A followed token is told by its label.
function savePicture(root) {
  const gap = 24 * sharpness();
  const map = [root.rowLabels.width + root.columnLabels.width, root.columnLabels.height + root.rowLabels.height];
  const picture = document.createElement("canvas");
  picture.width = root.grid.width + map[0] + root.lines.width + 4 * gap;
  picture.height = Math.max(root.grid.height, map[1], root.lines.height) + 3 * gap;
  const pen = picture.getContext("2d");
  pen.fillStyle = root.colour.background;
  pen.fillRect(0, 0, picture.width, picture.height);
  const put = (canvases, x, y) => canvases.forEach((canvas) => pen.drawImage(canvas, x, y));
  put([root.grid, root.gridMarks], gap, 2 * gap);
  const left = root.grid.width + 2 * gap;
  put([root.columnLabels], left + root.rowLabels.width, 2 * gap);
  put([root.rowLabels], left, 2 * gap + root.columnLabels.height);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(root.map, left + root.rowLabels.width, 2 * gap + root.columnLabels.height, root.columnLabels.width, root.rowLabels.height);
  put([root.lines], left + map[0] + gap, 2 * gap);
  pen.fillStyle = root.colour.ink;
  pen.font = font(15 * sharpness(), 600);
  pen.fillText(`${root.heading.textContent} of ${root.data.model}`, gap, 1.2 * gap);
  picture.toBlob((blob) => hand(blob, `heads-${root.at.layer}-${root.at.head}.png`), "image/png");
}

// What the picture is made of, and what the hand and the keys do to it.

import { focusIn, html, magnified } from "../../ui/browser/dom.js";
import { hand } from "../../ui/browser/saving.js";
import { font, sharpness, useFontOf } from "./heads_canvas.js";
import { change, drawMarks, say } from "./heads_draw.js";
import { underGrid } from "./heads_grid.js";
import { MAP, underLines, underMap } from "./heads_map.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

/** @param {Picture<Data>} picture */
export function build(picture) {
  useFontOf(picture.element);
  controls(picture);
  const frame = html("div", { class: "heads" }, picture.element);
  picture.left = html("div", { class: "heads-left" }, frame);
  html("div", { class: "heading" }, picture.left, `${picture.data.layers} layers of ${picture.data.heads} heads, counted from 0. Press one to open it.`);
  picture.gridBox = box(picture.left, "", `${picture.data.alt} Arrow keys open another head.`);
  [picture.grid, picture.gridMarks] = layers(picture.gridBox);
  legend(picture);
  const right = html("div", { class: "heads-right" }, frame);
  picture.heading = html("div", { class: "heads-title" }, right);
  picture.readout = html("div", { class: "heads-readout" }, right);
  picture.aloud = html("div", { class: "unseen", "aria-live": "polite" }, right);
  picture.pair = html("div", { class: "heads-pair" }, right);
  openHead(picture, picture.pair);
  picture.keys ??= picture.element.addEventListener("keydown", (event) => onKey(picture, event)) ?? true;
  listen(picture);
}

const SIDES = { all: "all", AA: "A → A", AB: "A → B", BA: "B → A", BB: "B → B" };

const box = (parent, kind, label) =>
  html("div", { class: `heads-box ${kind}`, tabindex: 0, role: "group", "aria-label": label }, parent);

// A canvas for what is drawn once, and one above it for what follows the hand.
function layers(parent) {
  const inner = html("div", { class: "heads-layers" }, parent);
  return [0, 1].map(() => html("canvas", { "aria-hidden": "true" }, inner));
}

/** @param {Picture<Data>} picture */
function openHead(picture, pair) {
  picture.mapBox = box(pair, "heads-map", "The open head: one row per looking token, one column per token looked at. Arrow keys move from cell to cell.");
  picture.corner = html("div", { class: "heads-corner", "aria-hidden": "true" }, picture.mapBox);
  html("span", { class: "key" }, picture.corner, "looked at");
  html("span", { class: "query" }, picture.corner, "looking");
  picture.columnLabels = html("canvas", { class: "heads-columns", "aria-hidden": "true" }, picture.mapBox);
  picture.rowLabels = html("canvas", { class: "heads-rows", "aria-hidden": "true" }, picture.mapBox);
  const inner = html("div", { class: "heads-layers" }, picture.mapBox);
  picture.map = html("canvas", { "aria-hidden": "true" }, inner);
  [picture.rowMark, picture.columnMark] = ["query", "key"].map((role) => html("div", { class: `heads-mark ${role}` }, inner));
  picture.inner = inner;
  picture.linesBox = box(pair, "heads-lines", `The open head as lines, thicker for larger weights; those fainter than ${MAP.faintest} are left out`);
  picture.linesBox.title = `Lines fainter than ${MAP.faintest} are left out`;
  picture.lines = html("canvas", { "aria-hidden": "true" }, picture.linesBox);
  const along = (from, to) => from.addEventListener("scroll", () => (to.scrollTop = from.scrollTop));
  along(picture.mapBox, picture.linesBox);
  along(picture.linesBox, picture.mapBox);
}

/** @param {Picture<Data>} picture */
function controls(picture) {
  const bar = html("div", { class: "row heads-bar" }, picture.element);
  const tick = (text, name) => {
    const label = html("label", { class: "heads-tick" }, bar);
    const input = html("input", { type: "checkbox" }, label);
    html("span", {}, label, text);
    input.onchange = () => change(picture, { [name]: input.checked });
    return input;
  };
  picture.special = picture.data.special.some(Boolean) ? tick("Hide special tokens", "special") : null;
  picture.faint = tick("Emphasise faint weights", "faint");
  const slide = html("label", { class: "heads-tick" }, bar, "Hide weights under");
  picture.threshold = html("input", { type: "range", min: 0, max: 0.95, step: 0.01, "aria-label": "Hide weights under" }, slide);
  picture.under = html("output", {}, slide);
  picture.threshold.oninput = () => change(picture, { threshold: Number(picture.threshold.value) });
  if (picture.data.pair) sides(picture, bar);
  const save = html("button", { type: "button", title: "Save the picture as PNG" }, bar, "PNG");
  save.onclick = () => savePicture(picture);
}

/** @param {Picture<Data>} picture */
function sides(picture, bar) {
  const label = html("label", { class: "heads-tick" }, bar, "Sentences");
  picture.between = html("select", { "aria-label": "Which sentence looks at which" }, label);
  for (const [value, text] of Object.entries(SIDES)) html("option", { value }, picture.between, text);
  picture.between.onchange = () => change(picture, { between: picture.between.value });
}

/** @param {Picture<Data>} picture */
function legend(picture) {
  const row = html("div", { class: "row heads-legend" }, picture.left);
  html("span", {}, row, "weight α");
  picture.bar = html("canvas", { "aria-hidden": "true" }, row);
  const marks = html("span", {}, row);
  html("span", { class: "query" }, marks, "▪ looking");
  html("span", { class: "key" }, marks, " ▪ looked at");
}

// --- the hand --------------------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function listen(picture) {
  const spot = (event, canvas) => {
    const frame = canvas.getBoundingClientRect();
    return [(event.clientX - frame.left) / magnified(), (event.clientY - frame.top) / magnified()];
  };
  const over = (canvas, under, press) => {
    canvas.onpointermove = (event) => aim(picture, under(picture, ...spot(event, canvas)));
    canvas.onpointerleave = () => aim(picture, null);
    canvas.onclick = (event) => {
      const found = under(picture, ...spot(event, canvas));
      if (found) press(found);
    };
  };
  over(picture.gridMarks, underGrid, ({ layer, head }) => open(picture, layer, head));
  const keep = (found) => change(picture, toggled(picture, found));
  over(picture.inner, underMap, keep);
  over(picture.lines, underLines, keep);
  over(picture.rowLabels, (_, x, y) => {
    const query = picture.view.rows[Math.floor(y / picture.cell)];
    return query === undefined ? null : { query };
  }, keep);
  over(picture.columnLabels, (_, x) => {
    const key = picture.view.columns[Math.floor(x / picture.cell)];
    return key === undefined ? null : { key };
  }, keep);
}

/**
 * A second press on what is followed already lets go of it.
 *
 * @param {Picture<Data>} picture
 */
function toggled({ at }, found) {
  const same = Object.entries(found).every(([name, place]) => at[name] === place);
  return Object.fromEntries(Object.entries(found).map(([name, place]) => [name, same ? -1 : place]));
}

/** @param {Picture<Data>} picture */
function open(picture, layer, head) {
  picture.point = null;
  change(picture, { layer, head });
}

/**
 * The number is said at once; what else follows the hand is drawn with the next frame.
 *
 * @param {Picture<Data>} picture
 */
function aim(picture, point) {
  const key = (each) => (each ? [each.layer, each.head, each.query, each.key].join() : "");
  if (key(point) === key(picture.point)) return;
  picture.point = point;
  say(picture);
  picture.frame ??= requestAnimationFrame(() => {
    picture.frame = null;
    drawMarks(picture);
  });
}

// --- the keys --------------------------------------------------------------------------------------------

const MOVES = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

/** @param {Picture<Data>} picture */
function onKey(picture, event) {
  const move = MOVES[event.key];
  const focused = focusIn(picture.element);
  if (!move || event.ctrlKey || event.metaKey || event.altKey) return;
  if (focused !== picture.gridBox && focused !== picture.mapBox) return;
  event.preventDefault();
  event.stopPropagation();
  picture.point = null;
  const within = (value, count) => Math.min(Math.max(value, 0), count - 1);
  if (focused === picture.gridBox) {
    open(picture, within(picture.at.layer + move[0], picture.data.layers), within(picture.at.head + move[1], picture.data.heads));
    picture.aloud.textContent = `${picture.heading.textContent}. ${picture.readout.textContent}`;
    return;
  }
  const { rows, columns } = picture.view;
  const next = (places, place, by) => places[within(Math.max(places.indexOf(place), 0) + by, places.length)];
  change(picture, { query: next(rows, picture.at.query, move[0]), key: next(columns, picture.at.key, move[1]) });
  bringIntoView(picture);
  say(picture, true);
}

/** @param {Picture<Data>} picture */
function bringIntoView(picture) {
  const { mapBox, view, cell, at, label: margin } = picture;
  const step = magnified() * cell;
  const place = { top: view.rows.indexOf(at.query) * step, left: view.columns.indexOf(at.key) * step };
  const [tall, wide] = [mapBox.clientHeight - magnified() * margin, mapBox.clientWidth - magnified() * margin];
  if (place.top < mapBox.scrollTop || place.top + step > mapBox.scrollTop + tall) mapBox.scrollTop = place.top - tall / 2;
  if (place.left < mapBox.scrollLeft || place.left + step > mapBox.scrollLeft + wide) mapBox.scrollLeft = place.left - wide / 2;
}

// --- saving ----------------------------------------------------------------------------------------------

/**
 * The grid, the map with its tokens, and the lines, side by side, whole even where the page scrolls.
 * A followed token is named by its label.
 *
 * @param {Picture<Data>} picture
 */
function savePicture(picture) {
  const gap = 24 * sharpness();
  const map = [picture.rowLabels.width + picture.columnLabels.width, picture.columnLabels.height + picture.rowLabels.height];
  const sheet = document.createElement("canvas");
  sheet.width = picture.grid.width + map[0] + picture.lines.width + 4 * gap;
  sheet.height = Math.max(picture.grid.height, map[1], picture.lines.height) + 3 * gap;
  const pen = sheet.getContext("2d");
  pen.fillStyle = picture.colour.background;
  pen.fillRect(0, 0, sheet.width, sheet.height);
  const put = (canvases, x, y) => canvases.forEach((canvas) => pen.drawImage(canvas, x, y));
  put([picture.grid, picture.gridMarks], gap, 2 * gap);
  const left = picture.grid.width + 2 * gap;
  put([picture.columnLabels], left + picture.rowLabels.width, 2 * gap);
  put([picture.rowLabels], left, 2 * gap + picture.columnLabels.height);
  pen.imageSmoothingEnabled = false;
  pen.drawImage(picture.map, left + picture.rowLabels.width, 2 * gap + picture.columnLabels.height, picture.columnLabels.width, picture.rowLabels.height);
  put([picture.lines], left + map[0] + gap, 2 * gap);
  pen.fillStyle = picture.colour.ink;
  pen.font = font(15 * sharpness(), 600);
  pen.fillText(`${picture.heading.textContent} of ${picture.data.model}`, gap, 1.2 * gap);
  sheet.toBlob((blob) => hand(blob, `heads-${picture.at.layer}-${picture.at.head}.png`), "image/png");
}

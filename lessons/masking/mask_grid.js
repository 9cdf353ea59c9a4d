// A grid of words × words: scores or weights, hatched where the mask cuts.

import { textWidth } from "../../drawing/pen.js";
import { headLevels, twoDigits } from "./mask_places.js";
import { choose, queryOf } from "./mask_scene.js";
import { keyboard, seenNow, stroke } from "./painting.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { MaskPanel } from "../../drawing/types.js" */
/** @import { GridBox, Places } from "./mask_places.js" */
/** @import { MaskScene } from "./mask_scene.js" */

/** @typedef {{ panel: MaskPanel, box: GridBox, weights: boolean }} Grid weights: whether it shows those, not scores */
/** @typedef {ReturnType<typeof cellOf>} Cell */

const PAINT = "Mask to paint: arrow keys move, the space bar shows or hides";

/**
 * @param {Pen} pen
 * @param {MaskScene} scene
 * @param {Places} at
 * @param {MaskPanel} panel
 * @param {number} n its place among the grids
 */
export function drawGrid(pen, scene, at, panel, n) {
  const { data, colour } = scene;
  const grid = { panel, box: at.grids[n], weights: panel.number !== "s" };
  const { left, cell } = grid.box;
  const [rows, columns] = [data.queries.length, panel.keys.length];
  const fill = grid.weights ? colour.activation : colour.score;
  pen.text(left, at.title, panel.title, { size: 15, bold: true, fill, room: columns * cell + at.over });
  drawKeys(pen, scene, at, grid);
  const how = panel.paints
    ? { role: "group", tabindex: 0, "aria-label": PAINT, class: "paint", "data-arrows": "" }
    : {};
  const cells = pen.group({ key: "cells", ...how }, (its) => {
    data.queries.forEach((_, i) => panel.keys.forEach((_, j) => drawCell(its, scene, at, grid, i, j)));
    drawCursor(its, scene, at, grid);
  });
  if (panel.paints) {
    const place = { left, top: at.top, cell, row: at.row, rows, columns };
    stroke(cells, scene, place);
    keyboard(cells, scene, place);
  } else
    cells.onclick = (event) => {
      const i = rowUnder(event, cells, at, rows);
      if (i !== null) choose(scene, i);
    };
}

/**
 * @param {MouseEvent} event
 * @param {SVGElement} node
 * @param {Places} at
 * @param {number} count of the rows
 */
function rowUnder(event, node, at, count) {
  const svg = /** @type {SVGSVGElement} */ (node.ownerSVGElement);
  const box = svg.getBoundingClientRect();
  const y = ((event.clientY - box.top) * svg.viewBox.baseVal.height) / box.height;
  const i = Math.floor((y - at.top) / at.row);
  return i >= 0 && i < count ? i : null;
}

/**
 * The words of the keys, above the columns; on two levels if they are too wide for one.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {Grid} grid
 */
function drawKeys(pen, scene, at, { panel, box }) {
  const { data, colour } = scene;
  const size = at.size > 14 ? 14 : 13;
  const widths = panel.keys.map((key) => textWidth(key, size));
  const levels = headLevels(widths, box.cell);
  panel.keys.forEach((key, j) => {
    const x = box.left + (j + 0.5) * box.cell;
    const up = levels > 1 && j % 2 === 0;
    const y = at.top - 7 - (up ? 17 : 0);
    const watched = data.watched[queryOf(scene)]?.[j] > 0 && data.panels[1].keys === panel.keys;
    const fill = watched ? colour.gradient : colour.key;
    pen.text(x, y, key, { size, fill, anchor: "middle", room: levels * box.cell - 6 });
    const tick = { key: `tick${j}`, stroke: colour.line, width: 1 };
    if (up && widths[j] > box.cell) pen.line(x, y + 4, x, at.top - 3, tick);
  });
}

/**
 * The data of a cell: the name of its number, whether it is open, and how it looks.
 *
 * @param {MaskScene} scene @param {Grid} grid @param {number} i @param {number} j
 */
function cellOf(scene, { panel, weights }, i, j) {
  const { data, values, colour, memory } = scene;
  const chosen = panel.mask === "m";
  const name = /** @type {const} */ (`${panel.number}${i + 1}.${j + 1}`);
  const share = chosen ? seenNow(scene, i, j) : values(`x${i + 1}.${j + 1}`); // from 0 (cut) to 1 (open)
  const stale = weights && chosen && memory.touched?.has(i); // painted, and not recomputed yet
  const watched = chosen && data.watched[i]?.[j] > 0 && !data.compares;
  const role = weights ? (watched ? colour.gradient : colour.activation) : colour.score;
  return { i, j, name, share, open: share > 0.5, stale, watched, role };
}

/**
 * @param {Pen} pen
 * @param {MaskScene} scene
 * @param {Places} at
 * @param {Grid} grid
 * @param {number} i
 * @param {number} j
 */
function drawCell(pen, scene, at, grid, i, j) {
  const { hidden, colour } = scene;
  const cell = cellOf(scene, grid, i, j);
  const { share, open, stale } = cell;
  const ringed = cell.watched && open;
  const [x, y] = [grid.box.left + j * grid.box.cell, at.top + i * at.row];
  const [w, h] = [grid.box.cell - 2, at.row - 2];
  pen.group({ key: `c${i}.${j}`, "data-at": `${i} ${j}`, opacity: stale ? 0.35 : null }, (its) => {
    const edge = { stroke: ringed ? colour.gradient : colour.line, line: ringed ? 2 : 1 };
    its.rect(x + 1, y + 1, w, h, { key: "ground", r: 3, fill: colour.background, ...edge });
    const cut = { key: "cut", r: 3, fill: "url(#cut)", opacity: Math.min(Math.max(1 - share, 0), 1) };
    if (!open || share < 1) its.rect(x + 1, y + 1, w, h, cut);
    if (grid.weights && open && !hidden(cell.name)) drawLevel(its, scene, cell, { x, y, w, h });
    drawNumber(its, scene, at, grid, cell);
  });
}

/**
 * A weight as a level in its cell, now and before the drag.
 *
 * @param {Pen} pen
 * @param {MaskScene} scene
 * @param {Cell} cell
 * @param {{ x: number, y: number, w: number, h: number }} box
 */
function drawLevel(pen, { values, before, colour }, { name, role }, { x, y, w, h }) {
  const height = (/** @type {number} */ weight) => Math.min(Math.max(weight, 0), 1) * h;
  const level = height(values(name));
  pen.rect(x + 1, y + 1 + h - level, w, level, { key: "level", r: 2, fill: role, "fill-opacity": 0.34 });
  if (!before || Math.abs(before(name) - values(name)) <= 0.005) return;
  const old = height(before(name));
  const look = { key: "old", r: 2, stroke: colour.quiet, line: 1, dash: "3 3" };
  pen.rect(x + 2.5, y + 1 + h - old, w - 3, Math.max(old, 1), look);
}

/** @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {Grid} grid @param {Cell} cell */
function drawNumber(pen, scene, at, { weights, box }, { i, j, name, open, stale, role }) {
  const { data, values, hidden, text, colour } = scene;
  const [w, h] = [box.cell - 2, at.row - 2];
  const shut = weights ? (w > 20 ? "0" : "") : "−∞";
  const number = open ? twoDigits(values(name), w - 4, textWidth, weights) : shut;
  const said = hidden(name) ? "?" : stale && open ? "…" : number;
  if (!said || textWidth(said, 13) > w) return;
  /** @type {string} */
  const named = data.marks[queryOf(scene)];
  const marked = named === name;
  const [x, y] = [box.left + (j + 0.5) * box.cell, at.top + (i + 0.5) * at.row + 5];
  pen.markedText(x, y, marked ? text(name).slice(0, 6) : said, marked, {
    key: "said",
    size: w > 40 && h > 24 ? 15 : 13,
    bold: marked,
    fill: open ? (weights ? colour.ink : role) : colour.quiet,
    anchor: "middle",
  });
}

/**
 * The frame of the cell at which the keyboard paints.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {Grid} grid
 */
function drawCursor(pen, { memory, colour }, at, { panel, box }) {
  if (!panel.paints || !memory.cursor || !memory.keys) return;
  const [i, j] = memory.cursor;
  const look = { key: "cursor", r: 3, stroke: colour.ink, line: 3 };
  pen.rect(box.left + j * box.cell + 2, at.top + i * at.row + 2, box.cell - 4, at.row - 4, look);
}

// The matrices in their panels: frames and names around the cells, and marks on them.

import { DIM } from "../../drawing/pen.js";
import { cells, frame } from "./tiny_cells.js";
import { cellOf, toldOf } from "./tiny_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Range } from "./tiny_arithmetic.js" */
/** @import { Panel, Placed, Places } from "./tiny_places.js" */
/** @import { Draw, TinyScene } from "./tiny_scene.js" */

/**
 * The background of a panel, and its title.
 *
 * @param {Pen} pen @param {Panel} panel
 */
export function drawPanel(pen, { left, right, top, bottom, title }) {
  const look = { r: 8, fill: pen.colour.quiet, "fill-opacity": 0.06 };
  pen.rect(left, top, right - left, bottom - top, look);
  pen.text(left + 7, top + 15, title, { size: 14, bold: true, room: right - left - 8 });
}

/** @param {Places} at @param {Panel} panel */
const matricesOf = ({ placed }, { left, right }) =>
  Object.values(placed).filter((its) => its.x >= left && its.x < right);

/** @type {Draw} */
export function paintCells(pen, scene, at, now) {
  const { width, height, data, colour, memory, hidden, dim } = scene;
  const panelOf = Object.fromEntries(
    at.panels.flatMap((panel) => matricesOf(at, panel).map((its) => [its.name, panel.key])),
  );
  if (memory.painted !== data) Object.assign(memory, { painted: data, turn: (memory.turn ?? 0) + 1 });
  const dims = at.panels.map((panel) => Number(dim(panel.key))).join("");
  const stamp = [memory.turn, now.stamp, memory.page, width, height, colour.ink, hidden("p"), dims].join(" ");
  cells(pen, Object.values(at.placed), {
    width,
    height,
    stamp,
    data,
    colour,
    get: now.get,
    covered: (name) => name === "p" && hidden("p"),
    faint: (name) => (dim(panelOf[name]) ? DIM : 1),
  });
}

/**
 * The frames of a panel's matrices, and the words beside them.
 *
 * @param {Pen} pen @param {TinyScene} scene @param {Places} at @param {Panel} panel
 */
export function drawNames(pen, { data }, at, panel) {
  const matrices = matricesOf(at, panel);
  for (const its of matrices) frame(pen, its);
  for (const its of matrices) {
    if (its.name === "U") nameColumns(pen, its, data.words);
    nameRows(pen, its, data);
  }
}

/** @param {Pen} pen @param {Placed} its @param {readonly string[]} words */
function nameColumns(pen, { x, y, pitch }, words) {
  const look = /** @type {const} */ ({ size: 13, anchor: "middle", fill: pen.colour.quiet });
  words.forEach((word, j) => pen.text(x + (j + 0.5) * pitch, y - 5, word, { key: `column ${j}`, ...look }));
}

/** @param {Pen} pen @param {Placed} its @param {TinyScene["data"]} data */
function nameRows(pen, its, data) {
  const { name, grid, x, y, row } = its;
  const { ink, quiet } = pen.colour;
  rowNames(its, data).forEach((word, i) => {
    const predicts = grid.kind !== "weight" && i === data.place;
    pen.text(x - 5, y + (i + 0.5) * row + 4, word, {
      key: `${name} row ${i}`,
      size: 13,
      anchor: "end",
      bold: predicts,
      fill: predicts ? ink : quiet,
    });
  });
}

/**
 * The names before the rows: the vocabulary for E, places for P, and the words of the text for computed matrices.
 *
 * @param {Placed} its @param {TinyScene["data"]} data
 */
function rowNames({ name, grid, labelled }, { words, tokens }) {
  if (name === "E") return words;
  if (name === "P") return Array.from({ length: grid.rows }, (_, i) => `${i + 1}`);
  return labelled && grid.kind !== "weight" ? tokens : [];
}

/**
 * Frames around the cell that is pointed at and its operands, the row of the prediction, and the weight with the
 * slider; marks on edited weights.
 *
 * @type {Draw}
 */
export function drawMarks(pen, scene, at, now) {
  const { colour, data, memory } = scene;
  const { placed } = at;
  for (const { name, grid } of Object.values(placed)) {
    if (grid.kind === "weight") continue;
    const row = rangeOf({ name, i: data.place, j: 0 }, grid.columns);
    outline(pen, at, row, { key: `row ${name}`, stroke: colour.ink, line: 1.2 });
  }
  data.edits.forEach((edit) => markEdit(pen, at, edit));
  outline(pen, at, rangeOf(now.chosen), { key: "chosen", stroke: colour.gradient, line: 3 });
  if (!memory.over) return;
  for (const each of toldOf(scene, now, memory.over).operands) {
    const key = `${each.name} ${each.i} ${each.j}`;
    outline(pen, at, each, { key: `under ${key}`, stroke: colour.mark, line: 6 });
    outline(pen, at, each, { key: `operand ${key}`, stroke: colour.ink, line: 2 });
  }
  outline(pen, at, rangeOf(memory.over), { key: "over", stroke: colour.ink, line: 3.5 });
}

/**
 * A range of `count` cells in a row, starting at a cell.
 *
 * @param {{ name: string, i: number, j: number }} cell @returns {Range}
 */
const rangeOf = ({ name, i, j }, count = 1) => ({ name, i: [i, i + 1], j: [j, j + count] });

/**
 * A frame around some cells of a matrix, if it is drawn.
 *
 * @param {Pen} pen @param {Places} at @param {Range} range @param {{ key: string, stroke: string, line: number }} look
 */
function outline(pen, { placed }, { name, i: [i, k], j: [j, l] }, look) {
  const its = placed[name];
  if (!its) return;
  const [x, y] = [its.x + j * its.pitch - 0.5, its.y + i * its.row - 0.5];
  pen.rect(x, y, (l - j) * its.pitch, (k - i) * its.row, { r: 3, ...look });
}

/**
 * The mark in the corner of an edited weight.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {string} edit the step, and the weight
 */
function markEdit(pen, { placed }, edit) {
  const { name, i, j } = cellOf(edit.split(" ")[1]);
  const its = placed[name];
  if (!its) return;
  const d = `M${its.x + (j + 1) * its.pitch - 8} ${its.y + i * its.row}h7v7z`;
  pen.path(d, { key: `edit ${edit}`, fill: pen.colour.gradient, stroke: "none" });
}

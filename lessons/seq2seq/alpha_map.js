// All weights α_ij as a map: a row for each written word, a column for each word of the source. Pointing at a cell
// shows the word that is written if all of α_i is on that place; a press forces α_i there.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { drawFoot, FOOT } from "./alpha_foot.js";
import { mapCells } from "./seq2seq_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Cells } from "./seq2seq_places.js" */
/** @import { Cell, Moment, TranslationScene } from "./translation_scene.js" */
/** @typedef {(pen: Pen, scene: TranslationScene, at: Cells, now: Moment) => void} DrawCells */

const HEAD = 20;
const NAMED = 15; // side of a cell from which every row and column has its name

/** @param {Pen} pen @param {TranslationScene} scene @param {Box} box @param {Moment} now */
export function drawMap(pen, scene, box, now) {
  const { colour, data } = scene;
  const at = mapCells(box, data.source, data.attention.words, { head: HEAD, foot: FOOT });
  pen.text(box.left, box.top + 8, "All weights αᵢⱼ", { size: 15, bold: true, fill: colour.weight });
  paintCells(pen, scene, at, now);
  nameColumns(pen, scene, at, now);
  nameRows(pen, scene, at, now);
  frameCells(pen, scene, at, now);
  drawCover(pen, scene, at, now);
  drawFoot(pen, scene, box, now);
}

/** @type {DrawCells} */
function paintCells(pen, { colour, data, memory }, at, now) {
  if (memory.mapped !== data) Object.assign(memory, { mapped: data, mapTurn: (memory.mapTurn ?? 0) + 1 });
  const stamp = `${memory.mapTurn} ${colour.weight} ${at.cell} ${now.covered ? now.step : "all"}`;
  const size = { left: at.left, top: at.top, width: at.wide, height: at.high };
  canvasIn(pen, { key: "cells", ...size, sharp: sharpness(pen.parent), stamp }, (brush) => {
    const gap = at.cell > 8 ? 1 : 0;
    for (let i = 0; i <= now.last; i++)
      now.row(i).forEach((alpha, j) => {
        const unknown = now.covered && i >= now.step;
        brush.globalAlpha = unknown ? 1 : Math.max(alpha, 0.05);
        brush.fillStyle = unknown ? colour.line : colour.weight;
        brush.fillRect(j * at.cell + gap / 2, i * at.cell + gap / 2, at.cell - gap, at.cell - gap);
      });
    brush.globalAlpha = 1;
  });
}

/**
 * Every how many rows or columns a name has room.
 *
 * @param {Cells} at
 */
const everyName = (at) => Math.ceil(NAMED / at.cell);

/** @type {DrawCells} */
function nameColumns(pen, { colour, data }, at, now) {
  const most = now.covered ? -1 : now.weights.indexOf(Math.max(...now.weights));
  data.source.forEach((word, j) => {
    if (j % everyName(at)) return;
    pen.text(0, 0, word, {
      key: `column ${j}`,
      size: at.size,
      bold: j === most,
      fill: j === most ? colour.weight : colour.ink,
      transform: `translate(${at.left + (j + 0.5) * at.cell + 3} ${at.top - 6}) rotate(-50)`,
    });
  });
}

/** @type {DrawCells} */
function nameRows(pen, { colour, data }, at, now) {
  const { words, right } = data.attention;
  words.forEach((word, i) => {
    if (i % everyName(at)) return;
    pen.text(at.left - 7, at.top + (i + 0.5) * at.cell + 5, now.unknown(i) ? "?" : word, {
      key: `line ${i}`,
      size: at.size,
      bold: i === now.step,
      anchor: "end",
      fill: right[i] ? colour.ink : colour.gradient,
    });
  });
}

/**
 * Frames around the row of the step, the forced cells, and the cell that is pointed at.
 *
 * @type {DrawCells}
 */
function frameCells(pen, { colour, data }, at, now) {
  const row = { key: "row", stroke: colour.ink, line: 2.5, r: 2 };
  if (!now.covered) pen.rect(at.left - 1.5, at.top + now.step * at.cell - 1.5, at.wide + 3, at.cell + 3, row);
  data.forced.forEach((j, i) => {
    const look = { key: `forced ${i}`, stroke: colour.gradient, line: 3, r: 2 };
    if (j >= 0) pen.rect(at.left + j * at.cell, at.top + i * at.cell, at.cell, at.cell, look);
  });
  if (!now.over) return;
  const { i, j } = now.over;
  const over = { key: "over", stroke: colour.ink, line: 2.5, dash: "4 3", r: 2 };
  pen.rect(at.left + j * at.cell, at.top + i * at.cell, at.cell, at.cell, over);
}

/**
 * The cover that receives pointer events: hovering selects a cell, a press forces α there.
 *
 * @type {DrawCells}
 */
function drawCover(pen, scene, at, now) {
  const { memory, send, move, hidden } = scene;
  const node = pen.rect(at.left, at.top, at.wide, at.high, { key: "cover", fill: "transparent", class: "press" });
  node.onpointermove = node.onpointerleave = node.onclick = null;
  if (now.covered || hidden("instead")) return;
  node.onpointermove = (event) => {
    const cell = cellUnder(node, event, now);
    pointAt(scene, cell);
    memory.left ??= now.step;
    if (cell.i !== now.step) move("step", cell.i + 1, false);
  };
  node.onpointerleave = () => {
    pointAt(scene, null);
    if (memory.left !== undefined && memory.left !== now.step) move("step", memory.left + 1, true);
    memory.left = undefined;
  };
  node.onclick = (event) => {
    const { i, j } = cellUnder(node, event, now);
    Object.assign(memory, { over: null, left: undefined });
    send({ force: [i + 1, j + 1], step: i + 1 });
  };
}

/**
 * @param {SVGElement} node that covers the map
 * @param {MouseEvent} event
 * @param {Moment} now
 * @returns {Cell}
 */
function cellUnder(node, event, now) {
  const frame = node.getBoundingClientRect();
  /** @type {(value: number, from: number, size: number, count: number) => number} */
  const part = (value, from, size, count) =>
    Math.min(Math.max(Math.floor(((value - from) / size) * count), 0), count - 1);
  return {
    i: part(event.clientY, frame.top, frame.height, now.last + 1),
    j: part(event.clientX, frame.left, frame.width, now.places),
  };
}

/** @param {TranslationScene} scene @param {Cell | null} cell */
function pointAt({ memory, again }, cell) {
  if (memory.over?.i === cell?.i && memory.over?.j === cell?.j) return;
  memory.over = cell;
  again();
}

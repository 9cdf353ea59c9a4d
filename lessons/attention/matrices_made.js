// From X to Q, K and V: one row of X, times three matrices, makes the query, the key and the value of a word.

import { textWidth } from "../../drawing/pen.js";
import { drawCells, drawRowWords, drawSign, drawTitle, entry } from "./matrices_cells.js";
import { madePlaces } from "./matrices_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { MatricesScene } from "./matrices_cells.js" */
/** @typedef {ReturnType<typeof madePlaces>} Places */
/** @typedef {{ letter: "q" | "k" | "v", role: string, vector: string, use: string }} Made */

/** @type {readonly Made[]} */
const MADE = [
  { letter: "q", role: "query", vector: "query", use: "what it asks for" },
  { letter: "k", role: "key", vector: "key", use: "what it is found by" },
  { letter: "v", role: "value", vector: "value", use: "what it gives" },
];

/** @param {Pen} pen @param {MatricesScene} scene */
export function drawMade(pen, scene) {
  const at = madePlaces(scene);
  pen.part(scene, "x", (its) => drawInputs(its, scene, at));
  MADE.forEach((made, i) => pen.part(scene, made.letter, (its) => drawMaking(its, scene, at, made, i)));
}

/** @param {Pen} pen @param {MatricesScene} scene @param {Places} at */
function drawInputs(pen, scene, { x, words, narrow }) {
  const { data } = scene;
  const [columns] = data.wide;
  const rows = data.tokens.length;
  drawTitle(pen, { x: x.left, y: x.top - 12, size: 24 }, { name: "X", role: "ink", shape: `${rows} × ${columns}` });
  drawCells(pen, scene, { letter: "x", rows, columns, role: "ink" }, x);
  drawRowWords(pen, scene, x, { size: narrow ? 15 : Math.min(20, x.high * 0.5), room: words });
}

/**
 * One of the three: the way from the lit row to its matrix, the matrix, and the product.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Places} at @param {Made} made @param {number} i
 */
function drawMaking(pen, scene, at, { letter, role, vector, use }, i) {
  const { data, colour } = scene;
  const [rows, d_k, d_v] = data.wide;
  const columns = letter === "v" ? d_v : d_k;
  const { weight, product, side, middle } = at.bands[i];
  const raised = letter.toUpperCase();
  const weights = /** @type {const} */ (`W${letter}`);
  if (!at.narrow) drawWay(pen, scene, at, middle, colour[role]);
  const beside = { x: weight.left + columns * weight.wide + 6, y: weight.top + 20, size: 22 };
  const above = { x: weight.left, y: weight.top - 8, size: 18 };
  drawTitle(pen, at.narrow ? above : beside, { name: "W", raised, role });
  drawCells(pen, scene, { letter: weights, rows, columns, role, whole: true }, weight);
  if (!at.narrow) {
    drawSign(pen, weight.left - 18, middle, "×");
    drawSign(pen, product.left - 20, middle, "=");
    drawCells(pen, scene, { letter, rows: data.tokens.length, columns, role }, product);
  }
  drawVector(pen, scene, at, { letter, columns, role, side, vector, use });
}

/**
 * The line from the lit row of X to a matrix.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Places} at @param {number} to @param {string} stroke
 */
function drawWay(pen, { data }, { x, bands }, to, stroke) {
  const from = { x: x.left + data.wide[0] * x.wide + 6, y: x.top + (data.query + 0.5) * x.high };
  const end = bands[0].weight.left - 32;
  const bend = (from.x + end) / 2;
  const d = `M${from.x} ${from.y}C${bend} ${from.y} ${bend} ${to} ${end} ${to}`;
  pen.path(d, { key: "way", stroke, width: 3, "stroke-opacity": 0.75 });
  pen.beads(d, pen.colour.background, { width: 2 });
}

/**
 * What the product is for, and the row of the word.
 *
 * @param {Pen} pen
 * @param {MatricesScene} scene
 * @param {Places} at
 * @param {Pick<Made, "letter" | "role" | "vector" | "use"> & { columns: number, side: { x: number, y: number } }} made
 */
function drawVector(pen, scene, { narrow }, { letter, role, columns, side: { x, y }, vector, use }) {
  const { data, colour, text } = scene;
  const names = Array.from({ length: columns }, (_, c) => entry(letter, data.query, c));
  const numbers = `(${names.map(text).join(", ")})`;
  const fill = colour[role];
  const marked = !scene.moved && names.includes(data.marked);
  if (narrow) {
    pen.text(x, y, vector, { size: 15, bold: true, fill });
    pen.markedText(x, y + 20, numbers, marked, { size: 16, bold: true });
    return;
  }
  const shape = `${data.tokens.length} × ${columns}`;
  drawTitle(pen, { x, y: y - 34, size: 26 }, { name: letter.toUpperCase(), role, shape });
  pen.text(x, y, vector, { size: 20, bold: true, fill });
  pen.markedText(x + textWidth(vector, 20, true) + 12, y, numbers, marked, { size: 20, bold: true });
  pen.text(x, y + 26, use, { size: 18, fill });
}

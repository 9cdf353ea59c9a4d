// From Q, K and V to Z: the scores of each query with each key, their softmax, and the values mixed by it.

import { textWidth, through } from "../../drawing/pen.js";
import { drawCells, drawColumnWords, drawRowWords, drawSign, drawTitle, entry } from "./matrices_cells.js";
import { mixedPlaces } from "./matrices_places.js";
import { drawMakeUp } from "./matrices_shares.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Cells, MatricesScene } from "./matrices_cells.js" */
/** @typedef {ReturnType<typeof mixedPlaces>} Places */

/** @param {Pen} pen @param {MatricesScene} scene */
export function drawMixed(pen, scene) {
  const at = mixedPlaces(scene);
  pen.part(scene, "scores", (its) => drawScores(its, scene, at));
  pen.part(scene, "shares", (its) => drawWeights(its, scene, at));
  pen.part(scene, "z", (its) => drawOutputs(its, scene, at));
}

/** @param {Cells} cells @param {number} columns */
const across = ({ left, wide }, columns) => left + (columns * wide) / 2;

/**
 * A title in the middle above a matrix.
 *
 * @param {Pen} pen @param {number} x @param {number} y @param {string} name @param {string} role
 */
const over = (pen, x, y, name, role) =>
  drawTitle(pen, { x: x - textWidth(name, 24, true) / 2, y, size: 24 }, { name, role });

/**
 * Q times K transposed, and divided.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Places} at
 */
function drawScores(pen, scene, { q, k, s, m, words, middle }) {
  const { data } = scene;
  const [, d_k] = data.wide;
  const rows = data.tokens.length;
  over(pen, across(q, d_k), q.top - 12, "Q", "query");
  over(pen, across(k, rows), k.top - 12, "Kᵀ", "key");
  over(pen, across(s, rows), s.top - 28, "Q Kᵀ", "score");
  over(pen, across(m, rows), m.top - 28, scaledTitle(data.divided, closes(scene)), "score");
  drawRowWords(pen, scene, q, { size: Math.min(20, q.high * 0.5), room: words });
  drawCells(pen, scene, { letter: "q", rows, columns: d_k, role: "query" }, q);
  drawCells(pen, scene, { letter: "k", rows: d_k, columns: rows, role: "key", turned: true, whole: true }, k);
  drawCells(pen, scene, { letter: "s", rows, columns: rows, role: "score" }, s);
  const closed = (/** @type {number} */ row, /** @type {number} */ column) => data.closed[row][column];
  drawCells(pen, scene, { letter: "m", rows, columns: rows, role: "score", closed }, m);
  for (const each of [s, m]) drawColumnWords(pen, scene, each, 16);
  drawSign(pen, k.left - 22, middle, "×");
  drawSign(pen, s.left - 22, middle, "=");
  drawSign(pen, m.left - 46, middle, data.divided ? `÷ ${data.divided}` : "=", "score");
}

/** @param {string} divided @param {boolean} masked */
const scaledTitle = (divided, masked) => [divided ? "scaled" : "not scaled", ...(masked ? ["masked"] : [])].join(", ");

/** @param {MatricesScene} scene */
const closes = ({ data }) => data.closed.some((row) => row.some(Boolean));

/**
 * The weights, and how they come from the scores.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Places} at
 */
function drawWeights(pen, scene, { w, m, words }) {
  const { data, colour } = scene;
  const rows = data.tokens.length;
  const right = m.left + rows * m.wide;
  const y = w.top - 62;
  const lit = m.top + (data.query + 0.5) * m.high;
  const turn = Math.min(right + 20, scene.width - 4);
  const end = across(w, rows);
  const said = "softmax of each row";
  const middle = (end + turn) / 2;
  const half = textWidth(said, 18, true) / 2 + 10;
  const look = { stroke: colour.activation, width: 2.5 };
  pen.path(
    through([
      [right + 4, lit],
      [turn, lit],
      [turn, y],
      [middle + half, y],
    ]),
    look,
  );
  pen.path(
    through([
      [middle - half, y],
      [end, y],
      [end, w.top - 30],
    ]),
    look,
  );
  pen.head(end, w.top - 28, 90, colour.activation, 10);
  pen.text(middle, y + 6, said, { size: 18, bold: true, fill: colour.activation, anchor: "middle" });
  pen.text(w.left - 10, w.top - 8, "α", { size: 26, bold: true, fill: colour.activation, anchor: "end" });
  drawRowWords(pen, scene, w, { size: Math.min(20, w.high * 0.5), room: words });
  drawColumnWords(pen, scene, w, 16);
  drawCells(pen, scene, { letter: "w", rows, columns: rows, role: "activation", shares: true }, w);
}

/**
 * V and Z, and of what the lit row of Z is made.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Places} at
 */
function drawOutputs(pen, scene, { v, z, made }) {
  const { data, colour, text } = scene;
  const [, , columns] = data.wide;
  const rows = data.tokens.length;
  const middle = v.top + (rows * v.high) / 2;
  over(pen, across(v, columns), v.top - 10, "V", "value");
  over(pen, across(z, columns), z.top - 10, "Z", "ink");
  drawSign(pen, v.left - 22, middle, "×");
  drawSign(pen, z.left - 22, middle, "=");
  drawCells(pen, scene, { letter: "v", rows, columns, role: "value", whole: true }, v);
  drawCells(pen, scene, { letter: "z", rows, columns, role: "ink" }, z);
  const names = Array.from({ length: columns }, (_, c) => entry("z", data.query, c));
  const vector = names.some(scene.hidden) ? "?" : `(${names.map(text).join(", ")})`;
  const after = drawMakeUp(pen, scene, { ...made, top: v.top - 34, foot: v.top + rows * v.high });
  pen.text(made.left, after, `z of ${data.tokens[data.query]} = ${vector}`, { size: 20, bold: true, fill: colour.ink });
}

// A matrix with its numbers in cells: its name, its shape, and the row or the columns that are lit.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @typedef {Scene<"matrices">} MatricesScene */
/** @typedef {NameOf<"matrices">} NumberIn */
/** @typedef {"x" | "q" | "k" | "v" | "s" | "a" | "m" | "w" | "z" | "Wq" | "Wk" | "Wv"} Letter of a matrix */
/** @typedef {[row: number, column: number]} Spot the place of a cell in its matrix */
/** @typedef {{ left: number, top: number, wide: number, high: number }} Cells where its first cell is, and their size */
/**
 * A matrix: its letter, how many rows and columns are drawn, and whether these are its columns and rows.
 *
 * @typedef {object} Matrix
 * @property {Letter} letter
 * @property {number} rows
 * @property {number} columns
 * @property {string} role its colour
 * @property {boolean} [turned] whether it is drawn transposed
 * @property {boolean} [whole] whether all of its rows are lit
 * @property {boolean} [shares] whether its numbers are shares, to which their cells are filled
 * @property {(row: number, column: number) => boolean} [closed] whether a cell is hidden by the mask
 */

/** @param {Letter} letter @param {number} row @param {number} column @returns {NumberIn} */
export const entry = (letter, row, column) => /** @type {const} */ (`${letter}${row + 1}.${column + 1}`);

/**
 * The cells of a matrix; the lit row is that of the followed word.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Matrix} matrix @param {Cells} at
 */
export function drawCells(pen, scene, matrix, at) {
  const { letter, rows, columns, turned = false, whole = false } = matrix;
  /** @type {Spot[]} */
  const places = Array.from({ length: rows * columns }, (_, n) => [Math.floor(n / columns), n % columns]);
  const isLit = (/** @type {Spot} */ [row]) => whole || row === scene.data.query;
  pen.group({ key: letter }, (its) => {
    const size = typeSize(scene, matrix, at, places);
    for (const place of [...places.filter((each) => !isLit(each)), ...places.filter(isLit)]) {
      const [row, column] = place;
      const name = turned ? entry(letter, column, row) : entry(letter, row, column);
      const box = { ...at, left: at.left + column * at.wide, top: at.top + row * at.high };
      drawCell(its, scene, matrix, { name, box, size, lit: isLit(place), closed: !!matrix.closed?.(row, column) });
    }
  });
}

/**
 * The size of type with which every number of a matrix fits into its cell.
 *
 * @param {MatricesScene} scene @param {Matrix} matrix @param {Cells} at @param {Spot[]} places
 */
function typeSize(scene, { letter, turned }, at, places) {
  const texts = places.map(([row, column]) => {
    const name = turned ? entry(letter, column, row) : entry(letter, row, column);
    return short(scene, name, letter);
  });
  const widest = Math.max(...texts.map((text) => textWidth(text, 1, true)));
  return Math.max(Math.min(at.high * 0.56, (at.wide - 7) / widest, 30), 11);
}

/**
 * A number as a cell has room for it: whole where it is whole, else with one or two decimals.
 *
 * @param {MatricesScene} scene @param {NumberIn} name @param {Letter} letter
 */
export function short(scene, name, letter) {
  if (scene.hidden(name)) return "";
  const value = scene.values(name);
  if (!Number.isFinite(value)) return formatNumber(value);
  const places = letter === "w" ? 2 : 1;
  const text = Number.isInteger(value) ? formatNumber(value) : value.toFixed(places).replace("-", "−");
  return letter === "w" ? text.replace(/^0\./, ".") : text;
}

/**
 * @param {Pen} pen
 * @param {MatricesScene} scene
 * @param {Matrix} matrix
 * @param {{ name: NumberIn, box: Cells, size: number, lit: boolean, closed: boolean }} cell
 */
function drawCell(pen, scene, matrix, { name, box, size, lit, closed }) {
  const { colour, data, moved } = scene;
  const role = colour[matrix.role];
  const { left, top, wide, high } = box;
  const moves = data.moves && matrix.letter === "x" && lit;
  const handle = moves ? { "data-n": name, "data-per": 26, "data-way": "y", style: "cursor: ns-resize" } : {};
  pen.group({ key: name, ...handle }, (its) => {
    const stroke = lit ? role : colour.line;
    const outline = { fill: colour.background, stroke, line: lit ? 2 : 1.2, r: 4 };
    its.rect(left + 1.5, top + 1.5, wide - 3, high - 3, outline);
    const opacity = fillOf(scene, matrix, name, lit);
    if (opacity) its.rect(left + 1.5, top + 1.5, wide - 3, high - 3, { fill: role, "fill-opacity": opacity });
    const look = /** @type {const} */ ({ size, anchor: "middle", bold: lit });
    const fill = lit && !closed ? colour.ink : colour.quiet;
    const text = short(scene, name, matrix.letter);
    its.markedText(left + wide / 2, top + high / 2 + size * 0.35, text, moved === name, { ...look, fill });
    if (moves && high >= 50) drawArrows(its, box);
  });
}

/**
 * The signs that a number can be dragged up and down.
 *
 * @param {Pen} pen @param {Cells} box
 */
function drawArrows(pen, { left, top, wide, high }) {
  const x = left + wide / 2;
  const look = { fill: pen.colour.quiet, stroke: null };
  pen.path(`M${x - 5} ${top + 10}h10l-5 -5z`, look);
  pen.path(`M${x - 5} ${top + high - 10}h10l-5 5z`, look);
}

/** @param {MatricesScene} scene @param {Matrix} matrix @param {NumberIn} name @param {boolean} lit */
function fillOf({ hidden, values }, matrix, name, lit) {
  if (!lit) return 0;
  if (!matrix.shares) return 0.15;
  return hidden(name) ? 0.06 : 0.06 + 0.5 * values(name);
}

/**
 * The name of a matrix above its cells, with what is raised, and its shape beside it.
 *
 * @param {Pen} pen
 * @param {{ x: number, y: number, size: number }} at the left end of its base line
 * @param {{ name: string, raised?: string, role: string, shape?: string }} title
 */
export function drawTitle(pen, { x, y, size }, { name, raised = "", role, shape = "" }) {
  const fill = pen.colour[role];
  pen.text(x, y, name, { size, bold: true, fill });
  const after = x + textWidth(name, size, true) + 1;
  if (raised) pen.text(after, y - size * 0.36, raised, { size: Math.max(size * 0.68, 13), fill });
  const beside = after + (raised ? textWidth(raised, Math.max(size * 0.68, 13)) : 0) + 10;
  if (shape) pen.text(beside, y, shape, { size: 15, fill: pen.colour.quiet });
}

/**
 * The words at the rows of a matrix: a press follows another word.
 *
 * @param {Pen} pen
 * @param {MatricesScene} scene
 * @param {Cells} at its cells
 * @param {{ size: number, room: number }} look
 */
export function drawRowWords(pen, { data, colour, send }, { left, top, high }, { size, room }) {
  data.tokens.forEach((token, row) => {
    const lit = row === data.query;
    const follow = () => send({ query: row + 1 });
    const look = { size, bold: lit, fill: lit ? colour.query : colour.quiet, room: room - 10 };
    pen.button(
      `Follow the row of ${token}`,
      follow,
      (button) => {
        button.rect(left - room, top + row * high, room - 4, high, { fill: "transparent" });
        button.text(left - 10, top + (row + 0.5) * high + size * 0.35, token, { ...look, anchor: "end" });
      },
      { key: `word${row}`, chosen: lit },
    );
  });
}

/**
 * The words above the columns of a matrix.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Cells} at its cells @param {number} most the largest type
 */
export function drawColumnWords(pen, { data, colour }, { left, top, wide }, most) {
  const widest = Math.max(...data.tokens.map((token) => textWidth(token, 1, true)));
  const size = Math.max(Math.min(most, (wide - 4) / widest), 13);
  data.tokens.forEach((token, column) => {
    const bold = column === data.best;
    const look = { size, bold, fill: bold ? colour.ink : colour.quiet, room: wide };
    pen.text(left + (column + 0.5) * wide, top - 6, token, { ...look, anchor: "middle" });
  });
}

/**
 * An operator between two matrices.
 *
 * @param {Pen} pen @param {number} x @param {number} y @param {string} sign @param {string} [role]
 */
export function drawSign(pen, x, y, sign, role) {
  const fill = role ? pen.colour[role] : pen.colour.quiet;
  pen.text(x, y + 8, sign, { size: 24, fill, bold: !!role, anchor: "middle" });
}

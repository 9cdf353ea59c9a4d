// The sheet on which the step table is drawn: its sizes, the record of each cell, and texts.

import { drawSvg, magnified } from "../../drawing/dom.js";

/** @import { Attributes, Events, MatrixBlock, Palette, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["attention"]} Data */
/** @typedef {Picture<Data, TableMemory>} Table */
/** @typedef {"top" | "rows" | "foot"} Part of a block */
/** @typedef {MatrixBlock["rows"][number][number]} Cell the name of its number, what a press opens, and "hidden" */
/**
 * A cell of the table.
 *
 * @typedef {object} TableCell
 * @property {number} b its block
 * @property {Part} part
 * @property {number} r its row in that part, from 0
 * @property {number} c its column, from 0
 * @property {Cell} cell
 * @property {boolean} presses whether it can be opened
 * @property {boolean} open
 * @property {SVGGElement} group
 * @property {SVGRectElement} box
 * @property {SVGTextElement} text
 * @property {SVGRectElement | null} bar beside a weight
 * @property {[x: number, y: number]} centre
 */
/**
 * The elements that the table keeps.
 *
 * @typedef {object} TableMemory
 * @property {Palette} colour
 * @property {(event: Events["attention"]) => void} send tells the server
 * @property {HTMLSelectElement} select chooses the query
 * @property {SVGSVGElement} svg the sheet with the cells
 * @property {TableCell[]} cells
 * @property {SVGTextElement[]} subs what is below the titles, one a block, in their order
 * @property {{ node: SVGTextElement, letters: number } | null} queryName and how many letters it has room for
 * @property {{ node: SVGTextElement, i: number }[]} rowNames with their queries, from 1
 * @property {HTMLElement} list of the lines below
 * @property {HTMLElement[]} lines how the open cell was computed
 */

/** Sizes of a block; `letter` is the width of a digit, `bar` that of a weight's bar. */
export const BOX = {
  height: 30,
  gap: 12, // between blocks
  band: 10, // between the query's row, the rows of the keys and their sum
  head: 56,
  plain: 26,
  letter: 7.1,
  moving: 54,
  narrow: 46,
  wide: 52,
  bar: 44,
};

/** @param {Element} parent @param {number} width @param {number} height @param {Palette} colour */
export function addSheet(parent, width, height, colour) {
  const size = { width: magnified() * width, height: magnified() * height };
  const look = { "font-size": 13, fill: colour.ink };
  return drawSvg("svg", { ...size, viewBox: `0 0 ${width} ${height}`, ...look }, parent);
}

/**
 * A text whose middle is at this point.
 *
 * @param {SVGSVGElement | SVGGElement} parent
 * @param {number} x
 * @param {number} y
 * @param {string} text
 * @param {Attributes} attributes
 */
export function write(parent, x, y, text, attributes = {}) {
  const place = { x, y, "text-anchor": "middle", "dominant-baseline": "central" };
  return drawSvg("text", { ...place, ...attributes }, parent, text);
}

/**
 * @param {string} text
 * @param {number} most letters
 */
export function shorten(text, most) {
  const letters = [...text];
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : text;
}

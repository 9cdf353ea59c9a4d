// The step table of one query: one row per key, one column per stage; the labels stay while the columns scroll.

import { drawSvg } from "../../drawing/dom.js";
import { addCells, addCellSheet, addTitle } from "./table_blocks.js";
import { addSheet, BOX, shorten, write } from "./table_sheet.js";

/** @import { Attributes } from "../../drawing/types.js" */
/** @import { Table } from "./table_sheet.js" */

const LABEL = { least: 40, most: 118, letter: 7.4 }; // its width, and that of a letter

/**
 * @param {Table} picture
 * @param {Element} frame
 * @param {number[]} widths of a column of each block
 * @returns {SVGSVGElement[][]} the pictures that are saved, side by side
 */
export function buildColumns(picture, frame, widths) {
  const { data } = picture;
  const across = data.blocks.map((block, b) => widths[b] * block.rows[0].length + (block.bar ? BOX.bar : 0));
  const width = across.reduce((sum, each) => sum + each + BOX.gap, 0);
  const first = BOX.head + BOX.height + BOX.band;
  const last = first + BOX.height * data.tokens.length + BOX.band;
  const height = last + BOX.height + 4;
  const names = addNames(picture, frame, { first, last, height });
  const svg = addCellSheet(picture, frame, width, height);
  let x = 4;
  data.blocks.forEach((block, b) => {
    const at = { x, width: widths[b] };
    addTitle(picture, block, { ...at, y: 0 }, across[b]);
    addCells(picture, b, "top", { ...at, y: BOX.head });
    addCells(picture, b, "rows", { ...at, y: first });
    addCells(picture, b, "foot", { ...at, y: last });
    x += across[b] + BOX.gap;
  });
  return [[names], [svg]];
}

/**
 * The names of the rows: the query, the keys, and the sum.
 *
 * @param {Table} picture
 * @param {Element} frame
 * @param {{ first: number, last: number, height: number }} rows the tops of the first key's row and of the
 *   sum's
 */
function addNames(picture, frame, { first, last, height }) {
  const { data, colour } = picture;
  const longest = Math.max(...data.tokens.map((token) => [...token].length + 3));
  const side = Math.min(Math.max(longest * LABEL.letter, LABEL.least), LABEL.most);
  const letters = Math.floor(side / LABEL.letter);
  const sheet = addSheet(frame, side + 6, height, colour);
  sheet.setAttribute("aria-hidden", "true");
  /** @type {(y: number, text: string, look: Attributes) => SVGTextElement} */
  const say = (y, text, look) => write(sheet, 0, y + BOX.height / 2, text, { "text-anchor": "start", ...look });
  picture.queryName = { node: say(BOX.head, "", { fill: colour.query, "font-weight": 700 }), letters };
  data.tokens.forEach((token, i) => {
    const text = say(first + BOX.height * i, shorten(`${i + 1} ${token}`, letters), { fill: colour.key });
    drawSvg("title", {}, text, token);
  });
  say(last, "Σ", { "font-weight": 700 });
  return sheet;
}

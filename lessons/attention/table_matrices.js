// The step table of all queries: every stage is a matrix.

import { drawSvg } from "../../drawing/dom.js";
import { addCells, addCellSheet, addTitle } from "./table_blocks.js";
import { BOX, shorten, write } from "./table_sheet.js";

/** @import { Table } from "./table_sheet.js" */

const LABEL = { most: 16, letter: 6.4 }; // letters of a row's name, and the width of one

/**
 * Blocks flow from left to right, in lines as wide as the room; the inputs are in the first lines. The names
 * of the rows begin each line.
 *
 * @param {Table} picture
 * @param {Element} frame
 * @param {number[]} widths of a column of each block
 * @param {number} room
 * @returns {SVGSVGElement[][]} the picture that is saved
 */
export function buildMatrices(picture, frame, widths, room) {
  const { data } = picture;
  const label = Math.min(Math.max(...data.tokens.map((token) => [...token].length)) + 3, LABEL.most) * LABEL.letter;
  const { places, width, height } = flow(picture, widths, label, room);
  const svg = addCellSheet(picture, frame, width + 4, height + 4);
  data.blocks.forEach((block, b) => {
    const { x, y } = places[b];
    addTitle(picture, block, { x, width: widths[b], y }, widths[b] * block.rows[0].length);
    if (x === label) addRowNames(picture, label - 6, y + BOX.head);
    addCells(picture, b, "rows", { x, width: widths[b], y: y + BOX.head });
  });
  return [[svg]];
}

/**
 * Where the blocks are drawn, and how large all of them are.
 *
 * @param {Table} picture
 * @param {number[]} widths
 * @param {number} label the width of the rows' names
 * @param {number} room
 */
function flow({ data }, widths, label, room) {
  const across = data.blocks.map((block, b) => Math.max(widths[b] * block.rows[0].length, block.title.length * 7.5));
  const tall = BOX.head + BOX.height * data.tokens.length;
  let [x, y, width] = [label, 0, 0];
  const places = data.blocks.map((block, b) => {
    const full = x > label && x + across[b] > room;
    if (full || block.key === "score") [x, y] = [label, y + tall + BOX.gap];
    const place = { x, y };
    width = Math.max(width, x + across[b]);
    x += across[b] + BOX.gap;
    return place;
  });
  return { places, width, height: y + tall };
}

/**
 * @param {Table} picture
 * @param {number} x their right end
 * @param {number} y
 */
function addRowNames({ svg, data, rowNames }, x, y) {
  data.tokens.forEach((token, i) => {
    const name = shorten(`${i + 1} ${token}`, LABEL.most);
    const look = { "text-anchor": "end", "font-size": 12 };
    const node = write(svg, x, y + BOX.height * (i + 0.5), name, look);
    drawSvg("title", {}, node, token);
    rowNames.push({ node, i: i + 1 });
  });
}

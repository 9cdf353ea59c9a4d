// What changes in the step table after it is built: which cell is open, which row is the query's, and all numbers.

import { fill, formatNumber } from "../../drawing/numbers.js";
import { sub } from "./flow_scene.js";
import { BOX, shorten } from "./table_sheet.js";

/** @import { MatrixBlock, Values } from "../../drawing/types.js" */
/** @import { Data, Table, TableCell } from "./table_sheet.js" */

/**
 * Mark the open cell and the row of the query.
 *
 * @param {Table} picture
 */
export function mark(picture) {
  const { data, cells, colour, queryName, rowNames } = picture;
  picture.select.value = String(data.query);
  if (queryName) {
    const name = `q${sub(data.query)} ${data.tokens[data.query - 1]}`;
    queryName.node.textContent = shorten(name, queryName.letters);
  }
  for (const { node, i } of rowNames) {
    const asks = i === data.query;
    node.setAttribute("font-weight", asks ? "700" : "400");
    node.setAttribute("fill", asks ? colour.query : colour.quiet);
  }
  for (const each of cells) {
    each.cell = data.blocks[each.b][each.part][each.r][each.c];
    each.open = each.presses && each.cell[1] === data.cell;
    if (!each.presses) continue;
    each.group.setAttribute("aria-pressed", String(each.open));
    each.group.setAttribute("tabindex", "-1");
  }
  const reached = cells.findLast((each) => each.open) ?? cells.find((each) => each.presses); // with the Tab key
  reached?.group.setAttribute("tabindex", "0");
}

/**
 * Write all numbers, and colour their cells.
 *
 * @param {Table} picture @param {Values} values
 */
export function paint(picture, values) {
  const { data } = picture;
  picture.values = values;
  for (const each of picture.cells) {
    const value = values(each.cell[0]);
    writeNumber(each, formatNumber(value));
    dye(picture, each, value);
    each.bar?.setAttribute("width", String(Math.max((BOX.bar - 4) * value, 0.5)));
  }
  picture.subs.forEach((node, b) => (node.textContent = fill(data.blocks[b].sub, values)));
  picture.lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
  picture.svg.setAttribute("aria-label", fill(data.alt, values));
}

/** @param {TableCell} cell @param {string} number */
function writeNumber({ text, presses, group, cell: [, opens] }, number) {
  if (text.textContent === number) return;
  text.textContent = number;
  text.setAttribute("font-size", String(number.length > 7 ? 10 : number.length > 5 ? 12 : 13));
  if (presses) group.setAttribute("aria-label", `${opens}: ${number}`);
}

/**
 * Colour a cell. A hidden cell has no colour but a dashed edge; the open cell has a thick edge.
 *
 * @param {Table} picture @param {TableCell} cell @param {number} value
 */
function dye({ data, colour }, { b, box, text, cell, open, part }, value) {
  const block = data.blocks[b];
  const hidden = cell[2] === "hidden";
  const plain = hidden || (part === "foot" && block.kind === "probability") || !Number.isFinite(value);
  const [shade, ink] = coloursOf(data, block, value);
  box.setAttribute("fill", plain ? colour.background : shade);
  text.setAttribute("fill", plain ? (hidden ? colour.mask : colour.ink) : ink);
  text.setAttribute("font-weight", open || part === "foot" ? "700" : "500");
  box.setAttribute("stroke", open ? colour.ink : plain ? colour.quiet : "none");
  box.setAttribute("stroke-width", open ? "3" : "1");
  box.setAttribute("stroke-dasharray", hidden && !open ? "4 3" : "none");
}

/**
 * The colour of a number, and the text colour that is legible on it.
 *
 * @param {Data} data @param {MatrixBlock} block @param {number} value
 */
function coloursOf(data, block, value) {
  const [fills, inks] = block.kind === "probability" ? data.probability : data.signed;
  const share = block.kind === "probability" ? value : (value / block.reach + 1) / 2;
  const at = Math.round(Math.min(Math.max(share || 0, 0), 1) * (fills.length - 1));
  return [fills[at], inks[at]];
}

// The blocks of the step table on their sheet: each has its title above a line, the names of its columns, and its
// cells.

import { drawSvg } from "../../drawing/dom.js";
import { scroller } from "../../drawing/scrollers.js";
import { onKey, press } from "./table_keys.js";
import { addSheet, BOX, write } from "./table_sheet.js";

/** @import { MatrixBlock } from "../../drawing/types.js" */
/** @import { Cell, Part, Table } from "./table_sheet.js" */
/** @typedef {{ x: number, y: number, width: number }} BlockPlace `width`: of a column */

/**
 * The sheet with the cells, which can be pressed, and reached with the arrow keys.
 *
 * @param {Table} picture @param {Element} frame @param {number} width @param {number} height
 */
export function addCellSheet(picture, frame, width, height) {
  const svg = addSheet(scroller("The matrix", frame), width, height, picture.colour);
  svg.setAttribute("role", "group");
  svg.onclick = (event) => press(picture, /** @type {Element} */ (event.target));
  svg.onkeydown = (event) => onKey(picture, event);
  picture.svg = svg;
  return svg;
}

/**
 * The title of a block: in "W^Q", the Q is raised.
 *
 * @param {Table} picture
 * @param {MatrixBlock} block
 * @param {BlockPlace} place
 * @param {number} across the width of the block
 */
export function addTitle({ svg, colour, subs }, block, { x, y, width }, across) {
  const role = colour[block.role];
  const [before, raised] = block.title.split("^");
  const node = drawSvg("text", { x, y: y + 14, fill: role, "font-weight": 700, "font-size": 14 }, svg, before);
  if (raised) drawSvg("tspan", { dy: -5, "font-size": 10 }, node, raised);
  subs.push(drawSvg("text", { x, y: y + 31, fill: colour.quiet, "font-size": 12 }, svg));
  const look = { fill: colour.quiet, "font-size": 11 };
  block.heads.forEach((head, c) => write(svg, x + width * (c + 0.5), y + 46, head, look));
  drawSvg("path", { d: `M${x} ${y + BOX.head - 2}h${across}`, stroke: role, "stroke-width": 2 }, svg);
}

/**
 * The cells of a part of block `b`.
 *
 * @param {Table} picture @param {number} b @param {Part} part @param {BlockPlace} place
 */
export function addCells(picture, b, part, { x, y, width }) {
  const block = picture.data.blocks[b];
  block[part].forEach((row, r) =>
    row.forEach((cell, c) => {
      const [left, top] = [x + width * c, y + BOX.height * r];
      const drawn = addCell(picture, cell, left, top, width);
      const bar = block.bar && part === "rows" ? addBar(picture, drawn.group, left + width + 3, top + 6) : null;
      picture.cells.push({ b, part, r, c, cell, open: false, ...drawn, bar });
    }),
  );
}

/** @param {Table} picture @param {Cell} cell @param {number} left @param {number} top @param {number} width */
function addCell({ svg, cells }, cell, left, top, width) {
  const { height } = BOX;
  const presses = Boolean(cell[1]);
  const button = { class: "step", role: "button", tabindex: -1, "data-i": cells.length };
  const group = drawSvg("g", presses ? button : {}, svg);
  const inside = { x: left + 1, y: top + 1, width: width - 2, height: height - 2 };
  const box = drawSvg("rect", { ...inside, rx: 3 }, group);
  /** @type {[x: number, y: number]} */
  const centre = [left + width / 2, top + height / 2];
  return { presses, group, box, text: write(group, centre[0], centre[1] + 0.5, ""), centre };
}

/**
 * The bar of a weight, in a frame that is 1 long.
 *
 * @param {Table} picture @param {SVGGElement} group @param {number} x @param {number} y
 */
function addBar({ colour }, group, x, y) {
  const place = { x, y, height: BOX.height - 12 };
  const bar = drawSvg("rect", { ...place, width: 0, fill: colour.activation }, group);
  const frame = { fill: "none", stroke: colour.quiet, "stroke-opacity": 0.5 };
  drawSvg("rect", { ...place, width: BOX.bar - 4, ...frame }, group);
  return bar;
}

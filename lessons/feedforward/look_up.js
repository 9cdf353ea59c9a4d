// The words of the window, their rows of E, and e: these rows end to end.

import { curve, drawHead, drawImage, imageOf, middle, placeOf, right, spot } from "./feedforward_marks.js";
import { drawStrip } from "./strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */
/** @import { Places } from "./feedforward_places.js" */

/** @type {Draw} */
export function drawLookUp(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { context, types, width } = data.sizes;
  const { rows, columns, shades } = data.table;
  const box = at.table;
  const fill = colour.input;
  drawHead(pen, at, middle(at.words), { letter: narrow ? "" : "words", fill });
  drawHead(pen, at, middle(box), { letter: data.heads.table, shape: `${types} × ${width}`, fill });
  pen.rect(box.left - 2, box.top - 2, box.wide + 4, box.high + 4, { stroke: fill, line: 1.5, r: 3 });
  const href = imageOf(scene, "table", columns, rows, (i) => data.scale[shades[i]]);
  drawImage(pen, href, box, { opacity: 0.5 });
  for (let k = 0; k < context; k++) drawRow(pen, scene, at, k);
  // If there are many words and the picture is low, every second or third is named, and always the last one.
  const each = Math.ceil(16 / (at.strips.concatenated.high / context));
  for (let k = context - 1; k >= 0; k -= each) drawCard(pen, scene, at, k);
}

/**
 * The height of a word of the window, and of its part of e.
 *
 * @param {Places} at @param {number} k @param {number} context
 */
const wordAt = (at, k, context) => spot(at.strips.concatenated, k, context);

/**
 * Lines from a word to its row of E, and on to e.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {number} k
 */
function drawRow(pen, scene, at, k) {
  const { data, colour, narrow } = scene;
  const { context } = data.sizes;
  const { rows, columns, shades } = data.table;
  const box = at.table;
  const id = data.ids[placeOf(scene) * context + k];
  const y = spot(box, Math.min(id, rows - 1), rows);
  const thick = narrow ? 5 : 8;
  const into = curve(right(at.words), wordAt(at, k, context), box.left - 2, y);
  pen.path(into, { stroke: colour.input, width: 3, "stroke-opacity": 0.75 });
  pen.beads(into, colour.background, { width: 2 });
  if (id < rows) {
    const row = shades.subarray(id * columns, (id + 1) * columns);
    const href = imageOf(scene, `row ${id}`, columns, 1, (i) => data.scale[row[i]]);
    drawImage(pen, href, { left: box.left, top: y - thick / 2, wide: box.wide, high: thick });
    const frame = { stroke: colour.ink, line: 1.5, r: 2 };
    pen.rect(box.left - 2, y - thick / 2 - 1, box.wide + 4, thick + 2, frame);
  }
  const out = curve(right(box) + 2, y, at.strips.concatenated.left, wordAt(at, k, context));
  pen.path(out, { stroke: colour.input, width: 4, "stroke-opacity": 0.75 });
  pen.beads(out, colour.background, { width: 2.4 });
}

/**
 * A word of the window, with the number of its row if there is room.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {number} k
 */
function drawCard(pen, scene, at, k) {
  const { data, colour, narrow } = scene;
  const { context } = data.sizes;
  const now = placeOf(scene);
  const y = wordAt(at, k, context);
  const high = Math.min(narrow ? 26 : 46, Math.max(at.strips.concatenated.high / context - 3, 14));
  const { left, wide } = at.words;
  const frame = { r: Math.min(10, high / 2), fill: colour.background, stroke: colour.input, line: 2 };
  pen.rect(left, y - high / 2, wide, high, frame);
  const size = narrow ? 13 : Math.min(18, Math.max(13, high * 0.75));
  const two = high >= 40;
  const look = /** @type {const} */ ({ size, bold: true, anchor: "middle", room: wide - 10 });
  pen.text(left + wide / 2, y + (two ? -2 : size * 0.34), data.window_words[now][k], look);
  if (!two) return;
  const row = `row ${data.ids[now * context + k] + 1}`;
  pen.text(left + wide / 2, y + 15, row, { size: 13, fill: colour.quiet, anchor: "middle" });
}

/** @type {Draw} */
export function drawConcatenated(pen, scene, at) {
  const { data, colour, hidden } = scene;
  const { context, width } = data.sizes;
  const box = at.strips.concatenated;
  const shape = hidden("size") ? "?" : `${context * width}`;
  drawHead(pen, at, middle(box), { letter: data.heads.side, shape, fill: colour.input });
  drawStrip(pen, scene, at, "concatenated");
  for (let k = 1; k < context; k++) {
    const y = box.top + (k * box.high) / context;
    pen.rect(box.left - 4, y - 1.5, box.wide + 8, 3, { fill: colour.ink, r: 1 });
  }
}

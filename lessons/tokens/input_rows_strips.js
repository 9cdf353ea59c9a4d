// The rows of the tables and their sums as strips of colours; the chosen token is framed, and one of its numbers.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, RowsScene } from "./input_rows_places.js" */
/** @typedef {(pen: Pen, scene: RowsScene, at: Places) => void} Draw */

/** @type {Draw} */
export function drawStrips(pen, scene, at) {
  const { data, colour, hidden, width } = scene;
  data.tables.forEach(({ name, role }, table) => {
    const { top, tall } = at.strip(table);
    const stroke = table === at.tables ? colour.ink : colour[role];
    if (!hidden(name)) paintRow(pen, scene, at, table);
    for (let i = at.from; i < at.to; i++) {
      const edge = { key: `edge${table}.${i}`, stroke, line: i === data.at ? 2.5 : 1, r: 2 };
      pen.rect(at.x(i) + at.gap, top, at.cell - 2 * at.gap, tall, edge);
    }
  });
  const line = at.strip(at.tables).top - 13;
  pen.line(0, line, width, line, { key: "line", width: 2 });
}

/**
 * The strips of all tokens in one table.
 *
 * @param {Pen} pen @param {RowsScene} scene @param {Places} at @param {number} table
 */
function paintRow(pen, { data }, at, table) {
  const { top, tall } = at.strip(table);
  const place = { left: at.left, top, width: (at.to - at.from) * at.cell, height: tall };
  const stamp = `${table} ${at.from} ${data.ids} ${data.letters} ${data.wide} ${data.reach} ${data.fills[0]}`;
  const svg = /** @type {Element} */ (pen.node("g", { key: `anchor${table}` }));
  const wide = (at.cell - 2 * at.gap) / data.shown;
  canvasIn(pen, { key: `strips${table}`, ...place, sharp: sharpness(svg), stamp }, (brush) => {
    for (let i = at.from; i < at.to; i++) {
      for (let c = 0; c < data.shown; c++) {
        const value = data.values[(table * data.tokens.length + i) * data.shown + c];
        const share = Math.min(Math.max((value / data.reach + 1) / 2, 0), 1);
        brush.fillStyle = data.fills[Math.round(share * (data.fills.length - 1))];
        brush.fillRect((i - at.from) * at.cell + at.gap + c * wide, 0, wide + 0.3, tall);
      }
    }
  });
}

/**
 * The frame of the chosen token, and within it that of one dimension, which is dragged along the strips.
 *
 * @type {Draw}
 */
export function drawFrames(pen, scene, at) {
  const { data, values, colour, text, narrow, width } = scene;
  const x = at.x(data.at);
  const wide = (at.cell - 2 * at.gap) / data.shown;
  const top = at.pieces.top - 5;
  pen.rect(x + 1, top, at.cell - 2, at.foot + 6 - top, { key: "chosen", stroke: colour.input, line: 2.5, r: 8 });
  const left = x + at.gap + values("tokens_dim") * wide;
  const handle = { key: "handle", "data-n": "tokens_dim", "data-way": "x", "data-per": wide };
  pen.group({ ...handle, style: "cursor: ew-resize; touch-action: none" }, (its) => {
    data.tables.forEach((_, table) => {
      const strip = at.strip(table);
      its.rect(x + at.gap, strip.top, at.cell - 2 * at.gap, strip.tall, { key: `grip${table}`, fill: "transparent" });
      const frame = { key: `frame${table}`, stroke: colour.ink, line: 2, r: 1 };
      its.rect(left - 2.5, strip.top - 3, wide + 5, strip.tall + 6, frame);
    });
  });
  const size = narrow ? 15 : 18;
  const said = text("input");
  const room = textWidth(said, size, true) + 10;
  const middle = Math.min(Math.max(x + at.cell / 2, room / 2 + 2), width - room / 2 - 2);
  const y = at.foot + size + 10;
  pen.markedText(middle, y, said, true, { key: "sum", size, bold: true, anchor: "middle" });
  drawLegend(pen, scene, at, y, middle - room / 2);
}

/**
 * Which numbers are drawn, and their colours; at the right if the number is at the left.
 *
 * @param {Pen} pen @param {RowsScene} scene @param {Places} at @param {number} y @param {number} edge
 */
function drawLegend(pen, { data, colour, narrow, width }, at, y, edge) {
  if (narrow) return;
  const reach = formatNumber(Number(data.reach.toPrecision(2)));
  const said = `${data.shown} of ${data.wide} numbers a row; blue below 0, red above, darkest from ${reach}`;
  const right = edge < width / 2;
  const look = /** @type {const} */ ({ key: "legend", size: 14, fill: colour.quiet, anchor: right ? "end" : "start" });
  pen.text(right ? width - 8 : at.left, y, said, look);
}

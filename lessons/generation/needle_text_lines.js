// A whole text of a random walk: a line of length 1 and a needle for each of its words, one below the other.

import { textWidth } from "../../drawing/pen.js";
import { shown } from "./needle_places.js";

/** @import { WalkLine } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { WalkScene } from "./needle_places.js" */
/**
 * A row: where its line begins, how long it is, and its upper and lower edge.
 *
 * @typedef {{ left: number, length: number, top: number, high: number }} Row
 */
/** @typedef {(pen: Pen, scene: WalkScene, line: WalkLine, row: Row) => void} DrawRow */

/** @param {Pen} pen @param {WalkScene} scene */
export function drawText(pen, scene) {
  const { width, height, narrow, data, colour } = scene;
  const left = narrow ? 12 : Math.min(380, width * 0.34);
  const room = narrow ? 62 : 84;
  const head = narrow ? 4 : 10;
  const step = (height - head - 8) / data.lines.length;
  const high = Math.min(step * (narrow ? 0.32 : 0.56), 40);
  data.lines.forEach((line, n) => {
    const top = head + (n + 1) * step - high;
    const row = { left, length: width - left - room, top, high };
    pen.group({ key: `step ${n}` }, (its) => {
      drawWritten(its, scene, line, row);
      drawParts(its, scene, line, row);
      drawNeedle(its, scene, line, row, n);
    });
  });
  const y = head + step - high - 8;
  pen.text(width - 8, y, "p", { size: narrow ? 13 : 15, bold: true, fill: colour.activation, anchor: "end" });
}

/**
 * The text so far, of which the first words are left out if there is no room, and the word that is drawn.
 *
 * @type {DrawRow}
 */
function drawWritten(pen, { data, narrow, colour, hidden }, { before, parts, drawn, p }, { left, top, high }) {
  const size = narrow ? 14 : 18;
  const word = hidden(p) ? "?" : shown(parts[drawn].word);
  const wide = textWidth(word, size, true);
  const right = narrow ? 250 : left - 18;
  const words = [...data.prompt.split(/\s+/), ...before];
  const gap = size * 0.35;
  const room = right - 12 - wide - gap;
  let said = words.join(" ");
  while (words.length > 1 && textWidth(said, size) > room) {
    words.shift();
    said = `… ${words.join(" ")}`;
  }
  const y = narrow ? top - 25 : top + high / 2 + 6;
  const end = narrow ? left + textWidth(said, size) + 2 : right - wide - gap;
  pen.text(end, y, said, { size, fill: colour.quiet, anchor: "end" });
  pen.text(end + gap, y, word, { key: "drawn", size, bold: true, fill: colour.activation });
}

/** @type {DrawRow} */
function drawParts(pen, { colour, hidden, text, width, narrow }, { parts, drawn, p }, { left, length, top, high }) {
  parts.forEach(({ word, low, high: until }, i) => {
    const on = i === drawn && !hidden(p);
    const [x, wide] = [left + low * length, (until - low) * length];
    const look = { key: `part ${i}`, r: 0, fill: colour.activation, "fill-opacity": on ? 1 : i % 2 ? 0.38 : 0.24 };
    pen.rect(x, top, wide, high, look);
    const size = narrow ? 13 : 16;
    if (textWidth(shown(word), size, true) + 8 > wide || high < size + 2) return;
    const ink = on ? colour.background : colour.ink;
    const middle = /** @type {const} */ ({ anchor: "middle", fill: ink });
    pen.text(x + wide / 2, top + high / 2 + 5.5, shown(word), { key: `word ${i}`, size, bold: on, ...middle });
  });
  pen.rect(left, top, length, high, { key: "line", r: 0, stroke: colour.ink, line: 1.2 });
  const size = narrow ? 13 : 15;
  const look = /** @type {const} */ ({ key: "p", size, bold: true, fill: colour.activation, anchor: "end" });
  pen.text(width - 8, top + high / 2 + 5, text(p), look);
}

/** @type {(pen: Pen, scene: WalkScene, line: WalkLine, row: Row, n: number) => void} */
function drawNeedle(pen, { text, values, colour, narrow }, line, { left, length, top }, n) {
  const x = left + values(line.u) * length;
  pen.path(`M${x - 2.5} ${top - 9}L${x} ${top + 8}L${x + 2.5} ${top - 9}z`, { fill: colour.ink, stroke: "none" });
  pen.circle(x, top - 11, 6, { fill: colour.ink });
  const said = `${n ? "" : "u = "}${text(line.u)}`;
  const right = x + 12 + textWidth(said, 14) < left + length;
  if (narrow && !right) return;
  const anchor = right ? "start" : "end";
  pen.text(x + (right ? 11 : -11), top - 7, said, { key: "u", size: narrow ? 13 : 14, anchor, halo: true });
}

// What stands around the weights: the source, read once by the encoder, and the words that the decoder reads and writes.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { CrossScene, Places } from "./cross_places.js" */
/** @typedef {(pen: Pen, scene: CrossScene, at: Places) => void} Draw */

/**
 * The words of the source, and the encoder that has read them.
 *
 * @type {Draw}
 */
export function drawEncoder(pen, scene, at) {
  const { data, narrow, colour, hidden } = scene;
  const look = hidden("top") ? -1 : data.largest[at.now - 1];
  const size = Math.min(
    narrow ? 14 : 20,
    (at.across - 12) / Math.max(...data.source.map((word) => textWidth(word, 1))),
  );
  data.source.forEach((word, j) => {
    const bold = j === look;
    const fill = bold ? colour.key : colour.ink;
    if (narrow) {
      const turned = `rotate(-40 ${at.x(j)} 60)`;
      pen.text(at.x(j) - 4, 60, word, { size: 14, bold, fill, transform: turned });
      return;
    }
    const wide = Math.min(at.across - 8, 110);
    const frame = { fill: colour.background, stroke: colour.key, line: bold ? 3 : 1.5, r: 6 };
    pen.rect(at.x(j) - wide / 2, 6, wide, 36, frame);
    pen.text(at.x(j), 31, word, { size: Math.max(size, 14), bold, fill, anchor: "middle", room: wide - 6 });
  });
  if (narrow) return;
  pen.rect(at.left, 52, at.right - at.left, 36, { fill: colour.key, "fill-opacity": 0.14, stroke: colour.key, r: 6 });
  const said = `encoder: read once, all ${data.source.length} together → a key and a value each`;
  const title = /** @type {const} */ ({ size: 18, bold: true, fill: colour.key, anchor: "middle" });
  pen.text((at.left + at.right) / 2, 76, said, { ...title, room: at.right - at.left - 16 });
}

/**
 * What the decoder reads and writes at each step so far; a press on a step goes there.
 *
 * @type {Draw}
 */
export function drawDecoder(pen, scene, at) {
  const { narrow, colour } = scene;
  const { reads, bar, right, top, foot, size } = at;
  const heads = { size: narrow ? 14 : 16, fill: colour.quiet };
  pen.text(reads, top - 8, "reads", { ...heads, anchor: "end" });
  pen.text(right + 16, top - 8, "writes", heads);
  if (!narrow) {
    const left = reads + 12;
    pen.rect(left, top, bar - 12, foot - top, { fill: colour.query, "fill-opacity": 0.12, stroke: colour.query, r: 6 });
    const middle = [left + (bar - 12) / 2 + 6, (top + foot) / 2];
    pen.text(middle[0], middle[1], "decoder: one word at a time", {
      size: 18,
      bold: true,
      fill: colour.query,
      anchor: "middle",
      transform: `rotate(-90 ${middle[0]} ${middle[1]})`,
    });
  }
  for (let i = 0; i < scene.data.read.length; i++) drawRow(pen, scene, at, i, size);
}

/**
 * The words of one step, empty where it has not been reached.
 *
 * @param {Pen} pen @param {CrossScene} scene @param {Places} at @param {number} i @param {number} size
 */
function drawRow(pen, { data, colour, narrow, width, send }, { reads, bar, right, y, now, pitch }, i, size) {
  const framed = i === now - 1;
  const base = y(i) + size * 0.35;
  pen.button(
    `Step ${i + 1}`,
    () => send({ step: i + 1 }),
    (row) => {
      row.rect(0, y(i) - pitch / 2, width, pitch, { fill: "transparent", r: 0 });
      if (!narrow) row.text(reads + bar + 18, y(i) - 4, `${i + 1}`, { size: 15, fill: colour.quiet, anchor: "middle" });
      if (i >= now) return;
      const look = { size, bold: framed, fill: framed ? colour.query : colour.ink };
      row.text(reads, base, data.read[i], { ...look, anchor: "end" });
      row.text(right + 16, base, data.written[i], { ...look, fill: colour.ink });
    },
    { key: `row${i}`, chosen: framed },
  );
}

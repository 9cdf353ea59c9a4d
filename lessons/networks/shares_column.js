// The column of height 1, and the streams from the bars into it.

import { PLACES, ROLES, wideOf } from "./shares_words.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Place, SharesPlaces, SharesScene } from "./shares.js" */

/** @param {Pen} pen @param {SharesScene} scene @param {SharesPlaces} at */
export function drawColumn(pen, scene, at) {
  const { data, colour, hidden, narrow } = scene;
  const { left, wide, top, foot } = at.column;
  const title = {
    size: narrow ? 13 : 18,
    bold: true,
    fill: colour.activation,
    anchor: /** @type {const} */ ("middle"),
  };
  pen.text(left + wide / 2, narrow ? 18 : 22, narrow ? "shares" : "shares of one whole", title);
  if (hidden("p1")) {
    pen.rect(left, top, wide, foot - top, { key: "unknown", r: 6, stroke: colour.quiet, line: 2.5, dash: "7 6" });
    pen.text(left + wide / 2, (top + foot) / 2 + 14, "?", { key: "asked", size: 44, bold: true, anchor: "middle" });
    return;
  }
  let start = top;
  PLACES.forEach((k, i) => {
    const high = scene.values(`p${k}`) * (foot - top);
    drawStream(pen, scene, at, k, start, high);
    drawShare(pen, scene, at, { k, i, start, high });
    start += high;
  });
  if (data.marks) drawOld(pen, scene, at);
}

/**
 * A stream from the end of a bar to its share.
 *
 * @param {Pen} pen @param {SharesScene} scene @param {SharesPlaces} at @param {Place} k @param {number} start
 * @param {number} share its height in the column
 */
function drawStream(pen, { data, values, text, colour, narrow }, at, k, start, share) {
  const { rows, bar, per, high, column } = at;
  const y = rows[k - 1];
  const was = data.marks ? Math.exp(values(`o${k}`)) : 0;
  const from = bar + Math.max(values(`e${k}`), was) * per + (narrow ? 4 : wideOf(text(`e${k}`), 24) + 18);
  const to = column.left - 2;
  if (from > to - 10) return;
  const middle = (from + to) / 2;
  const [a, b] = [y - high / 2, y + high / 2];
  const d =
    `M${from} ${a}C${middle} ${a} ${middle} ${start} ${to} ${start}V${start + share}` +
    `C${middle} ${start + share} ${middle} ${b} ${from} ${b}Z`;
  pen.path(d, { key: `stream ${k}`, stroke: null, fill: colour[ROLES[k - 1]], "fill-opacity": 0.14 });
}

/**
 * @param {Pen} pen
 * @param {SharesScene} scene
 * @param {SharesPlaces} at
 * @param {{ k: Place, i: number, start: number, high: number }} share
 */
function drawShare(pen, { data, text, final, colour, narrow }, { column }, { k, i, start, high }) {
  const { left, wide } = column;
  const fill = colour[ROLES[i]];
  pen.rect(left, start + 1, wide, high - 2, { key: `share ${k}`, r: 5, fill });
  const size = Math.min(narrow ? 17 : 36, high * 0.8);
  const middle = start + high / 2;
  const anchor = /** @type {const} */ ("middle");
  const inside = size >= 14;
  const number = text(`p${k}`);
  const name = narrow ? data.classes[i].replace("class ", "") : data.classes[i];
  const label = { key: `class ${k}`, size: narrow ? (inside ? 15 : 13) : inside ? 20 : 16, bold: true, fill };
  if (inside)
    pen.markedText(left + wide / 2, middle + size * 0.35, number, data.named[final("@say")] === k, {
      key: `p ${k}`,
      size: Math.min(size, (wide - 14) / wideOf(number, 1)),
      bold: true,
      anchor,
      fill: colour.background,
    });
  const beside = inside ? name : narrow ? number : `${name}: ${number}`;
  pen.text(left + wide + (narrow ? 6 : 14), middle + 7, beside, label);
}

/**
 * Where the borders of the shares were.
 *
 * @param {Pen} pen @param {SharesScene} scene @param {SharesPlaces} at
 */
function drawOld(pen, { values, text, colour, narrow }, { column }) {
  const { left, top, foot } = column;
  let y = top;
  for (const k of PLACES) {
    const start = y;
    y += values(`q${k}`) * (foot - top);
    if (k < 3) pen.line(left - 14, y, left + 4, y, { key: `was ${k}`, width: 4 });
    if (narrow) continue;
    const said = { key: `old ${k}`, size: 15, halo: true, anchor: /** @type {const} */ ("end"), fill: colour.quiet };
    pen.text(left - 18, (start + y) / 2 + 5, `was ${text(`q${k}`)}`, said);
  }
}

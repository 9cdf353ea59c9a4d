// The head for pairs: the vector of [CLS], two sums over its numbers, and the two shares that softmax makes of them.

import { mainPicture } from "../../drawing/main_picture.js";
import { bent } from "../../drawing/pen.js";
import { shortNumber } from "./bars.js";
import { placesOf, spikes, sumOf, wayOf } from "./pair_head_places.js";
import { layWords } from "./words.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, HeadPlaces, HeadScene } from "./pair_head_places.js" */
/** @typedef {(pen: Pen, scene: HeadScene, at: HeadPlaces) => void} Draw */

const MIDDLE = /** @type {const} */ ({ anchor: "middle" });

/** @param {Component<Scripts["pair_head"]>} component */
export default function pair_head(component) {
  return mainPicture(component, (pen, /** @type {HeadScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "texts", (its) => drawTexts(its, scene, at));
    pen.part(scene, "vector", (its) => drawVector(its, scene, at));
    pen.part(scene, "sums", (its) => drawSums(its, scene, at));
    pen.part(scene, "shares", (its) => (at.narrow ? drawRows(its, scene, at) : drawColumns(its, scene, at)));
  });
}

/** @param {HeadScene} scene @param {number} label */
const inkOf = ({ colour }, label) => (label ? colour.weight : colour.score);

/** @param {number} label @returns {NameOf<"pair_head">} */
const lossOf = (label) => `n${label}`;

/**
 * A, and below it the texts that may stand in the place of B; a press puts one there.
 *
 * @type {Draw}
 */
function drawTexts(pen, scene, { texts, narrow }) {
  const { data, colour } = scene;
  const { left, right, top, foot } = texts;
  const gap = narrow ? 4 : 10;
  const shown = [data.first, ...data.choices];
  const title = narrow ? 0 : 26;
  const each = (foot - top - 2 * title - gap * (shown.length - 1)) / shown.length;
  const box = (/** @type {number} */ n) => {
    const y = top + title + n * (each + gap) + (n ? title : 0);
    return { left, right, top: y, foot: y + each };
  };
  if (!narrow) {
    pen.text(left, top + 15, "A", { key: "A", size: 18, bold: true, fill: colour.input });
    const b = { key: "B", size: 18, bold: true, fill: colour.value };
    pen.text(left, box(1).top - 9, "B: press another text", b);
  }
  drawBox(pen, scene, data.first, { ...box(0), n: -1 });
  data.choices.forEach((text, n) => {
    const chosen = n === data.chosen;
    const draw = (/** @type {Pen} */ its) => drawBox(its, scene, text, { ...box(n + 1), n });
    pen.button(`B: ${text}`, () => scene.send(String(n)), draw, { key: `B ${n}`, chosen });
  });
}

/** @param {Pen} pen @param {HeadScene} scene @param {string} text @param {Box & { n: number }} box */
function drawBox(pen, { data, colour, narrow }, text, { left, right, top, foot, n }) {
  const stands = n < 0 || n === data.chosen;
  const fill = n < 0 ? colour.input : colour.value;
  const edge = stands ? { stroke: fill, line: 2.5 } : { stroke: colour.line, line: 1.5 };
  const back = stands ? { fill, "fill-opacity": 0.1 } : { fill: colour.background };
  pen.rect(left, top, right - left, foot - top, { key: "box", r: 10, ...back, ...edge });
  const ink = stands ? colour.ink : colour.quiet;
  if (narrow) {
    const said = `${n < 0 ? "A" : "B"}: ${text}`;
    return void pen.text(left + 8, (top + foot) / 2 + 5, said, {
      key: "text",
      size: 13,
      fill: ink,
      room: right - left - 14,
    });
  }
  const most = foot - top - 8;
  const room = { left: left + 8, right: right - 6, top: top + 4, most, largest: 21 };
  const { items, size, bottom } = layWords(text.split(" "), new Set(), room);
  const down = Math.max(0, (room.most - (bottom - room.top)) / 2);
  for (const { i, text: word, x, y, width } of items)
    pen.text(x + width / 2, y + down, word, { key: `word${i}`, size, fill: ink, bold: stands, ...MIDDLE });
}

/**
 * The numbers of [CLS], and what tanh makes of them.
 *
 * @type {Draw}
 */
function drawVector(pen, scene, at) {
  const { values, colour, data } = scene;
  const [h, c] = ["h", "c"].map((each) =>
    list(at.count, (i) => values(/** @type {NameOf<"pair_head">} */ (`${each} ${i}`))),
  );
  if (!at.narrow) {
    const first = /** @type {Box} */ (at.rows[0]);
    const y = (first.top + first.foot) / 2;
    const d = bent([
      [at.texts.right + 4, y],
      [first.left - 8, y],
    ]);
    pen.beads(d, colour.activation, { key: "in" });
  }
  drawStrip(pen, scene, at, 0, h, `h of [CLS]: ${at.count} numbers`, colour.activation);
  drawStrip(
    pen,
    scene,
    at,
    1,
    c,
    at.narrow ? `c of [CLS], ${at.count} numbers` : "c = tanh(W_p h + b_p)",
    colour.activation,
  );
  data.labels.forEach((label, n) => {
    const row = [...data.rows.slice(n * at.count, (n + 1) * at.count)];
    drawStrip(pen, scene, at, 2 + n, row, `W_nsp, the row of ${label}`, inkOf(scene, n));
  });
}

/** @type {(count: number, each: (i: number) => number) => number[]} */
const list = (count, each) => Array.from({ length: count }, (_, i) => each(i));

/**
 * A strip of numbers, a line for each.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {number} n
 * @param {readonly number[]} numbers @param {string} title @param {string} stroke
 */
function drawStrip(pen, { colour }, at, n, numbers, title, stroke) {
  const row = at.rows[n];
  if (!row) return;
  const most = Math.max(...numbers.map(Math.abs), 1e-9);
  const middle = (row.top + row.foot) / 2;
  const size = at.narrow ? 13 : 16;
  pen.text(row.left, row.top - 6, title, { key: `title ${n}`, size, bold: true, fill: stroke });
  pen.line(row.left, middle, row.right, middle, { key: `zero ${n}`, stroke: colour.line, width: 1 });
  const width = Math.max(0.8, ((row.right - row.left) / at.count) * 0.72);
  pen.path(spikes(row, at.x, numbers, most), { key: `strip ${n}`, stroke, width });
}

/**
 * The two sums: each begins at its bias, adds a term for each number, and ends at its logit.
 *
 * @type {Draw}
 */
function drawSums(pen, scene, at) {
  const { data, colour, values, text, narrow } = scene;
  const { left, right, top, foot } = at.sums;
  const size = narrow ? 13 : 16;
  const title = narrow ? "the two sums" : "Σ w · c, term by term";
  pen.text(left, top - 6, title, { key: "title", size, bold: true });
  pen.line(left, at.y(0), right, at.y(0), { key: "zero", stroke: colour.quiet, width: 1.5, dash: "4 4" });
  const [one, two] = data.labels.map((_, n) => at.y(values(/** @type {NameOf<"pair_head">} */ (`l${n}`))));
  const apart = Math.max(0, (narrow ? 34 : 44) - Math.abs(one - two)) / 2;
  data.labels.forEach((label, n) => {
    const stroke = inkOf(scene, n);
    const name = /** @type {NameOf<"pair_head">} */ (`l${n}`);
    const bias = values(/** @type {NameOf<"pair_head">} */ (`b${n}`));
    const sums = list(at.count, (i) => values(sumOf(n, i)));
    pen.path(wayOf(bias, sums, at.x, at.y), { key: `way ${n}`, stroke, width: narrow ? 2.5 : 3.5 });
    const end = at.y(values(name));
    pen.circle(right, end, narrow ? 5 : 7, { key: `end ${n}`, fill: stroke });
    const beside = end + (end <= (n ? one : two) ? -apart : apart);
    const y = Math.min(Math.max(beside, top + 12), foot - (narrow ? 16 : 20));
    pen.text(right + 12, y - 2, label, { key: `label ${n}`, size: narrow ? 13 : 16, bold: true, fill: stroke });
    pen.text(right + 12, y + (narrow ? 15 : 19), text(name), {
      key: `logit ${n}`,
      size: narrow ? 15 : 20,
      bold: true,
      fill: stroke,
    });
  });
}

/**
 * The two shares as columns, and below each what it costs if that is right.
 *
 * @type {Draw}
 */
function drawColumns(pen, scene, { shares, sums }) {
  const { data, colour, values, text, hidden } = scene;
  const { left, right, top, foot } = shares;
  const each = (right - left) / 2;
  pen.text((left + right) / 2, 24, "softmax", { key: "softmax", size: 20, bold: true, ...MIDDLE });
  data.labels.forEach((label, n) => {
    const name = /** @type {NameOf<"pair_head">} */ (`p${n}`);
    const fill = inkOf(scene, n);
    const x = left + n * each + 10;
    const [wide, middle] = [each - 20, left + (n + 0.5) * each];
    pen.rect(x, top, wide, foot - top, { key: `track ${n}`, r: 6, fill, "fill-opacity": 0.1 });
    const tall = hidden(name) ? 0 : (foot - top) * values(name);
    pen.rect(x, foot - tall, wide, tall, { key: `bar ${n}`, r: Math.min(6, tall / 2), fill });
    const inside = tall > 44;
    const number = hidden(name) ? "?" : shortNumber(values(name));
    const ink = inside ? colour.background : colour.ink;
    pen.text(middle, inside ? foot - tall + 32 : foot - tall - 10, number, {
      key: `share ${n}`,
      size: 26,
      bold: true,
      fill: ink,
      ...MIDDLE,
    });
    pen.text(middle, foot + 26, label, { key: `label ${n}`, size: 19, bold: true, fill, ...MIDDLE });
    const said = n === data.right ? "this is right" : `if so: ${text(lossOf(n))}`;
    if (data.right >= 0 && n !== data.right) return;
    const look = { key: `cost ${n}`, size: data.right < 0 ? 14 : 17, bold: n === data.right, fill: colour.loss };
    pen.text(middle, foot + 50, said, { ...look, ...MIDDLE });
  });
  if (data.right >= 0) {
    const loss = { key: "loss", size: 19, bold: true, fill: colour.loss, ...MIDDLE };
    pen.text((left + right) / 2, foot + 76, `loss ${text(lossOf(data.right))} nats`, loss);
  }
  const d = bent([
    [sums.right + 76, (sums.top + sums.foot) / 2],
    [left - 4, (sums.top + sums.foot) / 2],
  ]);
  pen.beads(d, colour.ink, { key: "out" });
}

/**
 * On a phone, the two shares as lying bars.
 *
 * @type {Draw}
 */
function drawRows(pen, scene, { shares }) {
  const { data, colour, values, text, hidden } = scene;
  const { left, right, top, foot } = shares;
  const row = (foot - top) / 2;
  const [from, end] = [left + 64, right - 92];
  data.labels.forEach((label, n) => {
    const name = /** @type {NameOf<"pair_head">} */ (`p${n}`);
    const fill = inkOf(scene, n);
    const y = top + n * row;
    pen.text(left, y + 18, label, { key: `label ${n}`, size: 14, bold: true, fill });
    pen.rect(from, y + 3, end - from, row - 8, { key: `track ${n}`, r: 4, fill, "fill-opacity": 0.1 });
    const long = hidden(name) ? 0 : (end - from) * values(name);
    pen.rect(from, y + 3, long, row - 8, { key: `bar ${n}`, r: 4, fill });
    const number = hidden(name) ? "?" : shortNumber(values(name));
    const inside = long > 60;
    const ink = inside ? colour.background : colour.ink;
    pen.text(inside ? from + long - 6 : from + long + 6, y + 19, number, {
      key: `share ${n}`,
      size: 15,
      bold: true,
      fill: ink,
      anchor: inside ? "end" : "start",
    });
    const says = text(lossOf(n));
    const look = {
      key: `cost ${n}`,
      size: 13,
      bold: n === data.right,
      fill: n === data.right ? colour.loss : colour.quiet,
      anchor: /** @type {const} */ ("end"),
    };
    pen.text(right, y + 18, n === data.right ? `loss ${says}` : `if right ${says}`, look);
  });
}

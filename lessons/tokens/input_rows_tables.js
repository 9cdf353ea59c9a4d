// The tables to scale, with the rows that the words of the text have in the largest one; and the question how many rows
// the text becomes.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { RowsScene } from "./input_rows_places.js" */
/** @typedef {ReturnType<typeof tablesPlaces>} At */

/** @param {Pen} pen @param {RowsScene} scene */
export function drawTables(pen, scene) {
  const at = tablesPlaces(scene);
  drawLargest(pen, scene, at);
  drawWordsOf(pen, scene, at);
  drawSmall(pen, scene, at);
  drawAsked(pen, scene, at);
}

/** @param {RowsScene} scene */
function tablesPlaces({ width, height, narrow, data }) {
  const tables = data.tables.filter(({ rows }) => rows);
  const box = { left: narrow ? 6 : 10, top: narrow ? 96 : 38, wide: narrow ? 80 : 190, foot: height - 8 };
  const row = (box.foot - box.top) / tables[0].rows;
  return { ...box, tables, row, width, narrow, names: box.left + box.wide + 34, half: 0.53 * width };
}

/** @param {number} rows */
const counted = (rows) => `${rows.toLocaleString("en")} rows`;

/** @param {Pen} pen @param {RowsScene} scene @param {At} at */
function drawLargest(pen, { colour }, { left, top, wide, foot, tables, narrow }) {
  const fill = colour.input;
  pen.rect(left, top, wide, foot - top, { key: "E", fill, "fill-opacity": 0.15, stroke: fill, line: 2, r: 2 });
  const size = narrow ? 15 : 22;
  pen.text(left, top - 12, tables[0].symbol, { key: "symbol", size, bold: true, fill });
  pen.text(left + size, top - 12, counted(tables[0].rows), { key: "rows", size: narrow ? 14 : 18, fill });
}

/**
 * The row of each word, in the order of the rows; a word of several pieces has none.
 *
 * @param {Pen} pen @param {RowsScene} scene @param {At} at
 */
function drawWordsOf(pen, { data, colour }, at) {
  const whole = data.words.filter(({ first, last }) => first === last);
  const known = [...new Map(whole.map(({ text, first }) => [text, data.ids[first]]))].sort((a, b) => a[1] - b[1]);
  const step = Math.min(29, (at.foot - at.top - 60) / known.length);
  const size = Math.min(at.narrow ? 14 : 19, step - 4);
  let y = at.top;
  known.forEach(([text, id], n) => {
    const row = at.top + id * at.row;
    y = Math.max(y + step, row + 4);
    y = Math.min(y, at.foot - 40 - (known.length - n) * step);
    const edge = at.left + at.wide;
    const lead = { key: `lead${n}`, stroke: colour.input, width: 2 };
    pen.path(`M${at.left} ${row}H${edge}L${at.names - 8} ${y - size * 0.35}`, lead);
    pen.text(at.names, y, text, { key: `word${n}`, size });
    const number = { key: `id${n}`, size, fill: colour.input };
    pen.text(at.names + (at.narrow ? 70 : 110), y, id.toLocaleString("en"), number);
  });
  const none = data.words.filter(({ first, last }) => first !== last).map(({ text }) => text);
  [...new Set(none)].slice(0, 2).forEach((text, n) => {
    const look = { key: `none${n}`, size: at.narrow ? 14 : 21, bold: true, fill: colour.gradient };
    pen.text(at.names, Math.min(y + 44 + 30 * n, at.foot - 8), `${text}: no row!`, look);
  });
}

/**
 * The other tables, on the same scale.
 *
 * @param {Pen} pen @param {RowsScene} scene @param {At} at
 */
function drawSmall(pen, { colour }, at) {
  if (at.narrow) return;
  const left = at.names;
  let foot = at.foot;
  [...at.tables.slice(1)].reverse().forEach(({ symbol, role, rows }) => {
    const high = Math.max(rows * at.row, 1.5);
    const fill = colour[role];
    pen.rect(left, foot - high, at.wide, high, { key: symbol, fill, "fill-opacity": 0.4, stroke: fill, r: 0 });
    pen.text(left, foot - high - 9, symbol, { key: `${symbol} name`, size: 20, bold: true, fill });
    pen.text(left + 24, foot - high - 9, counted(rows), { key: `${symbol} rows`, size: 17, fill });
    foot -= high + 46;
  });
  pen.text(left + at.wide + 14, at.foot, "all to scale", { key: "scale", size: 16, fill: colour.quiet });
}

/** @param {Pen} pen @param {RowsScene} scene @param {At} at */
function drawAsked(pen, { data, colour, text }, at) {
  const words = `${text("words")} words`;
  const size = at.narrow ? 22 : 46;
  const [x, y] = at.narrow ? [at.left, 30] : [at.half, 0.56 * (at.top + at.foot)];
  pen.text(x, y, words, { key: "words", size, bold: true });
  const next = x + textWidth(words, size, true) + 0.6 * size;
  pen.text(next, y, "→", { key: "arrow", size, fill: colour.quiet });
  const asked = next + textWidth("→", size) + 0.6 * size;
  pen.markedText(asked, y, "?", true, { key: "asked", size, bold: true });
  pen.text(asked + 0.9 * size, y, "rows", { key: "what", size, bold: true });
  if (at.narrow) return;
  /** @type {[string, string][]} */
  const sentences = [
    ["A", ""],
    ["B", ""],
  ];
  data.words.forEach((word) => {
    const its = sentences[data.letters[word.first] === "B" ? 1 : 0];
    its[1] = `${its[1]} ${word.text}`.trim();
  });
  sentences.forEach(([letter, said], n) => {
    if (!said) return;
    pen.text(x, at.top + 30 + 44 * n, letter, { key: `letter${n}`, size: 24, bold: true, fill: colour.quiet });
    pen.text(x + 34, at.top + 30 + 44 * n, said, { key: `said${n}`, size: 30, room: at.width - x - 40 });
  });
  const rules = [
    "[CLS] opens the text, [SEP] closes each sentence.",
    "A word without a row is cut into pieces that have one.",
  ];
  rules.forEach((rule, n) => {
    pen.text(x, y + 54 + 31 * n, rule, { key: `rule${n}`, size: 20, fill: colour.quiet, room: at.width - x - 8 });
  });
}

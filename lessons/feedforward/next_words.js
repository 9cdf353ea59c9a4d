// A bar for each of the most probable next words, the text's own among them.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { curve, drawHead, placeOf, right, spot } from "./feedforward_marks.js";
import { barRows } from "./ribbon.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FlowScene } from "./feedforward_marks.js" */
/** @import { Places } from "./feedforward_places.js" */
/** @typedef {ReturnType<typeof barRows>[number] & { n: number, y: number, high: number }} Row a word in its row */

/** @type {Draw} */
export function drawBars(pen, scene, at) {
  const { data, colour, hidden, narrow } = scene;
  const now = placeOf(scene);
  const { left, wide, top, high, fits } = at.bars;
  const asked = hidden("p1");
  const rows = barRows(data.best[now], asked ? undefined : data.words[now + 1], fits);
  const row = Math.min(high / rows.length, narrow ? 30 : 60);
  const head = { letter: "next word", fill: colour.activation };
  if (!narrow) drawHead(pen, at, left + wide / 2, head, at.headLow);
  rows.forEach((each, n) => {
    const placed = { ...each, n, y: top + n * row, high: row };
    if (asked) drawUnknown(pen, at, placed);
    else drawRow(pen, scene, at, placed);
  });
}

/**
 * A word that is to be predicted.
 *
 * @param {Pen} pen @param {Places} at @param {Row} row
 */
function drawUnknown(pen, { bars: { left, wide }, narrow }, { y, high }) {
  pen.text(left, y + high * 0.5, "?", { size: narrow ? 15 : 18, bold: true });
  const look = { stroke: pen.colour.line, dash: "4 4", r: 3 };
  pen.rect(left + 24, y + high * 0.5 - 12, wide - 24, 12, look);
}

/** @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Row} row */
function drawRow(pen, scene, at, row) {
  const { values, colour, narrow } = scene;
  const { left, wide } = at.bars;
  const { i, n, y, high } = row;
  const chance = values(nameOf(i));
  const best = i === 0;
  const bar = narrow
    ? { left: left + 58, wide: wide - 58 - 46, top: y + high / 2 - 6, high: 11 }
    : { left, wide, top: y + 22, high: Math.min(14, high - 28) };
  drawWay(pen, scene, at, row, narrow ? y + high / 2 : bar.top + bar.high / 2);
  const whole = { key: `whole${n}`, fill: colour.line, "fill-opacity": 0.5, r: 3 };
  pen.rect(bar.left, bar.top, bar.wide, bar.high, whole);
  pen.rect(bar.left, bar.top, Math.max(bar.wide * chance, 1.5), bar.high, {
    key: `bar${n}`,
    fill: best ? colour.mark : colour.activation,
    stroke: best ? colour.ink : null,
    line: best ? 1.2 : null,
    r: 3,
  });
  drawName(pen, scene, at, row);
}

/** @param {number} i the rank of a word, from 0; −1 for the text's own where it is not among the best */
const nameOf = (i) => (i < 0 ? "pt" : /** @type {const} */ (`p${i + 1}`));

/**
 * The line from a word's cell to its bar.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Row} row @param {number} y
 */
function drawWay(pen, scene, at, { i }, y) {
  const { data, values, colour, narrow } = scene;
  const { chances } = at.strips;
  const now = placeOf(scene);
  const { cells } = data.strips.chances;
  const id = i < 0 ? -1 : data.best_ids[now * data.best[now].length + i];
  if (id < 0 || id >= cells) return;
  const chance = values(nameOf(i));
  const d = curve(right(chances), spot(chances, id, cells), at.bars.left - (narrow ? 4 : 6), y);
  pen.path(d, { stroke: colour.activation, width: 1 + 6 * chance, "stroke-opacity": 0.3 + 0.7 * chance });
  if (i === 0) pen.beads(d, colour.background, { width: 2.4 });
}

/**
 * A word, its probability, and its rank if it is not among the best.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {Row} row
 */
function drawName(pen, { values, text, colour, narrow }, { bars: { left, wide } }, { word, i, real, y, high }) {
  const best = i === 0;
  const bold = best || real;
  const size = narrow ? 13 : best ? 20 : 17;
  const base = narrow ? y + high / 2 + 5 : y + 16;
  const number = bold ? text(nameOf(i)) : short(values(nameOf(i)));
  const taken = textWidth(number, size, true);
  const room = narrow ? 56 : wide - taken - 24;
  const named = `${real ? "✓ " : ""}${word}`;
  pen.text(left, base, named, { size, bold, room, fill: colour.ink });
  const note = i < 0 && !narrow ? `rank ${formatNumber(values("rank"))}` : "";
  const x = left + Math.min(textWidth(named, size, true), room) + 8;
  if (note && x + textWidth(note, 13) < left + wide - taken - 12)
    pen.text(x, base, note, { size: 13, fill: colour.quiet });
  pen.markedText(left + wide, base, number, best, { size, bold, anchor: "end" });
}

/** @param {number} chance in two digits */
const short = (chance) => (chance < 0.001 ? "< 0.001" : formatNumber(Number(chance.toPrecision(2))));

// Greedy longest match: every lookup of a word, one per row, from the longest piece down; below, the pieces found. Two
// buttons step through the lookups.

import { mainPicture } from "../../drawing/main_picture.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { UNKNOWN } from "./trees.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @typedef {Scene<"longest", { shape?: string, seen?: number }>} LongestScene seen: lookups that are shown */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: LongestScene, at: Places) => void} Draw */

const ALL = 999;
const ROW = { least: 18, most: 46 };

/** @param {Component<Scripts["longest"]>} component */
export default function longest(component) {
  return mainPicture(component, drawLongest);
}

/** @param {Pen} pen @param {LongestScene} scene */
function drawLongest(pen, scene) {
  const at = placesOf(scene);
  pen.part(scene, "word", (its) => drawWord(its, scene, at));
  pen.part(scene, "lookups", (its) => drawLookups(its, scene, at));
  pen.part(scene, "pieces", (its) => {
    drawPieces(its, scene, at);
    drawCount(its, scene, at);
  });
}

/** @param {LongestScene} scene */
function placesOf({ width, height, narrow, data, values, hidden, memory }) {
  const [tries, pieces] = data.matches[Math.round(values("@say"))];
  const shape = `${data.word.join("")} ${data.at}`;
  if (memory.shape !== shape) Object.assign(memory, { shape, seen: data.at });
  const seen = hidden("tries") ? 0 : Math.min(memory.seen ?? data.at, tries.length);
  const [left, said] = narrow ? [34, 76] : [84, 150];
  const cell = Math.min((width - left - said - 12) / data.word.length, narrow ? 40 : 120);
  const top = narrow ? 46 : 74;
  const foot = height - (narrow ? 90 : 112);
  const row = Math.min(Math.max((foot - top) / Math.max(tries.length, 1), ROW.least), ROW.most);
  const fits = Math.max(1, Math.floor((foot - top) / row));
  const from = Math.max(0, seen - fits); // the first lookup that fits
  const right = left + cell * data.word.length + 14;
  return { width, height, narrow, tries, pieces, seen, left, cell, top, foot, row, from, right };
}

/** @type {Draw} */
function drawWord(pen, { data, colour }, at) {
  const size = Math.min(at.narrow ? 17 : 26, Math.max(13, at.cell * 0.8));
  data.word.forEach((letter, i) => {
    const x = at.left + i * at.cell;
    const look = { r: 8, fill: colour.input, "fill-opacity": 0.13, stroke: colour.input };
    pen.rect(x + 2, at.top - (at.narrow ? 36 : 56), at.cell - 4, at.narrow ? 30 : 46, look);
    pen.text(x + at.cell / 2, at.top - (at.narrow ? 14 : 24), letter, { size, bold: true, anchor: "middle" });
  });
  if (at.cell <= 26) return;
  const look = /** @type {const} */ ({ size: 14, fill: colour.quiet, anchor: "end" });
  pen.text(at.left - 12, at.top - (at.narrow ? 15 : 26), at.narrow ? "" : "the word", look);
}

/** @type {Draw} */
function drawLookups(pen, scene, at) {
  for (let i = at.from; i < at.seen; i++) drawLookup(pen, scene, at, i);
}

/**
 * A lookup: its number, the letters that were looked up, and whether the vocabulary has them.
 *
 * @param {Pen} pen @param {LongestScene} scene @param {Places} at @param {number} i
 */
function drawLookup(pen, { data, colour }, at, i) {
  const [start, end, id] = at.tries[i];
  const y = at.top + (i - at.from) * at.row;
  const found = id >= 0;
  const tall = at.row - Math.min(6, at.row * 0.2);
  const size = Math.min(20, Math.max(13, at.row * 0.55));
  const [x, wide] = [at.left + start * at.cell, (end - start) * at.cell];
  const more = i === at.from && at.from; // earlier lookups are not shown
  const number = /** @type {const} */ ({ key: `n${i}`, fill: colour.quiet, anchor: "end" });
  if (more) pen.text(at.left - 12, y + at.row * 0.7, `… ${i + 1}`, { size: 13, ...number });
  else pen.text(at.left - 12, y + tall / 2 + 5, `${i + 1}`, { size: at.narrow ? 13 : 15, ...number });
  const tint = found ? colour.activation : colour.mask;
  const line = i === at.seen - 1 ? 2.6 : 1.4;
  const look = { r: 6, fill: found ? tint : "none", stroke: tint, line, dash: found ? null : "5 4" };
  pen.rect(x + 2, y, wide - 4, tall, { key: `bar${i}`, ...look });
  data.word
    .slice(start, end)
    .forEach((letter, j) =>
      pen.text(x + (j + 0.5) * at.cell, y + tall / 2 + size * 0.35, letter, {
        key: `${i} ${j}`,
        size: Math.min(size, Math.max(13, at.cell * 0.8)),
        bold: found,
        anchor: "middle",
        fill: found ? colour.background : colour.mask,
      }),
    );
  const said = found ? `✓ id ${id}` : at.narrow ? "✕" : "✕ not in V";
  pen.text(at.right, y + tall / 2 + 5, said, { key: `said${i}`, size: at.narrow ? 13 : 15, bold: found, fill: tint });
}

/**
 * Whether all lookups are shown.
 *
 * @param {LongestScene} scene @param {Places} at
 */
const isWhole = ({ hidden }, at) => at.seen === at.tries.length && !hidden("tries");

/**
 * The pieces found so far, below their letters.
 *
 * @type {Draw}
 */
function drawPieces(pen, scene, at) {
  const { data, colour } = scene;
  const [top, tall] = [at.height - (at.narrow ? 80 : 100), at.narrow ? 42 : 60];
  const found = at.tries.slice(0, at.seen).filter(([, , id]) => id >= 0);
  const lost = isWhole(scene, at) && at.pieces[0] === UNKNOWN;
  const pieces = lost ? [[0, data.word.length, -1]] : found;
  const quiet = /** @type {const} */ ({ size: 14, fill: colour.quiet, anchor: "end" });
  pen.text(at.left - 12, top + tall / 2 + 5, at.narrow ? "" : "pieces", quiet);
  for (const [start, end] of pieces) {
    const piece = lost ? UNKNOWN : (start ? "##" : "") + data.word.slice(start, end).join("");
    const [x, wide] = [at.left + start * at.cell, (end - start) * at.cell];
    let size = at.narrow ? 20 : 30;
    while (size > 13 && textWidth(piece, size, true) > wide - 10) size--;
    const look = lost
      ? { fill: colour.background, "fill-opacity": 1, stroke: colour.gradient, dash: "6 4" }
      : { fill: colour.activation, "fill-opacity": 0.16, stroke: colour.activation };
    const key = `piece${start}`;
    pen.rect(x + 2, top, wide - 4, tall, { key, r: 10, line: 2, ...look });
    const fill = lost ? colour.gradient : colour.ink;
    const shown = cutText(piece, wide - 6, size, true);
    pen.text(x + wide / 2, top + tall / 2 + size * 0.35, shown, { key, size, bold: true, anchor: "middle", fill });
  }
}

/**
 * The number of lookups, and the two buttons.
 *
 * @type {Draw}
 */
function drawCount(pen, scene, at) {
  const { colour, hidden, text, memory, again, send } = scene;
  const y = at.height - 14;
  const count = at.tries.length;
  const whole = isWhole(scene, at);
  const all = `${text("tries")} ${count === 1 ? "lookup" : "lookups"}`;
  const said = hidden("tries") ? "? lookups" : whole ? all : `lookup ${at.seen} of ${count}`;
  const middle = at.narrow ? at.width / 2 : at.left + 120;
  pen.markedText(middle, y, said, whole, { key: "count", size: 16, bold: true, anchor: "middle" });
  if (hidden("tries")) return;
  const buttons = /** @type {const} */ ([
    [-1, "‹", "One lookup fewer"],
    [1, "›", "One lookup more"],
  ]);
  for (const [way, sign, name] of buttons) {
    const to = at.seen + way;
    const x = middle + way * 92;
    const pressed = () => {
      memory.seen = to;
      again();
      send(to >= count ? ALL : to);
    };
    pen.button(
      name,
      pressed,
      (its) => {
        its.circle(x, y - 5, 15, { fill: colour.background, stroke: colour.ink, line: 1.5 });
        its.text(x, y + 2, sign, { size: 21, bold: true, anchor: "middle" });
      },
      { key: name, disabled: to < 0 || to > count },
    );
  }
}

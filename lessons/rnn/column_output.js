// The probabilities of the next word at a step: the likeliest words as bars, and the actual word.

import { textWidth } from "../../drawing/pen.js";
import { between, short } from "./column_numbers.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Column, Draw, WalkScene } from "./column.js" */

/** @type {Draw} */
export function drawOutput(pen, scene, column) {
  const { data, colour, hidden } = scene;
  const { t, wide, rows, big, done, fade, current } = column;
  const { top, foot } = rows.output;
  if (!done("y")) {
    const look = { key: "open", r: 8, stroke: colour.line, dash: "4 4", line: 1, opacity: fade };
    if (fade) pen.rect(8, top, wide - 16, foot - top, look);
    return;
  }
  const words = data.choices[t];
  const chances = words.map((_, i) => data.chances[t * words.length + i]);
  const at = barPlaces(column, words.length);
  if (big < 0.4) drawLikeliest(pen, column, words[0], chances[0], at.first);
  if (current && hidden("y")) {
    const look = /** @type {const} */ ({ size: 44, bold: true, fill: colour.activation, anchor: "middle" });
    pen.text(wide / 2, (top + foot) / 2 + 14, "?", { key: "asked", ...look });
    return;
  }
  const next = data.words[t + 1];
  const came = done("J") && next !== undefined ? next : null;
  words.forEach((word, i) => drawChance(pen, scene, column, at, came, { i, word, chance: chances[i] }));
  if (came === null || words.includes(came) || !fade) return;
  drawChance(pen, scene, column, at, came, { i: words.length, word: came, chance: Math.exp(-data.losses[t]) });
}

/**
 * Where the bars are drawn: thin and close together in a small column, each with its word in a large one.
 *
 * @param {Column} column @param {number} count
 */
function barPlaces({ rows, wide, big }, count) {
  const { top, foot } = rows.output;
  const left = between(7, Math.min(110, wide * 0.34), big);
  return {
    pitch: between(8, (foot - top) / (count + 1), big),
    first: between(foot - 5 * 8 - 2, top, big),
    left,
    room: between(wide - 14, wide - left - 56, big),
  };
}

/**
 * The likeliest word of a small column, above its bars.
 *
 * @param {Pen} pen @param {Column} column @param {string} word @param {number} chance @param {number} y
 */
function drawLikeliest(pen, { wide }, word, chance, y) {
  const look = /** @type {const} */ ({ size: 13, fill: pen.colour.activation, anchor: "middle" });
  pen.text(wide / 2, y - 20, word, { key: "first", bold: true, room: wide - 4, ...look });
  pen.text(wide / 2, y - 4, short(chance), { key: "chance", ...look });
}

/**
 * @param {Pen} pen
 * @param {WalkScene} scene
 * @param {Column} column
 * @param {ReturnType<typeof barPlaces>} at
 * @param {string | null} came the word that came, once the walk is there
 * @param {{ i: number, word: string, chance: number }} row
 */
function drawChance(pen, { data, values, colour, width }, column, { pitch, first, left, room }, came, row) {
  const { x, big, fade, current } = column;
  const { i, word, chance } = row;
  const fill = word === came ? colour.loss : colour.activation;
  const y = first + pitch * i;
  const high = between(6, Math.min(pitch - 3, 15), big);
  const top = y + (pitch - high) / 2;
  pen.rect(left, top, room, high, { key: `room${i}`, fill: colour.line, "fill-opacity": 0.35, r: 2 });
  pen.rect(left, top, Math.max(room * chance, 1), high, { key: `bar${i}`, fill, r: 2 });
  if (!fade) return;
  const base = y + pitch / 2 + 5;
  const look = /** @type {const} */ ({ size: 15, fill, anchor: "end", room: left - 10, opacity: fade });
  pen.text(left - 7, base, word, { key: `word${i}`, bold: word === came, ...look });
  const marked = current && came === null && values("@phase") === data.phases.indexOf("y") && i === 0;
  const number = short(chance);
  pen.group({ key: `p${i}`, opacity: fade }, (its) =>
    its.markedText(left + room + 7, base, number, marked, { size: 15, bold: true, fill }),
  );
  const note = "came next";
  const after = left + room + 14 + textWidth(number, 15, true);
  if (word === came && x + after + textWidth(note, 14) < width - 4)
    pen.text(after, base, note, { key: "came", size: 14, fill, opacity: fade });
}

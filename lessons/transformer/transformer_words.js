// The end of a model: the words with the largest ŷ at the chosen token, as bars, with the most probable one marked.

import { formatNumber } from "../../drawing/numbers.js";
import { cutText, textWidth } from "../../drawing/pen.js";
import { boxOf } from "./transformer_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Data, Draw, View } from "./transformer_view.js" */

/** @typedef {NonNullable<Data["words"]>} Words */
/** @typedef {{ text: string, id: number, logit: number, chance: number }} Candidate */
/** @typedef {NonNullable<ReturnType<typeof placesOf>>} Places */

const BROAD = 420; // width from which there is room for logits and ids, in units

/**
 * Draw the words over their own part, or over the unembedding while that is closed.
 *
 * @type {Draw}
 */
export function drawWords(pen, drawing) {
  const { words } = drawing.model.data;
  if (!words) return;
  for (const part of drawing.parts.drawn)
    if (part.kind === "words" || part.id === "unembed") drawWordsOf(pen, drawing, part, words);
}

/** @param {Pen} pen @param {View} view @param {Part} part @param {Words} words */
function drawWordsOf(pen, view, part, words) {
  const candidates = candidatesOf(words, view.place);
  const at = placesOf(view, part, candidates);
  if (!at) return;
  const { hidden, colour } = view.scene;
  const covered = hidden("p") || hidden("words");
  pen.rect(at.left, at.top, at.wide, at.bottom - at.top, { key: "ground", fill: colour.background, r: 2 });
  candidates.slice(0, at.shown).forEach((word, n) => {
    drawWord(pen, covered ? "?" : word.text, at, n, covered);
    if (covered) return;
    if (at.columns) drawLogit(pen, word, at.columns, at, n);
    drawChance(pen, word, at, n);
  });
}

/**
 * The words with the largest ŷ at a token, the largest first.
 *
 * @param {Words} words @param {number} place @returns {Candidate[]}
 */
const candidatesOf = ({ words, ids, logits, chances, count }, place) =>
  words[place].map((text, n) => {
    const i = place * count + n;
    return { text, id: ids[i], logit: logits[i], chance: chances[i] };
  });

/**
 * Where the words are drawn; null if there is no room.
 *
 * @param {View} view @param {Part} part @param {readonly Candidate[]} candidates
 */
function placesOf(view, part, candidates) {
  const { plot, strips, look } = view;
  const { left: start, width } = boxOf(view, part);
  const right = Math.min(start + width, plot.left + plot.width);
  const left = Math.max(start, plot.left);
  const wide = right - left;
  if (wide < 60) return null;
  const strip = strips[part.strip];
  const per = plot.height / (look.camera.y1 - look.camera.y0);
  const top = Math.max(plot.top + (strip.top - look.camera.y0) * per, plot.top);
  const bottom = Math.min(plot.top + (strip.bottom - look.camera.y0) * per, plot.top + plot.height);
  const row = Math.min((bottom - top) / candidates.length, 40);
  const shown = Math.min(candidates.length, Math.floor((bottom - top) / Math.max(row, 21)));
  const size = row > 30 && wide > 200 ? 16 : 14;
  const widths = candidates.slice(0, shown).map(({ text }) => textWidth(text, size, true) * 1.05);
  const label = Math.min(Math.max(...widths), wide * 0.5) + 8; // the width of the words
  const broad = wide > BROAD;
  const columns = broad ? { id: left + label + 52, logit: left + label + 132 } : null;
  const bars = left + label + (broad ? 150 : 0);
  const room = right - bars - textWidth("0.000", size) - 10;
  return { left, right, wide, top, bottom, row, shown, size, label, columns, bars, room };
}

/**
 * The base line of a word's row.
 *
 * @param {Places} at @param {number} n
 */
const baseOf = (at, n) => middleOf(at, n) + at.size * 0.35;

/** @param {Places} at @param {number} n */
const middleOf = (at, n) => at.top + n * at.row + at.row / 2;

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {Places} at
 * @param {number} n from 0: the most probable word
 * @param {boolean} covered whether the words are to be predicted
 */
function drawWord(pen, text, at, n, covered) {
  const { colour } = pen;
  const { left, label, size } = at;
  const bold = n === 0;
  const marked = bold && !covered;
  const wide = textWidth(text, size, true) * 1.05 + 8;
  if (marked) pen.mark(left, middleOf(at, n) - size * 0.8, wide, size * 1.5, { key: "best" });
  const fill = marked ? colour.onMark : colour.ink;
  pen.text(left + 4, baseOf(at, n), cutText(text, label - 4, size, bold), { key: `word ${n}`, size, bold, fill });
}

/**
 * The id of a word and its logit.
 *
 * @param {Pen} pen
 * @param {Candidate} word
 * @param {{ id: number, logit: number }} columns their right ends
 * @param {Places} at
 * @param {number} n
 */
function drawLogit(pen, { id, logit }, columns, at, n) {
  const look = /** @type {const} */ ({ size: at.size, anchor: "end" });
  const y = baseOf(at, n);
  pen.text(columns.id, y, String(id), { key: `id ${n}`, fill: pen.colour.quiet, ...look });
  const text = logit.toFixed(2).replace("-", "−");
  pen.text(columns.logit, y, text, { key: `logit ${n}`, fill: pen.colour.score, ...look });
}

/**
 * The probability of a word as a bar and a number, or only as a number if there is no room for bars.
 *
 * @param {Pen} pen @param {Candidate} word @param {Places} at @param {number} n
 */
function drawChance(pen, { chance }, at, n) {
  const { right, wide, label, bars, room, row, size, columns } = at;
  const [key, bold, y] = [`p ${n}`, n === 0, baseOf(at, n)];
  if (room < 12) {
    if (wide - label > 30) pen.text(right - 2, y, chance.toFixed(2), { key, size: 13, bold, anchor: "end" });
    return;
  }
  const look = { key: `bar ${n}`, fill: pen.colour.activation, r: 2 };
  pen.rect(bars, middleOf(at, n) - row * 0.28, Math.max(room * chance, 1), row * 0.56, look);
  pen.text(bars + room * chance + 6, y, columns ? formatNumber(chance) : chance.toFixed(2), { key, size, bold });
}

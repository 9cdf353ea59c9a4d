// Six bins into which the words of a review fall, and the number that each bin gives.

import { textWidth } from "../../drawing/pen.js";
import { drawChip } from "./review_words.js";

/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, ReviewScene } from "./classifiers.js" */
/** @import { Place, WordPlaces } from "./review_words.js" */

const FLAG = 2; // the place of the feature for “no”
const LENGTH = 5;

/** @param {Pen} pen @param {ReviewScene} scene @param {WordPlaces} places @param {Box} box */
export function drawBins(pen, scene, places, box) {
  const { data, narrow } = scene;
  const columns = narrow ? 3 : 6;
  const [gap, drop] = narrow ? [6, 8] : [10, 56];
  const wide = (box.right - box.left + gap) / columns - gap;
  const high = (box.foot - box.top - drop + gap) / (6 / columns) - gap;
  data.features.forEach((name, i) => {
    const left = box.left + (i % columns) * (wide + gap);
    const top = box.top + drop + Math.floor(i / columns) * (high + gap);
    const bin = { left, top, right: left + wide, foot: top + high };
    const inside = places.chips.filter(({ word }) => word.feature === i + 1 && !word.out);
    pen.group({ key: `bin ${i}` }, (its) => {
      if (!narrow) for (const [n, place] of inside.entries()) drawFall(its, place, bin, n);
      drawBin(its, scene, bin, name, i, inside);
    });
  });
}

/**
 * The way of a word into its bin.
 *
 * @param {Pen} pen @param {Place} place @param {Box} bin @param {number} n
 */
function drawFall(pen, { x, y }, { left, right, top }, n) {
  const to = (left + right) / 2;
  const middle = (y + top) / 2;
  const d = `M${x} ${y}C${x} ${middle + 8} ${to} ${middle - 8} ${to} ${top}`;
  pen.path(d, { key: `fall ${n}`, stroke: pen.colour.input, width: 2.5, "stroke-opacity": 0.5 });
}

/**
 * @param {Pen} pen
 * @param {ReviewScene} scene
 * @param {Box} bin
 * @param {string} name
 * @param {number} i
 * @param {Place[]} inside
 */
function drawBin(pen, scene, bin, name, i, inside) {
  const { narrow, colour, data, text, hidden } = scene;
  const { left, right, top, foot } = bin;
  const middle = (left + right) / 2;
  const look = {
    fill: colour.input,
    "fill-opacity": 0.04,
    stroke: i === LENGTH ? colour.quiet : colour.input,
    line: 1.8,
  };
  pen.rect(left, top, right - left, foot - top, { key: "bin", r: 10, ...look });
  const size = narrow ? 13 : 18;
  const anchor = /** @type {const} */ ("middle");
  pen.text(middle, top + size + 8, name, { key: "name", size, bold: true, anchor });
  const flag = data.flags.includes(i);
  const said = i === LENGTH ? `${text("words")} words` : flag ? "1 if so, else 0" : "a count";
  const small = narrow ? 13 : 15;
  pen.text(middle, top + size + small + 16, said, { key: "kind", size: small, fill: colour.quiet, anchor });
  const line = foot - (narrow ? 34 : 58);
  pen.line(left + 12, line, right - 12, line, { key: "line", stroke: colour.line });
  if (i === LENGTH) drawCells(pen, scene, { left, right, top, foot: line });
  else drawPile(pen, scene, inside, flag, middle, line, line - top - size - small - 22);
  const named = /** @type {NameOf<"classifiers">} */ (`x${i + 1}`);
  const letter = `x${"₁₂₃₄₅₆"[i]} = `.replace(/ $/, "\u00a0");
  const big = narrow ? 18 : 30;
  const number = text(named);
  const start = middle - (textWidth(letter, big) + textWidth(number, big, true)) / 2;
  const base = foot - (narrow ? 11 : 19);
  pen.text(start, base, letter, { key: "letter", size: big, fill: colour.input });
  const end = start + textWidth(letter, big) + 3;
  pen.markedText(end, base, number, i === FLAG && !hidden(named), { key: "number", size: big, bold: true });
}

/**
 * The words of a bin, one above the other; of a flag only the first counts.
 *
 * @param {Pen} pen
 * @param {ReviewScene} scene
 * @param {Place[]} inside
 * @param {boolean} flag
 * @param {number} x
 * @param {number} line on which the pile stands
 * @param {number} room its greatest height
 */
function drawPile(pen, { narrow, colour }, inside, flag, x, line, room) {
  const size = narrow ? 13 : 20;
  const high = size * 1.75;
  const step = high + 5;
  const most = Math.max(1, Math.floor(room / step));
  const anchor = /** @type {const} */ ("middle");
  if (!inside.length) pen.text(x, line - 12, "none", { key: "none", size, fill: colour.quiet, anchor });
  const shown = inside.length > most ? inside.slice(0, most - 1) : inside;
  shown.forEach(({ word }, n) => {
    const wide = textWidth(word.text, size, true) + size * 0.9;
    const ghost = flag && n > 0;
    drawChip(pen, { word: { ...word, out: ghost }, x, y: line - 7 - n * step, wide }, size, high, n);
  });
  if (shown.length === inside.length) return;
  const more = `+ ${inside.length - shown.length}`;
  pen.text(x, line - 12 - shown.length * step, more, { key: "more", size, fill: colour.quiet, anchor });
}

/**
 * A cell for each word that is counted by the length.
 *
 * @param {Pen} pen @param {ReviewScene} scene @param {Box} box
 */
function drawCells(pen, { values, narrow, colour }, { left, right, foot }) {
  const count = Math.min(Math.round(values("words")), 30);
  const cell = Math.min(narrow ? 13 : 22, (right - left - 24) / 5 - 4);
  const start = (left + right) / 2 - (5 * (cell + 4) - 4) / 2;
  for (let k = 0; k < count; k++) {
    const x = start + (k % 5) * (cell + 4);
    const y = foot - 8 - cell - Math.floor(k / 5) * (cell + 4);
    if (y > 0) pen.rect(x, y, cell, cell, { key: `cell ${k}`, r: 3, fill: colour.quiet, "fill-opacity": 0.35 });
  }
}

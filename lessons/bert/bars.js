// Paired bars: for each word that may fill a gap, the model's probability and below it the exact one.

import { formatNumber } from "../../drawing/numbers.js";
import { cutText, textWidth } from "../../drawing/pen.js";

/** @import { Pen, ShapeLook } from "../../drawing/pen.js" */
/** @import { BarsPayload, FillerPayload, GapPayload, NumberName, Palette } from "../../drawing/types.js" */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/**
 * What bars need of a scene: the names of their numbers are in the data.
 *
 * @typedef {object} BarScene
 * @property {Palette} colour
 * @property {(name: NumberName) => number} values
 * @property {(name: NumberName) => string} text
 * @property {(name: NumberName) => boolean} hidden
 */
/**
 * How pairs are drawn: the number that is marked, whether the word is to be predicted, what is at the end of a pair, in
 * `tagRoom`, and how a probability is written.
 *
 * @typedef {object} PairsLook
 * @property {string} marked
 * @property {boolean} asked
 * @property {(word: string) => string} [tags]
 * @property {number} [tagRoom]
 * @property {(p: number) => string} [written]
 */
/**
 * Where the bars of all pairs begin and end, and the room of their words.
 *
 * @typedef {{ left: number, right: number, label: number, from: number, to: number, row: number }} Columns
 */

const LEAST = 31; // the height of a pair that can still be read
const MOST = 74;

/**
 * A probability in two digits; a value just below 1 is not rounded to 1.
 *
 * @param {number} p
 */
export function shortNumber(p) {
  if (p >= 0.995 && p < 1 - 1e-9) return "≈1";
  if (p > 0 && p < 0.001) return "≈0";
  return formatNumber(Number(p.toPrecision(2)));
}

/**
 * The pairs of one gap: as many as fit, the covered word always among them.
 *
 * @param {Pen} pen
 * @param {BarScene} scene
 * @param {readonly FillerPayload[]} fillers
 * @param {Box} box
 * @param {PairsLook} look
 */
export function drawPairs(pen, scene, fillers, { left, right, top, foot }, look) {
  const most = Math.max(1, Math.floor((foot - top) / LEAST));
  let shown = fillers.slice(0, most);
  const own = fillers.find((each) => each.own);
  if (own && !shown.includes(own)) shown = [...shown.slice(0, -1), own];
  const row = Math.min((foot - top) / shown.length, MOST);
  const widest = Math.max(...shown.map(({ word }) => textWidth(word, 18, true)));
  const label = Math.min(widest + 22, (right - left) * 0.36);
  const at = { left, right, label, from: left + label + 8, to: right - 64 - (look.tagRoom ?? 0), row };
  shown.forEach((filler, n) => {
    const middle = top + n * row + row / 2;
    pen.group({ key: `filler ${filler.word}` }, (its) => drawPair(its, scene, filler, at, middle, look));
  });
}

/**
 * A word with its bars: the model's, below it the exact one if there is one, and dashed the one from both sides.
 *
 * @param {Pen} pen
 * @param {BarScene} scene
 * @param {FillerPayload} filler
 * @param {Columns} at
 * @param {number} middle
 * @param {PairsLook} look
 */
function drawPair(pen, scene, filler, { left, right, label, from, to, row }, middle, look) {
  const { colour, values, hidden } = scene;
  const { word, q, p, both, own } = filler;
  const { asked, tags = () => "", tagRoom = 0 } = look;
  const known = own && !asked;
  if (known) pen.rect(left, middle - 15, label, 30, { r: 7, fill: colour.ink });
  const ink = known ? colour.background : colour.ink;
  const shown = cutText(word, label - 18, 18, true);
  pen.text(left + label - 10, middle + 6, shown, { size: 18, bold: true, anchor: "end", fill: ink });
  const high = Math.min(p ? (row - 9) / 2 : row - 12, 30);
  const bar = { left: from, wide: to - from, high };
  const ours = p ? middle - high - 0.5 : middle - high / 2;
  drawBar(pen, scene, q, { ...bar, top: ours, fill: colour.activation }, look);
  if (p) drawBar(pen, scene, p, { ...bar, top: middle + 0.5, fill: colour.weight }, look);
  if (both && !asked && !hidden(both) && values(both) > 0.01) {
    const dashed = { key: "both", stroke: colour.ink, line: 1.6, dash: "6 4", r: 3 };
    pen.rect(from, middle - high - 2, Math.max((to - from) * values(both), 2), high + 3, dashed);
  }
  const tag = asked ? "" : tags(word);
  if (tag) pen.text(right, middle + 5, tag, { key: "tag", size: 14, bold: true, anchor: "end", room: tagRoom });
}

/**
 * @param {Pen} pen
 * @param {BarScene} scene
 * @param {NumberName} name
 * @param {{ left: number, top: number, wide: number, high: number, fill: string }} bar `wide` where it is 1
 * @param {PairsLook} look
 */
function drawBar(pen, { values, hidden }, name, { left, top, wide, high, fill }, look) {
  const { marked, asked, written = shortNumber } = look;
  const blind = asked || hidden(name);
  const p = values(name);
  pen.rect(left, top, wide, high, { key: `track ${name}`, r: 3, fill, "fill-opacity": 0.1 });
  if (!blind) pen.rect(left, top, Math.max(wide * p, p > 0 ? 2 : 0), high, { key: `bar ${name}`, r: 3, fill });
  const size = Math.min(16, Math.max(13, high + 1));
  const x = left + (blind ? 0 : wide * Math.min(p, 1)) + 9;
  const type = { key: `number ${name}`, size, bold: true, fill };
  pen.markedText(x, top + high / 2 + size * 0.36, blind ? "?" : written(p), !blind && name === marked, type);
}

/**
 * The legend of the bars, in a column, or in a row as far as there is room. Returns the base line after them.
 *
 * @param {Pen} pen
 * @param {BarsPayload} bars
 * @param {{ x: number, y: number, right: number, column?: boolean, asked: boolean }} place
 */
export function drawLegend(pen, bars, { x, y, right, column = false, asked }) {
  const { activation, weight, ink, quiet } = pen.colour;
  /** @type {(ShapeLook & { label: string })[]} */
  const every = [
    { label: bars.ours, fill: activation },
    { label: bars.exact, fill: weight },
    { label: bars.both, stroke: ink, dash: "4 3" },
    { label: asked ? "" : bars.own, fill: ink },
  ];
  let [at, line] = [x, y]; // the last ones are left out if a row is short
  every
    .filter(({ label }) => label)
    .forEach(({ label, ...look }, n) => {
      const size = 14;
      const room = right - x - 20;
      const width = Math.min(textWidth(label, size), room) + 40;
      if (!column && at > x && at + width - 20 > right) return;
      pen.rect(at, line - 11, 13, 13, { key: `swatch${n}`, r: 3, ...look });
      pen.text(at + 19, line, label, { key: `label${n}`, size, fill: quiet, room });
      if (column) line += 22;
      else at += width;
    });
  return line;
}

/** @typedef {{ x: number, y: number, right: number, asked: boolean }} NotesPlace */

/**
 * The notes of a gap, one below another: −log q, −log p, KL.
 *
 * @param {Pen} pen @param {BarScene} scene @param {GapPayload} gap @param {NotesPlace} place
 */
export function drawNotes(pen, { text, colour }, gap, { x, y, right, asked }) {
  gap.notes.forEach(([label, name], n) => {
    pen.text(x, y + n * 46, label, { key: `note${n}`, size: 14, fill: colour.quiet });
    const look = { key: `number${n}`, size: 18, bold: true, fill: colour.loss, room: right - x };
    pen.text(x, y + n * 46 + 20, `${asked ? "?" : text(name)} nats`, look);
  });
}

/**
 * The notes of a gap in a row, as far as there is room, without −log p.
 *
 * @param {Pen} pen @param {BarScene} scene @param {GapPayload} gap @param {NotesPlace} place
 */
export function drawNotesRow(pen, { text, colour }, gap, { x, y, right, asked }) {
  let at = x;
  gap.notes.forEach(([label, name], n) => {
    if (label === "−log p") return;
    const line = `${label} ${asked ? "?" : text(name)}`;
    if (at + textWidth(line, 13, true) > right) return;
    pen.text(at, y, line, { key: `note${n}`, size: 13, bold: true, fill: colour.loss });
    at += textWidth(line, 13, true) + 12;
  });
}

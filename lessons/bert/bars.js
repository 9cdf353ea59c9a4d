// Paired bars: for each word that may fill a gap, the model's probability and below it the exact one.

import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";

/** @import { BarsPayload, FillerPayload, GapPayload } from "../../ui/browser/types.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */

const LEAST = 31; // the height of a pair that can still be read
const MOST = 74;

/** A probability in two digits; what is only nearly 1 does not look like 1. */
export function shortNumber(p) {
  if (p >= 0.995 && p < 1 - 1e-9) return "≈1";
  if (p > 0 && p < 0.001) return "≈0";
  return formatNumber(Number(p.toPrecision(2)));
}

/**
 * The pairs of one gap: as many as fit, the covered word always among them.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {FillerPayload[]} fillers
 * @param {Box} box
 * @param {{ marked: string, asked: boolean, tags?: (word: string) => string, tagRoom?: number }} how what stands at the end of a pair, in `tagRoom`
 */
export function drawPairs(
  pen,
  scene,
  fillers,
  { left, right, top, foot },
  { marked, asked, tags = () => "", tagRoom = 0 },
) {
  const { colour, values, hidden } = scene;
  const most = Math.max(1, Math.floor((foot - top) / LEAST));
  let shown = fillers.slice(0, most);
  const own = fillers.find((each) => each.own);
  if (own && !shown.includes(own)) shown = [...shown.slice(0, -1), own];
  const row = Math.min((foot - top) / shown.length, MOST);
  const label = Math.min(Math.max(...shown.map(({ word }) => textWidth(word, 18, true))) + 22, (right - left) * 0.36);
  const [from, to] = [left + label + 8, right - 64 - tagRoom];
  shown.forEach((filler, n) => {
    const y = top + n * row;
    const paired = Boolean(filler.p);
    const high = Math.min(paired ? (row - 9) / 2 : row - 12, 30);
    const middle = y + row / 2;
    pen.group({ key: `filler ${filler.word}` }, (its) => {
      const known = filler.own && !asked;
      if (known) its.rect(left, middle - 15, label, 30, { r: 7, fill: colour.ink });
      its.text(left + label - 10, middle + 6, cutText(filler.word, label - 18, 18, true), {
        size: 18,
        bold: true,
        anchor: "end",
        fill: known ? colour.background : colour.ink,
      });
      const bars = paired
        ? [
            [filler.q, middle - high - 0.5, colour.activation],
            [filler.p, middle + 0.5, colour.weight],
          ]
        : [[filler.q, middle - high / 2, colour.activation]];
      for (const [name, at, fill] of bars) bar(its, scene, { name, at, fill, from, to, high, marked, asked });
      if (filler.both && !asked && !hidden(filler.both) && values(filler.both) > 0.01) {
        its.rect(from, middle - high - 2, Math.max((to - from) * values(filler.both), 2), high + 3, {
          key: "both",
          stroke: colour.ink,
          line: 1.6,
          dash: "6 4",
          r: 3,
        });
      }
      const tag = asked ? "" : tags(filler.word);
      if (tag) its.text(right, middle + 5, tag, { key: "tag", size: 14, bold: true, anchor: "end", room: tagRoom });
    });
  });
}

function bar(pen, { values, hidden, colour }, { name, at, fill, from, to, high, marked, asked }) {
  const wide = to - from;
  const blind = asked || hidden(name);
  pen.rect(from, at, wide, high, { key: `track ${name}`, r: 3, fill, "fill-opacity": 0.1 });
  if (!blind)
    pen.rect(from, at, Math.max(wide * values(name), values(name) > 0 ? 2 : 0), high, {
      key: `bar ${name}`,
      r: 3,
      fill,
    });
  const size = Math.min(16, Math.max(13, high + 1));
  const number = blind ? "?" : shortNumber(values(name));
  const x = from + (blind ? 0 : wide * Math.min(values(name), 1)) + 9;
  pen.markedText(x, at + high / 2 + size * 0.36, number, !blind && name === marked, {
    key: `number ${name}`,
    size,
    bold: true,
    fill,
  });
}

/**
 * What the bars are, in a column, or in a row as far as there is room.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {BarsPayload} bars
 * @param {{ x: number, y: number, right: number, column?: boolean, asked: boolean }} place
 */
export function drawLegend(pen, { colour }, bars, { x, y, right, column = false, asked }) {
  const entries = [
    { label: bars.ours, fill: colour.activation },
    { label: bars.exact, fill: colour.weight },
    { label: bars.both, stroke: colour.ink, dash: "4 3" },
    { label: asked ? "" : bars.own, fill: colour.ink },
  ].filter(({ label }) => label);
  let [at, line] = [x, y]; // the last ones fall away where a row is short
  entries.forEach(({ label, ...look }, n) => {
    const size = 14;
    const room = right - x - 20;
    const width = Math.min(textWidth(label, size), room) + 40;
    if (!column && at > x && at + width - 20 > right) return;
    pen.rect(at, line - 11, 13, 13, { key: `swatch${n}`, r: 3, ...look });
    pen.text(at + 19, line, label, { key: `label${n}`, size, fill: colour.quiet, room });
    if (column) line += 22;
    else at += width;
  });
  return line;
}

/**
 * The notes of a gap: −log q, −log p, KL.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {GapPayload} gap
 */
export function drawNotes(pen, { text, colour }, gap, { x, y, right, asked, column = true }) {
  let at = x;
  gap.notes.forEach(([label, name], n) => {
    const number = asked ? "?" : text(name);
    if (column) {
      pen.text(x, y + n * 46, label, { key: `note${n}`, size: 14, fill: colour.quiet });
      pen.text(x, y + n * 46 + 20, `${number} nats`, {
        key: `number${n}`,
        size: 18,
        bold: true,
        fill: colour.loss,
        room: right - x,
      });
      return;
    }
    if (label === "−log p") return;
    const line = `${label} ${number}`;
    if (at + textWidth(line, 13, true) > right) return;
    pen.text(at, y, line, { key: `note${n}`, size: 13, bold: true, fill: colour.loss });
    at += textWidth(line, 13, true) + 12;
  });
}

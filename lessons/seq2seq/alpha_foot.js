// Below the map of α: the word that the decoder writes with all of α on one place, and both models' candidates.

import { cutText, textWidth } from "../../drawing/pen.js";
import { sub } from "./translation_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { WrittenWords } from "../../drawing/types.js" */
/** @import { Box } from "./seq2seq_places.js" */
/** @import { Moment, TranslationScene } from "./translation_scene.js" */

/** @typedef {{ key: string, words: WrittenWords, tint: string, title: string }} Model and its look */
/** @typedef {{ left: number, top: number, wide: number }} Column */

export const FOOT = 158; // height below the map, in units
const ROW = 23; // height of a candidate

/**
 * @param {Pen} pen
 * @param {TranslationScene} scene
 * @param {Box} box of the map and what belongs to it
 * @param {Moment} now
 */
export function drawFoot(pen, scene, box, now) {
  const { colour, data } = scene;
  const y = box.top + box.high - FOOT + 26;
  const forced = data.forced.some((j) => j >= 0);
  if (!now.covered) sayForced(pen, scene, now, { left: box.left, y, room: box.wide - (forced ? 106 : 0) });
  if (forced) release(pen, scene, box.left + box.wide, y);
  const half = (box.wide - 24) / 2;
  const column = { left: box.left, top: y + 32, wide: half };
  const title = `With attention, p(y${sub(now.step + 1)})`;
  const { attention, vector } = data;
  drawCandidates(pen, scene, { key: "attention", words: attention, tint: colour.activation, title }, column, now);
  const other = { ...column, left: box.left + half + 24 };
  drawCandidates(pen, scene, { key: "vector", words: vector, tint: colour.loss, title: "One vector" }, other, now);
}

/**
 * The word that is written with all of α on one place: the place that is pointed at, or else the forced one.
 *
 * @param {Pen} pen
 * @param {TranslationScene} scene
 * @param {Moment} now
 * @param {{ left: number, y: number, room: number }} where
 */
function sayForced(pen, { colour, data }, now, { left, y, room }) {
  const i = now.over ? now.over.i : now.step;
  const place = now.over ? now.over.j : data.forced[i];
  if (place < 0) {
    const hint = "Point at a cell: the word if all of αᵢ were there. Press: force it.";
    pen.text(left, y, hint, { key: "hint", size: 14, fill: colour.quiet, room });
    return;
  }
  const chance = data.insteadProbabilities[i * now.places + place];
  const lead = cutText(`All of α${sub(i + 1)} on ${data.source[place]}: `, room - 110, 16);
  pen.text(left, y, lead, { key: "what", size: 16 });
  const then = `${data.instead[i][place]}, p = ${chance.toFixed(2)}`;
  pen.markedText(left + textWidth(lead, 16) + 8, y, then, true, { key: "then", size: 16, bold: true });
}

/**
 * The button that releases every forced α.
 *
 * @param {Pen} pen @param {TranslationScene} scene @param {number} right @param {number} y
 */
function release(pen, { colour, send }, right, y) {
  const label = "Release α";
  pen.button(
    label,
    () => send({ release: true }),
    (its) => {
      its.rect(right - 96, y - 19, 96, 27, { r: 13, fill: colour.background, stroke: colour.gradient, line: 2 });
      its.text(right - 48, y, label, { size: 15, bold: true, anchor: "middle", fill: colour.gradient });
    },
    { key: "release" },
  );
}

/**
 * The most probable next words of one model, as bars.
 *
 * @param {Pen} pen @param {TranslationScene} scene @param {Model} model @param {Column} column @param {Moment} now
 */
function drawCandidates(pen, { colour, data }, { key, words, tint, title }, { left, top, wide }, now) {
  pen.text(left, top, title, { key: `${key} title`, size: 14, bold: true, fill: tint, room: wide });
  const row = words.next[now.step];
  if (!row || now.unknown(now.step)) return;
  const count = row.length;
  const label = Math.min(Math.max(...words.next.flat().map((word) => textWidth(word, 15, true))), 0.42 * wide) + 8;
  const reach = wide - label - 42;
  row.forEach((word, k) => {
    const y = top + 8 + ROW * (k + 0.5);
    const share = words.probabilities[now.step * count + k];
    const long = Math.max(reach * share, 1);
    const wrong = word !== data.target[now.step];
    const fill = !k && wrong ? colour.gradient : colour.ink;
    pen.text(left, y + 5, word, { key: `${key} word ${k}`, size: 15, bold: !k, room: label - 6, fill });
    const bar = { key: `${key} bar ${k}`, r: 2, fill: tint, "fill-opacity": k ? 0.5 : 1 };
    pen.rect(left + label, y - 6, long, 12, bar);
    const look = { key: `${key} share ${k}`, size: 14, bold: !k };
    pen.text(left + label + long + 6, y + 5, share.toFixed(2), look);
  });
}

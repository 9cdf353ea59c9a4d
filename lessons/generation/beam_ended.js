// The texts that have ended so far, the best first.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { rankedEnded } from "./beam_rows.js";
import { candidateText } from "./beam_tree.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BeamScene, Draw } from "./beam.js" */
/** @typedef {ReturnType<typeof rankedEnded>[number]} Ended */

const MOST = 3; // texts

/** @type {Draw} */
export function drawEnded(pen, scene, at, step) {
  const { colour, width, narrow, data, values } = scene;
  const [left, right, top] = [narrow ? 10 : 20, width - 16, at.ended];
  pen.line(0, top - 8, width, top - 8, { stroke: colour.line });
  drawTitle(pen, scene, { left, right, top }, step);
  const texts = rankedEnded({ data, values, step });
  const none = { key: "none", size: 15, fill: colour.quiet };
  if (!texts.length) pen.text(left, top + 34, "none yet: press › for the next step", none);
  texts.slice(0, MOST).forEach((text, place) => {
    const y = top + (narrow ? 29 : 34) + place * (narrow ? 20 : 22);
    pen.group({ key: `ended${place}` }, (its) => drawText(its, scene, { left, right, y }, text, place));
  });
  if (narrow || texts.length <= MOST) return;
  pen.text(right, top + 10, `${texts.length - MOST} more below`, { size: 13, fill: colour.quiet, anchor: "end" });
}

/**
 * The candidate that was pressed, or what the texts are ranked by.
 *
 * @param {Pen} pen
 * @param {BeamScene} scene
 * @param {{ left: number, right: number, top: number }} box
 * @param {number} step
 */
function drawTitle(pen, { data, memory, values, narrow }, { left, right, top }, step) {
  const picked = memory.picked ?? -1;
  const look = { size: narrow ? 13 : 15, bold: true, room: right - left };
  if (data.tokens[picked] !== undefined) {
    pen.text(left, top + 10, candidateText(data, picked), { key: "picked", ...look });
    return;
  }
  const ranked = narrow ? "by Σ log p / tᵃ" : `ranked by Σ log p / tᵃ with a = ${formatNumber(values("a"))}`;
  pen.text(left, top + 10, `Ended by step ${step}, ${ranked}`, { key: "title", ...look });
}

/**
 * @param {Pen} pen
 * @param {BeamScene} scene
 * @param {{ left: number, right: number, y: number }} line
 * @param {Ended} text
 * @param {number} place from 0
 */
function drawText(pen, { data, colour, narrow }, { left, right, y }, text, place) {
  const size = narrow ? 13 : 15;
  const score = formatNumber(text.score);
  const numbers = narrow ? score : `Σ ${formatNumber(text.total)} · t ${text.length} · score ${score}`;
  pen.text(left, y, `${place + 1}`, { size, bold: true, fill: place ? colour.quiet : colour.input });
  const said = `${text.text}${text.greedy ? "   (greedy’s)" : ""}${text.kept ? "" : "   (dropped)"}`;
  const room = right - left - textWidth(numbers, 15, true) - 60;
  const fill = place >= data.width ? colour.quiet : colour.ink;
  pen.text(left + 20, y, said, { size, bold: !place, room, fill });
  pen.markedText(right, y, numbers, !place, { size, bold: !place, anchor: "end" });
}

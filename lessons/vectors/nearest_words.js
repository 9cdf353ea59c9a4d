// The words nearest to the chosen one, with their cosines.

import { cutText, textWidth } from "../../drawing/pen.js";
import { markPath } from "../../drawing/labels.js";
import { colourOf, cosineAt, digits, fitting, isPlanted, nearOf } from "./vectors_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./layout.js" */
/** @import { Draw, VectorsScene } from "./vectors_scene.js" */

const GAP = 10; // between a word and its cosine

/** @type {Draw} */
export function drawNearest(pen, scene, at) {
  const { colour, data, hidden } = scene;
  const { left, top, wide } = at.list;
  const covered = hidden("c1");
  const near = nearOf(scene);
  const word = data.words[data.word];
  if (at.small && covered) {
    pen.text(left, top + 16, `Nearest to ${word}: ?`, { size: 14, bold: true, fill: colour.score });
    return;
  }
  if (at.small) return drawInRows(pen, scene, at, near);
  const hits = near.filter((place) => isPlanted(scene, place)).length;
  const planted = covered || !data.judged ? "" : `ringed: ${hits} of ${near.length} planted`;
  const room = wide - textWidth(planted, 14, true) - 36; // small text is pixel-aligned, so wider than measured
  const titles = covered ? [`Nearest to ${word}: ?`] : [`Nearest to ${word}, by cosine`, `Nearest to ${word}`];
  pen.text(left, top, fitting(titles, room), { size: 15, bold: true, fill: colour.score, room });
  pen.text(left + wide, top, planted, { size: 14, bold: true, anchor: "end", fill: colour.ink });
  if (!covered) drawBars(pen, scene, at, near);
}

/**
 * A row for each word, with its cosine as a bar.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {number[]} near
 */
function drawBars(pen, scene, at, near) {
  const { colour, data, send } = scene;
  const { left, top, wide, high } = at.list;
  const row = Math.min((high - 10) / near.length, 34);
  const start = left + Math.max(...near.map((place) => Math.min(textWidth(data.words[place], 16, true), 110))) + 40;
  const reach = left + wide - 56 - start;
  near.forEach((place, k) => {
    const y = top + 14 + row * (k + 0.5);
    const value = cosineAt(scene, k);
    const tint = colourOf(colour, data.groupOf[place]);
    pen.button(
      `Choose ${data.words[place]}`,
      () => send({ word: data.words[place] }),
      (its) => {
        its.rect(left, y - row / 2, wide, row, { fill: "transparent" });
        its.path(markPath(data.groupOf[place], left + 11, y, 6), { fill: tint, stroke: "none" });
        if (isPlanted(scene, place)) its.circle(left + 11, y, 10.5, { stroke: colour.ink, line: 2 });
        its.text(left + 28, y + 5, data.words[place], { size: 16, bold: true, room: 112 });
        its.rect(start, y - 6, Math.max(reach * Math.max(value, 0), 1), 12, { r: 3, fill: tint });
        its.markedText(left + wide - 6, y + 5, digits(value), k === 0, { size: 15, bold: true, anchor: "end" });
      },
      { key: `near ${k}` },
    );
  });
}

/**
 * On a phone: the words one after another, in rows.
 *
 * @param {Pen} pen @param {VectorsScene} scene @param {Places} at @param {number[]} near
 */
function drawInRows(pen, scene, at, near) {
  const { colour, data } = scene;
  const { left, top, wide } = at.list;
  let [x, y] = [left, top + 14];
  near.forEach((place, k) => {
    const [word, value] = [cutText(data.words[place], 90, 14, true), digits(cosineAt(scene, k))];
    const room = textWidth(word, 14, true) + GAP + textWidth(value, 14) + 14;
    if (x > left && x + room + 14 > left + wide) [x, y] = [left, y + 22];
    if (y > top + 40) return;
    pen.path(markPath(data.groupOf[place], x + 6, y - 5, 4.5), {
      key: `mark ${k}`,
      fill: colourOf(colour, data.groupOf[place]),
      stroke: isPlanted(scene, place) ? colour.ink : "none",
      width: 1.5,
    });
    pen.text(x + 15, y, word, { key: `word ${k}`, size: 14, bold: true });
    pen.markedText(x + 15 + textWidth(word, 14, true) + GAP, y, value, k === 0, { size: 14 });
    x += room + 14;
  });
}

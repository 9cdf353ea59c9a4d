// The translation by a second model, which has only one vector: its words, and above them the vector as a strip.

import { textWidth } from "../../drawing/pen.js";
import { sub } from "./translation_scene.js";
import { drawWord } from "./word_chip.js";

/** @import { Places } from "./seq2seq_places.js" */
/** @import { Draw, Moment, TranslationScene } from "./translation_scene.js" */

const WIDER = 1.06; // correction: bold letters with subscripts are wider than measured

/**
 * The heading of the row: a title, the number of right words, and between them the place of the strip.
 *
 * @param {TranslationScene} scene @param {Places} at @param {Moment} now
 */
export function headingOfVector({ data }, at, now) {
  const target = data.target.slice(0, -1); // without </s>
  const hits = target.filter((word, i) => word === data.vector.words[i]).length;
  const said = now.unknown(now.step) ? "" : `${hits} of ${target.length} words right`;
  const name = `h${sub(now.places)}`;
  const title = at.small ? `One vector ${name}` : `A second model has no attention, only its last ${name}:`;
  const size = at.small ? 13 : 15;
  const left = at.zone.left + WIDER * textWidth(title, size, true) + 12;
  const wide = at.zone.left + at.zone.wide - WIDER * textWidth(said, size, true) - 12 - left;
  const strip = { left, top: at.rows.vector + (at.small ? 5 : 7), wide: Math.max(wide, 0), high: at.small ? 13 : 16 };
  return { title, said, size, strip, wrong: hits < target.length };
}

/** @type {Draw} */
export function drawOneVector(pen, scene, at, now) {
  const { colour, data } = scene;
  const { words, right } = data.vector;
  const { title, said, size, strip, wrong } = headingOfVector(scene, at, now);
  const [left, end] = [at.zone.left, at.zone.left + at.zone.wide];
  const rule = at.rows.vector + 1;
  const y = at.rows.vector + (at.small ? 16 : 20);
  pen.line(left, rule, end, rule, { key: "rule", stroke: colour.line, width: 1.5 });
  pen.text(left, y, title, { size, bold: true, fill: colour.loss });
  const frame = { key: "strip", stroke: colour.loss, line: 1.5, r: 2 };
  pen.rect(strip.left - 1, strip.top - 1, strip.wide + 2, strip.high + 2, frame);
  pen.text(end, y, said, { size, bold: true, anchor: "end", fill: wrong ? colour.gradient : colour.ink });
  words.forEach((word, i) => {
    const [unknown, later] = [now.unknown(i), i > now.step && right[i]];
    const its = { word: unknown ? "?" : word, i, y: y + 4, good: right[i] || unknown, current: false };
    pen.group({ key: `vector ${i}`, opacity: later ? 0.5 : null }, (chip) => drawWord(chip, at, its));
  });
}

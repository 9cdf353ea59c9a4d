// A word of a translation below its column; a wrong one is struck through.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./seq2seq_places.js" */
/** @import { TranslationScene } from "./translation_scene.js" */

/**
 * @typedef {object} WrittenWord
 * @property {string} word
 * @property {number} i its step
 * @property {number} y the top of its row
 * @property {boolean} good
 * @property {boolean} current whether it is the word of the shown step
 */

/**
 * A word that goes to its step when pressed; a later word is faint if it is right.
 *
 * @param {Pen} pen @param {TranslationScene} scene @param {Places} at @param {WrittenWord} its @param {boolean} later
 */
export function stepChip(pen, { move }, at, its, later) {
  const { word, i, good, current } = its;
  return pen.button(
    `Step ${i + 1}, ${word}${good ? "" : ", wrong"}`,
    () => move("step", i + 1, true),
    (chip) => drawWord(chip, at, its),
    { key: `word ${i}`, opacity: later && good ? 0.5 : null, chosen: current },
  );
}

/** @param {Pen} pen @param {Places} at @param {WrittenWord} its */
export function drawWord(pen, at, { word, i, y, good, current }) {
  const { colour } = pen;
  const { size, pitch, high, upright, slope } = at.below;
  const x = at.to(i);
  const bold = current || !good;
  const fill = good ? colour.ink : colour.gradient;
  const look = { size, bold, "text-decoration": good ? null : "line-through" };
  pen.rect(x - pitch / 2 + 1, y + 2, pitch - 2, high, { fill: "transparent" });
  if (upright) {
    const wide = textWidth(word, size, bold);
    if (current) pen.mark(x - wide / 2 - 5, y + 4, wide + 10, size * 1.35);
    pen.text(x, y + 4 + size, word, { ...look, anchor: "middle", fill: current ? colour.onMark : fill });
  } else {
    pen.text(0, 0, word, { ...look, fill, transform: `translate(${x - 4} ${y + 14}) rotate(${slope})` });
    if (current) pen.circle(x, y + 5, 3, { fill: colour.activation });
  }
}

// The words of a review as chips, in one row or two.

import { textWidth } from "../../drawing/pen.js";

/** @import { ReviewWord } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ReviewScene } from "./classifiers.js" */
/** @typedef {{ word: ReviewWord, x: number, y: number, wide: number }} Place where a chip is: its middle and its foot */
/** @typedef {{ chips: Place[], foot: number }} WordPlaces */

/**
 * @param {Pen} pen @param {ReviewScene} scene @param {number} top @returns {WordPlaces}
 */
export function drawWords(pen, scene, top) {
  const { data, narrow } = scene;
  const size = narrow ? 14 : 22;
  const high = size * 1.75;
  const places = placed(scene, top, size, high);
  places.chips.forEach((place, i) => {
    const { word } = place;
    if (!word.negation || !data.turns) return drawChip(pen, place, size, high, i);
    const label = word.out ? "no, taken out: put it back" : "no: take it out";
    pen.button(
      label,
      () => scene.send({ no: word.out }),
      (its) => drawChip(its, place, size, high, 0),
      { key: `turn ${i}`, chosen: !word.out },
    );
  });
  const rest = data.words.length - places.chips.length;
  if (!rest) return places;
  const last = places.chips[places.chips.length - 1];
  pen.text(last.x + last.wide / 2 + 8, last.y - high * 0.32, `+ ${rest}`, {
    key: "rest",
    size,
    fill: pen.colour.quiet,
  });
  return places;
}

/**
 * The places of the words, in two rows at most; what does not fit is left out.
 *
 * @param {ReviewScene} scene @param {number} top @param {number} size @param {number} high @returns {WordPlaces}
 */
function placed({ data, width, narrow }, top, size, high) {
  const gap = narrow ? 5 : 8;
  const room = width - (narrow ? 12 : 60);
  /** @type {{ word: ReviewWord, wide: number }[][]} */
  const rows = [[]];
  let used = 0;
  for (const word of data.words) {
    const wide = textWidth(word.text, size, true) + size * 0.9;
    const full = used + wide > (rows.length < 2 ? room : room - 60);
    if (full && rows.length === 2) break;
    if (full) rows.push([]);
    used = (full ? 0 : used) + wide + gap;
    rows[rows.length - 1].push({ word, wide });
  }
  const chips = rows.flatMap((row, r) => {
    let left = (width - row.reduce((sum, { wide }) => sum + wide + gap, -gap)) / 2;
    return row.map(({ word, wide }) => {
      const place = { word, wide, x: left + wide / 2, y: top + (r + 1) * high + r * 6 };
      left += wide + gap;
      return place;
    });
  });
  return { chips, foot: top + rows.length * (high + 6) };
}

/**
 * A word, blue if a feature counts it; one that is taken out is dashed and faint.
 *
 * @param {Pen} pen @param {Place} place @param {number} size @param {number} high @param {number} i
 */
export function drawChip(pen, { word, x, y, wide }, size, high, i) {
  const { colour } = pen;
  const counted = word.feature > 0 && !word.out;
  const look = counted
    ? { fill: colour.input, "fill-opacity": 0.13, stroke: colour.input, line: word.negation ? 3 : 1.8 }
    : { fill: colour.background, stroke: colour.line, dash: word.out ? "5 4" : null };
  pen.rect(x - wide / 2, y - high, wide, high, { key: `chip ${i}`, r: 7, ...look });
  const fill = counted ? colour.ink : colour.quiet;
  const words = { key: `word ${i}`, size, bold: counted, fill, anchor: /** @type {const} */ ("middle") };
  pen.text(x, y - high * 0.32, word.text, { ...words, opacity: word.out ? 0.6 : null });
}

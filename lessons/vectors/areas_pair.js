// One training example of skip-gram: the vector of a word, and a score for the word beside it and for each noise word.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { AreasScene, Places } from "./areas_places.js" */
/** @typedef {(pen: Pen, scene: AreasScene, at: Places) => void} Draw */

/** @type {Draw} */
export function drawSkipGram(pen, scene, at) {
  drawTitle(pen, scene, at);
  drawWord(pen, scene, at);
  drawPair(pen, scene, at);
}

/** @type {Draw} */
function drawTitle(pen, { data, narrow }, { second }) {
  const size = narrow ? 16 : 24;
  const x = narrow ? 8 : 14;
  pen.text(x, second, "2013", { size, bold: true });
  const said = `word2vec, skip-gram: score ${data.negatives + 1}`;
  pen.text(x + textWidth("2013 ", size, true), second, said, { size });
}

/**
 * The word, and the vector that its row of the table is.
 *
 * @type {Draw}
 */
function drawWord(pen, { data, colour, narrow }, { w, v, between }) {
  const size = narrow ? 14 : 17;
  const [wide, high] = narrow ? [80, 24] : [Math.max(w.wide / data.before.length, 90) - 4, 30];
  const x = narrow ? 8 : w.x + 2;
  const middle = v.y + v.high / 2;
  const box = { fill: colour.input, "fill-opacity": 0.12, stroke: colour.input, line: 2, r: 6 };
  pen.rect(x, middle - high / 2, wide, high, box);
  const look = /** @type {const} */ ({ size, fill: colour.input, anchor: "middle", room: wide - 6 });
  pen.text(x + wide / 2, middle + size * 0.35, data.word, look);
  const strip = { wide: narrow ? 6 : 16, x: v.x - (narrow ? 14 : (between + 16) / 2) };
  pen.line(x + wide + 6, middle, strip.x - 12, middle, { stroke: colour.input, width: 2.5 });
  pen.head(strip.x - 6, middle, 0, colour.input, 9);
  pen.rect(strip.x, v.y, strip.wide, v.high, { fill: colour.input, r: 3 });
  if (narrow) return;
  const said = `its vector, ${data.dimensions} numbers`;
  pen.text(strip.x - 20, middle - 14, said, { size: 17, fill: colour.quiet, anchor: "end" });
}

/**
 * The products, and the words that get a score.
 *
 * @type {Draw}
 */
function drawPair(pen, { data, colour, narrow }, { v, unit }) {
  pen.rect(v.x, v.y, v.wide, v.high, { fill: colour.weight, r: 0 });
  const dash = `${unit * 0.62} ${unit * 0.38}`;
  const high = narrow ? 8 : 14;
  const y = v.y - high / 2 - 3;
  pen.line(v.x, y, v.x + v.wide, y, { key: "ticks", stroke: colour.activation, width: high, dash });
  const x = v.x + v.wide + 12;
  const size = narrow ? 14 : 24;
  const middle = v.y + v.high / 2;
  pen.text(x, middle + (narrow ? 0 : -4), `${data.negatives + 1} × ${data.dimensions}`, {
    size,
    bold: true,
    fill: colour.weight,
  });
  const said = `“${data.beside}” and ${data.negatives} noise words`;
  const look = { size: narrow ? 14 : 19, bold: true, fill: colour.activation };
  pen.text(x, middle + (narrow ? 18 : 22), said, look);
}

// Of what the lit row of Z is made: the scores as parts of their sum, and the shares that the softmax makes of them.

import { textWidth } from "../../drawing/pen.js";
import { entry } from "./matrices_cells.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { MatricesScene, NumberIn } from "./matrices_cells.js" */
/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {{ top: number, high: number }} Strip */

const LEAST = 30; // the least height of a bar with words in it

/**
 * Both bars in a box, one above the other, each of the same length. Returns the base line of what follows.
 *
 * @param {Pen} pen @param {MatricesScene} scene @param {Box} box
 */
export function drawMakeUp(pen, scene, { left, right, top, foot }) {
  const { data, colour, text } = scene;
  const head = /** @type {const} */ ({ size: 16, bold: true });
  const free = foot - top - 30;
  const both = data.parts && free / 2 - 26 >= LEAST;
  const high = Math.min(both ? free / 2 - 26 : free - 26, 58);
  let y = top;
  if (both) {
    pen.text(left, y + 12, `its scores: parts of their sum, ${text("sum")}`, { ...head, fill: colour.score });
    drawBar(pen, scene, { left, right }, { top: y + 20, high: high * 0.8 }, "m");
    y += high * 0.8 + 40;
  }
  pen.text(left, y + 12, "softmax: the shares of its new vector", { ...head, fill: colour.activation });
  drawBar(pen, scene, { left, right }, { top: y + 20, high }, "w");
  return y + 20 + high + 28;
}

/**
 * The numbers of the lit row as parts of a bar, each with its word.
 *
 * @param {Pen} pen
 * @param {MatricesScene} scene
 * @param {{ left: number, right: number }} across
 * @param {Strip} strip
 * @param {"m" | "w"} letter
 */
export function drawBar(pen, scene, { left, right }, { top, high }, letter) {
  const { data, colour, values, hidden } = scene;
  const role = colour[letter === "w" ? "activation" : "score"];
  const names = data.tokens.map((_, j) => entry(letter, data.query, j));
  pen.group({ key: `bar ${letter}` }, (its) => {
    if (names.some(hidden)) {
      its.rect(left, top, right - left, high, { stroke: role, line: 2, dash: "6 5" });
      its.text((left + right) / 2, top + high / 2 + 9, "?", { size: 26, bold: true, anchor: "middle", fill: role });
      return;
    }
    const whole = letter === "w" ? 1 : values("sum");
    let x = left;
    names.forEach((name, j) => {
      const share = Number.isFinite(values(name)) ? values(name) / whole : 0;
      const wide = Math.max(share, 0) * (right - left);
      if (wide > 0) drawSegment(its, scene, { x, wide, top, high }, { name, j, role });
      x += wide;
    });
  });
}

/**
 * @param {Pen} pen
 * @param {MatricesScene} scene
 * @param {{ x: number, wide: number, top: number, high: number }} at
 * @param {{ name: NumberIn, j: number, role: string }} part
 */
function drawSegment(pen, scene, { x, wide, top, high }, { name, j, role }) {
  const { data, colour } = scene;
  const best = j === data.best;
  const opacity = best ? 0.62 : 0.22;
  const outline = { stroke: colour.background, line: 1.5, r: 2 };
  pen.rect(x, top, wide, high, { key: `of${j}`, fill: role, "fill-opacity": opacity, ...outline });
  const marked = !scene.moved && name === data.marked;
  const [word, number] = [data.tokens[j], scene.text(name)];
  const size = best ? 18 : 16;
  const look = /** @type {const} */ ({ anchor: "middle", bold: best, size });
  const both = textWidth(`${word} ${number}`, size, true) + 22;
  const middle = top + high / 2 + size * 0.35;
  if (both < wide) {
    const start = x + (wide - both) / 2 + 6;
    pen.text(start, middle, word, { ...look, anchor: "start" });
    pen.markedText(start + textWidth(word, size, best) + 10, middle, number, marked, { ...look, anchor: "start" });
  } else if (textWidth(word, 15) + 6 < wide) pen.text(x + wide / 2, middle, word, { ...look, size: 15 });
}

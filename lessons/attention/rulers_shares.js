// What the scores of a row become: the shares of a softmax, as parts of one bar, or without it their sum.

import { textWidth } from "../../drawing/pen.js";

/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Row, RulersScene } from "./rulers_places.js" */

const ROOM = 6; // beside a number in its part of the bar
const LEAST = 15; // the smallest type in a bar

/** @param {number} m @param {number} k @returns {NameOf<"rulers">} */
const share = (m, k) => /** @type {const} */ (`w${m} ${k}`);

/**
 * A bar cut into the shares of the keys: those of the two best ones first.
 *
 * @param {Pen} pen @param {RulersScene} scene @param {number} m @param {Row} row
 */
export function drawShares(pen, scene, m, { bar }) {
  const { data, values, colour, hidden, narrow } = scene;
  const { x, y, wide, high } = bar;
  if (hidden(share(m, data.pair[0]))) {
    pen.rect(x, y, wide, high, { key: "asked", stroke: colour.quiet, line: 2, dash: "8 6", r: 4 });
    const look = /** @type {const} */ ({ size: narrow ? 18 : 26, bold: true, fill: colour.quiet, anchor: "middle" });
    pen.text(x + wide / 2, y + high / 2 + (narrow ? 6 : 9), "?", look);
    return;
  }
  const best = [...new Set(data.pair)];
  const others = data.tokens.map((_, k) => k).filter((k) => !best.includes(k));
  let from = x;
  for (const k of [...best, ...others]) {
    const part = wide * values(share(m, k));
    const fill = k === best[0] ? colour.input : k === best[1] ? colour.weight : colour.quiet;
    pen.rect(from, y, part, high, { key: `share ${k}`, fill, stroke: colour.background, line: 1, r: 0 });
    from += part;
  }
  drawNumbers(pen, scene, m, bar, best);
}

/**
 * The shares of the two best keys: in their parts of the bar, or where these are small, below it.
 *
 * @param {Pen} pen @param {RulersScene} scene @param {number} m @param {Row["bar"]} bar @param {number[]} best
 */
function drawNumbers(pen, { data, values, text, colour, narrow, moved }, m, { x, y, wide, high }, best) {
  const most = narrow ? 16 : 25;
  let from = x;
  best.forEach((k, i) => {
    const name = share(m, k);
    const part = wide * values(name);
    const said = text(name);
    const size = Math.min(most, (part - ROOM) / textWidth(said, 1, true));
    const named = values("@say") ? data.disagreed : data.marked;
    const marked = !moved && name === named;
    const look = /** @type {const} */ ({ key: `number ${i}`, size, bold: true });
    if (size >= LEAST) {
      const inside = /** @type {const} */ ({ fill: colour.background, anchor: "middle" });
      pen.markedText(from + part / 2, y + high / 2 + size * 0.35, said, marked, { ...look, ...inside });
    } else {
      const fill = i ? colour.weight : colour.input;
      const below = { ...look, size: narrow ? 14 : 19, fill };
      if (i) pen.markedText(x + wide, y + high + (narrow ? 15 : 21), said, marked, { ...below, anchor: "end" });
      else pen.markedText(x + 4, y + high + (narrow ? 15 : 21), said, marked, below);
    }
    from += part;
  });
}

/**
 * The sum of the scores, which without a softmax are the weights: of two keys, with both of them.
 *
 * @param {Pen} pen @param {RulersScene} scene @param {number} m @param {Row} row
 */
export function drawSum(pen, scene, m, { bar }) {
  const { data, narrow } = scene;
  const { x, y, wide, high } = bar;
  const parts = [...(data.tokens.length === 2 ? termsOf(scene, m) : []), ...totalOf(scene, m)];
  const long = parts.reduce((sum, { said, bold }) => sum + textWidth(said, 1, bold), 0) + (parts.length - 1) * 0.3;
  const size = Math.min(narrow ? 17 : 28, wide / long);
  const whole = long * size;
  const base = y + high / 2 + size * 0.35;
  let left = x + (wide - whole) / 2;
  parts.forEach(({ said, fill, bold }, i) => {
    pen.text(left, base, said, { key: `sum ${i}`, size, bold, fill });
    left += textWidth(said, size, bold) + size * 0.3;
  });
}

/** @typedef {{ said: string, fill: string, bold: boolean }} Piece of a sum */

/** @param {RulersScene} scene @param {number} m @returns {Piece[]} */
function termsOf({ data, values, text, colour }, m) {
  const [first, second] = data.pair;
  const [a, b] = [first, second].map((k) => /** @type {NameOf<"rulers">} */ (`s${m} ${k}`));
  const minus = values(b) < 0;
  return [
    { said: text(a), fill: colour.input, bold: false },
    { said: minus ? "−" : "+", fill: colour.quiet, bold: false },
    { said: minus ? text(b).replace("−", "") : text(b), fill: colour.weight, bold: false },
  ];
}

/** @param {RulersScene} scene @param {number} m @returns {Piece[]} */
function totalOf({ data, text, colour }, m) {
  const total = /** @type {NameOf<"rulers">} */ (`sum${m}`);
  return [
    { said: data.tokens.length === 2 ? "=" : "Σ =", fill: colour.quiet, bold: false },
    { said: text(total), fill: colour.score, bold: true },
  ];
}

// The scores of the query with every key, before the softmax, as bars.

import { numberBeside, titleZone } from "./row_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadsScene, State } from "./heads_scene.js" */
/** @import { Bars, DrawBars } from "./heads_row.js" */

/** @type {DrawBars} */
export function drawScores(pen, scene, at, state, bars) {
  const { data, colour } = scene;
  const { scores, keys, left, right } = bars;
  const y = scaleOf(scene, bars);
  titleZone(pen, at, bars, scores.top - 6, `before the softmax: q · k ÷ √${data.d_k}`, colour.score);
  const count = state.view.columns.length;
  if (keys.length < count && !at.narrow) {
    const look = /** @type {const} */ ({ key: "some", size: 13, fill: colour.quiet, anchor: "end" });
    pen.text(at.row.right, scores.top - 6, `the ${keys.length} largest of ${count}`, look);
  }
  pen.line(left - 4, y(0), right, y(0), { key: "zero", stroke: colour.quiet, width: 1 });
  keys.forEach((key, n) => drawScore(pen, scene, state, bars, y, key, n));
  drawMarkedScore(pen, scene, at, state, bars);
}

/**
 * The height of a score; 0 is always on the scale.
 *
 * @param {HeadsScene} scene @param {Bars} bars
 */
function scaleOf({ values }, { keys, scores: { top, bottom } }) {
  const all = keys.map((j) => values(`s${j}`)).filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all, 1e-9)];
  /** @param {number} score */
  return (score) => bottom - ((score - low) / (high - low || 1)) * (bottom - top);
}

/**
 * The bar of a key, or a sign if the score is to be predicted or is −∞ under the mask.
 *
 * @param {Pen} pen
 * @param {HeadsScene} scene
 * @param {State} state
 * @param {Bars} bars
 * @param {(score: number) => number} y
 * @param {number} key
 * @param {number} n its place among the keys that are drawn
 */
function drawScore(pen, { colour, values, hidden }, { focus }, { middle, wide }, y, key, n) {
  const [score, asked] = [values(`s${key}`), hidden(`s${key}`)];
  if (asked || !Number.isFinite(score)) {
    const look = /** @type {const} */ ({ key: `s${key}`, size: 13, bold: true, anchor: "middle" });
    pen.text(middle(n), y(0) - 3, asked ? "?" : "−∞", { ...look, fill: colour.score });
    return;
  }
  const [top, bottom] = [Math.min(y(score), y(0)), Math.max(y(score), y(0))];
  const look = { key: `s${key}`, fill: colour.score, "fill-opacity": key === focus ? 1 : 0.55, r: 2 };
  pen.rect(middle(n) - wide / 2, top, wide, Math.max(bottom - top, 1), look);
}

/**
 * The score of the marked key as a number.
 *
 * @type {DrawBars}
 */
function drawMarkedScore(pen, scene, at, { focus }, bars) {
  const { values, hidden, text, colour } = scene;
  const [n, score] = [bars.keys.indexOf(focus), values(`s${focus}`)];
  if (n < 0 || hidden(`s${focus}`) || !Number.isFinite(score)) return;
  const y = scaleOf(scene, bars);
  const base = Math.max(Math.min(y(score) + 5, y(0) - 4), bars.scores.top + 12);
  const look = { key: "score", size: 15, bold: true, fill: colour.score };
  numberBeside(pen, at, bars, n, base, text(`s${focus}`), look, false);
}

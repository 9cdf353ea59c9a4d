// The tree of the search: one column per step, in it the candidates from the best down.

import { curveBumpX, line } from "../../ui/browser/d3.js";
import { drawSvg, magnified } from "../../ui/browser/dom.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { rankedEnded } from "./beam_rows.js";

/** @import { Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["beam"]} Data */

const VINE = { left: 36, indent: 42, column: 166, box: 116, row: 31, top: 34, height: 25 };

const shorten = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

const bend = line().curve(curveBumpX);

const middleAt = (step) => VINE.left + VINE.indent + (step - 1) * VINE.column + VINE.box / 2;

/**
 * Where branch i stands: its place among the candidates of its step.
 *
 * @param {Picture<Data>} picture
 */
function standOf(picture, i) {
  const { data } = picture;
  if (i < 0) return [VINE.left, VINE.top + VINE.row / 2];
  picture.rows ??= data.tokens.map((_, at) => {
    let row = 0;
    while (at - row - 1 >= 0 && data.b_step[at - row - 1] === data.b_step[at]) row += 1;
    return row;
  });
  return [middleAt(data.b_step[i]), VINE.top + (picture.rows[i] + 0.5) * VINE.row];
}

/** @param {Picture<Data>} picture */
function curve(picture, i) {
  const [x1, y1] = standOf(picture, picture.data.b_parent[i] - 1);
  const [x2, y2] = standOf(picture, i);
  const from = picture.data.b_parent[i] ? x1 + VINE.box / 2 : x1 + 16;
  return bend([[from, y1], [x2 - VINE.box / 2, y2]]);
}

/** @param {Picture<Data>} picture */
export function drawVine(picture) {
  const { data, tree, colour, step } = picture;
  const shown = data.tokens.map((_, i) => i).filter((i) => data.b_step[i] <= step);
  standOf(picture, 0);
  const most = Math.max(...picture.rows) + 1;
  const left = greedyLeft(picture);
  const alone = left <= Math.min(data.steps, data.greedy.length);
  const height = VINE.top + (most + (alone ? 1.6 : 0.2)) * VINE.row;
  const width = middleAt(step) + VINE.box / 2 + 8;
  const attributes = { width: magnified() * width, height: magnified() * height, viewBox: `0 0 ${width} ${height}`, "font-size": 13, fill: colour.ink, "aria-label": data.alt };
  for (const [name, value] of Object.entries(attributes)) tree.setAttribute(name, value);
  tree.replaceChildren();
  for (let each = 1; each <= step; each++) {
    drawSvg("text", { x: middleAt(each), y: 14, "text-anchor": "middle", fill: colour.quiet, "font-weight": each === step ? 700 : 400 }, tree, `step ${each}`);
  }
  for (const i of shown) {
    const cut = data.outcomes[i] === 2;
    drawSvg("path", { d: curve(picture, i), fill: "none", stroke: colour.quiet, "stroke-width": cut ? 1 : 2, "stroke-opacity": cut ? 0.35 : 0.8, "stroke-dasharray": cut ? "3 3" : "none" }, tree);
  }
  picture.best = drawSvg("g", {}, tree);
  for (const i of shown.filter((one) => data.b_greedy[one])) {
    drawSvg("path", { d: curve(picture, i), fill: "none", stroke: colour.gradient, "stroke-width": 4, "stroke-dasharray": "7 4" }, tree);
  }
  drawGhosts(picture, most, left);
  drawSvg("circle", { cx: VINE.left, cy: standOf(picture, -1)[1], r: 5, fill: colour.ink }, tree);
  drawSvg("text", { x: VINE.left, y: standOf(picture, -1)[1] - 12, "text-anchor": "middle", fill: colour.quiet, "font-size": 12 }, tree, "prompt");
  for (const i of shown) leafOf(picture, i);
  // Only a step moves the view: who scrolled back to look stays there.
  if (picture.seen !== step) picture.scroll.scrollLeft = width * magnified();
  picture.seen = step;
}

/**
 * The first step at which greedy search is no longer in the beam, or one too many.
 *
 * @param {Picture<Data>} picture
 */
function greedyLeft({ data }) {
  const steps = data.tokens.map((_, i) => i).filter((i) => data.b_greedy[i]).map((i) => data.b_step[i]);
  return Math.max(0, ...steps) + 1;
}

/**
 * Greedy search goes on where the beam does not: its tokens stand below.
 *
 * @param {Picture<Data>} picture
 */
function drawGhosts(picture, most, left) {
  const { data, tree, colour, step } = picture;
  const y = VINE.top + (most + 0.9) * VINE.row;
  const last = Math.min(step, data.greedy.length);
  if (left > last) return;
  const from = data.tokens.findIndex((_, i) => data.b_greedy[i] && data.b_step[i] === left - 1);
  const [x1, y1] = standOf(picture, from);
  const to = middleAt(left) - VINE.box / 2;
  const begin = from < 0 ? x1 + 16 : x1 + VINE.box / 2;
  drawSvg("path", { d: `${bend([[begin, y1], [to, y]])}H${middleAt(last)}`, fill: "none", stroke: colour.gradient, "stroke-width": 3, "stroke-dasharray": "7 4" }, tree);
  for (let at = left; at <= last; at++) {
    const x = middleAt(at) - VINE.box / 2;
    drawSvg("rect", { x, y: y - VINE.height / 2, width: VINE.box, height: VINE.height, rx: 7, fill: colour.background, stroke: colour.gradient, "stroke-dasharray": "4 3" }, tree);
    drawSvg("text", { x: middleAt(at), y, "text-anchor": "middle", "dominant-baseline": "central", fill: colour.gradient }, tree, shorten(data.greedy[at - 1], 14));
  }
}

/** @param {Picture<Data>} picture */
function leafOf(picture, i) {
  const { data, tree, colour } = picture;
  const [x, y] = standOf(picture, i);
  const outcome = data.outcomes[i];
  const group = drawSvg("g", {}, tree);
  const look = [{ stroke: colour.ink, "stroke-width": 1.5 }, { stroke: colour.activation, "stroke-width": 3 }, { stroke: colour.quiet, "stroke-dasharray": "3 3" }][outcome];
  drawSvg("rect", { x: x - VINE.box / 2, y: y - VINE.height / 2, width: VINE.box, height: VINE.height, rx: 7, fill: colour.background, ...look }, group);
  const ink = outcome === 2 ? colour.quiet : colour.ink;
  const line = { y, "dominant-baseline": "central", fill: ink };
  const number = data.b_total[i].toFixed(2).replace("-", "−");
  const name = shorten(data.tokens[i], 9);
  drawSvg("text", { ...line, x: x - VINE.box / 2 + 7, "font-weight": outcome === 2 ? 400 : 600 }, group, `${["", "■ ", "✕ "][outcome]}${name}`);
  drawSvg("text", { ...line, x: x + VINE.box / 2 - 6, "text-anchor": "end", "font-size": 11 }, group, number);
  const words = `${data.tokens[i]}: sum ${formatNumber(data.b_total[i])}, ${data.reasons[i]}`;
  drawSvg("title", {}, group, words);
  group.onpointerenter = () => (picture.readout.textContent = words);
}

/**
 * The way to the best text that has ended, for the a of the slider.
 *
 * @param {Picture<Data>} picture
 */
export function drawBest(picture) {
  if (!picture.best) return;
  picture.best.replaceChildren();
  const [first] = rankedEnded(picture);
  if (!first) return;
  for (let at = first.branch; at > 0; at = picture.data.b_parent[at - 1]) {
    drawSvg("path", { d: curve(picture, at - 1), fill: "none", stroke: picture.colour.input, "stroke-width": 6, "stroke-opacity": 0.9 }, picture.best);
  }
}

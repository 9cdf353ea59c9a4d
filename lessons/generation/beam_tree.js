// The candidates of a beam search with the paths to them: the beam's, the best ended text's, and greedy search's.

import { curveBumpX, line } from "../../drawing/d3.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { columnAt, rowAt } from "./beam_places.js";
import { candidatesOf, greedyLeaves, rankedEnded } from "./beam_rows.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BeamPayload } from "../../drawing/types.js" */
/** @import { BeamScene, Draw } from "./beam.js" */
/** @import { Places, Point } from "./beam_places.js" */
/** @typedef {Map<number, Point | null>} Placed where each candidate is drawn; null: there is no row left for it */

const PRUNED = 2;
const SIGNS = ["", "■ ", "✕ "]; // of a candidate that continues, ends, is pruned
/** @type {(points: Point[]) => string} */
const bend = (points) => line().curve(curveBumpX)(points) ?? "";

/** @type {Draw} */
export function drawTree(pen, scene, at, step) {
  const placed = placeCandidates(scene, at);
  drawHeadings(pen, scene, at, step);
  drawWays(pen, scene, at, placed, bestPath(scene, step));
  const [x, y] = promptAt(at);
  if (at.first === 1) pen.circle(x + 2, y, 5, { key: "prompt", fill: scene.colour.ink });
  drawGreedyPath(pen, scene, at, placed, step);
  for (const [i, point] of placed) if (point) drawCandidate(pen, scene, at, i, point, step);
  drawCounts(pen, scene, at);
}

/** @param {BeamScene} scene @param {Places} at @returns {Placed} */
function placeCandidates({ data }, at) {
  /** @type {Placed} */
  const placed = new Map();
  for (const step of at.steps)
    candidatesOf({ data, step }).forEach((i, row) => {
      placed.set(i, row < at.rows ? [columnAt(at, step), rowAt(at, row)] : null);
    });
  return placed;
}

/**
 * Where the paths begin: at the prompt.
 *
 * @param {Places} at @returns {Point}
 */
const promptAt = (at) => [at.left - (at.narrow ? 8 : 14), rowAt(at, 0)];

/** @type {Draw} */
function drawHeadings(pen, { colour }, at, step) {
  for (const each of at.steps) {
    const look = { size: 14, bold: each === step, fill: each === step ? colour.ink : colour.quiet };
    pen.text(columnAt(at, each), at.top - 10, `step ${each}`, { key: `head${each}`, anchor: "middle", ...look });
  }
}

/**
 * The number of candidates of each column for which there is no room.
 *
 * @param {Pen} pen @param {BeamScene} scene @param {Places} at
 */
function drawCounts(pen, { data, colour }, at) {
  for (const step of at.steps) {
    const more = candidatesOf({ data, step }).length - at.rows;
    const look = /** @type {const} */ ({ key: `more${step}`, size: 13, anchor: "middle", fill: colour.quiet });
    if (more > 0) pen.text(columnAt(at, step), rowAt(at, at.rows) + 2, `and ${more} more`, look);
  }
}

/**
 * The branches on the path to the best ended text, for the a of the slider.
 *
 * @param {BeamScene} scene @param {number} step
 */
function bestPath({ data, values }, step) {
  const path = new Set();
  const best = rankedEnded({ data, values, step }).at(0);
  for (let branch = best ? best.branch : 0; branch > 0; branch = data.b_parent[branch - 1]) path.add(branch - 1);
  return path;
}

/**
 * @param {Pen} pen
 * @param {BeamScene} scene
 * @param {Places} at
 * @param {Placed} placed
 * @param {Set<number>} best the candidates on the path to the best text
 */
function drawWays(pen, { data, colour }, at, placed, best) {
  for (const [i, point] of placed) {
    const d = point && wayTo(data, at, placed, i, point);
    if (!d) continue;
    if (best.has(i)) pen.path(d, { key: `best${i}`, stroke: colour.input, width: 8, "stroke-opacity": 0.85 });
    const look =
      data.outcomes[i] === PRUNED
        ? { width: 1, "stroke-opacity": 0.4, dash: "3 3" }
        : { width: 2, "stroke-opacity": 0.85, dash: null };
    pen.path(d, { key: `way${i}`, stroke: colour.quiet, ...look });
    if (data.b_greedy[i]) pen.path(d, { key: `greedy${i}`, stroke: colour.gradient, width: 4.5, dash: "7 4" });
  }
}

/**
 * The path to a candidate from its parent; null if the parent has no row.
 *
 * @param {BeamPayload} data
 * @param {Places} at
 * @param {Placed} placed
 * @param {number} i
 * @param {Point} to its middle
 */
function wayTo(data, at, placed, i, [x, y]) {
  const parent = placed.get(data.b_parent[i] - 1);
  if (parent === null) return null;
  const end = /** @type {Point} */ ([x - at.box / 2, y]);
  if (parent) return bend([[parent[0] + at.box / 2, parent[1]], end]);
  return bend([at.first === 1 ? promptAt(at) : [at.left - 14, y], end]);
}

/**
 * Greedy search after it has left the beam: its tokens are drawn below.
 *
 * @param {Pen} pen @param {BeamScene} scene @param {Places} at @param {Placed} placed @param {number} step
 */
function drawGreedyPath(pen, { data, colour }, at, placed, step) {
  const leaves = greedyLeaves(data);
  const y = rowAt(at, at.rows) + 2;
  const last = data.tokens.findIndex((_, i) => data.b_greedy[i] && data.b_step[i] === leaves - 1);
  const left = placed.get(last);
  for (let each = Math.max(leaves, at.first); each <= Math.min(step, data.greedy.length); each++) {
    const x = columnAt(at, each);
    /** @type {Point} */
    let from = [at.left - 14, y];
    if (each > at.first && each > leaves) from = [columnAt(at, each - 1) + at.box / 2, y];
    else if (each > at.first) from = left ? [left[0] + at.box / 2, left[1]] : promptAt(at);
    const way = { key: `ghostway${each}`, stroke: colour.gradient, width: 3.5, dash: "7 4" };
    pen.path(bend([from, [x - at.box / 2, y]]), way);
    pen.group({ key: `ghost${each}` }, (its) => {
      const frame = { r: 7, fill: colour.background, stroke: colour.gradient, dash: "4 3" };
      its.rect(x - at.box / 2, y - at.high / 2, at.box, at.high, frame);
      const look = /** @type {const} */ ({ size: at.size, anchor: "middle", fill: colour.gradient, room: at.box - 12 });
      its.text(x, y + at.size * 0.34, data.greedy[each - 1], look);
    });
  }
}

/**
 * A candidate with its token and its Σ log p; a press explains it below.
 *
 * @param {Pen} pen
 * @param {BeamScene} scene
 * @param {Places} at
 * @param {number} i
 * @param {Point} point
 * @param {number} step
 */
function drawCandidate(pen, { data, colour, memory, again }, at, i, [x, y], step) {
  const outcome = data.outcomes[i];
  const words = candidateText(data, i);
  const picked = memory.picked === i;
  const size = Math.min(at.size, Math.max(13, at.high - 4));
  const press = () => {
    memory.picked = picked ? null : i;
    again();
  };
  const frame = [
    { stroke: colour.ink, line: 1.5 },
    { stroke: colour.activation, line: 3 },
    { stroke: colour.quiet, dash: "3 3" },
  ][outcome];
  const draw = (/** @type {Pen} */ its) => {
    its.node("title", {}, words);
    const background = picked ? colour.mark : colour.background;
    its.rect(x - at.box / 2, y - at.high / 2, at.box, at.high, { r: 7, fill: background, ...frame });
    const number = data.b_total[i].toFixed(2).replace("-", "−");
    const fill = picked ? colour.onMark : outcome === PRUNED ? colour.quiet : colour.ink;
    const room = at.box - textWidth(number, 13) - 20;
    const look = { size, bold: outcome !== PRUNED, fill, room };
    its.text(x - at.box / 2 + 8, y + size * 0.34, `${SIGNS[outcome]}${data.tokens[i]}`, look);
    its.text(x + at.box / 2 - 7, y + 4.5, number, { size: 13, anchor: "end", fill });
  };
  pen.button(words, press, draw, { key: `leaf${i}`, tabindex: data.b_step[i] === step ? 0 : null });
}

/**
 * A candidate in words: the text before it, its token, its Σ log p, and its outcome.
 *
 * @param {BeamPayload} data @param {number} i
 */
export function candidateText(data, i) {
  const before = data.beginnings[data.b_parent[i]];
  const text = `${before ? `${before} + ` : ""}${data.tokens[i]}`;
  const reason = data.reasons[i] ? `: ${data.reasons[i]}` : "";
  return `${text}: Σ log p ${formatNumber(data.b_total[i])}, ${data.outcome_names[data.outcomes[i]]}${reason}`;
}

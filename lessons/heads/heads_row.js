// The row of the query: its scores with every key, and the weights that the softmax computes from them.

import { bent, textWidth } from "../../drawing/pen.js";
import { follow, pointAt, tokenAt } from "./heads_hand.js";
import { largestKeys } from "./heads_state.js";
import { drawScores } from "./row_scores.js";
import { drawWeights } from "./row_weights.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./heads_layout.js" */
/** @import { Draw, HeadsScene, State } from "./heads_scene.js" */

/** @typedef {{ top: number, bottom: number }} Zone */
/** @typedef {ReturnType<typeof barsOf>} Bars */
/** @typedef {(pen: Pen, scene: HeadsScene, at: Places, state: State, bars: Bars) => void} DrawBars */

const STEP = 17; // the least width of a key, so that its word fits

/** @type {Draw} */
export function drawRow(pen, scene, at, state) {
  const bars = barsOf(scene, at, state);
  drawScores(pen, scene, at, state, bars);
  drawWeights(pen, scene, at, state, bars);
  nameKeys(pen, scene, at, state, bars);
  if (!at.narrow) drawWayToMap(pen, scene, at, state, bars);
  drawCover(pen, scene, at, state, bars);
}

/**
 * Which keys have a bar, and where the bars are drawn: those of the scores above those of the weights.
 *
 * @param {HeadsScene} scene @param {Places} at @param {State} state
 */
function barsOf({ data, values }, { row: box, narrow }, { view, focus }) {
  const left = box.left + (narrow ? 22 : 30);
  const most = Math.floor((box.right - left) / STEP);
  const keys = largestKeys(view.columns, (j) => values(`w${j}`), most, focus);
  const step = Math.min((box.right - left) / keys.length, 44);
  const names = Math.min(Math.max(...keys.map((j) => textWidth(data.tokens[j], 13))) + 6, narrow ? 62 : 66);
  const part = (box.bottom - box.top - names - 46) / 10;
  /** @type {Zone} */
  const scores = { top: box.top + 20, bottom: box.top + 20 + part * 3.8 };
  /** @type {Zone} */
  const weights = { top: scores.bottom + 26, bottom: box.bottom - names };
  return {
    left,
    right: left + step * keys.length,
    keys,
    scores,
    weights,
    names,
    wide: Math.min(step - 4, 26),
    /** @param {number} n the place of a key among those that have a bar */
    middle: (n) => left + (n + 0.5) * step,
  };
}

/** @type {DrawBars} */
function nameKeys(pen, { data, colour }, _at, { focus }, { keys, middle, weights, names }) {
  keys.forEach((j, n) => {
    const [x, y] = [middle(n) + 4.5, weights.bottom + 5];
    const marked = j === focus;
    pen.text(x, y, data.tokens[j], {
      key: `k${j}`,
      size: 13,
      bold: marked,
      fill: marked ? colour.key : data.special[j] ? colour.quiet : colour.ink,
      anchor: "end",
      room: names - 4,
      transform: `rotate(-90 ${x} ${y})`,
    });
  });
}

/**
 * Beads from the bars to the map, where the weights are the query's row.
 *
 * @type {DrawBars}
 */
function drawWayToMap(pen, { data, colour }, { map, row, label }, { inMap, query }, { weights }) {
  const n = inMap.rows.indexOf(query);
  if (n < 0) return;
  const y = map.top + (n + 0.5) * map.cell.y;
  const end = map.left - 14 - Math.min(textWidth(data.tokens[query], 14, true), label - 10);
  const start = (weights.top + weights.bottom) / 2;
  const bend = Math.min(row.right + 16, end - 12);
  const corners = [
    [row.right + 2, start],
    [bend, start],
    [bend, y],
    [end, y],
  ];
  const d = bent(corners, 8);
  pen.path(d, { key: "path", stroke: colour.activation, width: 1.5, "stroke-opacity": 0.4 });
  pen.beads(d, colour.activation, { key: "beads" });
  pen.head(end + 2, y, 0, colour.activation);
}

/**
 * A transparent cover over the bars: a press follows a key.
 *
 * @type {DrawBars}
 */
function drawCover(pen, scene, at, state, { left, right, scores, keys }) {
  const look = { key: "bars", fill: "transparent", r: 0, class: "press", "data-part": "bars" };
  const node = pen.rect(left, scores.top, right - left, at.row.bottom - scores.top, look);
  node.onpointermove = (event) => pointAt(scene, { query: state.query, key: tokenAt(event, "x", keys) });
  node.onpointerleave = () => pointAt(scene, null);
  node.onclick = (event) => follow(scene, state, { key: tokenAt(event, "x", keys) });
}

// The first panel: the query meets each key, and the products of their numbers add up to a score.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { inside } from "./flow_layout.js";
import { drawBar, drawDistance, drawPanel, drawWord } from "./flow_marks.js";
import { drawBoxes, entries } from "./flow_numbers.js";
import { sub } from "./flow_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Places } from "./flow_panels.js" */
/** @import { FlowScene, KeyRow } from "./flow_scene.js" */

/** @type {Draw} */
export function drawFit(pen, scene, at) {
  const { colour } = scene;
  const { boxes, bars } = at;
  const title = "q · k: how well do they fit?";
  const about = "multiply, add up. Press a word: it asks";
  drawPanel(pen, at, "fit", { number: 1, title, about, role: colour.score });
  drawAsking(pen, scene, at);
  drawDistance(pen, scene, at, { left: bars.left, span: inside(at.panels.fit), letter: "s", name: "gap" });
  if (at.above) drawThreads(pen, at);
  const look = { width: boxes.width, height: boxHeight(at), role: colour.query };
  drawBoxes(pen, scene, boxes.left, at.query, entries("q", boxes.count), look);
  drawRest(pen, scene, at);
  for (const key of at.keys) pen.group({ key: `key${key.j}` }, (row) => drawKey(row, scene, at, key));
}

/** @param {Places} at */
const boxHeight = ({ boxes, many }) => Math.min(boxes.width - 3, 40, many ? 26 : 40);

/**
 * The query's word, and the name of its vector.
 *
 * @type {Draw}
 */
function drawAsking(pen, { data, colour }, { words, query, many }) {
  const { left, right } = words;
  const token = data.tokens[data.query];
  const look = { bold: true, fill: colour.query, room: right - left };
  if (many) {
    pen.text(left, query + 5, token, { size: 16, ...look });
    return;
  }
  pen.text(left, query - 1, token, { size: 18, ...look });
  const vector = `q${sub(data.query + 1)}`;
  pen.text(left, query + 17, `asks with ${vector}`, { size: 14, fill: colour.query, room: right - left + 8 });
}

/**
 * Lines from each number of the query down to those of the keys.
 *
 * @param {Pen} pen @param {Places} at
 */
function drawThreads(pen, at) {
  const { boxes, keys, query } = at;
  const lowest = keys[keys.length - 1].y;
  const look = { stroke: pen.colour.query, width: 1.5, dash: "2 4", "stroke-opacity": 0.6 };
  for (let c = 0; c < boxes.count; c++) {
    const x = boxes.left + (c + 0.5) * boxes.width - 0.5;
    pen.line(x, query + boxHeight(at) / 2, x, lowest, look);
  }
}

/**
 * A note if not all numbers of q are drawn, or if d_k is larger than their count.
 *
 * @type {Draw}
 */
function drawRest(pen, scene, { boxes, bars, query }) {
  const lines = restOf(scene, boxes.count);
  const look = { size: 14, fill: scene.colour.quiet, room: bars.right - bars.left + 8 };
  lines.forEach((line, i) => pen.text(bars.left, query + (lines.length > 1 ? 18 * i - 3 : 5), line, look));
}

/**
 * @param {FlowScene} scene
 * @param {number} count of the numbers that are drawn
 */
function restOf({ data, values }, count) {
  const [whole] = data.whole;
  const d_k = values("d_k");
  if (count < whole) return [`first ${count} of ${whole}`];
  if (data.scaled && d_k > whole) return [`d_k = ${formatNumber(Math.round(d_k))}: the`, "others are 0"];
  return [];
}

/**
 * A key: its word, its numbers, and its score as a bar.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {KeyRow} key
 */
function drawKey(pen, scene, at, { j, y }) {
  const { data, colour } = scene;
  const { boxes, bars, many, high } = at;
  drawWord(pen, scene, at, { j, y });
  const height = Math.min(boxHeight(at), at.row - 4);
  const look = { width: boxes.width, height, role: colour.key, size: many ? 14 : 16 };
  drawBoxes(pen, scene, boxes.left, y, entries(`k${j + 1}.`, boxes.count), look);
  const terms = data.products[j];
  if (at.above && terms && textWidth(terms, 15) <= bars.right - bars.left + 8)
    pen.text(bars.left, y - high / 2 - 8, terms, { size: 15, fill: colour.quiet, halo: at.tall });
  drawBar(pen, scene, at, { left: bars.left, y, name: `s${j + 1}` });
}

// The edges of a graph, and on each its local derivative.

import { cutText, textWidth } from "../../drawing/pen.js";
import { TIP } from "./graph_sizes.js";
import { isInside, keyOf, LEAST } from "./graph_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GraphEdge } from "../../drawing/types.js" */
/** @import { DrawEdge, GraphScene, Moment } from "./graph_scene.js" */

/**
 * An edge; at the end of the walk, as thick as the gradient that it passes down.
 *
 * @type {DrawEdge}
 */
export function drawEdge(pen, scene, now, edge, i) {
  const { colour } = scene;
  const { path, start, end, angle } = now.plan.routes[i];
  const key = keyOf(edge);
  const active = now.active.has(key);
  const passed = now.passed.has(key);
  const width = active ? 5 : now.done ? 1.5 + 6 * shareOf(scene, now, edge) : 1.8;
  const stroke = edgeColour(scene, now, edge);
  const opacity = passed && !active && !now.done ? 0.6 : null;
  pen.path(path, { key: `e${key}`, stroke, width, "stroke-opacity": opacity, "stroke-linejoin": "round" });
  const returns = passed && (active || now.done);
  const [x, y] = returns ? start : end;
  const beyond = returns ? 1 : TIP;
  drawTip(pen, `h${key}`, angle ? [x, y + beyond] : [x + beyond, y], returns ? angle + 180 : angle, stroke);
  if (!active && !(now.done && width > 2.5)) return;
  pen.beads(path, colour.background, { key: `b${key}`, width: 2.4, class: returns ? "beads back" : "beads" });
}

/**
 * The size of the gradient that an edge passes down, relative to the largest one in the graph.
 *
 * @param {GraphScene} scene @param {Moment} now @param {GraphEdge} edge
 */
function shareOf({ values, hidden }, { largest }, { size }) {
  return size && !hidden(size) ? Math.min(Math.abs(values(size)) / largest, 1) : 0;
}

/** @param {GraphScene} scene @param {Moment} now @param {GraphEdge} edge */
function edgeColour({ colour }, now, edge) {
  const key = keyOf(edge);
  if (now.active.has(key)) return now.step?.kind === "backward" ? colour.gradient : colour.activation;
  if (now.passed.has(key)) return colour.gradient;
  return now.values.has(edge.to) ? colour.quiet : colour.line;
}

/**
 * @param {Pen} pen
 * @param {string} key
 * @param {[x: number, y: number]} point
 * @param {number} angle
 * @param {string} fill
 */
function drawTip(pen, key, [x, y], angle, fill) {
  pen.group({ key, transform: `translate(${x} ${y}) rotate(${angle})` }, (its) => its.head(0, 0, 0, fill, 11));
}

/**
 * The local derivative on its edge, once the node at its end has a value.
 *
 * @type {DrawEdge}
 */
export function drawLocal(pen, scene, now, edge, i) {
  const { colour } = scene;
  const key = keyOf(edge);
  if (!now.values.has(edge.to) || !edge.local) return;
  if (now.step?.kind === "forward" && now.active.has(key) && now.part < 1) return;
  const { label, start, end, angle } = now.plan.routes[i];
  const room = Math.max(angle ? 110 : Math.abs(end[0] - start[0]) + 6, 46);
  const { text, size, pad } = localText(now, edge, room);
  const width = textWidth(text, size, true) + pad;
  const [x, y] = label;
  if (!isInside(now, x - width / 2, y - size, width, size * 2)) return;
  const active = now.active.has(key) && now.step?.kind === "backward";
  pen.rect(x - width / 2, y - size * 0.8, width, size * 1.6, {
    key: `r${key}`,
    r: size * 0.8,
    fill: colour.background,
    stroke: colour.gradient,
    line: active ? 2.5 : 1,
    "stroke-opacity": active ? 1 : 0.4,
  });
  const look = /** @type {const} */ ({ size, bold: true, fill: colour.gradient, anchor: "middle" });
  pen.text(x, y + size * 0.36, text, { key: `l${key}`, ...look });
}

/**
 * The text of a local derivative in its room: large, small, with two digits, or cut. `pad` is the room around it.
 *
 * @param {Moment} now @param {GraphEdge} edge @param {number} room
 */
function localText({ texts, plan }, edge, room) {
  const whole = texts.now(edge.local);
  const few = texts.few(edge.local).replace(/^× \(?([^()]*)\)?$/, "$1");
  const ways = [
    { text: whole, size: Math.min(LEAST * plan.s, 17), pad: 12 },
    { text: whole, size: LEAST, pad: 10 },
    { text: few, size: LEAST, pad: 6 },
  ];
  const fitting = ways.find(({ text, size, pad }) => textWidth(text, size, true) + pad <= room);
  return fitting ?? { text: cutText(few, room - 6, LEAST, true), size: LEAST, pad: 6 };
}

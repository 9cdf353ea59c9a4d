// The nodes of a graph: each has its name, its value, and below a line its gradient.

import { cutText, textWidth } from "../../drawing/pen.js";
import { boxOf } from "./graph_sizes.js";
import { isInside, LEAST, markedName, namedNode } from "./graph_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GraphNode } from "../../drawing/types.js" */
/** @import { Box } from "./graph_sizes.js" */
/** @import { GraphScene, Moment } from "./graph_scene.js" */
/** @typedef {(pen: Pen, scene: GraphScene, now: Moment, node: GraphNode, box: Box) => void} DrawPart */
/** @typedef {{ size: number, room: number, fill: string, marked?: boolean, key?: string }} FittedLook */

/** @param {Pen} pen @param {GraphScene} scene @param {Moment} now @param {GraphNode} node */
export function drawNode(pen, scene, now, node) {
  const box = boxOf(now.plan, node.id);
  const { valued, graded } = shownOf(now, node);
  const handle = node.handle && valued ? { "data-n": node.handle, "data-per": 60, "data-way": "x" } : {};
  pen.group({ key: `n${node.id}`, class: "node", ...handle }, (its) => {
    drawFrame(its, scene, now, node, box);
    if (!isInside(now, box.left, box.top, box.width, box.height)) return;
    drawTitle(its, scene, now, node, box);
    if (valued) drawValue(its, scene, now, node, box);
    if (graded) drawGradient(its, scene, now, node, box);
    its.node("title", {}, valued && graded ? now.texts.now(node.whole) : title(node));
  });
}

/**
 * Whether a node shows its value and its gradient: not while they are still riding.
 *
 * @param {Moment} now @param {GraphNode} node
 */
function shownOf({ step, part, values, gradients }, { id }) {
  const arriving = step?.nodes.includes(id) && part < 1 ? step.kind : null;
  return { valued: values.has(id) && arriving !== "forward", graded: gradients.has(id) && arriving !== "backward" };
}

/** @param {GraphNode} node */
const title = (node) =>
  node.formula ? `${node.name} = ${node.formula}` : node.shape ? `${node.name}: ${node.shape}` : node.name;

/**
 * The colour of a node that has a value.
 *
 * @param {GraphScene} scene @param {GraphNode} node
 */
const roleOf = ({ data, colour }, node) =>
  node.id === data.result ? colour.loss : node.leaf ? colour.input : colour.activation;

/**
 * The radius of a node's corners.
 *
 * @param {GraphNode} node @param {Box} box
 */
const roundness = (node, box) => (node.leaf ? Math.min(box.height * 0.42, 46) : 10);

/** @type {DrawPart} */
function drawFrame(pen, scene, now, node, box) {
  const { colour, moved } = scene;
  const { valued } = shownOf(now, node);
  const current = now.step?.nodes.includes(node.id) || (moved && moved === node.handle);
  pen.rect(box.left, box.top, box.width, box.height, {
    r: roundness(node, box),
    fill: colour.background,
    stroke: valued ? roleOf(scene, node) : colour.quiet,
    line: current ? 4 : 1.8,
    dash: valued ? null : "5 4",
  });
}

/**
 * The room for a text in a node.
 *
 * @param {GraphNode} node @param {Box} box
 */
const roomOf = (node, box) => box.width - (node.leaf ? 26 : 14);

/** @type {DrawPart} */
function drawTitle(pen, scene, now, node, box) {
  const { s } = now.plan;
  const fill = shownOf(now, node).valued ? roleOf(scene, node) : scene.colour.quiet;
  drawFitted(pen, box.x, box.top + 15 * s, title(node), { size: LEAST * s, room: roomOf(node, box), fill });
}

/** @type {DrawPart} */
function drawValue(pen, scene, now, node, box) {
  const { s } = now.plan;
  const texts = { now: now.texts.now(node.value), before: now.texts.before?.(node.value) };
  drawNumber(pen, texts, box, box.top + 33.5 * s, {
    key: "value",
    size: 17 * s,
    room: roomOf(node, box) - (node.handle ? 22 * s : 0),
    fill: scene.colour.ink,
    marked: marksValue(scene, now, node),
  });
  if (node.handle) drawChevrons(pen, box, box.top + 28 * s, s);
}

/** @type {DrawPart} */
function drawGradient(pen, scene, now, node, box) {
  const { colour } = scene;
  const { s } = now.plan;
  const indent = roundness(node, box) * 0.45;
  const y = box.top + 39 * s;
  pen.line(box.left + indent, y, box.right - indent, y, { stroke: colour.line, width: 1 });
  const [size, room] = [LEAST * s, box.width - 12];
  drawNumber(pen, gradientTexts(now, node, size, room), box, box.top + 51 * s, {
    key: "gradient",
    size,
    room,
    fill: colour.gradient,
    marked: marksGradient(scene, now, node),
  });
  drawGauge(pen, scene, now, node, box);
}

/**
 * A gradient with its name, as much of both as there is room for.
 *
 * @param {Moment} now @param {GraphNode} node @param {number} size @param {number} room
 */
function gradientTexts({ texts }, { slope, gradient }, size, room) {
  const long = `${slope}${gradient}`;
  const named = textWidth(texts.now(long), size, true) <= room ? long : `∂ ${gradient}`;
  const ways = [
    { print: texts.now, template: named },
    { print: texts.few, template: named },
    { print: texts.few, template: gradient },
  ];
  const fits = ways.find(({ print, template }) => textWidth(print(template), LEAST, true) <= room);
  const { print, template } = fits ?? ways[0];
  return { now: print(template), before: texts.before?.(template) };
}

/**
 * Whether the sentence marks a node's value: during a step its result, at the end the value that is dragged.
 *
 * @param {GraphScene} scene @param {Moment} now @param {GraphNode} node
 */
function marksValue({ moved, before }, { step, done }, node) {
  if (done) return Boolean(before && moved === node.handle && moved);
  return step?.kind === "forward" && step.nodes.includes(node.id) && !node.leaf;
}

/**
 * Whether the sentence marks a node's gradient: during a step its result, at the end the one that the finding names.
 *
 * @param {GraphScene} scene @param {Moment} now @param {GraphNode} node
 */
function marksGradient({ data, before }, { step, done }, node) {
  if (done) return !before && markedName(data) !== undefined && node.id === namedNode(data);
  return step?.kind === "backward" && step.nodes.includes(node.id);
}

/**
 * A number; while a slider is dragged, with its value before the drag, if there is room.
 *
 * @param {Pen} pen
 * @param {{ now: string, before: string | undefined }} texts
 * @param {Box} box
 * @param {number} y
 * @param {FittedLook & { key: string }} look
 */
function drawNumber(pen, { now, before }, box, y, look) {
  const { key, size, room, fill, marked = false } = look;
  if (before !== undefined && before !== now) {
    const old = Math.max(size * 0.72, LEAST);
    const arrow = `${before} → `;
    const [left, right] = [textWidth(arrow, old), textWidth(now, size, true)];
    if (left + right + 8 <= room) {
      const x = box.x - (left + right) / 2;
      pen.text(x, y, arrow, { key: `${key} was`, size: old, fill: pen.colour.quiet });
      pen.markedText(x + left, y, now, marked, { key, size, bold: true, fill });
      return;
    }
    const changed = { key: `${key} old`, r: 14, stroke: pen.colour.quiet, line: 1.2, dash: "4 3" };
    pen.rect(box.left - 4, box.top - 4, box.width + 8, box.height + 8, changed);
  }
  drawFitted(pen, box.x, y, now, look);
}

/**
 * A text in its room: smaller if necessary, and cut if that is not enough.
 *
 * @param {Pen} pen @param {number} x @param {number} y @param {string} text @param {FittedLook} look
 */
function drawFitted(pen, x, y, text, { size, room, fill, marked = false, key }) {
  const wide = textWidth(text, size, true);
  const fits = wide > room ? Math.max((size * room) / wide, LEAST) : size;
  const look = /** @type {const} */ ({ key: key ?? null, size: fits, bold: true, fill, anchor: "middle" });
  pen.markedText(x, y, cutText(text, room, fits, true), marked, look);
}

/**
 * Chevrons on both sides of a value that is dragged.
 *
 * @param {Pen} pen @param {Box} box @param {number} y @param {number} s
 */
function drawChevrons(pen, box, y, s) {
  const [left, right, d] = [box.left + 11 * s, box.right - 11 * s, 4 * s];
  const path = `M${left} ${y - d}l${-d} ${d}l${d} ${d}M${right} ${y - d}l${d} ${d}l${-d} ${d}`;
  pen.path(path, { key: "chevrons", stroke: pen.colour.input, width: 1.8, "stroke-opacity": 0.7 });
}

/**
 * The size of a gradient, relative to the largest one in the graph.
 *
 * @type {DrawPart}
 */
function drawGauge(pen, { values, hidden, colour }, now, node, box) {
  if (node.sizes.some(hidden)) return;
  const { s } = now.plan;
  const share = Math.min(Math.max(...node.sizes.map((name) => Math.abs(values(name)))) / now.largest, 1);
  const whole = box.width - 2 * Math.max(roundness(node, box) * 0.8, 10);
  const width = Number.isFinite(share) ? whole * share : whole;
  const look = { key: "gauge", r: 1.1 * s, fill: colour.gradient, "fill-opacity": 0.75 };
  if (width > 0) pen.rect(box.x - width / 2, box.foot - 4.2 * s, width, 2.2 * s, look);
}

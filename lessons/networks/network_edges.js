// The inputs and the edges: the width of an edge is the size of its weight, which is changed by dragging.

import { formatNumber } from "../../drawing/numbers.js";
import { DIM, textWidth } from "../../drawing/pen.js";
import { drag } from "../../drawing/hand.js";
import { isComputed, isLit } from "./code_strip.js";
import { placeOf } from "./forward.js";
import { show } from "./networks_scene.js";
import { labelPlace } from "./networks_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, NetworksScene, State } from "./networks_scene.js" */
/** @import { Unit } from "./networks_places.js" */

/** @typedef {{ shown: ArrayLike<number>, role: string, most: number }} Shown the weights, or their gradients */
/** @typedef {{ source: Unit, unit: Unit, layer: number, i: number, j: number }} Ends of an edge */
/** @typedef {{ t: number, crowded: boolean }} Labels t: how far along the edge a number is, as a share */

const PER = 60; // dragging this many units of the drawing changes a weight by 1
const NUMBERED = 8; // up to this many edges between two layers, each shows its number
export const INSIDE = 58; // a unit of at least this size has its value inside

/** @type {Draw} */
export function drawEdges(pen, scene, net, at) {
  const { colour } = scene;
  const columns = [at.inputs, ...at.layers, at.outputs];
  const values = net.backward ? net.gradients : net.parameters;
  const most = Array.from(values).reduce((top, each) => Math.max(top, Math.abs(each)), 1e-9);
  const shown = { shown: values, role: net.backward ? colour.gradient : colour.weight, most };
  for (let layer = 0; layer < net.functions.length; layer++) {
    const [from, to] = [columns[layer], columns[layer + 1]];
    const t = labelPlace(from, to);
    const small = at.small || (layer > 0 && from[0].size < INSIDE);
    const crowded = t === null || small || from.length > 4 || from.length * to.length > NUMBERED;
    to.forEach((unit, i) =>
      from.forEach((source, j) =>
        drawEdge(pen, scene, net, shown, { source, unit, layer, i, j }, { t: t ?? 0.5, crowded }),
      ),
    );
  }
}

/**
 * @param {Pen} pen
 * @param {NetworksScene} scene
 * @param {State} net
 * @param {Shown} shown
 * @param {Ends} ends
 * @param {Labels} labels
 */
function drawEdge(pen, scene, net, { shown, role, most }, ends, { t, crowded }) {
  const { colour, memory, data } = scene;
  const { source, unit, layer, i, j } = ends;
  const place = placeOf(net, layer, i, j);
  const value = shown[place];
  const [start, end] = [`${source.x + source.size / 2} ${source.y}`, `${unit.x - unit.size / 2} ${unit.y}`];
  const d = net.backward ? `M${end}L${start}` : `M${start}L${end}`;
  const share = Math.min(Math.abs(value) / most, 1);
  const chosen = (memory.held ?? data.weight) === place;
  const width = 1 + 9 * share;
  const look = {
    stroke: chosen ? colour.ink : role,
    width: chosen ? Math.max(width, 2.5) : width,
    "stroke-opacity": chosen ? 0.75 : 0.3,
    dash: value < 0 ? "3 5" : null,
  };
  const opacity = isComputed(memory, net, layer, "z") ? null : DIM;
  const node = pen.group({ key: `edge ${place}`, class: "grab", "data-edge": place, opacity }, (its) => {
    if (isLit(memory, "W", layer + 1)) its.path(d, { stroke: colour.mark, width: width + 10 });
    its.path(d, look);
    if (share > 0.04 && !crowded) its.beads(d, role);
    its.path(d, { stroke: "transparent", width: 14, "pointer-events": "stroke" });
    if (!crowded || chosen) drawPill(its, ends, t, formatNumber(value), chosen ? colour.ink : role, chosen);
  });
  grabWeight(node, scene, net, place, nameOf(layer, i, j));
}

/**
 * A number on an edge.
 *
 * @param {Pen} pen
 * @param {Ends} ends
 * @param {number} t
 * @param {string} text
 * @param {string} tint
 * @param {boolean} chosen
 */
function drawPill(pen, { source, unit }, t, text, tint, chosen) {
  const wide = textWidth(text, 14, true) + 14;
  const [x1, x2] = [source.x + source.size / 2, unit.x - unit.size / 2];
  const [x, y] = [x1 + (x2 - x1) * t, source.y + (unit.y - source.y) * t];
  const look = { r: 12, fill: pen.colour.background, stroke: tint, line: chosen ? 2.5 : 1.2 };
  pen.rect(x - wide / 2, y - 12, wide, 24, look);
  pen.text(x, y + 5, text, { size: 14, bold: true, anchor: "middle", fill: tint });
}

/**
 * The name of a weight, as in lessons/networks/networks_picture.py; `from` −1 is the bias.
 *
 * @param {number} layer @param {number} unit @param {number} from
 */
export function nameOf(layer, unit, from) {
  const sub = (/** @type {number} */ i) => "₀₁₂₃₄₅₆₇₈₉"[i + 1];
  const raised = `⁽${"⁰¹²³⁴"[layer + 1]}⁾`;
  return from < 0 ? `b${raised}${sub(unit)}` : `W${raised}${sub(unit)}${sub(from)}`;
}

/**
 * Make a weight change when it is dragged to the left or right.
 *
 * @param {SVGElement} node @param {NetworksScene} scene @param {State} net @param {number} place @param {string} name
 */
export function grabWeight(node, scene, net, place, name) {
  const { memory, send } = scene;
  drag(node, {
    down: (x) => /** @type {{ value: number, x: number, last?: number }} */ ({ value: net.parameters[place], x }),
    move: (began, x) => {
      memory.held = place;
      const value = Math.round((began.value + (x - began.x) / PER) * 100) / 100;
      show(scene, "w", name, { w: value });
      began.last = value;
    },
    up: (began, moved) => send({ weight: place, value: (moved ? began.last : null) ?? null }),
  });
}

/** @type {Draw} */
export function drawInputs(pen, { colour, values, memory }, net, { inputs, head, small }) {
  const title = /** @type {const} */ ({ bold: true, fill: colour.input, anchor: "middle" });
  pen.text(inputs[0].x, head, small ? "x" : "input x", { size: small ? 13 : 15, ...title });
  inputs.forEach(({ x, y, size }, i) => {
    const fill = isLit(memory, "a", 0) ? colour.mark : colour.background;
    pen.circle(x, y, size / 2, { fill, stroke: colour.input });
    pen.text(x, y - 4, `x${"₁₂"[i]}`, { size: 13, anchor: "middle", fill: colour.input });
    const number = formatNumber(Math.round(values(`x${i + 1}`) * 100) / 100);
    pen.text(x, y + 15, number, { size: number.length > 4 ? 13 : 16, bold: true, anchor: "middle" });
  });
}

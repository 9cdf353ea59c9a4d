// The units of the hidden layers, each on its map, and the output.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { isComputed, isLit } from "./code_strip.js";
import { placeOf } from "./forward.js";
import { grabWeight, INSIDE, nameOf } from "./network_edges.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, Memory, NetworksScene, State } from "./networks_scene.js" */
/** @import { Places, Unit } from "./networks_places.js" */

/** @typedef {Unit & { layer: number, i: number }} Placed */

/** @type {Draw} */
export function drawHidden(pen, scene, net, at) {
  const { colour, data } = scene;
  at.layers.forEach((units, layer) => {
    const raised = `⁽${"⁰¹²³⁴"[layer + 1]}⁾`;
    const whole = `a${raised} = ${data.symbols[layer]}(z${raised})`;
    const title = at.small || textWidth(whole, 15, true) > at.column - 12 ? `a${raised}` : whole;
    const look = /** @type {const} */ ({ bold: true, fill: colour.activation, anchor: "middle" });
    pen.text(units[0].x, at.head, title, { size: at.small ? 13 : 15, ...look });
    const biases = units.length <= 4 && !at.small;
    units.forEach((unit, i) => drawUnit(pen, scene, net, at, { ...unit, layer, i }, biases));
  });
}

/**
 * Which parts of a layer are computed and highlighted at the current line of the forward pass.
 *
 * @param {Memory} memory @param {State} net @param {number} layer
 */
const progressOf = (memory, net, layer) => ({
  lit: isLit(memory, "z", layer + 1) || isLit(memory, "a", layer + 1),
  summed: isComputed(memory, net, layer, "z"),
  computed: isComputed(memory, net, layer, "a"),
});

/**
 * @param {Pen} pen
 * @param {NetworksScene} scene
 * @param {State} net
 * @param {Places} at
 * @param {Placed} unit
 * @param {boolean} biases whether there is room for its bias
 */
function drawUnit(pen, scene, net, at, { x, y, size, layer, i }, biases) {
  const { colour, memory } = scene;
  const half = size / 2;
  const { lit, summed, computed } = progressOf(memory, net, layer);
  if (lit) pen.rect(x - half - 6, y - half - 6, size + 12, size + 12, { r: 9, stroke: colour.mark, line: 7 });
  pen.rect(x - half, y - half, size, size, { r: 6, stroke: computed ? colour.activation : colour.quiet, line: 2 });
  const letter = computed ? "a" : "z";
  const value = summed ? formatNumber(net.layers[layer][letter][i]) : "?";
  const fill = computed ? colour.activation : summed ? colour.score : colour.quiet;
  const text = size > 80 && !at.small ? `${letter}${"₁₂₃₄₅₆₇₈"[i]} = ${value}` : value;
  if (size < INSIDE) {
    pen.text(x + half + 4, y + 5, text, { size: 13, bold: true, fill, halo: true });
    return;
  }
  const print = size > 80 ? 15 : 13;
  const wide = textWidth(text, print, true) + 10;
  const ground = { r: 5, fill: colour.background, "fill-opacity": 0.88 };
  pen.rect(x - wide / 2, y + half - print - 10, wide, print + 7, ground);
  pen.text(x, y + half - 8, text, { size: print, bold: true, anchor: "middle", fill });
  if (biases) drawBias(pen, scene, net, { x, y: y + half + 13, size, layer, i });
}

/** @param {Pen} pen @param {NetworksScene} scene @param {State} net @param {Placed} bias */
function drawBias(pen, scene, net, { x, y, layer, i }) {
  const { colour, data, memory } = scene;
  const place = placeOf(net, layer, i, -1);
  const chosen = (memory.held ?? data.weight) === place;
  const { backward } = net;
  const role = chosen ? colour.ink : backward ? colour.gradient : colour.weight;
  const lit = isLit(memory, "b", layer + 1);
  const text = `b ${formatNumber((backward ? net.gradients : net.parameters)[place])}`;
  const wide = textWidth(text, 13, true) + 14;
  const node = pen.group({ key: `bias ${layer} ${i}`, class: "grab" }, (its) => {
    const look = { r: 10, fill: lit ? colour.mark : colour.background, stroke: role, line: chosen ? 2.5 : 1.2 };
    its.rect(x - wide / 2, y - 10, wide, 20, look);
    its.text(x, y + 5, text, { size: 13, bold: true, anchor: "middle", fill: lit ? colour.onMark : role });
  });
  grabWeight(node, scene, net, place, nameOf(layer, i, -1));
}

/** @type {Draw} */
export function drawOutput(pen, scene, net, at) {
  const { colour, data } = scene;
  const layer = net.functions.length - 1;
  const top = Math.min(...at.outputs.map(({ y, size }) => y - size / 2));
  const height = at.small ? at.head : Math.min(top - 12, at.plane.top + 60);
  const look = /** @type {const} */ ({ bold: true, fill: colour.activation, anchor: "middle" });
  const title = at.small ? "ŷ" : `ŷ = ${data.symbols[layer]}(z)`;
  pen.text(at.outputs[0].x, height, title, { size: at.small ? 13 : 15, ...look });
  const several = at.outputs.length > 1;
  at.outputs.forEach((unit, i) => {
    const { x, y, size } = unit;
    if (!at.small && !several) {
      const to = at.plane.left - 6;
      pen.line(x + size / 2, y, to, y, { stroke: colour.activation, width: 3 });
      pen.head(to, y, 0, colour.activation, 10);
    }
    drawResult(pen, scene, net, { ...unit, layer, i });
    if (!several && !at.small) drawBias(pen, scene, net, { x, y: y + size / 2 + 15, size, layer, i: 0 });
    if (several) pen.text(x + size / 2 + 6, y + 5, `class ${i}`, { size: 13, fill: colour.quiet });
  });
}

/**
 * A unit of the last layer with its number.
 *
 * @param {Pen} pen @param {NetworksScene} scene @param {State} net @param {Placed} unit
 */
function drawResult(pen, { colour, hidden, memory }, net, { x, y, size, layer, i }) {
  const { lit, summed, computed } = progressOf(memory, net, layer);
  const { z, a } = net.layers[layer];
  const stroke = computed ? colour.activation : colour.quiet;
  pen.circle(x, y, size / 2, { fill: lit ? colour.mark : colour.background, stroke, line: 2.5 });
  const asked = hidden(computed ? `p${i + 1}` : `z${i + 1}`);
  const text = asked || !summed ? "?" : formatNumber(computed ? a[i] : z[i]);
  const fill = lit ? colour.onMark : computed ? colour.ink : colour.score;
  pen.text(x, y + 5, short(text), { size: 13, bold: true, anchor: "middle", fill });
}

/**
 * A number as text, rounded to three decimals if it is longer than six characters.
 *
 * @param {string} text
 */
function short(text) {
  const value = Number(text.replace("−", "-"));
  return text.length > 6 && Number.isFinite(value) ? value.toFixed(3).replace("-", "−") : text;
}

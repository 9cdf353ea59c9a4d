// The forward pass as lines of code below the network. The current line is highlighted and shows the shapes of its
// tensors and its numbers. Pointing at a symbol, or pressing it, highlights its tensor in the drawing.

import { formatNumber, operand } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { placeOf } from "./forward.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Net } from "./forward.js" */
/** @import { Draw, Memory, NetworksScene, State } from "./networks_scene.js" */

/** @typedef {"z" | "a" | "ŷ"} Part what a line computes */
/** @typedef {{ layer: number, part: Part }} Running the layer, from 0, and what of it is computed */
/** @typedef {{ word: string, layer?: number }} Piece of a line; with `layer` it is a tensor */
/** @typedef {{ left: number, top: number, row: number, wide: number }} Rows */
/** @typedef {{ x: number, y: number, size: number, lit: boolean }} Spot of a piece */

const RAISED = "⁰¹²³⁴";
const SIZE = 17;
const GAP = 3; // between two parts of a line

/**
 * The number of the last line, from 0: each layer has two lines, its sum and its function; the last line is ŷ.
 *
 * @param {Pick<Net, "functions">} net
 */
export const lastLine = (net) => 2 * net.functions.length;

/**
 * Which layer a line computes, from 0, and whether it is z, a or ŷ.
 *
 * @param {Pick<Net, "functions">} net @param {number} line @returns {Running}
 */
export function lineAt(net, line) {
  if (line >= lastLine(net)) return { layer: net.functions.length - 1, part: "ŷ" };
  return { layer: Math.floor(line / 2), part: line % 2 ? "a" : "z" };
}

/**
 * Whether z or a of a layer is already computed at the current line; true if there is no current line.
 *
 * @param {Pick<Memory, "line">} memory
 * @param {Pick<Net, "functions">} net
 * @param {number} layer
 * @param {"z" | "a"} part
 */
export function isComputed(memory, net, layer, part) {
  if (memory.line === undefined) return true;
  const now = lineAt(net, memory.line);
  return layer < now.layer || (layer === now.layer && (part === "z" || now.part !== "z"));
}

/**
 * Whether a tensor is highlighted because its symbol is pointed at or pressed.
 *
 * @param {Pick<Memory, "line" | "symbol">} memory
 * @param {"W" | "b" | "z" | "a"} symbol
 * @param {number} layer from 0, the input
 */
export const isLit = (memory, symbol, layer) => memory.line !== undefined && memory.symbol === `${symbol}${layer}`;

/** @type {Draw} */
export function codeStrip(pen, scene, net, at) {
  const { memory } = scene;
  const now = lineAt(net, memory.line ?? 0);
  const { left, top, wide } = at.strip;
  const row = at.small ? 17 : 21;
  linesOf(net, now.layer).forEach(({ part, pieces }, k) => {
    const y = top - (at.small ? 14 : 8) + row * (k + 0.5);
    const spot = { x: at.small ? 34 : left, y, size: at.small ? 13 : SIZE, lit: part === now.part };
    const whole = pieces.reduce((sum, piece) => sum + textWidth(shownOf(piece), spot.size), 0);
    if (spot.lit) pen.mark(spot.x - 6, y - row / 2 + 1, whole + 12, row - 1, { key: `lit ${part}` });
    drawLine(pen, scene, pieces, spot);
  });
  if (!at.small) drawNumbers(pen, net, now, { left: left + wide * 0.5, top: top - 8, row, wide: wide * 0.5 });
  drawTurns(pen, scene, net, at.small ? [15, top, top + row * 2] : [26, top + row * 0.6, top + row * 2.6]);
}

/**
 * The lines of code, with the loop variable at the given layer.
 *
 * @param {State} net @param {number} layer @returns {{ part: Part | "for", pieces: Piece[] }[]}
 */
function linesOf(net, layer) {
  const i = layer + 1;
  const [w, z, a, b] = [..."Wzab"].map((word) => ({ word, layer: i }));
  const indent = { word: "    " };
  const before = { word: "a", layer: i - 1 };
  const sum = [w, { word: " " }, before, { word: " + " }, b, indent, { word: shapes(net, layer) }];
  return [
    { part: "for", pieces: [{ word: `for i in 1 … ${net.functions.length}:` }, { word: `    i = ${i}` }] },
    { part: "z", pieces: [indent, z, { word: " ← " }, ...sum] },
    { part: "a", pieces: [indent, a, { word: ` ← ${nameOf(net, layer)}(` }, z, { word: ")" }] },
    { part: "ŷ", pieces: [{ word: "ŷ ← " }, { word: "a", layer: net.functions.length }] },
  ];
}

/** @param {Piece} piece */
const shownOf = ({ word, layer }) => (layer === undefined ? word.replace(/ /g, "\u00a0") : `${word}⁽${RAISED[layer]}⁾`);

/** @param {State} net @param {number} layer */
const nameOf = ({ functions }, layer) => (functions[layer] === "sigmoid" ? "σ" : functions[layer]);

/** @param {State} net @param {number} layer */
function shapes({ sizes }, layer) {
  const [n, m] = [sizes[layer + 1], sizes[layer]];
  return `${n}×1 = ${n}×${m} · ${m}×1 + ${n}×1`;
}

/** @param {Pen} pen @param {NetworksScene} scene @param {Piece[]} pieces @param {Spot} spot */
function drawLine(pen, scene, pieces, { x: start, y, size, lit }) {
  const { colour } = scene;
  let x = start;
  for (const piece of pieces) {
    const { word, layer } = piece;
    const before = textWidth("\u00a0", size) * (word.length - word.trimStart().length);
    if (layer === undefined) pen.text(x + before, y + 5, word.trim(), { size, fill: lit ? colour.onMark : colour.ink });
    else drawSymbol(pen, scene, word, layer, { x, y, size, lit });
    x += textWidth(shownOf(piece), size) + GAP;
  }
}

/**
 * The symbol of a tensor: pointing at it, or pressing it, highlights the tensor in the drawing.
 *
 * @param {Pen} pen @param {NetworksScene} scene @param {string} word @param {number} layer @param {Spot} spot
 */
function drawSymbol(pen, { memory, colour, again }, word, layer, { x, y, size, lit }) {
  const name = `${word}${layer}`;
  const made = layer ? colour.activation : colour.input;
  const role = word === "z" ? colour.score : word === "a" ? made : colour.weight;
  const look = { size, bold: true, fill: lit ? colour.onMark : role, "text-decoration": "underline" };
  const light = (/** @type {string | null} */ symbol) => {
    memory.symbol = symbol;
    again();
  };
  const node = pen.button(
    `Show ${word} of layer ${layer}`,
    () => light(memory.symbol === name ? null : name),
    (its) => its.text(x, y + 5, shownOf({ word, layer }), look),
    { key: `symbol ${name} ${lit} ${y}` },
  );
  node.onpointerenter = () => light(name);
  node.onpointerleave = () => light(null);
}

/**
 * The current line with its numbers, one row for each unit, as many as fit.
 *
 * @param {Pen} pen @param {State} net @param {Running} now @param {Rows} where
 */
function drawNumbers(pen, net, { layer, part }, { left, top, row, wide }) {
  const inputs = layer ? net.layers[layer - 1].a : net.x;
  const { z, a } = net.layers[layer];
  const rows = z.map((sum, i) => {
    const sub = "₁₂₃₄₅₆₇₈"[i];
    if (part === "ŷ") return `ŷ${a.length > 1 ? sub : ""} = ${formatNumber(a[i])}`;
    if (part === "a") return `a${sub} = ${nameOf(net, layer)}(${formatNumber(sum)}) = ${formatNumber(a[i])}`;
    const terms = Array.from(inputs, (x, j) => `${operand(net.parameters[placeOf(net, layer, i, j)])}·${operand(x)}`);
    const bias = operand(net.parameters[placeOf(net, layer, i, -1)]);
    return `z${sub} = ${terms.join(" + ")} + ${bias} = ${formatNumber(sum)}`;
  });
  const shown = rows.length > 4 ? [...rows.slice(0, 3), `… ${rows.length - 3} more units`] : rows;
  const fill = part === "z" ? pen.colour.score : pen.colour.activation;
  shown.forEach((text, k) => pen.text(left, top + row * (k + 0.5) + 5, text, { size: 14, fill, room: wide }));
}

/**
 * Buttons for the previous and the next line.
 *
 * @param {Pen} pen
 * @param {NetworksScene} scene
 * @param {State} net
 * @param {[x: number, before: number, next: number]} where
 */
function drawTurns(pen, { memory, colour, again }, net, [x, before, next]) {
  const last = lastLine(net);
  const now = memory.line ?? 0;
  const buttons = /** @type {const} */ ([
    [-1, before, "Line before", now === 0],
    [1, next, "Next line", now === last],
  ]);
  for (const [way, y, label, disabled] of buttons) {
    const pressed = () => {
      Object.assign(memory, { line: Math.min(Math.max((memory.line ?? 0) + way, 0), last), symbol: null });
      again();
    };
    const arrow = `M${x - 4 * way} ${y - 6}L${x + 5 * way} ${y}L${x - 4 * way} ${y + 6}z`;
    pen.button(
      label,
      pressed,
      (its) => {
        its.circle(x, y, 15, { fill: colour.background, stroke: disabled ? colour.line : colour.ink, line: 2 });
        its.path(arrow, { fill: disabled ? colour.line : colour.ink, stroke: "none" });
      },
      { disabled, key: label },
    );
  }
}

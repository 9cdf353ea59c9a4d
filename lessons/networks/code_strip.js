// The forward pass as the lines that run, below the network: the running line is lit, with the shapes of its
// tensors and its numbers, and a symbol that is pointed at or pressed lights its tensor in the drawing.

import { formatNumber, operand } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { placeOf } from "./forward.js";

const RAISED = "⁰¹²³⁴";
const raised = (layer) => `⁽${RAISED[layer]}⁾`;
const SIZE = 17;
const GAP = 3; // between two parts of a line

/** The last line: each layer has two, its sum and its function; then comes ŷ. */
export const lastLine = (net) => 2 * net.functions.length;

/** Which layer a line computes, from 0, and whether it is z, a or ŷ. */
export function lineAt(net, line) {
  if (line >= lastLine(net)) return { layer: net.functions.length - 1, part: "ŷ" };
  return { layer: Math.floor(line / 2), part: line % 2 ? "a" : "z" };
}

/** How much of a layer is drawn while a line runs: nothing that is computed later. */
export function isComputed(memory, net, layer, part) {
  if (memory.line === undefined) return true;
  const now = lineAt(net, memory.line);
  return layer < now.layer || (layer === now.layer && (part === "z" || now.part !== "z"));
}

/** Whether a tensor is lit: the one that is pointed at, or the operands of the running line. */
export function isLit(memory, symbol, layer) {
  if (memory.line === undefined) return false;
  return memory.symbol ? memory.symbol === `${symbol}${layer}` : false;
}

/**
 * @param {any} pen
 * @param {any} scene
 * @param {any} net
 * @param {any} at
 */
export function codeStrip(pen, scene, net, at) {
  const { memory, colour, again } = scene;
  memory.line ??= 0;
  const now = lineAt(net, memory.line);
  const { left, top, wide } = at.strip;
  const row = at.small ? 17 : 21;
  const size = at.small ? 13 : SIZE;
  const start = at.small ? 34 : left;
  const i = now.layer + 1;
  const lines = [
    { part: "for", text: [[`for i in 1 … ${net.functions.length}:`], [`    i = ${i}`]] },
    {
      part: "z",
      text: [
        ["    "],
        ["z", i],
        [" ← "],
        ["W", i],
        [" "],
        ["a", i - 1],
        [" + "],
        ["b", i],
        ["    "],
        [shapes(net, now.layer)],
      ],
    },
    { part: "a", text: [["    "], ["a", i], [` ← ${name(net, now.layer)}(`], ["z", i], [")"]] },
    { part: "ŷ", text: [["ŷ ← "], ["a", net.functions.length]] },
  ];
  lines.forEach(({ part, text }, k) => {
    const y = top - (at.small ? 14 : 8) + row * (k + 0.5);
    const lit = part === now.part;
    const whole = text.reduce(
      (sum, [word, layer]) =>
        sum + textWidth(layer === undefined ? word.replace(/ /g, "\u00a0") : word + raised(layer), size),
      0,
    );
    if (lit) pen.mark(start - 6, y - row / 2 + 1, whole + 12, row - 1, { key: `lit ${part}` });
    let x = start;
    for (const [word, layer] of text) {
      const shown = layer === undefined ? word.replace(/ /g, "\u00a0") : word + raised(layer);
      const before = textWidth("\u00a0", size) * (word.length - word.trimStart().length);
      if (layer === undefined)
        pen.text(x + before, y + 5, word.trim(), { size, fill: lit ? colour.onMark : colour.ink });
      else symbol(pen, scene, { word, layer, shown, x, y, size, lit });
      x += textWidth(shown, size) + GAP;
    }
  });
  if (!at.small) numbers(pen, scene, net, now, { left: left + wide * 0.5, top: top - 8, row, wide: wide * 0.5 });
  const turn = (by) => () => {
    memory.line = Math.min(Math.max(memory.line + by, 0), lastLine(net));
    memory.symbol = null;
    again();
  };
  const x = at.small ? 15 : 26;
  step(pen, scene, x, top + row * (at.small ? 0 : 0.6), "Line before", turn(-1), -1, memory.line === 0);
  step(pen, scene, x, top + row * (at.small ? 2 : 2.6), "Next line", turn(1), 1, memory.line === lastLine(net));
}

const name = (net, layer) => ({ sigmoid: "σ" })[net.functions[layer]] ?? net.functions[layer];

function shapes({ sizes }, layer) {
  const [n, m] = [sizes[layer + 1], sizes[layer]];
  return `${n}×1 = ${n}×${m} · ${m}×1 + ${n}×1`;
}

function symbol(pen, { memory, colour, again }, { word, layer, shown, x, y, size, lit }) {
  const its = `${word}${layer}`;
  const role = { W: colour.weight, b: colour.weight, z: colour.score, a: layer ? colour.activation : colour.input }[
    word
  ];
  const node = pen.button(
    `Show ${word} of layer ${layer}`,
    () => ((memory.symbol = memory.symbol === its ? null : its), again()),
    (inner) => {
      inner.text(x, y + 5, shown, {
        size,
        bold: true,
        fill: lit ? colour.onMark : role,
        "text-decoration": "underline",
      });
    },
    { key: `symbol ${its} ${lit} ${y}` },
  );
  node.onpointerenter = () => ((memory.symbol = its), again());
  node.onpointerleave = () => ((memory.symbol = null), again());
}

// The running line with its numbers, one row for each unit as far as there is room.
function numbers(pen, { colour }, net, { layer, part }, { left, top, row, wide }) {
  const inputs = layer ? net.layers[layer - 1].a : net.x;
  const { z, a } = net.layers[layer];
  const rows = z.map((sum, i) => {
    const sub = "₁₂₃₄₅₆₇₈"[i];
    if (part === "ŷ") return `ŷ${a.length > 1 ? sub : ""} = ${formatNumber(a[i])}`;
    if (part === "a") return `a${sub} = ${name(net, layer)}(${formatNumber(sum)}) = ${formatNumber(a[i])}`;
    const terms = Array.from(inputs, (x, j) => `${operand(net.parameters[placeOf(net, layer, i, j)])}·${operand(x)}`);
    const bias = operand(net.parameters[placeOf(net, layer, i, -1)]);
    return `z${sub} = ${terms.join(" + ")} + ${bias} = ${formatNumber(sum)}`;
  });
  const shown = rows.length > 4 ? [...rows.slice(0, 3), `… ${rows.length - 3} more units`] : rows;
  const role = part === "z" ? colour.score : colour.activation;
  shown.forEach((text, k) => pen.text(left, top + row * (k + 0.5) + 5, text, { size: 14, fill: role, room: wide }));
}

function step(pen, { colour }, x, y, label, press, way, disabled) {
  pen.button(
    label,
    press,
    (its) => {
      its.circle(x, y, 15, { fill: colour.background, stroke: disabled ? colour.line : colour.ink, line: 2 });
      its.path(`M${x - 4 * way} ${y - 6}L${x + 5 * way} ${y}L${x - 4 * way} ${y + 6}z`, {
        fill: disabled ? colour.line : colour.ink,
        stroke: "none",
      });
    },
    { disabled, key: label },
  );
}

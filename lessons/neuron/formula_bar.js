// The terms of a unit laid end to end: the end of the last one is z. Where a term is below 0, it runs back in a lane of
// its own below, so that it covers nothing.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";
import { columnAt, inOrder, LEAST } from "./formula_places.js";
import { barEnds } from "./neuron_scales.js";

/** @import { TermPayload } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FormulaPlaces, FormulaScene } from "./formula_places.js" */
/**
 * A term where it is laid: from, to and lane.
 *
 * @typedef {{ term: TermPayload, from: number, to: number, lane: number }} Block
 */
/** @typedef {(value: number) => number} Along */

/** @type {Draw} */
export function drawBar(pen, scene, at) {
  const { hidden, data, values } = scene;
  const blocks = laid(scene);
  const [low, high] = barEnds(blocks.flatMap(({ from, to }) => [from, to]));
  const along = scaleLinear([low, high], [at.sum.left + (at.narrow ? 16 : 40), at.sum.right - (at.narrow ? 16 : 40)]);
  drawAxis(pen, at, along, [low, high]);
  const open = data.to === "symbols" || hidden("t1");
  if (open) return drawOpen(pen, scene, at, along);
  const lanes = blocks[blocks.length - 1].lane + 1;
  blocks.forEach((block, i) => drawBlock(pen, scene, at, block, i, along, lanes));
  drawSum(pen, scene, at, along(values("z")));
}

/**
 * The terms end to end, the bias first; a new lane begins where the direction changes.
 *
 * @param {FormulaScene} scene @returns {Block[]}
 */
function laid(scene) {
  const { values } = scene;
  let [end, lane, last] = [0, 0, 0];
  return inOrder(scene).map((term) => {
    const [from, size] = [end, values(term.product)];
    const way = Math.sign(size) || last;
    if (last && way !== last) lane += 1;
    last = way;
    end = from + size;
    return { term, from, to: end, lane };
  });
}

/** @param {Pen} pen @param {FormulaPlaces} at @param {Along & { ticks?: (n: number) => number[] }} along @param {[number, number]} ends */
function drawAxis(pen, { bar, narrow }, along, [low, high]) {
  const { quiet } = pen.colour;
  const y = bar.foot + 8;
  pen.line(along(low), y, along(high), y, { key: "base", stroke: quiet, width: 2 });
  const ticks = low < 0 && high > 0 ? [low, 0, high] : [low, (low + high) / 2, high];
  const size = narrow ? 13 : 16;
  pen.axis("x", along, { at: y + size + 7, ticks, size, title: "sum of the terms", lines: [y, y + 6], zero: 2 });
  const look = /** @type {const} */ ({ size: 15, fill: quiet, anchor: "middle", halo: true });
  if (!narrow) pen.text(along(0.75 * low + 0.25 * high), y + 23, "sum of the terms", { key: "axis title", ...look });
}

/**
 * The place of the bar while its terms are not shown.
 *
 * @type {(pen: Pen, scene: FormulaScene, at: FormulaPlaces, along: Along) => void}
 */
function drawOpen(pen, { values, colour, narrow }, { bar, sum }, along) {
  const [left, right] = [along(0), along(values("z"))].sort((a, b) => a - b);
  const asked = right - left < 40;
  const [from, to] = asked
    ? [sum.left + 40, sum.right - 40]
    : [sum.left + (narrow ? 16 : 40), sum.right - (narrow ? 16 : 40)];
  const look = { key: "open", r: 8, stroke: colour.quiet, dash: "8 7", line: 2 };
  pen.rect(from, bar.top, to - from, bar.foot - bar.top, look);
  const words = "the terms, laid end to end, are z";
  const place = /** @type {const} */ ({ key: "words", size: narrow ? 14 : 21, fill: colour.quiet, anchor: "middle" });
  pen.text((from + to) / 2, (bar.top + bar.foot) / 2 + 7, words, place);
}

/**
 * A term as a block: its end is a handle of its weight.
 *
 * @param {Pen} pen
 * @param {FormulaScene} scene
 * @param {FormulaPlaces} at
 * @param {Block} block
 * @param {number} i
 * @param {Along} along
 * @param {number} lanes
 */
function drawBlock(pen, scene, at, { term, from, to, lane }, i, along, lanes) {
  const { values, colour } = scene;
  const high = (at.bar.foot - at.bar.top) / lanes;
  const top = at.bar.top + high * lane;
  const [left, right] = [along(from), along(to)].sort((a, b) => a - b);
  const fill = term.bias ? colour.weight : colour.input;
  const per = (along(1) - along(0)) * (term.input_slot === undefined ? 1 : values(term.input_slot));
  const held = Math.abs(per) > 1 ? { "data-n": term.weight, "data-per": per, "data-way": "x" } : {};
  pen.group({ key: `block ${i}`, ...held }, (its) => {
    if (values(term.product) && !at.stacked)
      drawLead(its, at, columnAt(at, Math.min(i, at.shown)), (left + right) / 2, at.bar.top + high * lane, fill);
    const below = to < from ? { stroke: fill, line: 2.5, dash: "6 4" } : { fill };
    its.rect(left + 1, top + 1, Math.max(right - left - 2, 2), high - 3, { key: "block", r: 5, ...below });
    drawSize(its, scene, term, {
      left,
      right,
      top,
      high,
      solid: to >= from,
      fill,
      lift: i % 2 ? (at.narrow ? 14 : 20) : 0,
    });
  });
}

/**
 * A line from the numbers of a term to its block.
 *
 * @param {Pen} pen @param {FormulaPlaces} at @param {number} x @param {number} to @param {number} top @param {string} stroke
 */
function drawLead(pen, { rows, size, narrow }, x, to, top, stroke) {
  const [from, end] = [rows.numbers + size * 0.3, top - (narrow ? 16 : 24)];
  const middle = (from + end) / 2;
  const d = `M${x} ${from}C${x} ${middle + 10} ${to} ${middle - 10} ${to} ${end}`;
  pen.path(d, { key: "lead", stroke, width: 2.5, "stroke-opacity": 0.45 });
}

/**
 * The size of a term: inside its block, or above it if there is no room.
 *
 * @param {Pen} pen
 * @param {FormulaScene} scene
 * @param {TermPayload} term
 * @param {{ left: number, right: number, top: number, high: number, solid: boolean, fill: string, lift: number }} block
 *   `lift` keeps the numbers of two thin blocks apart
 */
function drawSize(pen, { text, narrow, colour }, term, { left, right, top, high, solid, fill, lift }) {
  const said = text(term.product);
  const size = narrow ? 14 : 22;
  const inside = right - left > textWidth(said, size, true) + 8 && high > size + 4;
  const x = (left + right) / 2;
  const look = /** @type {const} */ ({ key: "size", bold: true, anchor: "middle" });
  if (inside) {
    pen.text(x, top + high / 2 + size * 0.34, said, { ...look, size, fill: solid ? colour.background : fill });
  } else if (high > 2 * size)
    pen.text(x, top - 5 - lift, said, { ...look, size: Math.max(size * 0.85, LEAST), fill, halo: true });
  else pen.text(right + 5, top + high / 2 + 5, said, { ...look, size: 15, fill, anchor: "start", halo: true });
}

/**
 * The end of the last term: z.
 *
 * @param {Pen} pen @param {FormulaScene} scene @param {FormulaPlaces} at @param {number} x
 */
function drawSum(pen, { data, text, colour, hidden }, { bar, z, sum, narrow }, x) {
  if (hidden("z")) return;
  pen.line(x, bar.top - 10, x, z - (narrow ? 20 : 34), { key: "z line", stroke: colour.score, width: 4 });
  const label = `z = ${text("z")}`;
  const size = narrow ? 20 : 32;
  const half = textWidth(label, size, true) / 2;
  const middle = Math.min(Math.max(x, sum.left + half + 12), sum.right - half - 12);
  const look = { key: "z", size, bold: true, fill: colour.score, anchor: /** @type {const} */ ("middle") };
  pen.markedText(middle, z, label, data.to === "sum", look);
}

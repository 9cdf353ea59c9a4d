// The words around a gap, the arcs of its attention, and the veil over the words that are not read.

import { textWidth } from "../../drawing/pen.js";
import { cellAt } from "./sides_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, SidesScene } from "./sides_places.js" */

const THICK = 120; // the width of an arc with all of the attention

/**
 * The arcs from the words to the gap, as thick as their weights, with the sum of each side.
 *
 * @param {Pen} pen @param {SidesScene} scene @param {Places} at
 */
export function drawArcs(pen, scene, at) {
  const { data, colour, values, final } = scene;
  const fill = colour.weight;
  const gap = cellAt(at, data.place) + at.cell / 2;
  const most = Math.max(at.to - 1 - data.place, data.place - at.from, 1);
  for (let i = at.from; i < at.to; i++) {
    const name = /** @type {const} */ (`a${i}`);
    const weight = values(name);
    if (i === data.place || weight <= 0) continue;
    const from = cellAt(at, i) + at.cell / 2;
    const side = Math.sign(i - data.place);
    const to = gap + side * (4 + (14 * Math.abs(i - data.place)) / most);
    const rise = at.top - 6 - ((at.top - at.head - 14) * (0.35 + (0.65 * Math.abs(i - data.place)) / most)) / 0.75;
    const d = `M${from} ${at.top - 3}C${from} ${rise} ${to} ${rise} ${to} ${at.top - 3}`;
    pen.path(d, { key: name, stroke: fill, width: Math.max(weight * THICK, 0.8), "stroke-opacity": 0.5 });
    if (final(name) < 0.005) continue;
    const beside = from + side * (6 + (weight * THICK) / 2);
    pen.text(beside, at.top - 8, shortWeight(scene, name), {
      key: `weight${i}`,
      size: at.narrow ? 13 : 16,
      bold: true,
      fill,
      anchor: side < 0 ? "end" : "start",
    });
  }
  drawSums(pen, scene, at);
}

/** @param {SidesScene} scene @param {Parameters<SidesScene["final"]>[0]} name */
const shortWeight = ({ final }, name) => final(name).toFixed(2);

/** @param {Pen} pen @param {SidesScene} scene @param {Places} at */
function drawSums(pen, scene, at) {
  const { hidden, colour, values, data, narrow } = scene;
  const size = narrow ? 14 : 19;
  const y = narrow ? 14 : 20;
  const look = { size, bold: true, fill: colour.weight };
  /** @param {"from left" | "from right" | "elsewhere"} name */
  const share = (name) => (hidden(name) ? "?" : shortWeight(scene, name));
  if (data.place > at.from) pen.text(at.left, y, `from the left ${share("from left")}`, { key: "left", ...look });
  const read = values("fill_right") > 0;
  const right = read ? `from the right ${share("from right")}` : data.after ? "not read" : "";
  const edge = Math.min(at.right, cellAt(at, at.to));
  pen.text(edge, y, right, { key: "right", ...look, anchor: "end", fill: read ? look.fill : colour.quiet });
  const rest = `marks and itself ${share("elsewhere")}`;
  const middle = (at.left + edge) / 2;
  const small = Math.max(size - 3, 13);
  if (textWidth(rest, small) < edge - at.left - 260)
    pen.text(middle, y, rest, { key: "rest", size: small, fill: colour.quiet, anchor: "middle" });
}

/**
 * The words, of which one is the gap; a press moves the gap.
 *
 * @param {Pen} pen @param {SidesScene} scene @param {Places} at
 */
export function drawCells(pen, scene, at) {
  const { data, send } = scene;
  const read = data.place + Math.round(scene.values("fill_right"));
  for (let i = at.from; i < at.to; i++) {
    const seen = i <= read;
    /** @param {Pen} its */
    const draw = (its) => drawCell(its, scene, at, i, seen);
    const name = `${data.words[i]}, word ${i}`;
    if (data.pressable.includes(i) && seen && i !== data.place)
      pen.button(name, () => send(`${i}`), draw, { key: `cell${i}` });
    else pen.group({ key: `cell${i}` }, draw);
  }
  drawFolded(pen, scene, at);
}

/** @param {Pen} pen @param {SidesScene} scene @param {Places} at @param {number} i @param {boolean} seen */
function drawCell(pen, { data, colour, narrow }, at, i, seen) {
  const gap = i === data.place;
  const x = cellAt(at, i);
  const look = gap
    ? { fill: colour.mask, stroke: colour.mask }
    : { fill: colour.background, stroke: seen ? colour.quiet : colour.line };
  pen.rect(x + 3, at.top, at.cell - 6, at.tall, { key: "ground", r: 7, ...look });
  const word = gap ? "[MASK]" : seen ? data.words[i] : "";
  pen.text(x + at.cell / 2, at.top + at.tall / 2 + (narrow ? 5 : 7), word, {
    key: "word",
    size: sizeOf(data.words, at),
    bold: true,
    anchor: "middle",
    fill: gap ? colour.background : colour.ink,
    room: at.cell - 10,
  });
}

/**
 * One size of type for all words: the largest in which the longest fits.
 *
 * @param {readonly string[]} words @param {Places} at
 */
function sizeOf(words, { cell, narrow }) {
  const widest = Math.max(...words.map((word) => textWidth(word, 20, true)), textWidth("[MASK]", 20, true));
  const fits = Math.floor((20 * (cell - 12)) / widest);
  return narrow ? Math.min(Math.max(fits, 13), 17) : Math.min(Math.max(fits, 15), 24);
}

/**
 * How many words are not drawn on either side.
 *
 * @param {Pen} pen @param {SidesScene} scene @param {Places} at
 */
function drawFolded(pen, { data, colour }, at) {
  const first = data.words.findIndex((_, i) => !data.special.includes(i));
  const before = at.from - first;
  const after = data.words.length - data.special.length - (at.to - at.from) - before;
  const look = { size: at.narrow ? 13 : 15, fill: colour.quiet };
  const y = at.foot + 16;
  if (before) pen.text(at.left, y, `… ${before} more before`, { key: "before", ...look });
  const edge = cellAt(at, at.to);
  if (after) pen.text(edge - 18, y, `${after} more after …`, { key: "after", ...look, anchor: "end" });
}

/**
 * The veil over the words that are not read; its edge is the handle that moves it.
 *
 * @param {Pen} pen @param {SidesScene} scene @param {Places} at
 */
export function drawVeil(pen, { data, values, colour }, at) {
  if (!data.after) return;
  const edge = cellAt(at, at.to);
  const x = Math.min(cellAt(at, data.place + 1) + values("fill_right") * at.cell, edge);
  const [top, foot] = [at.top - 10, at.foot + 10];
  const handle = { "data-n": "fill_right", "data-way": "x", "data-per": at.cell, style: "touch-action: none" };
  pen.rect(x, top, edge - x, foot - top, { key: "veil", r: 0, fill: colour.mask, "fill-opacity": 0.16 });
  pen.line(x, top, x, foot + 4, { key: "edge", stroke: colour.ink, width: 2.5 });
  pen.circle(x, foot + 4, at.narrow ? 9 : 11, { key: "knob", fill: colour.ink });
  const y = foot + 4;
  pen.path(`M${x - 2} ${y - 4}l-4 4l4 4M${x + 2} ${y - 4}l4 4l-4 4`, {
    key: "ways",
    stroke: colour.background,
    width: 2,
  });
  pen.rect(x - 14, top, 28, foot - top + 18, { key: "grip", fill: "transparent", ...handle });
}

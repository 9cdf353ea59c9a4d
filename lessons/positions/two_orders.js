// The words in both orders, one row below the other, with a line from each word to itself.

import { textWidth } from "../../drawing/pen.js";
import { chips } from "./positions_layout.js";
import { whole } from "./position_sides.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { At, Draw, OrderScene } from "./position_sides.js" */
/** @typedef {ReturnType<typeof rowsOf>[number]} OrderRow */

/** @type {Draw} */
export function drawOrders(pen, scene, at) {
  const { left, right, top } = at.orders;
  const rows = rowsOf(scene, at);
  if (!at.narrow) pen.text(left, top + 15, "the same words in two orders", { size: 15, bold: true });
  drawLinks(pen, scene, at, rows);
  for (const row of rows) row.found.forEach((_, i) => drawWord(pen, scene, row, i));
  const note = /** @type {const} */ ({ size: 13, fill: scene.colour.quiet, anchor: "end", key: "drawn" });
  if (rows[0].all && !at.narrow) pen.text(right, top + 15, "e: random word vectors", note);
  if (!rows[0].all) drawScrolling(pen, scene, at, rows);
}

/**
 * Both rows: their words, their old places, which of them are shown and where.
 *
 * @param {OrderScene} scene @param {At} at
 */
function rowsOf({ data, memory }, at) {
  const { left, right, top, foot } = at.orders;
  const { narrow } = at;
  const asked = `${data.word} ${data.words.join(" ")} ${data.order.join(" ")}`;
  if (memory.asked !== asked) Object.assign(memory, { asked, begin: undefined });
  const [high, size] = narrow ? [26, 14] : [32, 16];
  const lines = [
    { olds: data.words.map((_, i) => i), y: narrow ? 32 : top + 56, fill: at.first, under: -1 },
    { olds: data.order, y: narrow ? 76 : foot - 40, fill: at.second, under: 1 },
  ];
  return lines.map((line, n) => {
    const words = line.olds.map((old) => data.words[old]);
    const wide = words.map((word) => textWidth(word, size, true));
    const place = line.olds.indexOf(data.word);
    const fit = chips(wide, right - left, memory.begin?.[n] ?? Math.max(0, place - 3));
    const edge = line.y - line.under * (high / 2 + 1); // the edge that faces the other row
    return { ...line, ...fit, n, words, place, left, high, size, edge };
  });
}

/**
 * Lines that connect each word with itself; the line of the chosen word has beads.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {OrderRow[]} rows
 */
function drawLinks(pen, { data, colour }, at, [above, below]) {
  /** @type {(place: number, below: number) => string | null} */
  const link = (one, other) => {
    const [a, b] = [centreOf(above, one), centreOf(below, other)];
    return a === null || b === null ? null : linkPath(a, above.edge, b, below.edge);
  };
  data.order.forEach((old, now) => {
    const d = old === data.word ? null : link(old, now);
    if (d) pen.path(d, { key: `link${old}`, stroke: colour.line, width: 2 });
  });
  const d = link(data.word, below.place);
  if (!d) return;
  pen.path(d, { key: "link", stroke: at.second, width: 4 });
  pen.beads(d, colour.background, { key: "beads", width: 2.2 });
}

/**
 * The middle of a word, or null if it is not shown.
 *
 * @param {OrderRow} row @param {number} place
 */
function centreOf({ found, from, left }, place) {
  const chip = /** @type {typeof found[number] | undefined} */ (found[place - from]);
  return chip ? left + chip.left + chip.width / 2 : null;
}

/** @type {(a: number, top: number, b: number, foot: number) => string} */
const linkPath = (a, top, b, foot) => `M${a} ${top}C${a} ${(top + foot) / 2} ${b} ${(top + foot) / 2} ${b} ${foot}`;

/**
 * @param {Pen} pen
 * @param {OrderScene} scene
 * @param {OrderRow} row
 * @param {number} i its place among the words that are shown
 */
function drawWord(pen, scene, { n, words, olds, from, found, left, high, size, y, fill, under }, i) {
  const { data, colour, send } = scene;
  const place = from + i;
  const old = olds[place];
  const chosen = old === data.word;
  const position = whole(scene, "pos") - data.word + place;
  const { left: start, width } = found[i];
  const x = left + start;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(x, y - high / 2, width, high, {
      r: high / 2,
      fill: chosen ? fill : colour.background,
      stroke: chosen ? fill : colour.quiet,
      line: chosen ? 2.5 : 1.4,
    });
    const centre = /** @type {const} */ ({ bold: chosen, anchor: "middle" });
    const ink = chosen ? colour.background : colour.ink;
    its.text(x + width / 2, y + size * 0.34, words[place], { ...centre, size, fill: ink, room: width - 12 });
    const below = y + under * (high / 2) + (under < 0 ? -5 : 16);
    its.text(x + width / 2, below, `${position}`, { ...centre, size: 13, fill: chosen ? fill : colour.quiet });
  };
  const press = () => send({ word: old });
  pen.button(`${words[place]}, position ${position}`, press, draw, { key: `word${n}.${old}`, chosen });
}

/**
 * Two buttons that scroll both rows, if not all words fit.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {OrderRow[]} rows
 */
function drawScrolling(pen, { memory, again, colour, data }, at, rows) {
  const shown = rows[0].found.length;
  /** @param {number} by */
  const go = (by) => {
    memory.begin = rows.map(({ from }) => Math.min(Math.max(from + by, 0), data.words.length - shown));
    again();
  };
  /** @type {const} */ ([
    ["earlier", -1, "◂"],
    ["later", 1, "▸"],
  ]).forEach(([name, way, sign], i) => {
    const x = at.orders.right - 62 + 34 * i;
    const y = at.narrow ? 54 : at.orders.top + 10;
    /** @param {Pen} its */
    const draw = (its) => {
      its.rect(x, y - 11, 28, 22, { r: 11, fill: colour.background, stroke: colour.quiet });
      its.text(x + 14, y + 5, sign, { size: 14, anchor: "middle" });
    };
    pen.button(`Show ${name} words`, () => go(way * (shown - 1)), draw, { key: name });
  });
}

// A text as large words over several rows, some of them gaps, with the flow of what is read into one gap.

import { cutText, textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Palette } from "../../drawing/types.js" */

/** @typedef {{ colour: Palette, data: { words: readonly string[] } }} TextScene what the words need of a scene */
/** @typedef {{ i: number, text: string, x: number, y: number, width: number, row: number }} Item */
/** @typedef {{ left: number, right: number, y: number }} TextRow */
/** @typedef {{ size: number, pitch: number, items: Item[], bottom: number, rows: TextRow[] }} Laid */

// Font sizes of the words, each with the room of the longest word; the largest that fits is used.
const SIZES = [
  [30, 300],
  [27, 260],
  [24, 240],
  [21, 200],
  [19, 170],
  [17, 150],
  [15, 120],
  [14, 90],
  [13, 66],
  [13, 44],
];
const BLANK = 3.4; // the width of a gap, in units of its type
const PAD = 0.26;
const PITCH = 1.78;
const LONGEST = 60; // letters; more than ever fit

/**
 * Where each word is drawn; `most` is the height that they may have together.
 *
 * @param {readonly string[]} words
 * @param {ReadonlySet<number>} gaps
 * @param {{ left: number, right: number, top: number, most: number, largest?: number }} box
 * @returns {Laid}
 */
export function layWords(words, gaps, { left, right, top, most, largest = 30 }) {
  const sizes = SIZES.filter(([size]) => size <= largest);
  for (const [size, room] of sizes) {
    const laid = rowsOf(words, gaps, { left, right, top }, size, room);
    if (laid.bottom - top <= most || (size === 13 && room === 44)) return laid;
  }
  return rowsOf(words, gaps, { left, right, top }, 13, 44);
}

/**
 * The words in rows, in one size of type; a longer word than `room` is cut.
 *
 * @param {readonly string[]} words
 * @param {ReadonlySet<number>} gaps
 * @param {{ left: number, right: number, top: number }} box
 * @param {number} size
 * @param {number} room
 * @returns {Laid}
 */
function rowsOf(words, gaps, { left, right, top }, size, room) {
  const pitch = Math.max(size * PITCH, 24);
  const pad = size * PAD;
  const items = /** @type {Item[]} */ ([]);
  const rows = [{ left, right: left, y: top + size }];
  words.forEach((word, i) => {
    const text = cutText(word.length > LONGEST ? `${[...word].slice(0, LONGEST).join("")}…` : word, room, size, true);
    const width = gaps.has(i) ? size * BLANK : textWidth(text, size, true) + 2 * pad;
    let row = rows[rows.length - 1];
    if (row.right > left && row.right + width > right) rows.push((row = { left, right: left, y: row.y + pitch }));
    items.push({ i, text, x: row.right, y: row.y, width, row: rows.length - 1 });
    row.right += width;
  });
  return { size, pitch, items, rows, bottom: rows[rows.length - 1].y + size * 0.62 };
}

/**
 * How words are drawn: which are gaps, can be pressed, are quiet, and are read (by default all); what is in the gaps;
 * and what a press does.
 *
 * @typedef {object} WordsLook
 * @property {ReadonlySet<number>} gaps
 * @property {ReadonlySet<number>} [pressable]
 * @property {ReadonlySet<number>} [quiet]
 * @property {(i: number) => boolean} [isRead]
 * @property {string} [filled] the word in a gap
 * @property {string} [blank] what is in a gap without one
 * @property {(i: number) => void} [press]
 * @property {(i: number) => string} [name] of a word that can be pressed, as it is read out
 */

/**
 * The words, which can be pressed; words that are not read are pale.
 *
 * @param {Pen} pen @param {TextScene} scene @param {Laid} laid @param {WordsLook} look
 */
export function drawWords(pen, scene, laid, look) {
  const { words } = scene.data;
  const { gaps, pressable, press = () => {}, name = (i) => words[i] } = look;
  for (const item of laid.items) {
    const { i, text } = item;
    const gap = gaps.has(i);
    /** @param {Pen} its */
    const draw = (its) => {
      drawGround(its, item, laid.size, gap);
      if (gap) drawBlank(its, item, laid.size, look);
      else drawWord(its, item, laid.size, look);
      if (text !== words[i] && !gap) its.node("title", {}, words[i]);
    };
    if (pressable?.has(i)) pen.button(name(i), () => press(i), draw, { key: `word${i}`, chosen: gap, "data-place": i });
    else pen.group({ key: `word${i}` }, draw);
  }
}

/** @param {Pen} pen @param {Item} item @param {number} size @param {boolean} gap */
function drawGround(pen, { x, y, width }, size, gap) {
  const { mask, ink } = pen.colour;
  const covered = { fill: mask, "fill-opacity": 0.13, stroke: ink, dash: "6 4", line: 2 };
  const look = gap ? covered : { fill: "transparent" };
  pen.rect(x + 1, y - size * 1.02, width - 2, size * 1.42, { key: "ground", r: size / 4, ...look });
}

/**
 * What is in a gap.
 *
 * @param {Pen} pen @param {Item} item @param {number} size @param {WordsLook} look
 */
function drawBlank(pen, { x, y, width }, size, { filled = "", blank = "[MASK]" }) {
  const { activation, quiet } = pen.colour;
  pen.text(x + width / 2, y - (filled ? 0 : size * 0.08), filled || blank, {
    key: "word",
    size: filled ? size : Math.max(13, size * 0.72),
    bold: true,
    anchor: "middle",
    fill: filled ? activation : quiet,
    room: width - 6,
  });
}

/** @param {Pen} pen @param {Item} item @param {number} size @param {WordsLook} look */
function drawWord(pen, { i, text, x, y, width }, size, { quiet, isRead }) {
  const faint = isRead ? !isRead(i) : false;
  const low = quiet?.has(i) ?? false;
  pen.text(x + width / 2, y, text, {
    key: "word",
    size,
    bold: !low,
    anchor: "middle",
    fill: faint || low ? pen.colour.quiet : pen.colour.ink,
    opacity: faint ? 0.62 : null,
  });
}

/**
 * Beads below the words that are read, toward the gap: to the right before it, to the left after it.
 *
 * @param {Pen} pen
 * @param {Laid} laid
 * @param {number} at the place of the gap
 * @param {{ left?: boolean, right?: boolean }} sides
 */
export function drawFlow(pen, laid, at, { left = true, right = true } = {}) {
  const gap = laid.items.find(({ i }) => i === at);
  if (!gap) return;
  const below = laid.size * 0.52;
  laid.rows.forEach((row, n) => {
    const y = row.y + below;
    const pad = laid.size * PAD;
    const [from, to] = [row.left + pad, row.right - pad];
    if (n < gap.row && left) drawRail(pen, `${n}`, from, to, y);
    if (n > gap.row && right) drawRail(pen, `${n}`, to, from, y);
    if (n !== gap.row) return;
    if (left) drawRail(pen, `${n} left`, from, gap.x - 2, y);
    if (right) drawRail(pen, `${n} right`, to, gap.x + gap.width + 2, y);
  });
}

/** @param {Pen} pen @param {string} key @param {number} from @param {number} to @param {number} y */
function drawRail(pen, key, from, to, y) {
  if (Math.abs(to - from) < 8) return;
  const stroke = pen.colour.input;
  pen.line(from, y, to, y, { key: `rail ${key}`, stroke, width: 2, "stroke-opacity": 0.35 });
  pen.beads(`M${from} ${y}H${to}`, stroke, { key: `beads ${key}` });
  pen.group({ key: `head ${key}` }, (its) => its.head(to, y, to > from ? 0 : 180, stroke, 9));
}

// A text as large words over several rows, some of them gaps, with the flow of what is read into one gap.

import { cutText, textWidth } from "../../ui/browser/pen.js";

/** @import { Pen } from "../../ui/browser/pen.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */

/** @typedef {{ i: number, text: string, x: number, y: number, width: number, row: number }} Item */
/** @typedef {{ size: number, pitch: number, items: Item[], bottom: number, rows: { left: number, right: number, y: number }[] }} Laid */

// The type of the words and the room of the longest one: the largest that fits.
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
 * Where each word stands; `most` is the height that they may have together.
 *
 * @param {string[]} words
 * @param {Set<number>} gaps
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
 * The words, which can be pressed; what is not read is pale.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {Laid} laid
 * @param {{ gaps: Set<number>, pressable?: Set<number>, quiet?: Set<number>, isRead?: (i: number) => boolean, filled?: string, blank?: string, press?: (i: number) => void, name?: (i: number) => string }} how
 */
export function drawWords(
  pen,
  { colour, data },
  laid,
  {
    gaps,
    pressable = new Set(),
    quiet = new Set(),
    isRead = () => true,
    filled = "",
    blank = "[MASK]",
    press = () => {},
    name = (i) => data.words[i],
  },
) {
  const { size } = laid;
  for (const { i, text, x, y, width } of laid.items) {
    const draw = (its) => {
      its.rect(x + 1, y - size * 1.02, width - 2, size * 1.42, {
        key: "ground",
        r: size / 4,
        ...(gaps.has(i)
          ? { fill: colour.mask, "fill-opacity": 0.13, stroke: colour.ink, dash: "6 4", line: 2 }
          : { fill: "transparent" }),
      });
      const faint = !isRead(i);
      if (gaps.has(i))
        its.text(x + width / 2, y - (filled ? 0 : size * 0.08), filled || blank, {
          key: "word",
          size: filled ? size : Math.max(13, size * 0.72),
          bold: true,
          anchor: "middle",
          fill: filled ? colour.activation : colour.quiet,
          room: width - 6,
        });
      else
        its.text(x + width / 2, y, text, {
          key: "word",
          size,
          bold: !quiet.has(i),
          anchor: "middle",
          fill: faint || quiet.has(i) ? colour.quiet : colour.ink,
          opacity: faint ? 0.62 : null,
        });
      if (text !== data.words[i] && !gaps.has(i)) its.node("title", {}, data.words[i]);
    };
    if (pressable.has(i))
      pen.button(name(i), () => press(i), draw, { key: `word${i}`, chosen: gaps.has(i), "data-place": i });
    else pen.group({ key: `word${i}` }, draw);
  }
}

/**
 * Beads below the words that are read, toward the gap: to the right before it, to the left after it.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 * @param {Laid} laid
 * @param {number} at the place of the gap
 * @param {{ left?: boolean, right?: boolean }} sides
 */
export function drawFlow(pen, { colour }, laid, at, { left = true, right = true } = {}) {
  const gap = laid.items.find(({ i }) => i === at);
  if (!gap) return;
  const below = laid.size * 0.52;
  const rail = (key, from, to, y) => {
    if (Math.abs(to - from) < 8) return;
    pen.line(from, y + below, to, y + below, {
      key: `rail ${key}`,
      stroke: colour.input,
      width: 2,
      "stroke-opacity": 0.35,
    });
    pen.beads(`M${from} ${y + below}H${to}`, colour.input, { key: `beads ${key}` });
    const way = to > from ? 0 : 180;
    pen.group({ key: `head ${key}` }, (its) => its.head(to, y + below, way, colour.input, 9));
  };
  laid.rows.forEach((row, n) => {
    const pad = laid.size * PAD;
    const [from, to] = [row.left + pad, row.right - pad];
    if (n < gap.row && left) rail(`${n}`, from, to, row.y);
    if (n > gap.row && right) rail(`${n}`, to, from, row.y);
    if (n !== gap.row) return;
    if (left) rail(`${n} left`, from, gap.x - 2, row.y);
    if (right) rail(`${n} right`, to, gap.x + gap.width + 2, row.y);
  });
}

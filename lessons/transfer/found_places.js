// Where the passages that a question finds are drawn: the question on top, a column for each way of searching.

import { flow } from "../../drawing/word_flow.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { PassageData } from "../../drawing/types.js" */
/** @typedef {Scene<"found">} FoundScene */
/** @typedef {ReturnType<typeof placesOf>} FoundPlaces */
/** @typedef {{ text: string, x: number, y: number, line: number, shared: boolean }} Placed */

const SPACE = 6;

/** @param {FoundScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const edge = narrow ? 8 : 20;
  const gap = narrow ? 0 : 34;
  const top = narrow ? 64 : 66;
  const columns = narrow ? 1 : data.ways.length;
  const wide = (width - 2 * edge - (columns - 1) * gap) / columns;
  const block = narrow ? (height - top) / data.ways.length : height - top;
  const head = narrow ? 20 : 34;
  return {
    narrow,
    edge,
    wide,
    head,
    row: (block - head - 4) / 3,
    /** @type {(way: number) => { left: number, top: number }} */
    way: (way) => (narrow ? { left: edge, top: top + way * block } : { left: edge + way * (wide + gap), top }),
  };
}

/**
 * The words of a passage in the largest size of type in which they fit the room and the height, else cut in the smallest.
 *
 * @param {PassageData} passage
 * @param {{ left: number, top: number, room: number, high: number, sizes: readonly number[] }} box
 */
export function fitted(passage, { left, top, room, high, sizes }) {
  const smallest = sizes[sizes.length - 1];
  for (const size of sizes) {
    const most = Math.max(Math.floor(high / (size * 1.3)), 1);
    const words = wordsOf(passage, { left, top: top + size, room, size, most });
    if (size === smallest || words[words.length - 1].text !== "…") return { size, words };
  }
  throw new Error("there is a smallest size");
}

/**
 * The words of a passage in at most `most` lines; the last one ends with … if more follow.
 *
 * @param {PassageData} passage
 * @param {{ left: number, top: number, room: number, size: number, most: number }} box
 * @returns {Placed[]}
 */
export function wordsOf({ words, shared }, { left, top, room, size, most }) {
  const bold = words.map((_, n) => shared.includes(n));
  const widths = words.map((word, n) => textWidth(word, size, bold[n]));
  const places = flow(widths, { left, y: top, room, step: size * 1.3, space: SPACE });
  const placed = words.map((text, n) => ({ text, ...places[n], shared: bold[n] }));
  if (places[places.length - 1].line < most) return placed;
  const dots = textWidth("…", size);
  const before = placed.filter(({ line }) => line < most);
  for (;;) {
    const { x, y, line } = before[before.length - 1];
    const end = x + widths[before.length - 1] + SPACE;
    if (end + dots <= left + room || x === left) return [...before, { text: "…", x: end, y, line, shared: false }];
    before.pop();
  }
}

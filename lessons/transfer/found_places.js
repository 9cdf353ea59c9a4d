// Where the passages that a question finds are drawn: the question on top, a column for each way of searching.

import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { PassageData } from "../../drawing/types.js" */
/** @typedef {Scene<"found">} FoundScene */
/** @typedef {ReturnType<typeof placesOf>} FoundPlaces */
/** @typedef {{ text: string, x: number, y: number, shared: boolean }} Placed */

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
  /** @type {Placed[]} */
  const placed = [];
  let [x, line] = [left, 0];
  for (const [n, word] of words.entries()) {
    const bold = shared.includes(n);
    const wide = textWidth(word, size, bold);
    const dots = line === most - 1 && n + 1 < words.length ? textWidth("…", size) + SPACE : 0;
    if (x > left && x + wide + dots > left + room) {
      if (line === most - 1) {
        placed.push({ text: "…", x, y: top + line * size * 1.3, shared: false });
        return placed;
      }
      [x, line] = [left, line + 1];
    }
    placed.push({ text: word, x, y: top + line * size * 1.3, shared: bold });
    x += wide + SPACE;
  }
  return placed;
}

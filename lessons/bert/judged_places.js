// Where the judgements are drawn: two texts, the vector that both lead to, and a row for each judgement.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"judged">} JudgedScene */
/** @typedef {ReturnType<typeof placesOf>} JudgedPlaces */

const EDGE = { narrow: 6, wide: 16 };
const GAP = { narrow: 6, wide: 12 };

/** @param {Pick<JudgedScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  const edge = narrow ? EDGE.narrow : EDGE.wide;
  const gap = narrow ? GAP.narrow : GAP.wide;
  const count = data.judgements.length;
  const rows = narrow
    ? { left: edge, right: width - edge, top: 132, foot: height - 4 }
    : { left: width * 0.48, right: width - edge, top: 8, foot: height - 8 };
  const each = (rows.foot - rows.top - gap * (count - 1)) / count;
  const row = (/** @type {number} */ n) => {
    const top = rows.top + n * (each + gap);
    return { ...rows, top, foot: top + each };
  };
  const bar = (/** @type {number} */ n) => {
    const { left, right, top, foot } = row(n);
    const below = narrow ? 22 : 28; // the room of the note below the bar
    const from = top + (narrow ? 27 : 38);
    return { left: left + 12, right: right - (narrow ? 72 : 104), top: from, foot: Math.max(foot - below, from + 4) };
  };
  const half = narrow ? 60 : (height - 16 - 40) / 2;
  const texts = [0, 1].map((n) => {
    const top = narrow ? 2 + n * (half + 4) : 8 + n * (half + 40);
    return { left: edge, right: narrow ? width - edge : width * 0.29, top, foot: top + half };
  });
  const vector = { x: width * 0.375, y: height / 2, wide: 108, high: 64 };
  return { narrow, texts, vector, row, bar };
}

// Where the words of the source, the steps of the decoder, and their weights are drawn.

import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"cross">} CrossScene */
/** @typedef {ReturnType<typeof crossPlaces>} Places */

/** @param {string[]} words @param {number} size */
const widest = (words, size) => Math.max(...words.map((word) => textWidth(word, size, true)));

/** @param {Pick<CrossScene, "width" | "height" | "narrow" | "data" | "values">} scene */
export function crossPlaces({ width, height, narrow, data, values }) {
  const steps = data.read.length;
  const size = narrow ? 14 : Math.min(22, (height - 130) / steps / 1.6);
  const reads = widest([...data.read, "reads"], size) + 12;
  const writes = widest([...data.written, "writes"], size) + 22;
  const bar = narrow ? 0 : 50;
  const left = reads + bar + (narrow ? 6 : 54);
  const right = width - writes - 10;
  const top = narrow ? 66 : 106;
  const foot = height - 10;
  const pitch = (foot - top) / steps;
  const across = (right - left) / data.source.length;
  /** @param {number} j */
  const x = (j) => left + across * (j + 0.5);
  /** @param {number} i */
  const y = (i) => top + pitch * (i + 0.5);
  const now = Math.min(Math.max(Math.round(values("step")), 1), steps);
  const radius = Math.min(pitch * 0.46, across * 0.4, 30);
  return { x, y, left, right, top, foot, pitch, across, now, radius, size, reads, bar };
}

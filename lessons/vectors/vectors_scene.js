// What all parts of the picture of word vectors share: its memory, and the nearest words at the current moment.

import { textWidth } from "../../drawing/pen.js";
import { placeOfStep } from "./layout.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Palette, Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./layout.js" */

/** @typedef {Scripts["vectors"]} Data */
/** @typedef {{ x: (value: number) => number, y: (value: number) => number }} MapScale */

/**
 * What the picture keeps between drawings; `remember` updates it before anything is drawn.
 *
 * @typedef {object} Memory
 * @property {Data} data the data to which all the rest belongs
 * @property {string} chosen the chosen word
 * @property {number} text the index of the sentence that is shown
 * @property {number | null} centre the index of the word at the centre of the window; null: the chosen one
 * @property {Float32Array} points
 * @property {number | null} exact a fractional snapshot index during a drag or while playing; else null
 * @property {number} place the current snapshot index, which may be fractional
 * @property {number} snapshot the index of the nearest snapshot
 * @property {number} playing when the player started, in ms; 0 while it is stopped
 * @property {{ shape: string, loss: string, precision: string } | null} curves as paths, and the strip they fit
 * @property {{ shape: string, data: Data, scale: MapScale } | null} map its scale, and the box and data it fits
 */
/** @typedef {Scene<"vectors", Memory>} VectorsScene */
/** @typedef {(pen: Pen, scene: VectorsScene, at: Places) => void} Draw */

/**
 * Update the memory; new data reset it, and another word also resets the sentence and the window.
 *
 * @param {VectorsScene} scene
 */
export function remember({ data, memory, values }) {
  if (memory.data !== data) {
    Object.assign(memory, { data, exact: null, playing: 0, curves: null, map: null });
    if (memory.chosen !== data.words[data.word])
      Object.assign(memory, { text: 0, centre: null, chosen: data.words[data.word] });
    memory.points = new Float32Array(data.points.buffer, data.points.byteOffset, data.points.byteLength / 4);
    memory.text = Math.min(memory.text, Math.max(data.texts.length - 1, 0));
  }
  const last = data.steps.length - 1;
  memory.place = Math.min(Math.max(memory.exact ?? placeOfStep(data.steps, values("step")), 0), last);
  memory.snapshot = Math.round(memory.place);
}

/** @param {Palette} colour @param {number} group */
export const colourOf = (colour, group) =>
  group < 0 ? colour.quiet : group < 6 ? colour[`series-${group + 1}`] : colour.score;

/** @param {number} value */
export const digits = (value) => value.toFixed(3).replace("-", "−");

/**
 * The indices of the nearest words at the current snapshot.
 *
 * @param {VectorsScene} scene
 */
export function nearOf({ data, memory }) {
  const count = data.near.length / data.steps.length;
  return Array.from(data.near.slice(memory.snapshot * count, (memory.snapshot + 1) * count));
}

/**
 * The cosine of the k-th nearest word.
 *
 * @param {VectorsScene} scene @param {number} k
 */
export const cosineAt = ({ data, memory }, k) =>
  data.cosines[memory.snapshot * (data.near.length / data.steps.length) + k];

/**
 * Whether a word shares the planted group of the chosen word, and so is similar by construction.
 *
 * @param {VectorsScene} scene @param {number} place
 */
export const isPlanted = ({ data }, place) =>
  data.judged && data.groupOf[place] >= 0 && data.groupOf[place] === data.groupOf[data.word];

/**
 * The first of some titles that has room, or the last.
 *
 * @param {readonly string[]} titles @param {number} room
 */
export const fitting = (titles, room) =>
  titles.find((each) => textWidth(each, 15, true) <= room) ?? titles[titles.length - 1];

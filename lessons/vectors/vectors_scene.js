// What all parts of the picture of word vectors read: what it remembers, and the nearest words of the moment shown.

import { textWidth } from "../../drawing/pen.js";
import { placeOfStep } from "./layout.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Palette, Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./layout.js" */

/** @typedef {Scripts["vectors"]} Data */
/** @typedef {{ x: (value: number) => number, y: (value: number) => number }} MapScale */

/**
 * What the picture remembers; `remember` fills it in before anything is drawn.
 *
 * @typedef {object} Memory
 * @property {Data} data what all of this belongs to
 * @property {string} chosen the chosen word
 * @property {number} text the place of the sentence that is shown
 * @property {number | null} centre the place of the word under the window; null: the chosen one
 * @property {Float32Array} points
 * @property {number | null} exact a place between two snapshots, while a hand or the player moves the time
 * @property {number} place of the time among the snapshots
 * @property {number} snapshot the nearest to it
 * @property {number} playing when the player began, in ms; 0 where it rests
 * @property {{ shape: string, loss: string, precision: string } | null} curves as paths, and the strip they were made for
 * @property {{ shape: string, data: Data, scale: MapScale } | null} map its scale, and what that was made for
 */
/** @typedef {Scene<"vectors", Memory>} VectorsScene */
/** @typedef {(pen: Pen, scene: VectorsScene, at: Places) => void} Draw */

/**
 * What is remembered belongs to the data: another word or another run begins anew.
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

/**
 * @param {Palette} colour
 * @param {number} group
 */
export const colourOf = (colour, group) =>
  group < 0 ? colour.quiet : group < 6 ? colour[`series-${group + 1}`] : colour.score;

/** @param {number} value */
export const digits = (value) => value.toFixed(3).replace("-", "−");

/**
 * The places of the nearest words at the snapshot shown.
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
 * @param {VectorsScene} scene
 * @param {number} k
 */
export const cosineAt = ({ data, memory }, k) =>
  data.cosines[memory.snapshot * (data.near.length / data.steps.length) + k];

/**
 * Words are similar by construction if they share a group.
 *
 * @param {VectorsScene} scene
 * @param {number} place
 */
export const isPlanted = ({ data }, place) =>
  data.judged && data.groupOf[place] >= 0 && data.groupOf[place] === data.groupOf[data.word];

/**
 * The first of some titles that has room, or the last.
 *
 * @param {readonly string[]} titles
 * @param {number} room
 */
export const fitting = (titles, room) =>
  titles.find((each) => textWidth(each, 15, true) <= room) ?? titles[titles.length - 1];

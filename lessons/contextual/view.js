// What the picture of contextual vectors stores: the layer on its way, the occurrence that was picked, and what is
// computed once from the data.

import { still } from "../../drawing/main_picture.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Palette, Scripts } from "../../drawing/types.js" */
/** @import { mapScale } from "../../drawing/map_scale.js" */
/** @import { Places } from "./contextual_places.js" */
/** @typedef {Scripts["contextual"]} Data */
/**
 * @typedef {object} View
 * @property {Data} data to which all of this belongs
 * @property {string} word
 * @property {string} model
 * @property {number} count of the occurrences
 * @property {Float32Array} points x and y of each occurrence, layer by layer
 * @property {Float32Array} cosines of every two occurrences, layer by layer
 * @property {number | null} exact where a hand holds the layer, between two of them
 * @property {number} place of the layer on its way
 * @property {number} layer the nearest one, whose numbers are written
 * @property {number | null} [glides] when it was last on its way, in ms
 * @property {number} picked the occurrence that was pressed
 * @property {number | null} pointed that on which the pointer is
 * @property {{ key: string, drawn: string[] } | null} shades a path for each shade of the matrix
 * @property {string} [shape] the box for which the scale was made
 * @property {Data} [scaled] the data for which it was made
 * @property {ReturnType<typeof mapScale>} [scale]
 */
/** @typedef {Scene<"contextual", Partial<View>>} CloudScene */
/** @typedef {(pen: Pen, scene: CloudScene, at: Places, view: View) => void} Draw */

const GLIDE = 90; // ms in which most of the way between two layers is covered
const NEAREST = 5;

/** @param {Uint8Array} bytes */
const floats = (bytes) => new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);

/**
 * The stored state belongs to the data: another word or another model resets it.
 *
 * @param {CloudScene} scene @returns {View}
 */
export function viewOf(scene) {
  const { data, memory, values, moved } = scene;
  const layers = data.within.length;
  if (memory.data !== data) begin(data, memory);
  const view = /** @type {View} */ (memory);
  const goal = Math.min(Math.max(view.exact ?? values("layer"), 0), layers - 1);
  view.place = moved === "layer" && view.exact === null && !still() ? glided(scene, goal) : goal;
  view.layer = Math.round(view.exact ?? Math.min(values("layer"), layers - 1));
  return view;
}

/** @param {Data} data @param {Partial<View>} memory */
function begin(data, memory) {
  const { word, model, texts } = data;
  const same = memory.word === word && memory.model === model && memory.count === texts.length;
  const typed = texts.some(({ sense }) => sense < 0);
  const picked = same ? memory.picked : typed ? texts.length - 1 : 0;
  const fresh = { exact: null, picked, pointed: null, shades: null };
  const numbers = { points: floats(data.points), cosines: floats(data.cosines) };
  Object.assign(memory, { data, word, model, count: texts.length, ...fresh, ...numbers });
}

/**
 * While the slider is dragged from layer to layer, the points glide after it.
 *
 * @param {CloudScene} scene @param {number} goal
 */
function glided({ memory, again }, goal) {
  const now = performance.now();
  const part = 1 - Math.exp(-Math.min(now - (memory.glides ?? now), 50) / GLIDE);
  const from = memory.place ?? goal;
  const place = Math.abs(goal - from) < 0.01 ? goal : from + (goal - from) * part;
  memory.glides = place === goal ? null : now;
  if (place !== goal) again();
  return place;
}

/**
 * The colour of a sense; −1 is that of typed sentences.
 *
 * @param {Palette} colour @param {number} sense
 */
export const colourOf = (colour, sense) =>
  sense < 0 ? colour.gradient : sense ? colour["series-2"] : colour["series-1"];

/** @param {number} sense drawn as a star, a circle or a square */
export const kindOf = (sense) => (sense < 0 ? 6 : sense);

/** @param {number} value */
export const digits = (value) => value.toFixed(2).replace("-", "−");

/** @type {(view: View, i: number, j: number) => number} */
export const cosine = ({ cosines, layer, count }, i, j) => cosines[(layer * count + i) * count + j];

/**
 * The other occurrences, the nearest first.
 *
 * @param {View} view @param {number} place
 */
export function nearest(view, place) {
  const others = view.data.texts.map((_, i) => i).filter((i) => i !== place);
  return others.sort((a, b) => cosine(view, place, b) - cosine(view, place, a)).slice(0, NEAREST);
}

// The states as small squares of their numbers, on a canvas behind the drawing.

import { DIM } from "../../drawing/pen.js";
import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { headingOfVector } from "./one_vector.js";

/** @import { Box, Places } from "./seq2seq_places.js" */
/** @import { Data, Draw, Moment, TranslationScene, Vectors } from "./translation_scene.js" */

/** @type {Draw} */
export function paintStates(pen, scene, at, now) {
  const { width, height, memory } = scene;
  const { strip } = headingOfVector(scene, at, now);
  const stamp = stampOf(scene, at, now, strip);
  canvasIn(pen, { key: "states", left: 0, top: 0, width, height, sharp: sharpness(pen.parent), stamp }, (brush) =>
    paint(brush, scene, at, now, strip),
  );
  memory.painted = scene.data;
}

/**
 * A key for what the canvas shows: it changes with the data and with everything that affects the painting.
 *
 * @param {TranslationScene} scene @param {Places} at @param {Moment} now @param {Box} strip
 */
function stampOf({ width, data, memory, colour, dim }, at, now, strip) {
  const parts = ["encoder", "decoder", "pencil", "vector"].map((part) => dim(part));
  const { exact, mine, covered } = now;
  const shown = [strip.left, exact, mine?.j, covered, colour.background, at.state.wide, at.rows.context, width];
  const stamp = [...shown, ...parts].join();
  if (memory.painted === data) return stamp;
  memory.turn = (memory.turn ?? 0) + 1;
  return `${stamp} ${memory.turn}`;
}

/**
 * @param {CanvasRenderingContext2D} brush
 * @param {TranslationScene} scene
 * @param {Places} at
 * @param {Moment} now
 * @param {Box} strip of the one vector
 */
function paint(brush, scene, at, now, strip) {
  const { data, dim } = scene;
  const { states, decoder, contexts, vector } = vectorsOf(scene);
  const { wide, high } = at.state;
  /** @type {(values: Float32Array, x: number, top: number, opacity: number) => void} */
  const put = (values, x, top, opacity) =>
    square(brush, data.signed, values, data.width, { left: x - wide / 2, top, wide, high }, opacity);
  /** @type {(values: Float32Array, i: number) => Float32Array} */
  const stateOf = (values, i) => values.subarray(i * data.width, (i + 1) * data.width);
  /** @type {(part: string, opacity?: number) => number} */
  const lit = (part, opacity = 1) => (dim(part) ? DIM : opacity);
  for (let j = 0; j < now.places; j++) put(stateOf(states, j), at.x(j), at.rows.encoder, lit("encoder"));
  for (let i = 0; i <= Math.min(now.last, now.step); i++)
    put(stateOf(decoder, i), at.to(i), at.rows.decoder, lit("decoder", i === now.step ? 1 : 0.55));
  const context = now.mine ? stateOf(states, now.mine.j) : stateOf(contexts, now.step);
  if (!now.covered) put(context, at.to(now.exact), at.rows.context, lit("pencil"));
  square(brush, data.signed, vector, data.vectorWidth, strip, lit("vector"));
}

/**
 * The numbers of all states, read once.
 *
 * @param {TranslationScene} scene @returns {Vectors}
 */
function vectorsOf({ data, memory }) {
  if (memory.vectors?.data === data) return memory.vectors;
  const floats = (/** @type {Uint8Array} */ bytes) => new Float32Array(bytes.slice().buffer);
  const { states, decoder, contexts, vectorState: vector } = data;
  memory.vectors = {
    data,
    states: floats(states),
    decoder: floats(decoder),
    contexts: floats(contexts),
    vector: floats(vector),
  };
  return memory.vectors;
}

/**
 * Numbers as cells of a rectangle, row by row; a number beyond −1 or 1 has the colour of that end.
 *
 * @param {CanvasRenderingContext2D} brush
 * @param {Data["signed"]} colours from −1 to 1
 * @param {Float32Array} values
 * @param {number} count
 * @param {Box} box
 * @param {number} opacity
 */
function square(brush, colours, values, count, { left, top, wide, high }, opacity) {
  const columns = Math.max(Math.round(Math.sqrt((count * wide) / high)), 2);
  const rows = Math.ceil(count / columns);
  const half = (colours.length - 1) / 2;
  brush.globalAlpha = opacity;
  for (let k = 0; k < count; k++) {
    const [column, row] = [k % columns, Math.floor(k / columns)];
    brush.fillStyle = colours[Math.round(half * (1 + Math.min(Math.max(values[k], -1), 1)))];
    brush.fillRect(
      left + (column / columns) * wide,
      top + (row / rows) * high,
      wide / columns + 0.3,
      high / rows + 0.3,
    );
  }
  brush.globalAlpha = 1;
}

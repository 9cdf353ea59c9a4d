// The numbers of a model's stages, as tiles show them: the numbers of each tile, and the shade of each number.

import { floats } from "../../drawing/packing.js";

/** @import { Cell } from "./transformer_camera.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Data, Model } from "./transformer_view.js" */

/** @typedef {{ rows: number, columns: number, values: Float32Array }} Tensor its values row after row */
/**
 * The numbers of a tile.
 *
 * @typedef {object} TileNumbers
 * @property {number} rows one for each token
 * @property {number} columns
 * @property {(row: number, column: number) => number} at
 * @property {(row: number, column: number) => boolean} hides whether a key is masked for a token
 */

const FURTHEST = 0.99; // share of a tile's numbers within its colour scale; larger ones have the colour of its end

/**
 * The tensors in the payload, by stage.
 *
 * @param {Pick<Data, "stream" | "block" | "tensors">} data
 */
export function tensorsOf(data) {
  const numbers = floats(data.stream, data.block);
  /** @type {Map<string, Tensor>} */
  const tensors = new Map();
  for (const { stage, rows, columns, start } of data.tensors)
    tensors.set(stage, { rows, columns, values: numbers.subarray(start, start + rows * columns) });
  return tensors;
}

/**
 * Whether the numbers of a stage are weights α, from 0 to 1.
 *
 * @param {string} stage
 */
export const isShare = (stage) => stage.includes("alpha");

/**
 * Whether the columns of a stage are keys: true for scores and weights.
 *
 * @param {string} stage
 */
export const hasKeys = (stage) => /alpha|score/.test(stage);

/**
 * The numbers of a tile, or null if they were not sent.
 *
 * @param {Model} model @param {Part} part @returns {TileNumbers | null}
 */
export function numbersOf({ tensors }, part) {
  const tensor = tensors.get(part.stage);
  if (!tensor) return null;
  const scores = isShare(part.stage) ? tensors.get(part.stage.replace("alpha", "score")) : null;
  return {
    rows: tensor.rows,
    columns: part.columns || tensor.columns,
    at: (row, column) => tensor.values[row * tensor.columns + part.first + column],
    hides: (row, column) => scores?.values[row * tensor.columns + column] === -Infinity,
  };
}

/**
 * The end of a tile's colour scale: only one number in a hundred is larger in size.
 *
 * @param {Model} model @param {Part} part @param {TileNumbers} numbers
 */
function reachOf({ reaches }, part, numbers) {
  const known = reaches.get(part.id);
  if (known) return known;
  const sizes = new Float32Array(numbers.rows * numbers.columns);
  for (let row = 0; row < numbers.rows; row++)
    for (let column = 0; column < numbers.columns; column++) {
      const size = Math.abs(numbers.at(row, column));
      sizes[row * numbers.columns + column] = size < Infinity ? size : 0;
    }
  sizes.sort();
  const reach = sizes[Math.floor(FURTHEST * (sizes.length - 1))] || sizes.at(-1) || 1;
  reaches.set(part.id, reach);
  return reach;
}

/**
 * The index of a number in its colour scale, or −1 if it is masked or not finite.
 *
 * @param {Model} model @param {Part} part @param {TileNumbers} numbers @param {Cell} cell
 */
export function shadeOf(model, part, numbers, { row, column }) {
  const value = numbers.at(row, column);
  if (numbers.hides(row, column) || !Number.isFinite(value)) return -1;
  const last = model.data.scale.length - 1;
  if (isShare(part.stage)) return Math.round(Math.min(Math.max(value, 0), 1) * last);
  return Math.round((last / 2) * (1 + Math.min(Math.max(value / reachOf(model, part, numbers), -1), 1)));
}

/**
 * The tile that represents a closed part: α for a head, g(z) for an MLP, else the last one whose numbers were sent.
 *
 * @param {Model} model @param {Part} part @returns {Part | null}
 */
export function standsFor(model, part) {
  if (part.kind === "tile") return part;
  /** @type {(each: Part) => boolean} */
  const known = (each) => (each.kind === "tile" ? model.tensors.has(each.stage) : each.children.length > 0);
  const inner = part.kind === "head" ? part.children.filter((each) => each.title === "α") : part.children;
  const bent = part.id.endsWith(".feed") ? inner.find((each) => each.title === "g(z)" && known(each)) : undefined;
  const shown = bent ?? inner.filter(known).at(-1);
  return shown ? standsFor(model, shown) : null;
}

/**
 * A number as the text of a cell, with two decimals if they fit.
 *
 * @param {number} value
 */
export function short(value) {
  const size = Math.abs(value);
  return value.toFixed(size < 9.995 ? 2 : size < 99.95 ? 1 : 0).replace("-", "−");
}

// The camera: the rectangle of the model that is on screen, and its moves. Width and height are zoomed separately: a
// block can fill the width while its tokens keep their height.

/** @import { Part } from "./transformer_tree.js" */

/** @typedef {{ x0: number, x1: number, y0: number, y1: number }} Camera in a model from 0 to 1 both ways */
/** @typedef {{ top: number, bottom: number, rows: number }} Strip a sequence's place in the model, and its length */
/** @typedef {{ row: number, column: number }} Cell of a tile: its token and its column there, both from 0 */
/** @typedef {Pick<Part, "left" | "right" | "strip">} Span */

/** @type {Camera} */
export const WHOLE = { x0: 0, x1: 1, y0: 0, y1: 1 };
const DEEPEST = 1e-7;
export const FOLD = 64; // columns of a tensor side by side; the next ones are below

/**
 * Rows of cells in the lane of a token.
 *
 * @param {number} columns
 */
export const foldRows = (columns) => Math.ceil(columns / FOLD);

/**
 * The number of cells side by side.
 *
 * @param {number} columns
 */
export const foldColumns = (columns) => Math.min(columns, FOLD);

/**
 * A camera that shows a part over the whole width and the strip of its tokens over the height.
 *
 * @param {Span & Pick<Part, "parent">} part @param {readonly Strip[]} strips
 */
export function fitPart(part, strips) {
  if (!part.parent) return WHOLE;
  const margin = 0.02 * (part.right - part.left);
  const strip = strips[part.strip];
  return inside({ x0: part.left - margin, x1: part.right + margin, y0: strip.top, y1: strip.bottom });
}

/**
 * A camera that shows a cell of a tile with its neighbours, large enough to read its number.
 *
 * @param {Span} part
 * @param {number} columns of the tile
 * @param {Cell} cell
 * @param {readonly Strip[]} strips
 */
export function fitCell(part, columns, { row, column }, strips) {
  const strip = strips[part.strip];
  const [wide, lane] = [(part.right - part.left) / foldColumns(columns), (strip.bottom - strip.top) / strip.rows];
  const high = lane / foldRows(columns);
  const [u, v] = [column % FOLD, Math.floor(column / FOLD)];
  const x = part.left + (u + 0.5) * wide;
  const y = strip.top + row * lane + (v + 0.5) * high;
  const [dx, dy] = [
    Math.min(wide * 8, (part.right - part.left) * 0.52),
    Math.min(high * 10, (strip.bottom - strip.top) / 2),
  ];
  const cx = clamp(x, part.left + dx * 0.96, part.right - dx * 0.96);
  const cy = clamp(y, strip.top + dy, strip.bottom - dy);
  return inside({ x0: cx - dx, x1: cx + dx, y0: cy - dy, y1: cy + dy });
}

/**
 * The value clamped between two ends; their mean if low > high.
 *
 * @param {number} value @param {number} low @param {number} high
 */
const clamp = (value, low, high) => (low > high ? (low + high) / 2 : Math.min(Math.max(value, low), high));

/**
 * The camera moved into the model, at the same size if that fits.
 *
 * @param {Camera} camera @returns {Camera}
 */
export function inside({ x0, x1, y0, y1 }) {
  const [wide, high] = [Math.min(Math.max(x1 - x0, DEEPEST), 1), Math.min(Math.max(y1 - y0, DEEPEST), 1)];
  const [left, top] = [clamp((x0 + x1 - wide) / 2, 0, 1 - wide), clamp((y0 + y1 - high) / 2, 0, 1 - high)];
  return { x0: left, x1: left + wide, y0: top, y1: top + high };
}

/**
 * The camera zoomed in by a factor around a point of the screen.
 *
 * @param {Camera} camera
 * @param {number} u of the point, from 0 at the left of the screen to 1 at its right
 * @param {number} v from 0 at its top to 1 at its bottom
 * @param {number} factor
 * @param {boolean} both whether the height is zoomed as well as the width
 */
export function zoomed(camera, u, v, factor, both) {
  const [wide, high] = [(camera.x1 - camera.x0) / factor, (camera.y1 - camera.y0) / (both ? factor : 1)];
  const [x, y] = [camera.x0 + u * (camera.x1 - camera.x0), camera.y0 + v * (camera.y1 - camera.y0)];
  const x0 = x - u * Math.min(wide, 1);
  const y0 = y - v * Math.min(high, 1);
  return inside({ x0, x1: x0 + Math.min(wide, 1), y0, y1: y0 + Math.min(high, 1) });
}

/**
 * The camera moved by shares of its width and height.
 *
 * @param {Camera} camera
 * @param {number} u of its width, to the right
 * @param {number} v of its height, down
 */
export function panned(camera, u, v) {
  const [dx, dy] = [u * (camera.x1 - camera.x0), v * (camera.y1 - camera.y0)];
  return inside({ x0: camera.x0 + dx, x1: camera.x1 + dx, y0: camera.y0 + dy, y1: camera.y1 + dy });
}

/**
 * A camera between two others, with an exponential zoom, so that a fixed point stays fixed.
 *
 * @param {Camera} from
 * @param {Camera} to
 * @param {number} share of the way, from 0 to 1
 * @returns {Camera}
 */
export function between(from, to, share) {
  const [x0, x1] = spanBetween([from.x0, from.x1], [to.x0, to.x1], share);
  const [y0, y1] = spanBetween([from.y0, from.y1], [to.y0, to.y1], share);
  return { x0, x1, y0, y1 };
}

/** @param {[start: number, end: number]} from @param {[start: number, end: number]} to @param {number} share */
function spanBetween([a0, a1], [b0, b1], share) {
  const [start, end] = [a1 - a0, b1 - b0];
  const size = start * (end / start) ** share;
  const part = Math.abs(start - end) < 1e-9 * start ? share : (start - size) / (start - end);
  const middle = (a0 + a1) / 2 + ((b0 + b1) / 2 - (a0 + a1) / 2) * part;
  return [middle - size / 2, middle + size / 2];
}

/**
 * Whether two cameras show the same.
 *
 * @param {Camera} a @param {Camera} b
 */
export const sameCamera = (a, b) =>
  [a.x0 - b.x0, a.x1 - b.x1, a.y0 - b.y0, a.y1 - b.y1].every((off) => Math.abs(off) < 1e-9);

// The map of the loss: as shades, and as contours.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { crossings } from "../../drawing/crossings.js";
import { levels } from "./descent_places.js";

/** @import { DescentScene, Model } from "./model.js" */
/** @import { SurfaceScale } from "./descent_places.js" */
/** @import { DrawOnSurface } from "./surface_panel.js" */
/**
 * The part of the map that is in the picture: columns from and to, rows from and to; the lowest and the highest L
 * there, and the distance of two cells.
 *
 * @typedef {object} Part
 * @property {[number, number, number, number]} range
 * @property {number} low
 * @property {number} high
 * @property {number} step
 * @property {string} stamp identifies the part
 */

const LOW_SHADE = 0.03; // the share of the loss's colour at the lowest place in the picture
const SHADES = 0.52; // added to it at the highest place
const small = /** @type {{ canvas: HTMLCanvasElement | null }} */ ({ canvas: null }); // with a pixel for each cell

/** @param {DescentScene} scene @param {Model} model @param {SurfaceScale} scale */
function partOf({ memory, data }, { grid }, { per, ends }) {
  const known = memory.map;
  const seen = `${per} ${ends}`; // how large a cell is, and which of them the box shows
  if (known && known.grid === grid && known.seen === seen && known.data === data) return known.part;
  const { side, center, reach } = data;
  const step = (2 * reach) / (side - 1);
  /** @type {(value: number, axis: 0 | 1) => number} */
  const cell = (value, axis) => (value - center[axis] + reach) / step;
  /** @param {number} i */
  const inside = (i) => Math.min(Math.max(i, 0), side - 1);
  const [from, to] = [inside(Math.floor(cell(ends[0], 0))), inside(Math.ceil(cell(ends[1], 0)))];
  const [first, last] = [inside(Math.floor(cell(ends[2], 1))), inside(Math.ceil(cell(ends[3], 1)))];
  let [low, high] = [Infinity, -Infinity];
  for (let row = first; row <= last; row++) {
    for (let column = from; column <= to; column++) {
      const value = grid[row * side + column];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  memory.turn = (memory.turn ?? 0) + 1;
  /** @type {Part} */
  const part = { range: [from, to, first, last], low, high, step, stamp: String(memory.turn) };
  memory.map = { data, grid, seen, part };
  return part;
}

/** @type {DrawOnSurface} */
export function paintShades(pen, scene, model, { surface: { left, top, wide, high } }, scale) {
  const { colour, data } = scene;
  const part = partOf(scene, model, scale);
  const stamp = `${part.stamp} ${colour.background} ${left} ${top} ${wide} ${high}`;
  const look = { key: "ground", left, top, width: wide, height: high, sharp: sharpness(pen.parent), stamp };
  canvasIn(pen, look, (brush) => {
    const { center, reach } = data;
    brush.imageSmoothingEnabled = true;
    brush.imageSmoothingQuality = "high";
    const [x, y] = [scale.x(center[0] - reach - part.step / 2), scale.y(center[1] + reach + part.step / 2)];
    const whole = (2 * reach + part.step) * scale.per;
    brush.drawImage(shadesOf(scene, model, part), x - left, y - top, whole, whole);
  });
}

/**
 * The map with a pixel for each cell, the second parameter upwards.
 *
 * @param {DescentScene} scene @param {Model} model @param {Part} part
 */
function shadesOf({ colour, data: { side, bend } }, { grid }, { low, high }) {
  const canvas = (small.canvas ??= document.createElement("canvas"));
  Object.assign(canvas, { width: side, height: side });
  const brush = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const image = brush.createImageData(side, side);
  const [from, to] = [colour.background, colour.loss].map(rgb);
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const above = (grid[row * side + column] - low) / (high - low || 1);
      const shade = LOW_SHADE + SHADES * Math.min(Math.max(above, 0), 1) ** (1 / bend);
      const pixel = 4 * ((side - 1 - row) * side + column);
      for (let c = 0; c < 3; c++) image.data[pixel + c] = from[c] + (to[c] - from[c]) * shade;
      image.data[pixel + 3] = 255;
    }
  }
  brush.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Red, green and blue of a colour written as # and six hexadecimal digits.
 *
 * @param {string} hex
 */
export const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

/** @type {DrawOnSurface} */
export function drawContours(pen, scene, model, { surface: box }, scale) {
  const { colour, data, memory } = scene;
  const part = partOf(scene, model, scale);
  const key = `${part.stamp} ${box.left} ${box.top} ${scale.per}`;
  if (memory.contours?.key !== key) memory.contours = { key, d: contoursOf(data, model, scale, part) };
  const look = { stroke: colour.loss, width: 1, "stroke-opacity": 0.6, "pointer-events": "none" };
  pen.path(memory.contours.d, { key: "contours", ...look });
}

/** @param {DescentScene["data"]} data @param {Model} model @param {SurfaceScale} scale @param {Part} part */
function contoursOf({ side, center, reach, bend }, { grid }, scale, { range, low, high, step }) {
  /** @param {number} column */
  const x = (column) => scale.x(center[0] - reach + column * step).toFixed(1);
  /** @param {number} row */
  const y = (row) => scale.y(center[1] - reach + row * step).toFixed(1);
  const pieces = levels(low, high, bend).flatMap((level) => crossings(grid, side, level, range));
  return pieces.map(([x1, y1, x2, y2]) => `M${x(x1)} ${y(y1)}L${x(x2)} ${y(y2)}`).join("");
}

// What several parts of the flow draw: heads, curves, the largest terms of a number, and pictures of cells.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { Box, Places, StripName } from "./feedforward_places.js" */
/** @typedef {Scripts["feedforward"]} Data */
/** @typedef {{ where: StripName | "again", name: StripName, i: number }} Pointed a cell: its strip, what that shows, its place */
/**
 * The data to which the pictures of cells belong, these pictures, and the cell that is pointed at.
 *
 * @typedef {{ drawn?: Data, images?: Map<string, string>, point?: Pointed | null }} Remembered
 */
/** @typedef {Scene<"feedforward", Remembered>} FlowScene */
/** @typedef {(pen: Pen, scene: FlowScene, at: Places) => void} Draw */

/** @param {FlowScene} scene the place of the text up to which the model has read */
export const placeOf = (scene) => scene.values("@at");
/** @param {{ left: number, wide: number }} box */
export const right = (box) => box.left + box.wide;
/** @param {{ left: number, wide: number }} box */
export const middle = (box) => box.left + box.wide / 2;
/** @param {Box} box */
export const low = (box) => box.top + box.high;
/** @type {(box: Box, i: number, cells: number) => number} the height of a cell */
export const spot = (box, i, cells) => box.top + ((i + 0.5) * box.high) / cells;

/**
 * What is above a part: its letter, and its size.
 *
 * @param {Pen} pen
 * @param {Places} at
 * @param {number} x
 * @param {{ letter: string, shape?: string, fill: string }} head
 * @param {number} y
 */
export function drawHead(pen, { narrow, head }, x, { letter, shape, fill }, y = head) {
  pen.text(x, y, letter, { size: narrow ? 13 : 17, bold: true, fill, anchor: "middle", halo: true });
  if (!narrow && shape) pen.text(x, y + 18, shape, { size: 13, fill: pen.colour.quiet, anchor: "middle" });
}

/**
 * A fan of lines: all numbers of one vector go into every number of the next.
 *
 * @param {Pen} pen @param {Box} from @param {Box} to
 */
export function drawFan(pen, from, to) {
  const fill = pen.colour.weight;
  const d = `M${right(from)} ${from.top}L${to.left} ${to.top}V${low(to)}L${right(from)} ${low(from)}Z`;
  pen.path(d, { fill, "fill-opacity": 0.08, stroke: fill, width: 1, "stroke-opacity": 0.35 });
}

/**
 * The terms of a number at each place of the text: the cells that they come from, and how large they are.
 *
 * @typedef {{ cells: number, places: Float64Array, sizes: Float64Array, count: number }} Terms
 */

/**
 * The largest terms of one number: wide where large, in the colours of the scale.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Box} from @param {[x: number, y: number]} to @param {Terms} terms
 */
export function drawTerms(pen, scene, from, [x, y], { cells, places, sizes, count }) {
  const { scale } = scene.data;
  const start = placeOf(scene) * count;
  const largest = Math.max(...sizes.subarray(start, start + count).map(Math.abs), 1e-12);
  for (let i = 0; i < count; i++) {
    const cell = places[start + i];
    if (cell < 0 || cell >= cells) continue;
    const size = sizes[start + i];
    const stroke = scale[Math.round((scale.length - 1) * (size > 0 ? 0.86 : 0.14))];
    const width = 1 + (scene.narrow ? 2.4 : 4) * (Math.abs(size) / largest);
    const d = curve(right(from), spot(from, cell, cells), x, y);
    pen.path(d, { stroke, width, "stroke-opacity": 0.8 });
    pen.beads(d, scene.colour.background, { width: 1.4 });
  }
}

/**
 * A small picture of coloured cells, kept until the data changes.
 *
 * @param {FlowScene} scene
 * @param {string} key
 * @param {number} columns
 * @param {number} rows
 * @param {(i: number) => string} shade
 */
export function imageOf({ memory }, key, columns, rows, shade) {
  const images = (memory.images ??= new Map());
  const known = images.get(key);
  if (known !== undefined) return known;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [columns, rows];
  const ink = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (let i = 0; i < columns * rows; i++) {
    ink.fillStyle = shade(i);
    ink.fillRect(i % columns, Math.floor(i / columns), 1, 1);
  }
  const href = canvas.toDataURL();
  images.set(key, href);
  return href;
}

/**
 * A picture of cells in a box, each cell with sharp edges.
 *
 * @param {Pen} pen @param {string} href @param {Box} box @param {{ opacity?: number }} more
 */
export function drawImage(pen, href, { left, top, wide, high }, more = {}) {
  pen.node("image", {
    href,
    x: left,
    y: top,
    width: wide,
    height: high,
    preserveAspectRatio: "none",
    style: "image-rendering:pixelated",
    ...more,
  });
}

/** @type {(x1: number, y1: number, x2: number, y2: number) => string} */
export function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) / 2;
  /** @param {number} value */
  const at = (value) => Math.round(value * 10) / 10;
  return `M${at(x1)} ${at(y1)}C${at(x1 + bend)} ${at(y1)} ${at(x2 - bend)} ${at(y2)} ${at(x2)} ${at(y2)}`;
}

// Paints the output of each unit over the plane. The colour scale is 0 to 1 for probabilities and symmetric about 0
// for other values; with several classes, their colours are mixed.

import { canvasIn } from "../../drawing/canvas.js";
import { isComputed } from "./code_strip.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Places } from "./networks_places.js" */
/** @import { NetworksScene, State } from "./networks_scene.js" */

/** @typedef {(cell: number) => ArrayLike<number>} ColourOf red, green and blue of a cell */

/** @type {WeakMap<object, { scale: Uint8ClampedArray[], signed: Uint8ClampedArray[] }>} */
const tables = new WeakMap();
/** @type {CanvasRenderingContext2D | null} a small canvas, on which each map is painted before it is enlarged */
let small = null;

/**
 * All maps on one canvas below the drawing.
 *
 * @param {Pen} pen
 * @param {NetworksScene} scene
 * @param {State} net
 * @param {Places} at
 * @param {{ side: number, sharp: number }} how
 */
export function paintMaps(pen, scene, net, at, { side, sharp }) {
  const { width, height, memory, hidden, dim } = scene;
  memory.turn = (memory.turn ?? 0) + 1;
  const whole = { key: "maps", left: 0, top: 0, width, height, sharp, stamp: String(memory.turn) };
  canvasIn(pen, whole, (brush) => {
    brush.imageSmoothingEnabled = true;
    at.layers.forEach((units, layer) => {
      brush.globalAlpha = dim("hidden") || !isComputed(memory, net, layer, "a") ? 0.12 : 1;
      units.forEach(({ x, y, size }, i) => {
        put(brush, side, colouring(scene, net, layer, i), {
          left: x - size / 2,
          top: y - size / 2,
          wide: size,
          high: size,
        });
      });
    });
    brush.globalAlpha = dim("plane") || !isComputed(memory, net, at.layers.length, "a") ? 0.12 : 1;
    if (!hidden("map")) put(brush, side, lastColouring(scene, net), at.plane);
  });
}

/**
 * The colours of the data as numbers, read once.
 *
 * @param {NetworksScene} scene
 */
function tablesOf({ data }) {
  const known = tables.get(data) ?? { scale: data.scale.map(rgb), signed: data.signed.map(rgb) };
  tables.set(data, known);
  return known;
}

/**
 * A function from a cell to its colour, for a unit.
 *
 * @param {NetworksScene} scene @param {State} net @param {number} layer @param {number} i @returns {ColourOf}
 */
function colouring(scene, net, layer, i) {
  const map = net.maps[layer][i];
  const { scale, signed } = tablesOf(scene);
  const bounds = scene.data.bounds[layer];
  if (bounds?.[0] === 0) return (cell) => scale[Math.round((map[cell] / bounds[1]) * (scale.length - 1))];
  const most = bounds ? bounds[1] : map.reduce((top, each) => Math.max(top, Math.abs(each)), 1e-9);
  const half = (signed.length - 1) / 2;
  return (cell) => signed[Math.round(half * (1 + map[cell] / most))];
}

/**
 * The same for the last layer: of several classes the mixture of their colours.
 *
 * @param {NetworksScene} scene @param {State} net @returns {ColourOf}
 */
function lastColouring(scene, net) {
  const { colour } = scene;
  const last = net.functions.length - 1;
  const maps = net.maps[last];
  if (maps.length === 1) return colouring(scene, net, last, 0);
  const ground = rgb(colour.background);
  const classes = maps.map((_, k) => rgb(colour[`series-${k + 1}`]));
  return (cell) => {
    const mixed = [0, 0, 0];
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < maps.length; k++) mixed[c] += maps[k][cell] * (0.65 * classes[k][c] + 0.35 * ground[c]);
    return mixed;
  };
}

/** @param {CanvasRenderingContext2D} brush @param {number} side @param {ColourOf} colourOf @param {Box} box */
function put(brush, side, colourOf, { left, top, wide, high }) {
  small ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  Object.assign(small.canvas, { width: side, height: side });
  const image = small.createImageData(side, side);
  for (let cell = 0; cell < side * side; cell++) {
    const rgb = colourOf(cell) ?? [128, 128, 128]; // no colour: the value is not finite
    image.data[4 * cell] = rgb[0];
    image.data[4 * cell + 1] = rgb[1];
    image.data[4 * cell + 2] = rgb[2];
    image.data[4 * cell + 3] = 255;
  }
  small.putImageData(image, 0, 0);
  brush.drawImage(small.canvas, left, top, wide, high);
}

/**
 * The three parts of a colour written as #rrggbb.
 *
 * @param {string} hex
 */
const rgb = (hex) => Uint8ClampedArray.from([1, 3, 5], (at) => parseInt(hex.slice(at, at + 2), 16));

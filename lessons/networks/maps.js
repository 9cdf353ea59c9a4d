// Paints what units compute over the plane: probabilities from 0 to 1, other values symmetric about 0, and of
// several classes the mixture of their colours.

import { canvasIn } from "../shared/canvas.js";
import { isComputed } from "./code_strip.js";

/** @type {WeakMap<object, { scale: Uint8ClampedArray[], signed: Uint8ClampedArray[] }>} */
const tables = new WeakMap();
const small = /** @type {{ canvas: HTMLCanvasElement | null }} */ ({ canvas: null });
const SHARE = ["sigmoid", "softmax", "step"];

/**
 * All maps on one canvas below the drawing.
 *
 * @param {any} pen
 * @param {any} scene
 * @param {any} net
 * @param {any} at
 * @param {{ side: number, sharp: number }} how
 */
export function paintMaps(pen, scene, net, at, { side, sharp }) {
  const { width, height, data, colour, memory, hidden, dim } = scene;
  if (!tables.has(data)) tables.set(data, { scale: data.scale.map(rgb), signed: data.signed.map(rgb) });
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
    if (!hidden("map")) put(brush, side, lastColouring(scene, net, colour), at.plane);
  });
}

// A function from a cell to its colour, for a unit of a hidden layer.
function colouring({ data }, net, layer, i) {
  const map = net.maps[layer][i];
  const { scale, signed } = tables.get(data);
  if (SHARE.includes(net.functions[layer])) return (cell) => scale[Math.round(map[cell] * (scale.length - 1))];
  const most = net.functions[layer] === "tanh" ? 1 : map.reduce((top, each) => Math.max(top, Math.abs(each)), 1e-9);
  const half = (signed.length - 1) / 2;
  return (cell) => signed[Math.round(half * (1 + map[cell] / most))];
}

function lastColouring({ data }, net, colour) {
  const maps = net.maps.at(-1);
  if (maps.length === 1) return colouring({ data }, net, net.functions.length - 1, 0);
  const ground = rgb(colour.background);
  const classes = maps.map((_, k) => rgb(colour[`series-${k + 1}`]));
  return (cell) => {
    const mixed = [0, 0, 0];
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < maps.length; k++) mixed[c] += maps[k][cell] * (0.65 * classes[k][c] + 0.35 * ground[c]);
    return mixed;
  };
}

function put(brush, side, colourOf, { left, top, wide, high }) {
  small.canvas ??= document.createElement("canvas");
  Object.assign(small.canvas, { width: side, height: side });
  const its = small.canvas.getContext("2d");
  const image = its.createImageData(side, side);
  for (let cell = 0; cell < side * side; cell++) {
    const [r, g, b] = colourOf(cell) ?? [128, 128, 128];
    image.data[4 * cell] = r;
    image.data[4 * cell + 1] = g;
    image.data[4 * cell + 2] = b;
    image.data[4 * cell + 3] = 255;
  }
  its.putImageData(image, 0, 0);
  brush.drawImage(small.canvas, left, top, wide, high);
}

/** The three parts of a colour written as #rrggbb. */
const rgb = (hex) => Uint8ClampedArray.from([1, 3, 5], (at) => parseInt(hex.slice(at, at + 2), 16));

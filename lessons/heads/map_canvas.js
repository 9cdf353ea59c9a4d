// The weights of the open head on a canvas: a colour in each square, and numbers if there is room. A newly opened head
// fades in over the previous one.

import { still } from "../../drawing/main_picture.js";
import { canvasIn, font } from "../../drawing/canvas.js";
import { share, VALUES } from "./heads_codes.js";
import { codeAt } from "./heads_state.js";

/** @import { MapPlaces } from "./heads_layout.js" */
/** @import { Draw, HeadsScene, State } from "./heads_scene.js" */
/** @typedef {CanvasRenderingContext2D} Brush */

const FADE = 320; // milliseconds

/** @type {Draw} */
export function paintMap(pen, scene, { map }, state) {
  const { hidden, memory } = scene;
  const { codes, sharp, query, focus } = state;
  const place = { key: "map", left: map.left, top: map.top, width: map.width, height: map.height, sharp };
  if (!codes) {
    canvasIn(pen, { ...place, stamp: null }, () => {});
    return;
  }
  const small = smallMap(scene, map, state, codes);
  const part = fadedIn(scene);
  const stamp = `${small.stamp} ${part} ${query} ${focus} ${hidden("weights")}`;
  canvasIn(pen, { ...place, stamp }, (brush) => {
    brush.imageSmoothingEnabled = false;
    if (memory.old) brush.drawImage(memory.old.canvas, 0, 0, map.width, map.height);
    brush.globalAlpha = part;
    brush.drawImage(small.canvas, 0, 0, map.width, map.height);
    brush.globalAlpha = 1;
    if (Math.min(map.cell.x, map.cell.y) >= 12) paintLines(brush, scene, map);
    if (map.numbered && part === 1) paintNumbers(brush, scene, map, state, codes);
  });
}

/**
 * The map with a pixel for each weight, painted anew when its content has changed. If only the head has changed, the
 * map fades in.
 *
 * @param {HeadsScene} scene @param {MapPlaces} map @param {State} state @param {Uint16Array} codes
 */
function smallMap({ data, memory }, map, state, codes) {
  const open = `${state.open.layer}.${state.open.head}`;
  const stamp = `${state.stamp} ${open} ${Object.values(state.first)} ${Object.values(map.shown)}`;
  const before = memory.small;
  if (before?.stamp === stamp) return before;
  const fades = before && before.of === data.of && before.open !== open && !still();
  memory.old = fades ? before : null;
  memory.since = performance.now();
  memory.small = { stamp, of: data.of, open, canvas: paintedSmall(data, state, codes) };
  return memory.small;
}

/**
 * How far the map has faded in, from 0 to 1; until then, it is redrawn on every frame.
 *
 * @param {HeadsScene} scene
 */
function fadedIn({ memory, again }) {
  const part = memory.old ? Math.min((performance.now() - (memory.since ?? 0)) / FADE, 1) : 1;
  if (part < 1) again();
  else memory.old = null;
  return part;
}

/** @param {HeadsScene["data"]} data @param {State} state @param {Uint16Array} codes */
function paintedSmall({ heads, tokens }, { inMap: { rows, columns }, colours, open }, codes) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: columns.length, height: rows.length });
  const brush = /** @type {Brush} */ (canvas.getContext("2d"));
  const image = brush.createImageData(columns.length, rows.length);
  const pixels = new Uint32Array(image.data.buffer);
  rows.forEach((i, y) =>
    columns.forEach((j, x) => {
      pixels[y * columns.length + x] = colours[codeAt(codes, heads, tokens.length, open, i, j)];
    }),
  );
  brush.putImageData(image, 0, 0);
  return canvas;
}

/**
 * Lines between the squares.
 *
 * @param {Brush} brush @param {HeadsScene} scene @param {MapPlaces} map
 */
function paintLines(brush, { colour }, { cell, shown, width, height }) {
  brush.strokeStyle = colour.background;
  brush.globalAlpha = 0.5;
  brush.lineWidth = 1;
  brush.beginPath();
  for (let n = 1; n < shown.columns; n++) {
    brush.moveTo(n * cell.x, 0);
    brush.lineTo(n * cell.x, height);
  }
  for (let n = 1; n < shown.rows; n++) {
    brush.moveTo(0, n * cell.y);
    brush.lineTo(width, n * cell.y);
  }
  brush.stroke();
  brush.globalAlpha = 1;
}

/**
 * The numbers of weights that are not faint; the number of the marked pair is drawn above them.
 *
 * @param {Brush} brush @param {HeadsScene} scene @param {MapPlaces} map @param {State} state @param {Uint16Array} codes
 */
function paintNumbers(brush, { data }, { cell }, state, codes) {
  const { tokens, heads, inks } = data;
  const { inMap, open, query, focus } = state;
  brush.font = font(13);
  brush.textAlign = "center";
  brush.textBaseline = "middle";
  inMap.rows.forEach((i, y) =>
    inMap.columns.forEach((j, x) => {
      const value = VALUES[codeAt(codes, heads, tokens.length, open, i, j)];
      if (value < Math.max(state.threshold, 0.1) || (i === query && j === focus)) return;
      brush.fillStyle = inks[Math.round(share(value, state) * (inks.length - 1))];
      brush.fillText(twoDigits(value), (x + 0.5) * cell.x, (y + 0.5) * cell.y + 0.5);
    }),
  );
}

/**
 * A weight as .34.
 *
 * @param {number} value
 */
export const twoDigits = (value) => value.toFixed(2).replace(/^0/, "");

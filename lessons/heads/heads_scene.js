// The state that all parts of the picture of heads read: the open head, the marked query and key, and the tokens shown.

import { sharpness } from "../../drawing/canvas.js";
import { paints } from "./heads_codes.js";
import { labelRoom, places } from "./heads_layout.js";
import { viewOf, windowAround } from "./heads_state.js";
import { weightsOf } from "./weights.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./heads_layout.js" */

/** @typedef {Scripts["heads"]} Data */
/** @typedef {{ layer: number, head: number }} Head both from 0 */
/** @typedef {{ query: number, key: number }} Pair the places of two tokens */
/** @typedef {Pair | (Head & Pair)} Point a square of the open head, or of any head in the grid */
/** @typedef {{ rows: number[], columns: number[] }} View the places of the queries and of the keys that are shown */
/** @typedef {{ row: number, column: number }} Corner which of the rows and of the columns is the first in the map */
/** @typedef {{ stamp: string, of: string, open: string, canvas: HTMLCanvasElement }} PaintedMap */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {object} Memory
 * @property {Data} [data] what `walk` and `point` belong to
 * @property {Pair | null} [walk] the pair selected with the arrow keys, until it is sent
 * @property {Point | null} [point] the hovered cell
 * @property {"row" | "map"} [shows] the part of the open head that a narrow drawing shows
 * @property {boolean} [whole] whether a map without room for its words is shown whole
 * @property {string} [pair] the pair that the map was last moved to
 * @property {Corner} [first]
 * @property {{ x: number, y: number }} [turned] how far the wheel was turned since the map last moved, in pixels
 * @property {{ key: string, colours: Uint32Array }} [paints] the colour of each code
 * @property {PaintedMap | null} [old] the map that fades out
 * @property {PaintedMap} [small] the current map
 * @property {number} [since] when it began to fade in
 * @property {string} [painted] the weights whose painting time was measured
 */
/** @typedef {Scene<"heads", Memory>} HeadsScene */

/**
 * The presses in a picture that the server has not answered yet.
 *
 * @typedef {object} Hand
 * @property {Head | null} open the head that was opened, until the server answers
 * @property {number} timer of the next message to the server
 * @property {() => void} again draws once more
 * @property {() => void} listen is called when weights arrive
 * @property {Head} exactOf the head whose weights were received with every digit
 * @property {{ of: string, query: number }} [before] the row of the previous data
 */

/**
 * The content of the drawing.
 *
 * @typedef {object} State
 * @property {"row" | "map" | "both"} shows the parts of a drawing in addition to the grid: a narrow one shows them in
 *   turn
 * @property {View} view the tokens that pass the filters
 * @property {Corner} first
 * @property {View} inMap the tokens of the view that the map shows
 * @property {Head} open
 * @property {number} query
 * @property {number} focus the key that is marked; −1: none
 * @property {Uint16Array | null} codes all weights, as they were packed; null before they have arrived
 * @property {Uint32Array} colours the colour of each code
 * @property {number} threshold weights under it are left blank
 * @property {boolean} faint whether faint weights are emphasised
 * @property {Point | null} point the hovered cell
 * @property {number} sharp screen pixels per unit of the drawing
 * @property {string} stamp what the colours of the weights depend on
 * @property {Hand} hand
 */
/** @typedef {(pen: Pen, scene: HeadsScene, at: Places, state: State) => void} Draw */

/**
 * Where the parts are drawn.
 *
 * @param {HeadsScene} scene @param {View} view
 */
export function placesOf({ data, width, height, narrow, memory }, { rows, columns }) {
  return places(width, height, {
    layers: data.layers,
    heads: data.heads,
    rows: rows.length,
    columns: columns.length,
    label: labelRoom(data.tokens, narrow),
    narrow,
    whole: memory.whole ?? true,
    alone: narrow && memory.shows === "map",
  });
}

/** @param {Pen} pen @param {HeadsScene} scene @param {Hand} hand @returns {{ at: Places, state: State }} */
export function stateOf(pen, scene, hand) {
  const { data, narrow, values, memory, colour } = scene;
  if (memory.data !== data) Object.assign(memory, { data, walk: null, point: null });
  const view = viewOf(data);
  const at = placesOf(scene, view);
  const { query, key: focus } = markedPair(scene);
  const first = firstPlaces(memory, at, view, { query, key: focus });
  const sent = weightsOf.get(data.group);
  const [threshold, faint] = [values("threshold"), data.faint];
  const state = {
    shows: narrow ? (memory.shows ?? "row") : /** @type {const} */ ("both"),
    view,
    first,
    inMap: partInMap(at, view, first),
    open: { layer: values("@layer"), head: values("@head") },
    query,
    focus,
    codes: sent?.of === data.of ? sent.codes : null,
    colours: coloursOf(scene, threshold),
    threshold,
    faint,
    point: memory.point ?? null,
    sharp: sharpness(pen.parent),
    stamp: JSON.stringify([data.of, data.hides, data.between, threshold, faint, colour.background]),
    hand,
  };
  return { at, state };
}

/**
 * The marked query and key: if no key is followed, the key with the largest weight.
 *
 * @param {HeadsScene} scene @returns {Pair}
 */
function markedPair({ data, values, hidden, memory }) {
  if (memory.walk) return memory.walk;
  if (data.key >= 0) return { query: data.query, key: data.key };
  if (hidden("weights")) return { query: data.query, key: -1 };
  let best = 0;
  for (let j = 1; j < data.tokens.length; j++) if (values(`w${j}`) > values(`w${best}`)) best = j;
  return { query: data.query, key: best };
}

/**
 * The colour of each code, computed once per threshold and theme.
 *
 * @param {HeadsScene} scene @param {number} threshold
 */
function coloursOf({ data, colour, memory }, threshold) {
  const filters = { threshold, faint: data.faint };
  const key = JSON.stringify([filters, colour.background]);
  if (memory.paints?.key !== key) memory.paints = { key, colours: paints(data, filters, colour.background) };
  return memory.paints.colours;
}

/**
 * The first row and column of an enlarged map: when the marked pair changes, the map moves to show it.
 *
 * @param {Memory} memory @param {Places} at @param {View} view @param {Pair} marked @returns {Corner}
 */
function firstPlaces(memory, { map }, { rows, columns }, { query, key }) {
  if (!map.near) return { row: 0, column: 0 };
  const pair = `${rows.length} ${query} ${key}`;
  const { first } = memory;
  if (memory.pair === pair && first) return first;
  memory.pair = pair;
  memory.first = {
    row: windowAround(first?.row ?? null, map.shown.rows, rows.length, rows.indexOf(query)),
    column: windowAround(first?.column ?? null, map.shown.columns, columns.length, columns.indexOf(key)),
  };
  return memory.first;
}

/** @param {Places} at @param {View} view @param {Corner} first @returns {View} */
const partInMap = ({ map: { shown } }, { rows, columns }, { row, column }) => ({
  rows: rows.slice(row, row + shown.rows),
  columns: columns.slice(column, column + shown.columns),
});

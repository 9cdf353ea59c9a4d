// What all parts of the picture of heads read: the open head, the query and the key that are marked, and the tokens
// that are shown.

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
 * What the picture remembers.
 *
 * @typedef {object} Memory
 * @property {Data} [data] what `walk` and `point` belong to
 * @property {Pair | null} [walk] where the arrow keys have gone in the map before the place is sent
 * @property {Point | null} [point] what is pointed at
 * @property {"row" | "map"} [shows] what a narrow drawing shows of the open head
 * @property {boolean} [whole] whether a map without room for its words is shown whole
 * @property {string} [pair] what the map was last moved for
 * @property {Corner} [first]
 * @property {{ x: number, y: number }} [turned] the wheel's way, in pixels, since the map last moved
 * @property {{ key: string, colours: Uint32Array }} [paints] the colour of each code
 * @property {PaintedMap | null} [old] the map that fades out
 * @property {PaintedMap} [small] the map as it is now
 * @property {number} [since] when it began to fade in
 * @property {string} [painted] the weights whose painting was measured
 */
/** @typedef {Scene<"heads", Memory>} HeadsScene */

/**
 * What was pressed in a picture, between one set of data and the next.
 *
 * @typedef {object} Hand
 * @property {Head | null} open the head that was opened, until the server has heard of it
 * @property {number} timer of what is to be sent to the server
 * @property {() => void} again draws once more
 * @property {() => void} listen is called when weights arrive
 * @property {Head} exactOf the head whose weights the server has sent with every digit
 * @property {{ of: string, query: number }} [before] which row the data before had
 */

/**
 * What is shown.
 *
 * @typedef {object} State
 * @property {"row" | "map" | "both"} shows which parts a drawing has beside the grid: a narrow one takes turns
 * @property {View} view the tokens that the filters leave
 * @property {Corner} first
 * @property {View} inMap the tokens of the view that the map shows
 * @property {Head} open
 * @property {number} query
 * @property {number} focus the key that is marked; −1: none
 * @property {Uint16Array | null} codes all weights, as they were packed; null before they have arrived
 * @property {Uint32Array} colours the colour of each code
 * @property {number} threshold weights under it are left blank
 * @property {boolean} faint whether faint weights are brought out
 * @property {Point | null} point what is pointed at
 * @property {number} sharp pixels of the screen in a unit of the drawing
 * @property {string} stamp what the colours of the weights depend on
 * @property {Hand} hand
 */
/** @typedef {(pen: Pen, scene: HeadsScene, at: Places, state: State) => void} Draw */

/**
 * Where the parts are drawn.
 *
 * @param {HeadsScene} scene
 * @param {View} view
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

/**
 * @param {Pen} pen
 * @param {HeadsScene} scene
 * @param {Hand} hand
 * @returns {{ at: Places, state: State }}
 */
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
 * The query and the key that are marked: where no key is followed, the one with the largest weight.
 *
 * @param {HeadsScene} scene
 * @returns {Pair}
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
 * The colour of each code, made once for a threshold and a theme.
 *
 * @param {HeadsScene} scene
 * @param {number} threshold
 */
function coloursOf({ data, colour, memory }, threshold) {
  const filters = { threshold, faint: data.faint };
  const key = JSON.stringify([filters, colour.background]);
  if (memory.paints?.key !== key) memory.paints = { key, colours: paints(data, filters, colour.background) };
  return memory.paints.colours;
}

/**
 * Where a map that is shown near begins: it moves to hold the marked pair when that changes.
 *
 * @param {Memory} memory
 * @param {Places} at
 * @param {View} view
 * @param {Pair} marked
 * @returns {Corner}
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

/**
 * @param {Places} at
 * @param {View} view
 * @param {Corner} first
 * @returns {View}
 */
const partInMap = ({ map: { shown } }, { rows, columns }, { row, column }) => ({
  rows: rows.slice(row, row + shown.rows),
  columns: columns.slice(column, column + shown.columns),
});

// Where the parts, the lanes of tokens and the cells of tiles are on screen, all in units of the drawing.

import { FOLD, foldColumns, foldRows } from "./transformer_camera.js";
import { numbersOf } from "./transformer_numbers.js";

/** @import { Cell } from "./transformer_camera.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Box, Drawing, Parts, View } from "./transformer_view.js" */

/** @typedef {{ left: number, width: number }} Span */
/** @typedef {{ top: number, high: number }} Lane */

const OPEN = 150; // minimum width of a part that is drawn with its children, in units
const LEGIBLE = { wide: 37, high: 16 }; // minimum size of a cell with a legible number
const AIRY = 14; // higher lanes have a gap between them

/**
 * Left end and width of a part.
 *
 * @param {View} view @param {Pick<Part, "left" | "right">} part @returns {Span}
 */
export function boxOf({ look: { camera }, plot }, part) {
  const per = plot.width / (camera.x1 - camera.x0);
  return { left: plot.left + (part.left - camera.x0) * per, width: (part.right - part.left) * per };
}

/**
 * Top and height of the lane of a token.
 *
 * @param {View} view @param {number} strip @param {number} row @returns {Lane}
 */
export function laneOf({ look: { camera }, plot, strips }, strip, row) {
  const per = plot.height / (camera.y1 - camera.y0);
  const { top, bottom, rows } = strips[strip];
  const high = ((bottom - top) / rows) * per;
  return { top: plot.top + (top - camera.y0) * per + row * high, high };
}

/**
 * The top and the bottom of a part, which are those of its strip.
 *
 * @param {View} view @param {Part} part
 */
export function heightOf(view, { strip }) {
  const first = laneOf(view, strip, 0);
  return { top: first.top, bottom: first.top + first.high * view.strips[strip].rows };
}

/**
 * The space between the lanes of two tokens.
 *
 * @param {number} high
 */
export const laneGap = (high) => (high > AIRY ? Math.min(high * 0.12, 6) : 0);

/**
 * The visible part of a span.
 *
 * @param {View} view @param {Span} span
 */
export function onScreen({ plot }, { left, width }) {
  const [from, to] = [Math.max(left, plot.left), Math.min(left + width, plot.left + plot.width)];
  return { from, middle: (from + to) / 2, room: to - from };
}

/**
 * Whether a lane of the strip is on screen.
 *
 * @param {View} view @param {number} strip
 */
export const isInSight = ({ strips, look: { camera } }, strip) =>
  strips[strip].bottom > camera.y0 + 1e-9 && strips[strip].top < camera.y1 - 1e-9;

/**
 * Whether this is the token that is followed.
 *
 * @param {View} view @param {number} strip @param {number} row
 */
export const isFollowed = ({ place, last }, strip, row) => row === place && strip === last;

/**
 * Whether a token comes after the one that is followed, in a model that masks later tokens.
 *
 * @param {View} view @param {number} strip @param {number} row
 */
export const isLater = ({ model: { data }, place, last }, strip, row) =>
  data.family !== "bert" && strip === last && row > place;

/**
 * The tokens of a strip.
 *
 * @param {View} view @param {number} strip
 */
export const tokensOf = ({ model: { data }, last }, strip) => (strip === last ? data.tokens : data.source);

/**
 * The keys to which the columns of scores and weights belong.
 *
 * @param {View} view @param {Part} tile
 */
export const keysOf = (view, { stage, strip }) =>
  /calpha|cscore/.test(stage) ? view.model.data.source : tokensOf(view, strip);

/**
 * The parts on screen: those that are open, and the closed ones that are drawn.
 *
 * @param {View} view @param {Part} part @param {Parts} found
 */
export function partsOnScreen(view, part = view.model.root, found = { open: [], drawn: [] }) {
  const { plot } = view;
  const { left, width } = boxOf(view, part);
  if (part.parent && (left > plot.left + plot.width || left + width < plot.left || !isInSight(view, part.strip)))
    return found;
  if (!isOpen(part, width)) {
    if (width >= 1) found.drawn.push(part);
    return found;
  }
  if (part.parent) found.open.push(part);
  for (const each of part.children) partsOnScreen(view, each, found);
  return found;
}

/**
 * Whether a part is drawn with its children.
 *
 * @param {Part} part @param {number} width
 */
const isOpen = (part, width) => part.children.length > 0 && (width >= OPEN || !part.parent);

/**
 * The cells of a tile: their size, the place of each, and the cell at a point. Null if the numbers of the tile were not
 * sent.
 *
 * @param {View} view @param {Part} tile
 */
export function cellsOf(view, tile) {
  const numbers = numbersOf(view.model, tile);
  if (!numbers) return null;
  const { left, width } = boxOf(view, tile);
  const wide = width / foldColumns(numbers.columns);
  const rows = foldRows(numbers.columns);
  const { high: lane } = laneOf(view, tile.strip, 0);
  const gap = laneGap(lane);
  const high = (lane - gap) / rows;
  /** @type {(cell: Cell) => Box} */
  const place = ({ row, column }) => ({
    left: left + (column % FOLD) * wide,
    top: laneOf(view, tile.strip, row).top + gap / 2 + Math.floor(column / FOLD) * high,
    width: wide,
    height: high,
  });
  /** @type {(x: number, y: number) => Cell | null} */
  const at = (x, y) => {
    const row = Math.floor((y - laneOf(view, tile.strip, 0).top) / lane);
    const u = Math.floor((x - left) / wide);
    const v = Math.floor((y - laneOf(view, tile.strip, row).top - gap / 2) / high);
    const column = Math.min(Math.max(v, 0), rows - 1) * FOLD + u;
    return row >= 0 && row < numbers.rows && u >= 0 && column < numbers.columns ? { row, column } : null;
  };
  return { numbers, wide, high, legible: wide >= LEGIBLE.wide && high >= LEGIBLE.high, place, at };
}

/**
 * Whether a point lies under the card of the open number.
 *
 * @param {Drawing} drawing @param {number} x @param {number} y
 */
export const isCovered = ({ card }, x, y) =>
  card !== null && x > card.left && x < card.left + card.width && y > card.top - 10 && y < card.top + card.height + 10;

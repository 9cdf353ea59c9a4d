// Where the parts of the picture are drawn, in its units: the grid, the open head, and the row of the query.

import { textWidth } from "../../drawing/pen.js";

/** The size of the words beside the map, with enough room and with less. */
export const LABEL = { size: 14, small: 13 };
const CELL = {
  labelled: { x: 15, y: 13.5 },
  most: 40,
  broad: 1.35,
  near: { x: 22, y: 20 },
  numbered: { x: 25, y: 17 },
}; // in a cell smaller than `labelled`, a row has no room for its word

/**
 * What the layout depends on: the size of the model, the rows and columns of the map, and the room for their words.
 *
 * @typedef {object} Plan
 * @property {number} layers
 * @property {number} heads
 * @property {number} rows
 * @property {number} columns
 * @property {number} label
 * @property {boolean} narrow
 * @property {boolean} whole whether a map without room for its words is shown whole
 * @property {boolean} alone whether the open head fills a narrow drawing
 */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {{ left: number, top: number } & Size} Box */
/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {Places["grid"]} GridPlaces */
/** @typedef {Places["map"]} MapPlaces */

/**
 * The width for the words beside the map: that of the longest one, within limits.
 *
 * @param {readonly string[]} tokens @param {boolean} narrow
 */
export const labelRoom = (tokens, narrow) =>
  Math.min(Math.max(...tokens.map((token) => textWidth(token, LABEL.size)), 24) + 12, narrow ? 70 : 104);

/** @param {number} width @param {number} height @param {Plan} plan @returns {Places} */
export const places = (width, height, plan) => (plan.narrow ? narrowPlaces : widePlaces)(width, height, plan);

/** @param {number} width @param {number} height @param {Plan} plan */
function widePlaces(width, height, plan) {
  const { layers, label } = plan;
  const bottom = height - 34;
  const top = Math.max(label, 58) + 10;
  const room = { width: width * 0.56 - label - 16, height: bottom - top };
  const map = mapIn(width - 16, top, room, plan);
  const sides = { left: 20, right: map.left - Math.max(label, 66) - 34 };
  const [gridLeft, gridTop] = [sides.left + 30, 74];
  const below = 244; // for the row
  const size = { width: sides.right - gridLeft, height: Math.min(height - gridTop - below, 46 * layers) };
  const grid = gridIn({ left: gridLeft, top: gridTop, ...size }, plan);
  const row = { ...sides, top: grid.bottom + 12, bottom: height - 8 };
  return { narrow: false, grid, map, row, label, heading: { x: sides.left, y: 26 }, foot: height - 12 };
}

/** @param {number} width @param {number} height @param {Plan} plan @returns {Places} */
function narrowPlaces(width, height, plan) {
  const grid = gridIn(
    { left: 26, top: 20, width: width - 34, height: Math.min(height * 0.36, 30 * plan.layers) },
    plan,
  );
  const first = plan.alone ? 0 : grid.bottom;
  const top = first + 36;
  const label = Math.min(plan.label, 62);
  const room = { width: width - label - 20, height: height - top - label - 30 };
  const map = mapIn(width - 8, top + label, room, plan);
  return {
    narrow: true,
    grid,
    map,
    row: { left: 8, right: width - 8, top, bottom: height - 4 },
    label,
    heading: { x: 8, y: first + 22 },
    foot: height - 8,
  };
}

/** @param {Box} box @param {Plan} plan */
function gridIn({ left, top, width, height }, { layers, heads }) {
  const x = Math.min(width / heads, 46);
  const y = Math.min(height / layers, x * 1.05);
  const gap = y > 16 ? 4 : 2;
  return {
    left,
    top,
    step: { x, y },
    gap,
    right: left + heads * x,
    bottom: top + layers * y,
    thumb: { width: x - gap, height: y - gap },
  };
}

/**
 * The map of the open head. A map without room for its words is shown whole without them, or enlarged, as a window.
 *
 * @param {number} right its right end
 * @param {number} top
 * @param {Size} room
 * @param {Plan} plan
 */
function mapIn(right, top, room, { rows, columns, whole }) {
  const high = Math.min(room.height / rows, CELL.most);
  const fits = { x: Math.min(room.width / columns, high * CELL.broad), y: high };
  const labelled = fits.x >= CELL.labelled.x && fits.y >= CELL.labelled.y;
  const near = !labelled && !whole;
  const cell = near ? CELL.near : labelled ? fits : { x: Math.min(fits.x, fits.y), y: Math.min(fits.x, fits.y) };
  /** @type {(length: number, size: number, count: number) => number} */
  const most = (length, size, count) => Math.min(count, Math.floor(length / size + 1e-6));
  const shown = near
    ? { rows: most(room.height, cell.y, rows), columns: most(room.width, cell.x, columns) }
    : { rows, columns };
  const wide = cell.x * shown.columns;
  const left = right - Math.max(wide, Math.min(room.width, room.height));
  return {
    left,
    top,
    cell,
    width: wide,
    height: cell.y * shown.rows,
    right: left + wide,
    shown,
    labelled: labelled || near,
    near,
    large: !labelled,
    numbered: cell.x >= CELL.numbered.x && cell.y >= CELL.numbered.y,
  };
}

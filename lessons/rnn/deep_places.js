// Where the words, their states and the arrows between them are drawn: along a row, or on a phone down a column.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { DeepChain } from "../../drawing/types.js" */
/** @typedef {Scene<"deep">} DeepScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof deepPlaces>} Places */

const MOST = { wide: 16, narrow: 14 };
const MARGIN = 112; // for the names of the chains
const BAND = 42;

/** @param {DeepScene} scene */
export function deepPlaces(scene) {
  const { narrow, width, height, data } = scene;
  const at = Math.round(scene.values("k")) - 1;
  const most = narrow ? MOST.narrow : MOST.wide;
  const count = Math.min(data.words.length, most);
  const from = Math.min(Math.max(at - Math.floor(most / 2), 0), data.words.length - count);
  const start = narrow ? 48 : MARGIN;
  const pitch = ((narrow ? height - 8 : width - 6) - start) / count;
  const band = narrow ? 84 : BAND;
  const room = ((narrow ? width - 14 : height) - band) / 4; // across, for each of the four chains
  const wide = narrow ? room - 13 : Math.min(pitch - 22, 150);
  const high = narrow ? pitch - 13 : Math.min(room - 27, wide);
  const middle = (narrow ? width : height) / 2;
  return { narrow, at, from, to: from + count, start, pitch, band, room, size: { wide, high }, middle };
}

/**
 * Where a word's middle is along the chain.
 *
 * @param {Places} places @param {number} i
 */
export const along = ({ start, pitch, from }, i) => start + pitch * (i - from + 0.5);

/**
 * Where a chain is across: those that read from the left below the words, or right of them; the others opposite.
 *
 * @param {Places} places @param {Pick<DeepChain, "layer" | "backwards">} chain
 */
export const across = ({ middle, band, room }, { layer, backwards }) =>
  middle + (backwards ? -1 : 1) * (band / 2 + room * (layer - 0.5) + 3);

/**
 * The box of a state.
 *
 * @param {Places} places @param {Pick<DeepChain, "layer" | "backwards">} chain @param {number} i @returns {Box}
 */
export function stateBox(places, chain, i) {
  const { narrow, size } = places;
  const [a, c] = [along(places, i), across(places, chain)];
  const [x, y] = narrow ? [c, a] : [a, c];
  return { x: x - size.wide / 2, y: y - size.high / 2, ...size };
}

/**
 * The part of the band with the words from one to another.
 *
 * @param {Places} places @param {number} first @param {number} last @returns {Box}
 */
export function bandBox({ narrow, start, pitch, from, middle, band }, first, last) {
  const a = start + pitch * (first - from) + 2;
  const long = pitch * (last - first + 1) - 4;
  const c = middle - band / 2;
  return narrow ? { x: c, y: a, wide: band, high: long } : { x: a, y: c, wide: long, high: band };
}

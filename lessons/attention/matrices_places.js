// Where the matrices of self-attention stand. Everything grows with the drawing, and shrinks with the number of cells.

/** @import { Cells, MatricesScene } from "./matrices_cells.js" */
/** @typedef {Pick<MatricesScene, "width" | "height" | "narrow"> & { data: Shapes }} Room */
/** @typedef {Pick<MatricesScene["data"], "tokens" | "wide">} Shapes */
/** @typedef {{ weight: Cells, product: Cells, side: { x: number, y: number }, middle: number }} Band */

const LABEL = 9.6; // units of a letter of a word at a row
const MADE = 344; // the least room for of what the lit row is made
const MOST = { wide: 92, high: 66 }; // the largest cell

/** @param {Shapes} data @param {number} most */
const wordsRoom = ({ tokens }, most) => Math.min(Math.max(...tokens.map((token) => token.length)) * LABEL + 22, most);

/**
 * From X to Q, K and V: X at the left, and three bands with a matrix and its product.
 *
 * @param {Room} room
 * @returns {{ narrow: boolean, words: number, x: Cells, bands: Band[] }}
 */
export function madePlaces(room) {
  if (room.narrow) return madeNarrow(room);
  const { width, height, data } = room;
  const [d, d_k, d_v] = data.wide;
  const length = data.tokens.length;
  const words = wordsRoom(data, 130);
  const made = Math.max(d_k, d_v);
  const side = 262;
  const free = width - words - side - 200;
  const wide = Math.min(free / (1.25 * d + 2 * made), 62);
  const band = (height - 8) / 3;
  const high = Math.min((band - 16) / Math.max(d, length), 46);
  const tall = Math.min((height - 90) / length, MOST.high, 1.5 * high + 10);
  const x = { left: words + 8, top: (height - tall * length) / 2 + 12, wide: 1.25 * wide, high: tall };
  const first = x.left + d * x.wide + 104;
  const second = first + made * wide + 82;
  const bands = [0, 1, 2].map((i) => {
    const middle = 4 + band * (i + 0.5);
    const weight = { left: first, top: middle - (d * high) / 2, wide, high };
    const product = { left: second, top: middle - (length * high) / 2, wide, high };
    return { weight, product, side: { x: second + made * wide + 22, y: middle + 8 }, middle };
  });
  return { narrow: false, words, x, bands };
}

/**
 * On a phone: X and the three vectors above, the three matrices below.
 *
 * @param {Room} room
 */
function madeNarrow({ width, height, data }) {
  const [d, d_k, d_v] = data.wide;
  const length = data.tokens.length;
  const words = wordsRoom(data, 78);
  const high = Math.min((height - 84) / (length + d), (height - 216) / d, 40);
  const made = 2 * d_k + d_v;
  const x = { left: words, top: 36, wide: Math.min(34, (width * 0.56 - words) / d), high };
  const side = x.left + d * x.wide + 14;
  const low = Math.max(x.top + length * high, 168) + 40;
  const wide = Math.min((width - 40) / made, 40);
  const bands = [0, 1, 2].map((i) => {
    const weight = { left: 8 + i * (d_k * wide + 12), top: low, wide, high };
    const y = 40 + i * Math.max((length * high) / 3, 50);
    return { weight, product: weight, side: { x: side, y }, middle: low };
  });
  return { narrow: true, words, x, bands };
}

/**
 * From Q, K and V to Z: the scores above; the weights, V, Z and of what the lit row is made below.
 *
 * @param {Room} room
 */
export function mixedPlaces({ width, height, data }) {
  const [, d_k, d_v] = data.wide;
  const length = data.tokens.length;
  const words = wordsRoom(data, 130);
  const wide = Math.min((width - words - 196) / (d_k + 3 * length), MOST.wide);
  const high = Math.min((height - 154) / (Math.max(length, d_k) + length), MOST.high);
  const upper = Math.max(length, d_k) * high;
  const top = 54;
  const middle = top + upper / 2;
  /** @type {(left: number, rows: number) => Cells} */
  const above = (left, rows) => ({ left, top: middle - (rows * high) / 2, wide, high });
  const q = above(words + 6, length);
  const k = above(q.left + d_k * wide + 44, d_k);
  const s = above(k.left + length * wide + 44, length);
  const m = above(s.left + length * wide + 92, length);
  const low = top + upper + 88;
  const lower = Math.min(wide, (width - words - 150 - MADE) / (length + 2 * d_v));
  const w = { left: words + 6, top: low, wide: lower, high };
  const v = { ...w, left: w.left + length * lower + 44 };
  const z = { ...w, left: v.left + d_v * lower + 44 };
  const made = { left: z.left + d_v * lower + 44, right: width - 12 };
  return { words, q, k, s, m, w, v, z, made, middle, low };
}

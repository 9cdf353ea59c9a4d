// Selects the weights, tokens and numbers of the heads that are shown.

/** @import { Data, Head, View } from "./heads_scene.js" */

/**
 * The code of a weight.
 *
 * @param {Uint16Array | number[]} codes
 * @param {number} heads of a layer
 * @param {number} count of tokens
 * @param {Head} at
 * @param {number} query
 * @param {number} key
 */
export const codeAt = (codes, heads, count, { layer, head }, query, key) =>
  codes[((layer * heads + head) * count + query) * count + key];

/**
 * The queries and the keys that pass the filters; all of them if none does.
 *
 * @param {Pick<Data, "tokens" | "special" | "segments" | "hides" | "between">} data @returns {View}
 */
export function viewOf({ tokens, special, segments, hides, between }) {
  const places = tokens.map((_, place) => place);
  /** @param {0 | 1} side of the queries or of the keys */
  const shown = (side) =>
    places.filter(
      (place) => !(hides && special[place]) && (between === "all" || segments[place] === "AB".indexOf(between[side])),
    );
  const [rows, columns] = [shown(0), shown(1)];
  return rows.length && columns.length ? { rows, columns } : { rows: places, columns: places };
}

/**
 * The numbers of the picture with another head open.
 *
 * @param {Data} data @param {Head} head
 */
export function rowOf({ names, numbers, heads }, { layer, head }) {
  const first = (layer * heads + head) * names.length;
  return numbers.subarray(first, first + names.length);
}

/**
 * The keys of a row that fit: all, or those with the largest weights, in text order.
 *
 * @param {number[]} columns
 * @param {(key: number) => number} weight
 * @param {number} most
 * @param {number} kept a key that is always among them
 */
export function largestKeys(columns, weight, most, kept = -1) {
  if (columns.length <= most) return columns;
  const order = [...columns].sort((a, b) => Number(b === kept) - Number(a === kept) || weight(b) - weight(a) || a - b);
  return order.slice(0, most).sort((a, b) => a - b);
}

/**
 * The first place of a window that holds `place`, moved from `first` as little as possible.
 *
 * @param {number | null} first null: `place` is in its middle
 * @param {number} most places in the window
 * @param {number} count places in all
 * @param {number} place
 */
export function windowAround(first, most, count, place) {
  const begin = first === null ? place - Math.floor(most / 2) : Math.min(Math.max(first, place - most + 1), place);
  return Math.min(Math.max(begin, 0), Math.max(count - most, 0));
}

// What is shown of the heads: read from the data and from what the hand has chosen since it came.

/** @import { Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["heads"]} Data */

/**
 * The code of a weight; `count` is the number of tokens.
 *
 * @param {Uint16Array | number[]} codes
 */
export const codeAt = (codes, heads, count, { layer, head }, query, key) =>
  codes[((layer * heads + head) * count + query) * count + key];

/**
 * The queries and the keys that the filters leave: all of them where they would leave none.
 *
 * @param {Pick<Data, "tokens" | "special" | "segments" | "hides" | "between">} data
 */
export function viewOf({ tokens, special, segments, hides, between }) {
  const places = tokens.map((_, place) => place);
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
 * @param {Data} data
 */
export function rowOf({ names, numbers, heads }, { layer, head }) {
  const first = (layer * heads + head) * names.length;
  return numbers.subarray(first, first + names.length);
}

/**
 * The keys of a row that there is room for: all, or those with the largest weights, as they stand.
 *
 * @param {number[]} columns
 * @param {(key: number) => number} weight
 */
export function largestKeys(columns, weight, most, kept = -1) {
  if (columns.length <= most) return columns;
  const order = [...columns].sort((a, b) => Number(b === kept) - Number(a === kept) || weight(b) - weight(a) || a - b);
  return order.slice(0, most).sort((a, b) => a - b);
}

/** The first place of a window of `most` places that holds `place`, moved from `first` as little as can be. */
export function windowAround(first, most, count, place) {
  const begin = first === null ? place - Math.floor(most / 2) : Math.min(Math.max(first, place - most + 1), place);
  return Math.min(Math.max(begin, 0), Math.max(count - most, 0));
}

// Where the words of a sentence are drawn in its picture, and how short their numbers are printed.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/**
 * `value`, at least 0 and at most `high`.
 *
 * @param {number} value
 * @param {number} high
 */
export const clippedTo = (value, high) => Math.max(0, Math.min(value, high));

/**
 * Which of `count` things are shown where only `most` fit: the first one and their number. `here` is among
 * them, in the middle where it can be, unless `first` says where to begin.
 *
 * @param {number} count
 * @param {number} most
 * @param {number} here
 * @param {number | null} first
 */
export function windowOf(count, most, here, first) {
  const shown = Math.max(1, Math.min(count, most));
  const start = first ?? here - Math.floor(shown / 2);
  return [clippedTo(start, count - shown), shown];
}

/**
 * A probability in two digits; what is only nearly 1 does not look like 1.
 *
 * @param {number} p
 */
export function shortNumber(p) {
  if (p >= 0.995 && p < 1) return "≈1";
  return formatNumber(Number(p.toPrecision(2)));
}

/**
 * A label in two parts where it has a comma and is wider than `room`: the name, and the rest.
 *
 * @param {string} label
 * @param {number} room units; 0 where it is always parted
 */
export function splitLabel(label, room) {
  const comma = label.indexOf(", ");
  if (comma < 0 || (room && textWidth(label, 16, true) <= room)) return [label, ""];
  return [label.slice(0, comma), label.slice(comma + 2)];
}

// Where the words of a sentence are drawn in its picture, and short forms of their numbers and labels.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/**
 * `value`, at least 0 and at most `high`.
 *
 * @param {number} value @param {number} high
 */
export const clippedTo = (value, high) => Math.max(0, Math.min(value, high));

/**
 * Which of `count` things are shown if only `most` fit: the first one and their number. They include `here`, if
 * possible in the middle, unless `first` is given.
 *
 * @param {number} count @param {number} most @param {number} here @param {number | null} first
 */
export function windowOf(count, most, here, first) {
  const shown = Math.max(1, Math.min(count, most));
  const start = first ?? here - Math.floor(shown / 2);
  return [clippedTo(start, count - shown), shown];
}

/**
 * A probability in two digits; one slightly below 1 is not printed as 1.
 *
 * @param {number} p
 */
export function shortNumber(p) {
  if (p >= 0.995 && p < 1) return "≈1";
  return formatNumber(Number(p.toPrecision(2)));
}

/**
 * A label in two parts, the name and the rest, if it has a comma and is wider than `room`.
 *
 * @param {string} label
 * @param {number} room units; 0: always split
 */
export function splitLabel(label, room) {
  const comma = label.indexOf(", ");
  if (comma < 0 || (room && textWidth(label, 16, true) <= room)) return [label, ""];
  return [label.slice(0, comma), label.slice(comma + 2)];
}

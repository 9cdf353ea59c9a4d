// Where tokens are drawn in a lane: in rows, as large as fits, else on several pages.

/** @typedef {{ size: number, high: number, pad: number, gap: number }} Size of tokens */
/** @typedef {(text: string, size: number) => number} WidthOf */

/** @type {Size[]} */
export const SIZES = [
  { size: 20, high: 34, pad: 9, gap: 5 },
  { size: 17, high: 29, pad: 8, gap: 4 },
  { size: 15, high: 26, pad: 7, gap: 4 },
  { size: 14, high: 24, pad: 6, gap: 3 },
  { size: 13, high: 21, pad: 5, gap: 3 },
];

/**
 * Rows of tokens within `room`, from left to right; `measure` gives the width of a text at a size.
 *
 * @param {string[]} texts @param {number} room @param {Size} how @param {WidthOf} measure
 */
export function flow(texts, room, how, measure) {
  let [x, row] = [0, 0];
  return texts.map((text) => {
    const width = Math.min(Math.max(measure(text, how.size), how.size * 0.5) + 2 * how.pad, room);
    if (x > 0 && x + width > room) [x, row] = [0, row + 1];
    const place = { x, row, width };
    x += width + how.gap;
    return place;
  });
}

/**
 * The tokens of a lane in the largest size in which all fit; else in the smallest one, with `rows` of them on a page.
 *
 * @param {string[]} texts @param {number} room @param {number} height @param {WidthOf} measure
 */
export function fitted(texts, room, height, measure) {
  /** @param {Size} how */
  const inSize = (how) => {
    const places = flow(texts, room, how, measure);
    const needed = (places.at(-1)?.row ?? 0) + 1;
    const rows = Math.max(1, Math.floor((height + how.gap) / (how.high + how.gap)));
    return { how, places, rows, pages: Math.ceil(needed / rows) };
  };
  for (const how of SIZES.slice(0, -1)) {
    const found = inSize(how);
    if (found.pages === 1) return found;
  }
  return inSize(SIZES[SIZES.length - 1]);
}

/**
 * The smallest of a few round ends of a scale that has room for `value`.
 *
 * @param {number} value
 */
export const scaleEnd = (value) => [0.1, 0.25, 0.5].find((end) => value <= end) ?? 1;

/**
 * `text`, with its beginning cut if it is wider than `room`.
 *
 * @param {string} text @param {number} room @param {number} size @param {WidthOf} measure
 */
export function tail(text, room, size, measure) {
  if (measure(text, size) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && measure(`…${letters.join("")}`, size) > room) letters.shift();
  return `…${letters.join("")}`;
}

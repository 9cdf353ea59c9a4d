// Where the grids, the sums and the flow of the mask's picture are drawn.

/** @typedef {{ queries: readonly string[], panels: readonly { keys: readonly string[] }[] }} Texts */
/** @typedef {{ left: number, cell: number, count: number }} GridBox count: of its columns */
/** @typedef {ReturnType<typeof gridPlaces>} Places */

const MARGIN = 14;

/**
 * Both grids, the sums at their end, and the flow below.
 *
 * @param {number} width @param {number} height @param {Texts} texts
 */
export function gridPlaces(width, height, { queries, panels }) {
  const flowHigh = height < 450 ? 100 : 122;
  const labels = { left: MARGIN, right: MARGIN + 92 };
  const sumsWide = 132;
  const gap = 74;
  const room = width - labels.right - 6 - gap - 12 - sumsWide - MARGIN;
  const counts = panels.map(({ keys }) => keys.length);
  const cell = Math.min(64, room / (counts[0] + counts[1]));
  const spare = (room - cell * (counts[0] + counts[1])) / 2;
  const left = labels.right + 6;
  const first = { left, cell, count: counts[0] };
  const second = { left: left + counts[0] * cell + gap + spare, cell, count: counts[1] };
  const end = second.left + counts[1] * cell;
  const top = 66;
  const row = Math.min(54, (height - flowHigh - 22 - top) / queries.length);
  return {
    narrow: false,
    labels,
    title: 22,
    top,
    row,
    over: gap - 8,
    size: row < 22 ? 13 : 15,
    grids: [first, second],
    between: [left + counts[0] * cell, second.left],
    sums: { left: end + 12, bar: 62, right: Math.min(end + sumsWide, width - MARGIN) },
    flow: { left: labels.right + 6, right: width - MARGIN, top: height - flowHigh - 4, bottom: height - 10 },
  };
}

/**
 * One grid for a phone: the weights, hatched where the mask cuts.
 *
 * @param {number} width @param {number} height @param {Texts} texts @returns {Places}
 */
export function narrowGrid(width, height, { queries, panels }) {
  const labels = { left: 4, right: 68 };
  const count = panels[1].keys.length;
  const sums = 54;
  const cell = Math.min(60, (width - labels.right - 4 - sums - 6) / count);
  const top = 58;
  const flowHigh = 92;
  const row = Math.min(44, (height - flowHigh - 14 - top) / queries.length);
  const grid = { left: labels.right + 4, cell, count };
  return {
    narrow: true,
    labels,
    title: 16,
    top,
    row,
    over: 0,
    size: 13,
    grids: [grid],
    between: [0, 0],
    sums: { left: width - sums, bar: 0, right: width - 4 },
    flow: { left: 4, right: width - 4, top: height - flowHigh - 2, bottom: height - 6 },
  };
}

/**
 * The number of lines for words of these widths above cells of that width.
 *
 * @param {readonly number[]} widths @param {number} cell
 */
export const headLevels = (widths, cell) => (Math.max(...widths) > cell - 4 ? 2 : 1);

/**
 * A number with two decimals, one, or none at all, as fits; a `small` weight is never printed as 0.
 *
 * @param {number} value @param {number} room @param {(text: string, size: number) => number} widthOf
 */
export function twoDigits(value, room, widthOf, small = false) {
  if (value === 0 || value === 1) return `${value}`;
  if (small && value > 0 && value < 0.005) return widthOf("<.01", 13) <= room ? "<.01" : "";
  const said = [2, 1]
    .map((digits) => value.toFixed(digits))
    .map((text) => (Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−")));
  return said.find((text) => widthOf(text, 13) <= room) ?? "";
}

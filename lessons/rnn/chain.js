// Where the columns of an unrolled network are drawn: one column per step, the current one large. When the step
// changes, the chain of columns rolls: the old column shrinks while the new one grows.

const PAD = 10;
const EASE = 350; // duration of the roll, in ms

/** @typedef {ReturnType<typeof chainPlaces>} Chain */
/** @typedef {{ step: number, x: number, wide: number, big: number, seen: number }} PlacedColumn big, seen: 0 to 1 */
/** @typedef {"bars" | "loss" | "output" | "up" | "cell" | "along" | "embedding" | "word"} RowName */
/** @typedef {Record<RowName, { top: number, foot: number }>} Rows */
/**
 * The roll of the chain to a step: its start, its end, its current position, and when it began (ms).
 *
 * @typedef {{ text: string, from: number, to: number, roll: number, since: number }} Rolling
 */

/**
 * The places of the columns, numbered from 1, at a step that may be fractional.
 *
 * @param {{ width: number, narrow: boolean }} scene @param {number} count @param {number} roll
 */
export function chainPlaces({ width, narrow }, count, roll) {
  const lead = narrow ? 34 : 46; // for h₀
  const large = narrow ? Math.min(232, width - 2 * PAD - 96) : Math.min(Math.max(0.32 * width, 320), 400);
  const room = width - 2 * PAD - lead - large;
  const small = Math.min(Math.max(count > 1 ? room / (count - 1) : 0, narrow ? 50 : 63), 104);
  const whole = lead + large + (count - 1) * small;
  const middle = width / 2 - (roll - 1) * small - large / 2;
  const left = PAD + lead;
  const start =
    whole <= width - 2 * PAD + 0.01
      ? (width - whole) / 2 + lead
      : Math.min(left, Math.max(middle, width - PAD - whole + lead));
  /** @param {number} i */
  const bigness = (i) => Math.max(0, 1 - Math.abs(i - roll));
  const columns = /** @type {PlacedColumn[]} */ ([]);
  let x = start;
  for (let i = 1; i <= count; i++) {
    const big = bigness(i);
    const wide = small + (large - small) * big;
    columns.push({ step: i, x, wide, big, seen: seen(x, wide, width) });
    x += wide;
  }
  const leads = columns[0].seen === 1 && columns[0].x >= lead - 1; // whether h₀ fits before the columns
  return { start, lead, leads, small, large, columns };
}

/**
 * The opacity of a column. A column that extends 14 units or more beyond an edge is not drawn; it fades in and out
 * while the chain rolls.
 *
 * @param {number} x @param {number} wide @param {number} width
 */
function seen(x, wide, width) {
  const inside = Math.min(x, width - x - wide);
  return Math.min(Math.max((inside + 14) / 14, 0), 1);
}

/**
 * The centre of the strip of h: in the middle of a small column, at the right of a large one.
 *
 * @param {{ wide: number, big: number }} column
 */
export const stripAt = ({ wide, big }) => wide / 2 + (wide / 2 - 36) * big;

/**
 * The rows of a column, from the top: a bar of the loss, the loss, output, cell, embedding, word. Most of the spare
 * height goes to the cell and the output.
 *
 * @param {number} top @param {number} foot @param {boolean} narrow @returns {Rows}
 */
export function rowPlaces(top, foot, narrow) {
  const room = foot - top;
  /** @type {Record<RowName, number>} */
  const least = narrow
    ? { bars: 0, loss: 24, output: 80, up: 14, cell: 84, along: 14, embedding: 10, word: 22 }
    : { bars: 10, loss: 20, output: 98, up: 18, cell: 100, along: 18, embedding: 14, word: 28 };
  const more = Math.max(0, room - Object.values(least).reduce((sum, each) => sum + each, 0));
  /** @type {Partial<Record<RowName, number>>} */
  const grow = narrow
    ? { output: 0.4, cell: 0.5, up: 0.05, along: 0.05 }
    : { bars: 0.18, output: 0.26, cell: 0.4, up: 0.06, along: 0.06, embedding: 0.04 };
  const places = /** @type {Rows} */ ({});
  let y = top;
  for (const name of /** @type {RowName[]} */ (Object.keys(least))) {
    const high = least[name] + more * (grow[name] ?? 0);
    places[name] = { top: y, foot: y + high };
    y += high;
  }
  return places;
}

/**
 * The current position of the chain as it rolls to a step. `memory` keeps the roll between drawings.
 *
 * @param {Partial<Rolling>} memory
 * @param {number} step
 * @param {string} text another text starts without a roll
 * @param {boolean} still
 */
export function rolledTo(memory, step, text, still, now = performance.now()) {
  const rest = { text, from: step, to: step, roll: step, since: now };
  const way = /** @type {Rolling} */ (still || memory.text !== text ? Object.assign(memory, rest) : memory);
  if (way.to !== step) Object.assign(way, { from: way.roll, to: step, since: now });
  const part = way.from === step ? 1 : Math.min(Math.max((now - way.since) / EASE, 0), 1);
  way.roll = step + (way.from - step) * (1 - part) ** 3;
  if (part === 1) way.from = way.roll = step;
  return way.roll;
}

/**
 * A line of code in two rows of similar length, broken at a space or after an opening parenthesis.
 *
 * @param {string} line
 */
export function onTwoRows(line) {
  let best = [line];
  for (const { index } of line.matchAll(/(?<=\()|(?<= )/g)) {
    const rows = [line.slice(0, index).trim(), line.slice(index)];
    if (Math.max(...rows.map((row) => row.length)) < Math.max(...best.map((row) => row.length))) best = rows;
  }
  return best;
}

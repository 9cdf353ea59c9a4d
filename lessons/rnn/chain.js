// Where the columns of an unrolled network stand: one column a step, the current one large. The chain rolls:
// between two steps both columns are on their way.

const PAD = 10;
const EASE = 350; // ms

/**
 * The places of the columns, numbered from 1, at a step that may lie between two.
 *
 * @param {{ width: number, narrow: boolean }} scene
 * @param {number} count
 * @param {number} roll
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
  const bigness = (i) => Math.max(0, 1 - Math.abs(i - roll));
  const columns = [];
  let x = start;
  for (let i = 1; i <= count; i++) {
    const big = bigness(i);
    const wide = small + (large - small) * big;
    columns.push({ step: i, x, wide, big, seen: seen(x, wide, width) });
    x += wide;
  }
  return { start, lead, small, large, columns };
}

// A column that is half outside is not drawn; while the chain rolls it comes in and goes out slowly.
function seen(x, wide, width) {
  const inside = Math.min(x, width - x - wide);
  return Math.min(Math.max((inside + 14) / 14, 0), 1);
}

/** The middle of the strip of h: in the middle of a small column, to the right in a large one. */
export const stripAt = ({ wide, big }) => wide / 2 + (wide / 2 - 36) * big;

/**
 * The heights of what a column has, from the top: a bar of the loss, the loss, output, cell, embedding, word. What is left on a tall
 * stage goes to the cell and the bars.
 *
 * @param {number} top
 * @param {number} foot
 * @param {boolean} narrow
 */
export function rowPlaces(top, foot, narrow) {
  const room = foot - top;
  const least = narrow
    ? { bars: 0, loss: 24, output: 80, up: 14, cell: 84, along: 14, embedding: 10, word: 22 }
    : { bars: 10, loss: 20, output: 98, up: 18, cell: 100, along: 18, embedding: 14, word: 28 };
  const more = Math.max(0, room - Object.values(least).reduce((sum, each) => sum + each, 0));
  const grow = narrow
    ? { output: 0.4, cell: 0.5, up: 0.05, along: 0.05 }
    : { bars: 0.18, output: 0.26, cell: 0.4, up: 0.06, along: 0.06, embedding: 0.04 };
  const places = {};
  let y = top;
  for (const name in least) {
    const high = least[name] + more * (grow[name] ?? 0);
    places[name] = { top: y, foot: y + high };
    y += high;
  }
  return places;
}

/**
 * Where the chain is on its way to a step. `memory` keeps the way between drawings.
 *
 * @param {Record<string, any>} memory
 * @param {number} step
 * @param {string} text another text begins at its place
 * @param {boolean} still
 */
export function rolledTo(memory, step, text, still, now = performance.now()) {
  if (still || memory.text !== text) Object.assign(memory, { text, from: step, to: step, roll: step });
  if (memory.to !== step) Object.assign(memory, { from: memory.roll, to: step, since: now });
  const part = memory.from === step ? 1 : Math.min(Math.max((now - memory.since) / EASE, 0), 1);
  memory.roll = step + (memory.from - step) * (1 - part) ** 3;
  if (part === 1) memory.from = memory.roll = step;
  return memory.roll;
}

/** A line of code on two rows, cut at a blank or after a parenthesis so that they are most alike. */
export function onTwoRows(line) {
  let best = [line];
  for (const { index } of line.matchAll(/(?<=\()|(?<= )/g)) {
    const rows = [line.slice(0, index).trim(), line.slice(index)];
    if (Math.max(...rows.map((row) => row.length)) < Math.max(...best.map((row) => row.length))) best = rows;
  }
  return best;
}

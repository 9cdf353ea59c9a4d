// What becomes of each of many words at these shares, and where its square stands: in the order of the text, or in a
// block with all words of its fate.

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {{ left: number, top: number, columns: number, rows: number, pitch: number }} Field in units; pitch: from square to square */
/** @typedef {{ chosen: number, masked: number, upto: number }} Shares `upto`: of masked and random words */
/** @typedef {{ from: number, columns: number, rows: number }} Block its first column, and its size in squares */

const SLACK = 5; // rows that blocks may need in addition: for what is between them, and for their last rows
const SHARP = 4; // pixels from which a square is a whole number of them wide
const BETWEEN = 2; // columns between blocks
const BELOW = 1.5; // rows between the blocks and what is not chosen

/**
 * The field with the largest squares for so many words; `sharp` is how many pixels of the screen a unit has.
 *
 * @param {number} count @param {Box} box @param {number} sharp @returns {Field}
 */
export function fieldOf(count, { left, top, wide, high }, sharp) {
  for (let pixels = Math.max(Math.floor((high * sharp) / 10), 1); pixels >= SHARP; pixels--) {
    const columns = Math.floor((wide * sharp) / pixels);
    const rows = Math.ceil(count / columns);
    if ((rows + SLACK) * pixels <= high * sharp) return { left, top, columns, rows, pitch: pixels / sharp };
  }
  const columns = Math.ceil(Math.sqrt((count * wide) / high) * (1 - SLACK / Math.sqrt(count)));
  const rows = Math.ceil(count / columns);
  return { left, top, columns, rows, pitch: Math.min(wide / columns, high / (rows + SLACK)) };
}

/**
 * The fate of each word: 0 not chosen, 1 masked, 2 random, 3 kept. The numbers and the shares are compared as float32,
 * as where they were drawn.
 *
 * @param {Float32Array} exact all first numbers, then all second ones
 * @param {Shares} shares
 */
export function fatesOf(exact, { chosen, masked, upto }) {
  const count = exact.length / 2;
  const [first, second, third] = [chosen, masked, upto].map(Math.fround);
  return Uint8Array.from({ length: count }, (_, i) => {
    if (exact[i] >= first) return 0;
    const way = exact[count + i];
    return way < second ? 1 : way < third ? 2 : 3;
  });
}

/** @param {Uint8Array} fates */
export const countsOf = (fates) => fates.reduce((counts, fate) => ((counts[fate] += 1), counts), [0, 0, 0, 0]);

/**
 * The blocks of masked, random and kept words side by side, about equally high; null where there is none.
 *
 * @param {Field} field @param {readonly number[]} counts of each fate
 */
export function blocksOf({ columns }, counts) {
  const met = [1, 2, 3].map((fate) => counts[fate]);
  const all = met.reduce((sum, count) => sum + count, 0);
  const room = columns - BETWEEN * (met.filter((count) => count > 0).length - 1);
  const widths = met.map((count) => Math.ceil((room * count) / Math.max(all, 1)));
  const over = widths.reduce((sum, each) => sum + each, 0) - room;
  if (all) widths[widths.indexOf(Math.max(...widths))] -= over;
  let from = 0;
  return widths.map((wide, k) => {
    if (!wide) return null;
    const block = { from, columns: wide, rows: Math.ceil(met[k] / wide) };
    from += wide + BETWEEN;
    return /** @type {Block} */ (block);
  });
}

/** @param {readonly (Block | null)[]} blocks */
export const highest = (blocks) => Math.max(0, ...blocks.map((block) => block?.rows ?? 0));

/**
 * Where each word stands when sorted, in squares: x of all, then y of all. Within its block it stands by its first
 * number: as the share grows, what is chosen next comes last.
 *
 * @param {Field} field @param {Uint8Array} fates @param {Uint16Array} order of the first numbers
 */
export function sortedPlaces(field, fates, order) {
  const blocks = blocksOf(field, countsOf(fates));
  const top = highest(blocks);
  const rest = { from: 0, columns: field.columns, down: top ? top + BELOW : 0 };
  const filled = [0, 0, 0, 0];
  const places = new Float32Array(2 * fates.length);
  for (const i of order) {
    const fate = fates[i];
    const { from, columns, down = 0 } = fate ? { .../** @type {Block} */ (blocks[fate - 1]), down: 0 } : rest;
    const turn = filled[fate]++;
    places[i] = from + (turn % columns);
    places[fates.length + i] = down + Math.floor(turn / columns);
  }
  return places;
}

/**
 * The lines between the blocks, in units: right of the masked, right of the random, and below all three.
 *
 * @param {Field} field @param {readonly (Block | null)[]} blocks
 */
export function edgesOf({ left, top, columns, pitch }, blocks) {
  const after = (/** @type {number} */ k) => {
    const last = blocks.slice(0, k + 1).findLast((block) => block !== null);
    const ends = last ? last.from + last.columns + BETWEEN / 2 : -BETWEEN / 2;
    return left + Math.min(ends, columns + BETWEEN / 2) * pitch;
  };
  const rows = highest(blocks);
  return { first: after(0), second: after(1), below: top + (rows ? rows + BELOW / 2 : -BELOW / 2) * pitch };
}

// Where the words of a corrupted text are drawn, and the dots of their numbers.

const SIZES = [26, 22, 19, 17, 15];
const GAP = 8;

/** @typedef {{ left: number, right: number, top: number, foot: number }} Zone */
/** @typedef {(text: string, size: number, bold?: boolean) => number} WidthOf */
/** @typedef {{ size: number, height: number, brief: boolean }} Look of all words; brief: without what is below them */

/** @type {Look[]} */
const LOOKS = [
  ...SIZES.map((size) => ({ size, height: size * 1.6 + 48, brief: false })),
  { size: 15, height: 32, brief: true },
  { size: 13, height: 26, brief: true },
];

/**
 * The words in lines, as large as fits; if there is too little room, without the texts below the words.
 *
 * @param {string[]} shown
 * @param {readonly string[]} tokens
 * @param {number[]} outcomes
 * @param {Zone} zone
 * @param {WidthOf} widthOf
 */
export function chipLines(shown, tokens, outcomes, zone, widthOf) {
  const room = zone.right - zone.left;
  const high = zone.foot - zone.top;
  const tries = LOOKS.map((look) => {
    const lines = inLines(wordWidths(shown, tokens, look, room, widthOf), room);
    return { look, lines, whole: lines.length * (look.height + GAP) - GAP };
  });
  const { look, lines, whole } = tries.find((each) => each.whole <= high) ?? tries[tries.length - 1];
  const fits = whole <= high; // then the words are centred in their room
  const places = lines.flatMap((line, row) => {
    const { x, width } = line[line.length - 1];
    const left = zone.left + (fits ? (room - x - width) / 2 : 0);
    const y = zone.top + (fits ? (high - whole) / 2 : 0) + row * (look.height + GAP);
    return line.map((word) => ({ x: left + word.x, y, width: word.width }));
  });
  return { ...look, places };
}

/**
 * The width of each word, with room for [MASK] too, so that a word keeps its place during a drag.
 *
 * @param {string[]} shown
 * @param {readonly string[]} tokens
 * @param {Look} look
 * @param {number} room
 * @param {WidthOf} widthOf
 */
function wordWidths(shown, tokens, { size, brief }, room, widthOf) {
  return shown.map((word, i) => {
    const texts = [word, tokens[i], ...(brief ? [] : ["[MASK]"])];
    const above = Math.max(...texts.map((text) => widthOf(text, size, true)));
    const below = brief ? 0 : widthOf(`was ${tokens[i]}`, 14);
    return Math.min(Math.max(above, below) + 18, room);
  });
}

/**
 * Words of these widths in lines, each with its left end.
 *
 * @param {number[]} widths @param {number} room
 */
function inLines(widths, room) {
  const lines = /** @type {{ x: number, width: number }[][]} */ ([]);
  let x = 0;
  for (const width of widths) {
    if (!lines.length || (x > 0 && x + width > room)) {
      lines.push([]);
      x = 0;
    }
    lines[lines.length - 1].push({ x, width });
    x += width + GAP;
  }
  return lines;
}

/**
 * The lanes of dots such that none overlap, with the largest dots that fit.
 *
 * @param {number[]} at where each dot is drawn
 * @param {number[]} open above 0 where there is a dot
 * @param {number} room the height of all lanes
 */
export function lanesOf(at, open, room) {
  for (const radius of [11, 9, 7, 5, 4]) {
    const ends = /** @type {number[]} */ ([]); // of each lane
    const lanes = at.map(() => -1);
    at.map((_, i) => i)
      .filter((i) => open[i] > 0)
      .sort((a, b) => at[a] - at[b])
      .forEach((i) => {
        let lane = ends.findIndex((end) => at[i] - end >= 2 * radius + 1);
        if (lane < 0) lane = ends.length;
        ends[lane] = at[i];
        lanes[i] = lane;
      });
    if (ends.length * (2 * radius + 2) <= room || radius === 4) return { radius, lanes };
  }
  return { radius: 4, lanes: at.map(() => 0) };
}

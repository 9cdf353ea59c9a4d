// Where the words of a corrupted text stand, and the dots of their numbers.

const SIZES = [26, 22, 19, 17, 15];
const GAP = 8;

/**
 * The words in lines, as large as there is room for; where there is too little, without what is below a word.
 *
 * @param {string[]} shown
 * @param {readonly string[]} tokens
 * @param {number[]} outcomes
 * @param {{ left: number, right: number, top: number, foot: number }} zone
 * @param {(text: string, size: number, bold?: boolean) => number} widthOf
 */
export function chipLines(shown, tokens, outcomes, zone, widthOf) {
  const tries = [
    ...SIZES.map((size) => ({ size, height: size * 1.6 + 48, brief: false })),
    { size: 15, height: 32, brief: true },
    { size: 13, height: 26, brief: true },
  ];
  const room = zone.right - zone.left;
  let last = null;
  for (const { size, height, brief } of tries) {
    const widths = shown.map((word, i) => {
      // Room for [MASK] too, so that a word keeps its place while a hand moves.
      const word_ = Math.max(
        widthOf(word, size, true),
        widthOf(tokens[i], size, true),
        brief ? 0 : widthOf("[MASK]", size, true),
      );
      const below = brief ? 0 : widthOf(`was ${tokens[i]}`, 14);
      return Math.min(Math.max(word_, below) + 18, room);
    });
    const places = [];
    let [x, line] = [0, 0];
    for (const width of widths) {
      if (x > 0 && x + width > room) [x, line] = [0, line + 1];
      places.push({ x, line, width });
      x += width + GAP;
    }
    const lines = line + 1;
    last = {
      size,
      height,
      brief,
      places: places.map(({ x: at, line: row, width }) => ({
        x: zone.left + at,
        y: zone.top + row * (height + GAP),
        width,
      })),
    };
    if (lines * (height + GAP) - GAP > zone.foot - zone.top) continue;
    // In the middle of the room that is left.
    const spare = (zone.foot - zone.top - lines * (height + GAP) + GAP) / 2;
    const used = Array.from({ length: lines }, (_, row) =>
      Math.max(...places.filter((each) => each.line === row).map((each) => each.x + each.width)),
    );
    last.places = places.map(({ x: at, line: row, width }) => ({
      x: zone.left + at + (room - used[row]) / 2,
      y: zone.top + spare + row * (height + GAP),
      width,
    }));
    return last;
  }
  return last;
}

/**
 * Dots in as many lanes as it takes for none to cover another, as large as there is room for.
 *
 * @param {number[]} at where each dot stands
 * @param {number[]} open above 0 where there is one
 * @param {number} room the height of all lanes
 */
export function lanesOf(at, open, room) {
  for (const radius of [11, 9, 7, 5, 4]) {
    const ends = [];
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

// Where the parts of the picture are drawn: waves, clocks and vectors on the left, the two orders and the two
// outputs on the right; on a phone one below the other.

/** @typedef {{ left: number, right: number, top: number, foot: number }} Box */
/** @typedef {ReturnType<typeof widePlaces>} Places */

const MARGIN = 12;
const LEAST_CHIP = 46;

/** @param {number} width @param {number} height @param {number} rows */
export function widePlaces(width, height, rows) {
  const low = height < 470;
  const right = Math.max(340, Math.min(480, width * 0.37));
  const end = width - MARGIN - right - 40; // the gutter holds the lines from the vectors to the outputs
  const column = 58;
  const score = low ? 74 : 92;
  const top = 58;
  const foot = height - score - 28;
  const row = (foot - top) / rows;
  const radius = Math.min(30, row * 0.38);
  const vectors = { left: end - 2 * column - 6, column, right: end };
  const clocks = vectors.left - 14 - radius;
  const orders = { left: width - MARGIN - right, right: width - MARGIN, top: 8, foot: low ? 152 : 176 };
  const lane = (height - 8 - orders.foot - 10) / 2;
  const lanes = [0, 1].map((i) => ({
    ...orders,
    top: orders.foot + i * (lane + 10),
    foot: orders.foot + lane + i * (lane + 10),
  }));
  return {
    narrow: false,
    low,
    rows,
    row,
    radius,
    clocks,
    vectors,
    orders,
    lanes,
    waves: { left: MARGIN + 86, right: clocks - radius - 16, top, foot },
    score: /** @type {{ top: number, foot: number } | null} */ ({ top: foot + 10, foot: height - 26 }),
    label: MARGIN,
    head: 22,
    pill: 44,
  };
}

/**
 * The drawing for a phone.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} all the rows of a wide drawing
 * @returns {Places}
 */
export function narrowPlaces(width, height, all) {
  const rows = Math.min(all, height < 420 ? 3 : 4);
  const orders = { left: 6, right: width - 6, top: 0, foot: 100 };
  const lane = Math.min(120, Math.max(96, height * 0.27));
  const foot = height - lane - 26;
  const top = orders.foot + 30;
  const row = (foot - top) / rows;
  const column = 46;
  const half = (width - 18) / 2;
  const lanes = [0, 1].map((i) => ({
    left: 6 + i * (half + 6),
    right: 6 + i * (half + 6) + half,
    top: height - lane - 2,
    foot: height - 2,
  }));
  const vectors = { left: width - 6 - 2 * column - 4, column, right: width - 6 };
  return {
    narrow: true,
    low: true,
    rows,
    row,
    radius: 0,
    clocks: 0,
    vectors,
    orders,
    lanes,
    waves: { left: 56, right: vectors.left - 10, top, foot },
    score: null,
    label: 6,
    head: orders.foot + 19,
    pill: orders.foot + 15,
  };
}

/**
 * The chips of one order: each as wide as its word; narrower if they do not fit; if still too many, only a part.
 *
 * @param {number[]} wide the width of each word
 * @param {number} room
 * @param {number} begin the first word to show
 */
export function chips(wide, room, begin) {
  const gap = 6;
  const shown = Math.min(wide.length, Math.floor((room + gap) / (LEAST_CHIP + gap)));
  const from = Math.min(Math.max(begin, 0), wide.length - shown);
  const part = wide.slice(from, from + shown).map((each) => Math.max(LEAST_CHIP - 4, each + 20));
  const free = room - gap * (shown - 1);
  let most = Math.max(...part);
  while (part.reduce((sum, each) => sum + Math.min(each, most), 0) > free && most > LEAST_CHIP) most -= 1;
  const fitted = part.map((each) => Math.min(each, most));
  const whole = fitted.reduce((sum, each) => sum + each, 0);
  const squeeze = Math.min(1, free / whole);
  const air = Math.min(gap + 14, shown > 1 ? (room - whole * squeeze) / (shown - 1) : 0);
  let left = (room - whole * squeeze - air * (shown - 1)) / 2;
  const found = fitted.map((each) => {
    const chip = { left, width: each * squeeze };
    left += each * squeeze + air;
    return chip;
  });
  return { from, found, all: shown === wide.length };
}

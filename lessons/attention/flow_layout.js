// Where the parts of the picture of one query stand: four panels, a row a key, and which rows are shown.

/** @typedef {{ left: number, right: number }} Span */

const MARGIN = 12;
const GAP = 10;
const SHARES = { fit: 0.385, scale: 0.16, softmax: 0.17, mix: 0.285 };
const LEAST = 24; // the height of a row that can still be pressed
const BAND = 34; // the buttons that show more keys

/**
 * Four panels side by side, and the heights of what stands in them.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} keys
 */
export function places(width, height, keys) {
  const room = width - 2 * MARGIN - 3 * GAP;
  let left = MARGIN;
  const panels = /** @type {Record<string, Span>} */ ({});
  for (const [name, share] of Object.entries(SHARES)) {
    panels[name] = { left, right: left + share * room };
    left += share * room + GAP;
  }
  const many = keys > 6;
  const low = height < 470;
  const head = many ? 34 : low ? 58 : 64;
  const first = 8 + head + (many ? 44 : low ? 58 : 68);
  const foot = many ? 50 : low ? 66 : 74;
  return {
    panels,
    many,
    top: 8,
    bottom: height - 8,
    query: (8 + head + first) / 2,
    ...rowsBetween(first, height - 8 - foot, keys, LEAST),
  };
}

/**
 * The drawing for a phone: one column a stage, one row a key.
 *
 * @param {number} width
 * @param {number} height
 * @param {number} keys
 */
export function narrowPlaces(width, height, keys) {
  const weight = 172 + 0.25 * (width - 8);
  const stages = {
    word: { left: 6, right: 80 },
    score: { left: 82, right: 122 },
    scaled: { left: 124, right: 164 },
    weight: { left: 172, right: weight },
    value: { left: weight + 8, right: width - 6 },
  };
  return { stages, query: 24, heads: 62, bottom: height - 6, ...rowsBetween(70, height - 66, keys, 30) };
}

/** As many rows as fit; where they are not all, there is a band for the buttons below them. */
function rowsBetween(first, last, keys, least) {
  if (keys * least <= last - first) return { first, last, shown: keys, row: (last - first) / keys, all: true };
  const shown = Math.max(1, Math.floor((last - BAND - first) / least));
  return { first, last: last - BAND, shown, row: (last - BAND - first) / shown, all: false };
}

/** The first row that is shown when `begin` was asked for; without, the favoured key is in the middle. */
export function window(begin, { shown }, keys, favoured) {
  const asked = begin ?? Math.max(favoured, 0) - Math.floor(shown / 2);
  return Math.min(Math.max(asked, 0), keys - shown);
}

/**
 * Where a number of the bars' one scale stands: 0 and all of `values` lie within `room`.
 *
 * @param {number[]} values
 * @param {number} room
 */
export function barScale(values, room) {
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const unit = high > low ? room / (high - low) : 0;
  return (value) => (value - low) * unit;
}

/** How many cells fit, none narrower than `need`, and how wide each is, at most `most`. */
export function cellsIn(room, count, need, most) {
  const fit = Math.max(1, Math.min(count, Math.floor(room / need)));
  return { count: fit, width: Math.min(most, room / fit) };
}

// Where the parts of the picture of one query are drawn: four panels, one row per key, and which rows are shown.

/** @typedef {{ left: number, right: number }} Span */
/** @typedef {(typeof PANELS)[number]} PanelName */
/** @typedef {ReturnType<typeof rowsBetween>} Rows */

const MARGIN = 12;
const GAP = 10;
const PANELS = /** @type {const} */ (["fit", "scale", "softmax", "mix"]);
const SHARES = { fit: 0.385, scale: 0.16, softmax: 0.17, mix: 0.285 }; // of the width
export const INNER = 12; // between the edge of a panel and what is in it
const LEAST = 24; // the height of a row that can still be pressed
const BAND = 34; // the buttons that show more keys

/**
 * Four panels side by side, and the heights of what is in them.
 *
 * @param {number} width @param {number} height @param {number} keys
 */
export function places(width, height, keys) {
  const room = width - 2 * MARGIN - 3 * GAP;
  let left = MARGIN;
  const panels = /** @type {Record<PanelName, Span>} */ ({});
  for (const name of PANELS) {
    panels[name] = { left, right: left + SHARES[name] * room };
    left += SHARES[name] * room + GAP;
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
 * The inside of a panel, without its margins.
 *
 * @param {Span} panel
 */
export const inside = ({ left, right }) => ({
  left: left + INNER,
  right: right - INNER,
  wide: right - left - 2 * INNER,
});

/**
 * The drawing for a phone: one column per stage, one row per key.
 *
 * @param {number} width @param {number} height @param {number} keys
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

/**
 * As many rows as fit; if not all fit, there is a band for the buttons below them.
 *
 * @param {number} first the top of the first row
 * @param {number} last the foot of the last one
 * @param {number} keys
 * @param {number} least the height of a row
 */
function rowsBetween(first, last, keys, least) {
  if (keys * least <= last - first) return { first, last, shown: keys, row: (last - first) / keys, all: true };
  const shown = Math.max(1, Math.floor((last - BAND - first) / least));
  return { first, last: last - BAND, shown, row: (last - BAND - first) / shown, all: false };
}

/**
 * The first key that is shown if `begin` is requested; without `begin`, the favoured key is in the middle.
 *
 * @param {number | undefined} begin
 * @param {{ shown: number }} rows
 * @param {number} keys
 * @param {number} favoured -1 for none
 */
export function firstShown(begin, { shown }, keys, favoured) {
  const asked = begin ?? Math.max(favoured, 0) - Math.floor(shown / 2);
  return Math.min(Math.max(asked, 0), keys - shown);
}

/**
 * Where a number is drawn on the bars' common scale: 0 and all of `values` lie within `room`.
 *
 * @param {number[]} values @param {number} room @returns {(value: number) => number}
 */
export function barScale(values, room) {
  const finite = values.filter(Number.isFinite);
  const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
  const unit = high > low ? room / (high - low) : 0;
  return (value) => (value - low) * unit;
}

/**
 * How many boxes fit, and how wide each is: at least `need` and at most `most`.
 *
 * @param {number} room @param {number} count @param {number} need @param {number} most
 */
export function boxesIn(room, count, need, most) {
  const fit = Math.max(1, Math.min(count, Math.floor(room / need)));
  return { count: fit, width: Math.min(most, room / fit) };
}

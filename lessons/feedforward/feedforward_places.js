// Where the parts of the picture are drawn: on a wide stage in one row, on a phone in two.

/** @import { FeedforwardPayload } from "../../drawing/payloads.js" */

/** @typedef {{ left: number, wide: number, top: number, high: number }} Box */
/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {keyof FeedforwardPayload["strips"]} StripName */
/** @typedef {Record<StripName, Box> & { again?: Box }} Strips `again`: on a phone the hidden layer once more */

const LEAST = 24; // of a word's part of e, so that its card can be read

/**
 * One row, from left to right; strips are as long as their vectors, cell for cell.
 *
 * @param {number} width @param {number} height @param {FeedforwardPayload} data
 */
export function widePlaces(width, height, data) {
  const more = width - 1036;
  const [top, foot] = [116, height - 36];
  const zone = foot - top;
  /** @type {(x: number, share: number) => number} where it is drawn, of a wider stage so much further */
  const across = (x, share) => x + share * more;
  const stand = standing(data, top, zone, 60);
  const bars = { left: across(846, 0.62) };
  return {
    narrow: false,
    ribbon: { top: 14, high: 30, size: 16 },
    head: 86,
    headLow: 86,
    foot: height - 12,
    words: { left: 16, wide: 104 },
    table: { left: across(172, 0.06), wide: 76, top, high: zone },
    strips: /** @type {Strips} */ ({
      concatenated: { left: across(318, 0.14), wide: 24, ...stand("concatenated") },
      pre_activation: { left: across(466, 0.34), wide: 24, ...stand("pre_activation") },
      hidden: { left: across(540, 0.38), wide: 24, ...stand("hidden") },
      logits: { left: across(690, 0.54), wide: 22, ...stand("logits") },
      chances: { left: across(782, 0.6), wide: 22, ...stand("chances") },
    }),
    bars: { left: bars.left, wide: width - 18 - bars.left, top, high: zone, fits: 7 },
  };
}

/**
 * Two rows: the words down to the hidden layer, and below it the hidden layer once more, up to the bars.
 *
 * @param {number} width @param {number} height @param {FeedforwardPayload} data @returns {Places}
 */
export function narrowPlaces(width, height, data) {
  const more = width - 344;
  const half = Math.round((height - 24) * 0.49);
  const upper = [58, half - 22];
  const lower = [half + 30, height - 26];
  const first = standing(data, upper[0], upper[1] - upper[0]);
  const second = standing(data, lower[0], lower[1] - lower[0]);
  const left = 176;
  const fits = Math.max(3, Math.min(7, Math.floor((lower[1] - lower[0]) / 22)));
  return {
    narrow: true,
    ribbon: { top: 5, high: 26, size: 14 },
    head: 50,
    headLow: half + 22,
    foot: height - 7,
    words: { left: 8, wide: 68 },
    table: { left: 100, wide: 40, top: upper[0], high: upper[1] - upper[0] },
    strips: {
      concatenated: { left: 172, wide: 16, ...first("concatenated") },
      pre_activation: { left: 254 + 0.7 * more, wide: 16, ...first("pre_activation") },
      hidden: { left: 312 + more, wide: 16, ...first("hidden") },
      again: { left: 12, wide: 16, ...second("hidden") },
      logits: { left: 94, wide: 15, ...second("logits") },
      chances: { left: 136, wide: 15, ...second("chances") },
    },
    bars: { left, wide: width - 8 - left, top: lower[0], high: lower[1] - lower[0], fits },
  };
}

/**
 * All strips have cells of one height; one that would be too short to see is drawn longer.
 *
 * @param {FeedforwardPayload} data
 * @param {number} top
 * @param {number} zone
 * @param {number} below the room for the numbers below the hidden layer
 */
function standing(data, top, zone, below = 0) {
  const longest = Math.max(...Object.values(data.strips).map((strip) => strip.cells), data.table.rows);
  /** @param {StripName} name */
  const least = (name) => (name === "concatenated" ? Math.min(LEAST * data.sizes.context, zone) : Math.min(80, zone));
  return (/** @type {StripName} */ name) => {
    const most = name === "pre_activation" || name === "hidden" ? zone - below : zone; // its numbers stand below it
    const high = Math.min(Math.max((zone * data.strips[name].cells) / longest, least(name)), most);
    return { top: top + (zone - high) / 2, high };
  };
}

// Where the parts of the picture of transfer are drawn: the network on the left, the curves on the right.

const NAMES = 116; // width of the names beside the curves
const FOOT = 62; // height below the network, for the tokens
const GAP = 6;

/** @import { TransferPayload } from "../../drawing/types.js" */
/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof onScreen>} Places */

/** @param {{ width: number, height: number, narrow: boolean, data: { parts: readonly unknown[] } }} scene */
export function places({ width, height, narrow, data }) {
  return narrow ? onPhone(width, height, data.parts.length) : onScreen(width, height, data.parts.length);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} count of the parts
 */
function onScreen(width, height, count) {
  const wide = Math.min(0.4 * width, 520);
  const left = 8;
  const head = { left: left + 0.4 * wide, top: 6, wide: 0.6 * wide, high: 52 };
  const gone = { left, top: 6, wide: 0.4 * wide - 14, high: 52 };
  /** @param {number} k */
  const part = (k) => ({ left, top: bottom - (k + 1) * high - k * GAP, wide, high });
  /** @type {(many: number, slanted: boolean) => (i: number) => number} the middle of each token */
  const column = (many, slanted) => (i) =>
    left + (slanted ? 44 : 20) + ((wide - (slanted ? 64 : 40)) * i) / Math.max(many - 1, 1);
  const vectors = head.top + head.high + 30;
  const [top, bottom] = [vectors + 14, height - FOOT - 4];
  const high = (bottom - top - GAP * (count - 1)) / count;
  return {
    narrow: false,
    wide,
    head,
    gone: /** @type {Box | null} */ (gone), // the head of the pre-training
    vectors,
    words: bottom + 10,
    names: NAMES,
    part,
    column,
    curves: { left: left + wide + 84, top: 30, wide: width - wide - left - 84 - NAMES - 8, high: height - 84 },
  };
}

/**
 * The parts in a row, from left to right.
 *
 * @param {number} width @param {number} height @param {number} count @returns {Places}
 */
function onPhone(width, height, count) {
  const high = 48;
  const wide = (width - 8 - GAP * count) / (count + 1);
  const top = height - high - 4;
  return {
    narrow: true,
    wide,
    head: { left: 4 + count * (wide + GAP), top, wide, high },
    gone: null,
    vectors: 0,
    words: 0,
    names: 20,
    part: (k) => ({ left: 4 + k * (wide + GAP), top, wide, high }),
    column: () => () => 0,
    curves: { left: 40, top: 28, wide: width - 62, high: height - high - 100 },
  };
}

/**
 * The scales of the curves: labels on a logarithmic axis, accuracies from a little below the minimum.
 *
 * @param {Pick<TransferPayload, "depths" | "scratch" | "chance" | "counts">} data @param {Box} box
 */
export function curvesBox(data, { left, top, wide, high }) {
  const all = [...data.depths, data.scratch].flatMap(({ low }) => Array.from(low)).filter(Number.isFinite);
  const least = Math.min(data.chance, ...all);
  const low = Math.max(0, Math.floor(4 * least) / 4);
  const [first, last] = [Math.log10(data.counts[0]), Math.log10(data.counts[data.counts.length - 1])];
  return {
    low,
    x: (/** @type {number} */ count) => left + ((Math.log10(count) - first) / (last - first)) * wide,
    y: (/** @type {number} */ share) => top + (1 - (share - low) / (1.03 - low)) * high,
  };
}

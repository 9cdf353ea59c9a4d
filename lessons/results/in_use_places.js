// Where the parts of the picture of uses are drawn: the uses at the left, or above on a phone, and three models.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"in_use">} InUseScene */
/** @typedef {ReturnType<typeof placesOf>} InUsePlaces */
/** @typedef {{ left: number, wide: number, causal: boolean }} Tower */

const WORDS = 4; // that a tower reads
const SHARES = [0.25, 0.46, 0.29]; // of the width, for each model

/** @param {Pick<InUseScene, "data" | "width" | "height" | "narrow">} scene */
export function placesOf({ data, width, height, narrow }) {
  const left = narrow ? 4 : 262;
  const room = width - left - 4;
  const top = narrow ? 158 : 128;
  const foot = height - (narrow ? 92 : 112);
  const buttons = narrow ? 3 : 1;
  const button = narrow
    ? { wide: (width - 8) / buttons, high: 38, top: 2 }
    : { wide: 240, high: Math.min(74, (height - 20) / data.uses.length), top: 8 };
  /** @param {number} n */
  const columnOf = (n) => {
    const from = SHARES.slice(0, n).reduce((sum, share) => sum + share, 0);
    return { left: left + from * room, wide: SHARES[n] * room };
  };
  return {
    narrow,
    top,
    foot,
    size: narrow ? 13 : 17,
    columnOf,
    /** @param {number} n the towers of a model: an encoder, both, a decoder @returns {Tower[]} */
    towersOf: (n) => {
      const { left: from, wide } = columnOf(n);
      const gap = narrow ? 6 : 14;
      if (n !== 1) return [{ left: from + gap, wide: wide - 2 * gap, causal: n === 2 }];
      const each = (wide - 3.4 * gap) / 2;
      return [false, true].map((causal, k) => ({ left: from + gap + k * (each + 1.4 * gap), wide: each, causal }));
    },
    /** @param {Tower} tower @param {number} k the middle of its k-th word */
    lane: ({ left: from, wide }, k) => from + ((k + 0.5) * wide) / WORDS,
    /** @param {number} n the box of a use */
    buttonOf: (n) => ({
      x: 4 + (n % buttons) * button.wide,
      y: button.top + Math.floor(n / buttons) * button.high,
      wide: button.wide - 6,
      high: button.high - 6,
    }),
    words: WORDS,
  };
}

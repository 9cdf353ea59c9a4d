// Where the frozen layers and the bars of the tasks are drawn: columns, or on a phone rows.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"mixtures">} MixturesScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof sharesPlaces>} Places */

const STACK = 236; // of the frozen layers
const BELOW = 98; // for what is said under a bar

/** @param {MixturesScene} scene */
export function sharesPlaces({ narrow, width, height, data }) {
  const count = data.tasks.length;
  const left = narrow ? 8 : STACK + 52;
  const top = 34;
  const foot = height - (narrow ? 4 : BELOW);
  const each = (narrow ? foot - top : width - left) / count;
  const thick = narrow ? Math.min(each - 40, 40) : Math.min(each * 0.78, 140);
  const pitch = narrow ? each : (width - 14 - left - thick) / (count - 1);
  return { narrow, count, left, top, foot, pitch, thick, width, stack: STACK };
}

/**
 * The whole bar of a task.
 *
 * @param {Places} places @param {number} n @returns {Box}
 */
export function barBox({ narrow, left, top, foot, pitch, thick, width }, n) {
  return narrow
    ? { x: left, y: top + n * pitch + 24, wide: width - 2 * left, high: thick }
    : { x: left + n * pitch, y: top, wide: thick, high: foot - top };
}

/**
 * A part of a bar, from one share to another: from the foot up, or from the left.
 *
 * @param {Places} places @param {number} n @param {number} from @param {number} to @returns {Box}
 */
export function partBox(places, n, from, to) {
  const { x, y, wide, high } = barBox(places, n);
  return places.narrow
    ? { x: x + wide * from, y, wide: wide * (to - from), high }
    : { x, y: y + high * (1 - to), wide, high: high * (to - from) };
}

/**
 * The box of a frozen layer at the left, layer 0 lowest.
 *
 * @param {Places} places @param {number} j @returns {Box}
 */
export function layerBox({ top, foot, stack }, j) {
  const step = (foot - top) / 3;
  const high = Math.min(step - 50, 56);
  return { x: 8, y: foot - step * (j + 0.5) - high / 2, wide: stack - 8, high };
}

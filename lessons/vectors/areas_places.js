// Where the two networks of 2003 and 2013 are drawn: every product is a square of one size.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"areas">} AreasScene */
/** @typedef {{ x: number, y: number, wide: number, high: number }} Box */
/** @typedef {ReturnType<typeof areaPlaces>} Places */

const MOST_OWN = 400; // words that a text may have for all of U to fit
const BETWEEN = 50; // the hidden layer stands there
const NARROW_BETWEEN = 16;

/**
 * The side of a product's square, and the places of the parts of both networks.
 *
 * @param {AreasScene} scene
 */
export function areaPlaces({ data, values, width, height, narrow }) {
  const { before, dimensions, units, types } = data;
  const left = narrow ? 8 : 14;
  const between = narrow ? NARROW_BETWEEN : BETWEEN;
  const columns = before.length * dimensions;
  const long = (width - 2 * left - between) / (columns + Math.min(types, MOST_OWN));
  const unit = Math.min(long, (height * (narrow ? 0.2 : 0.4)) / units);
  const top = narrow ? 62 : 66;
  /** @type {Box} */
  const w = { x: left, y: top, wide: columns * unit, high: units * unit };
  const x = left + w.wide + between;
  const full = values("types") * unit;
  /** @type {Box} */
  const u = { x, y: top, wide: Math.min(full, width - x), high: w.high };
  const foot = top + w.high;
  const second = narrow ? foot + 92 : Math.max(foot + 104, height * 0.66);
  /** @type {Box} */
  const v = {
    x: narrow ? left + 116 : left + w.wide + between,
    y: second + (narrow ? 22 : 30),
    wide: (data.negatives + 1) * unit,
    high: dimensions * unit,
  };
  return { unit, w, u, v, foot, second, between, cut: full > width - x, screens: full / width };
}

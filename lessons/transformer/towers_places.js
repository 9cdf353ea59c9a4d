// Where the towers stand: all on one scale, on which the last one fits as it is before its sizes are dragged. A floor
// that has no weights of its own, and the part of the ground that a narrow E leaves, are hollow.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @typedef {Scene<"towers">} TowersScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {Places["towers"][number]} Place */

/** @param {TowersScene} scene */
export function placesOf(scene) {
  const { width, height, narrow, data } = scene;
  const box = { top: narrow ? 128 : 26, foot: height - (narrow ? 6 : 10) };
  const two = data.towers.length > 1;
  const all = data.towers.map((_, n) => sizesOf(scene, n + 1));
  const last = all[all.length - 1];
  const tallest = Math.max(...all.map(({ rows }) => rows), data.rows);
  const row = (box.foot - box.top) / tallest; // the height of a row of d numbers
  const left = narrow ? 4 : 168;
  const gap = narrow ? 16 : 176;
  const room = narrow ? width - 16 - (two ? gap : 0) : two ? width - left - gap - 186 : 0.3 * width;
  const widest = Math.max(last.d, data.wide) + (two ? all[0].d : 0);
  const unit = room / widest; // the width of one of the d numbers
  let x = left;
  const towers = all.map((its, n) => {
    const [wide, low] = [its.d * unit, its.e * unit]; // of the tower, and of its ground floor
    const place = { ...its, k: n + 1, x, wide, low, top: box.foot - its.rows * row };
    x += place.wide + gap;
    return place;
  });
  return { ...box, row, unit, gap, towers, two, narrow, right: width };
}

/**
 * The sizes of a tower; weights are in rows of d numbers.
 *
 * @param {TowersScene} scene @param {number} k
 */
function sizesOf({ values, hidden }, k) {
  const d = values(/** @type {NameOf<"towers">} */ (`d${k}`));
  const e = values(/** @type {NameOf<"towers">} */ (`e${k}`));
  const N = Math.round(values(/** @type {NameOf<"towers">} */ (`N${k}`)));
  const stored = Math.round(values(/** @type {NameOf<"towers">} */ (`stored${k}`)));
  /** @param {"ground" | "floor" | "roof" | "attFloor"} part */
  const rowsOf = (part) => (values(/** @type {NameOf<"towers">} */ (`${part}${k}`)) * 1e6) / d;
  const [floor, roof] = [rowsOf("floor"), rowsOf("roof")];
  const ground = rowsOf("ground") * (d / e); // e wide, so that its area is its weights
  const asked = hidden(/** @type {NameOf<"towers">} */ (`total${k}`));
  return {
    d,
    e,
    N,
    stored,
    ground,
    floor,
    roof,
    own: rowsOf("attFloor") / floor,
    rows: ground + N * floor + roof,
    asked,
  };
}

/**
 * A number of a tower.
 *
 * @param {Place} place @param {string} name
 */
export const nameOf = ({ k }, name) => /** @type {NameOf<"towers">} */ (`${name}${k}`);

/**
 * A size, with commas.
 *
 * @param {TowersScene} scene @param {Place} place @param {string} name
 */
export const counted = ({ final }, place, name) => Math.round(final(nameOf(place, name))).toLocaleString("en");

/**
 * Whether a ground floor is so high that the number of its rows stands on it.
 *
 * @param {Places} at @param {Place} place
 */
export const saysRows = (at, { asked, ground }) => !asked && !at.narrow && ground * at.row > 66;

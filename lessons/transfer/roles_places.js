// Where the parts of the picture of layer roles are drawn: a column a use, a row a part, the learning weights at the foot.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"roles">} RolesScene */
/** @typedef {ReturnType<typeof placesOf>} RolesPlaces */

/** @param {RolesScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const left = narrow ? 92 : 320;
  const column = (width - left - 6) / data.uses.length;
  const top = narrow ? 108 : 44;
  const bars = { top: height - (narrow ? 66 : 92), foot: height - (narrow ? 8 : 10) };
  const row = (bars.top - (narrow ? 10 : 20) - top) / data.parts.length;
  return {
    narrow,
    left,
    column,
    top,
    row,
    bars,
    /** @type {(use: number) => number} the left edge of a use */
    x: (use) => left + use * column,
    /** @type {(part: number) => number} the top of a part */
    y: (part) => top + part * row,
    foot: height - 2,
  };
}

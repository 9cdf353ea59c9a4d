// Where the nearest words by five methods are drawn: a column a method, a rung a word; on a phone smaller.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"ladders">} LaddersScene */
/** @typedef {ReturnType<typeof placesOf>} LaddersPlaces */

/** @param {LaddersScene} scene */
export function placesOf({ data, width, height, narrow }) {
  const left = narrow ? 4 : 136;
  const gap = narrow ? 4 : 14;
  const column = (width - left - 6 + gap) / data.methods.length;
  const top = narrow ? 66 : 62;
  const foot = height - (narrow ? 60 : 96);
  const rung = (foot - top) / data.rungs[0].length;
  return {
    narrow,
    left,
    gap,
    wide: column - gap,
    top,
    foot,
    rung,
    /** @type {(method: number) => number} */
    x: (method) => left + method * column,
    /** @type {(place: number) => number} */
    y: (place) => top + place * rung,
    height,
  };
}

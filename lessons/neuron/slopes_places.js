// Where the slopes of activations are drawn, on a wide stage and on a phone.

import { scaleLinear } from "../../drawing/d3.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"slopes">} SlopesScene */
/** @typedef {ReturnType<typeof placesOf>} SlopesPlaces */
/** @typedef {(pen: Pen, scene: SlopesScene, at: SlopesPlaces) => void} Draw */

/**
 * The plane, the ridges below it and the column of shares. One unit of z is as long as one of y.
 *
 * @param {SlopesScene} scene
 */
export function placesOf({ width, height, narrow, data }) {
  const { reach, low, high, curves } = data;
  const [left, top] = [narrow ? 62 : 82, narrow ? 16 : 12];
  const column = narrow ? 62 : 330; // what is to the right of the plane
  const [pill, ticks] = [narrow ? 26 : 32, 24];
  const least = height * (curves.length > 3 ? 0.1 : 0.118);
  const room = height - top - pill - ticks;
  const unit = Math.min((width - left - column) / (2 * reach), (room - least * curves.length) / (high - low));
  const row = Math.min((room - (high - low) * unit) / curves.length, narrow ? 62 : 120);
  const [right, foot] = [left + 2 * reach * unit, top + (high - low) * unit];
  return {
    narrow,
    left,
    right,
    top,
    foot,
    unit,
    row,
    rise: Math.min(row - 10, 90), // the height of a slope of 1
    first: foot + pill,
    end: foot + pill + row * curves.length,
    width,
    x: scaleLinear([-reach, reach], [left, right]),
    y: scaleLinear([low, high], [foot, top]),
  };
}

/**
 * The base line of a ridge.
 *
 * @param {SlopesPlaces} at @param {number} i
 */
export const ridgeAt = ({ first, row }, i) => first + row * (i + 1);

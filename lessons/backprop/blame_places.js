// Where the parts of the network are drawn.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"blame">} BlameScene */
/** @typedef {{ x: number, y: number, r: number }} Circle */
/** @typedef {{ x: number, y: number, width: number, height: number }} UnitBox the middle of a unit and its size */
/**
 * @typedef {object} BlamePlaces
 * @property {Circle[]} inputs
 * @property {UnitBox[]} units
 * @property {Circle} out
 * @property {{ left: number, right: number, top: number, foot: number }} bar from 0 to 1
 * @property {{ label: number, number: number, pill: number }} size of texts
 */
/** @typedef {(pen: Pen, scene: BlameScene, at: BlamePlaces) => void} Draw */

/** How far the curve of a ReLU is drawn to both sides of 0. */
export const REACH = 4;

/** @param {BlameScene} scene @returns {BlamePlaces} */
export function placesOf({ width, height, narrow, data }) {
  const { inputs, units } = data;
  const box = narrow
    ? { x: 0.47 * width, width: 74, height: Math.min(92, height / units.length - 14) }
    : { x: 0.45 * width, width: 150, height: Math.min(116, height / units.length - 16) };
  const room = height - (narrow ? 16 : 8);
  return {
    inputs: inputs.map((_, j) => ({
      x: narrow ? 24 : 84,
      y: ((j + 0.75) / (inputs.length + 0.5)) * room,
      r: narrow ? 21 : 36,
    })),
    units: units.map((_, i) => ({ ...box, y: ((i + 0.5) / units.length) * room + 4 })),
    out: { x: (narrow ? 0.76 : 0.735) * width, y: room / 2 + 4, r: narrow ? 31 : 50 },
    bar: narrow
      ? { left: width - 36, right: width - 14, top: height * 0.2, foot: height * 0.8 }
      : { left: width - 172, right: width - 118, top: 62, foot: height - 40 },
    size: narrow ? { label: 13, number: 13, pill: 13 } : { label: 17, number: 24, pill: 17 },
  };
}

/** @param {BlamePlaces} at @param {number} j @param {number} i @returns {[number, number, number, number]} */
export function firstEdge({ inputs, units }, j, i) {
  const [from, to] = [inputs[j], units[i]];
  const spread = ((j + 0.5) / inputs.length - 0.5) * 0.5 * to.height;
  return [from.x + from.r, from.y, to.x - to.width / 2, to.y + spread];
}

/** @param {BlamePlaces} at @param {number} i @returns {[number, number, number, number]} */
export function secondEdge({ units, out }, i) {
  const from = units[i];
  const angle = Math.atan2(from.y - out.y, from.x + from.width / 2 - out.x);
  return [from.x + from.width / 2, from.y, out.x + Math.cos(angle) * out.r, out.y + Math.sin(angle) * out.r];
}

/** Where the label of an edge is: those of different inputs keep out of each other’s way. */
export const shareOf = (/** @type {number} */ j, /** @type {number} */ count, narrow = false) =>
  count < 2 ? 0.55 : (narrow ? 0.36 : 0.4) + ((narrow ? 0.3 : 0.38) * j) / (count - 1);

// The two positions of the word, in both orders, with helpers that all parts of the picture use.

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Places } from "./positions_layout.js" */

/**
 * The scroll state of both rows of words: `begin` is the first word shown in each row; `asked` names the words.
 *
 * @typedef {{ asked?: string, begin?: number[] }} Scrolled
 */
/** @typedef {Scene<"positions", Scrolled>} OrderScene */
/**
 * Where everything is drawn; `across` is the scale of the positions, `first` and `second` are the orders' colours.
 *
 * @typedef {Places & { across: (position: number) => number, first: string, second: string }} At
 */
/** @typedef {(pen: Pen, scene: OrderScene, at: At) => void} Draw */

/** @param {OrderScene} scene @param {NameOf<"positions">} name */
export const whole = (scene, name) => Math.round(scene.values(name));

/**
 * A number with two decimals, or “?” while a question hides it.
 *
 * @param {OrderScene} scene @param {NameOf<"positions">} name
 */
export const two = (scene, name) =>
  scene.hidden(name) ? "?" : scene.values(name).toFixed(2).replace("-0.00", "0.00").replace("-", "−");

/**
 * The middle of a row of the waves.
 *
 * @param {At} at @param {number} row
 */
export const middle = (at, row) => at.waves.top + at.row * (row + 0.5);

/**
 * The amplitude of a wave, in units of the drawing.
 *
 * @param {At} at
 */
export const swingOf = (at) => at.row * 0.38;

/** @typedef {ReturnType<typeof sides>[number]} Side */

/**
 * The word's position in each order, or one if they are equal; `suffix` is part of the names of its numbers.
 *
 * @param {OrderScene} scene @param {At} at
 */
export function sides(scene, at) {
  const both = /** @type {const} */ ([
    { name: "pos", suffix: "", fill: at.first, dash: null },
    { name: "other", suffix: "q", fill: at.second, dash: "5 4" },
  ]).map((each) => ({ ...each, x: at.across(scene.values(each.name)) }));
  return whole(scene, "pos") === whole(scene, "other") ? both.slice(0, 1) : both;
}

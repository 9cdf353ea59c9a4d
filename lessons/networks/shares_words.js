// What the parts of the picture of softmax have in common.

import { textWidth } from "../../drawing/pen.js";

/** Of the classes; each is named where it is. */
export const ROLES = /** @type {const} */ (["input", "activation", "weight"]);
export const PLACES = /** @type {const} */ ([1, 2, 3]);

/** @param {string} number @param {number} size */
export const wideOf = (number, size) => textWidth(number, size, true);

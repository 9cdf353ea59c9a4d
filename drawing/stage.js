// The picture that a component draws: its element on the page, and the state that it keeps.

import { html } from "./dom.js";
import { colours } from "./theme.js";

/** @import { Picture } from "./types.js" */

/** @type {WeakMap<Element, unknown>} */
const pictures = new WeakMap();

/**
 * The picture in `parentElement`, and whether its content must be built: the picture is created once, and created anew,
 * empty, when its shape changes.
 *
 * @template Data
 * @template Remembered what the script fills in when it builds the picture
 * @param {ShadowRoot} parentElement
 * @param {string} shape
 * @returns {[Picture<Data, Remembered>, boolean]}
 */
export function stage(parentElement, shape) {
  let element = /** @type {HTMLElement} */ (parentElement.querySelector(".stage"));
  const fresh = element?.dataset.shape !== shape;
  if (fresh) {
    element?.remove();
    element = html("div", { class: "stage", "data-shape": shape }, parentElement);
    pictures.set(element, { element });
  }
  for (const [role, colour] of Object.entries(colours(parentElement))) {
    element.style.setProperty(`--${role}`, colour);
  }
  return [/** @type {Picture<Data, Remembered>} */ (pictures.get(element)), fresh];
}

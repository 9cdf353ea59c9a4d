// The picture that a component draws: its element on the page, and beside it what it remembers.

import { html } from "./dom.js";
import { colours } from "./theme.js";

/** @import { Component, Picture } from "./types.js" */

const pictures = new WeakMap();

/**
 * The picture in `parentElement`, and whether it is to be built: it is made once, and made anew, empty,
 * when its shape changes.
 *
 * @template Data
 * @param {Component<Data>["parentElement"]} parentElement
 * @param {string} shape
 * @returns {[Picture<Data>, boolean]}
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
  return [pictures.get(element), fresh];
}

// Save the Plotly figure of a container as SVG or PNG.

import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["save"]} Data */

/** @param {Component<Data>} component */
export default function save({ data, parentElement }) {
  /** @type {[Picture<Data>, boolean]} */
  const [picture, fresh] = stage(parentElement, data.container);
  picture.data = data;
  if (fresh) saveButtons(picture.element, () => [picture.data.name, [layers(picture.data.container)]]);
}

/**
 * Plotly draws several <svg>s over each other.
 *
 * @param {string} container
 */
const layers = (container) =>
  /** @type {SVGSVGElement[]} */ ([...document.querySelectorAll(`.st-key-${container} .main-svg`)]);

// Elements of HTML and SVG, and the size at which they are drawn.

/** @import { Attributes } from "./types.js" */

// The factor by which everything is magnified: more than 1 in presenter mode.
export const magnified = () =>
  ((document.querySelector(".st-key-present") ? 1.5 : 1) *
    parseFloat(getComputedStyle(document.documentElement).fontSize)) /
  16;

/**
 * The focused element of the page or component that contains `node`.
 *
 * @param {Node} node
 */
export const focusIn = (node) => /** @type {Document | ShadowRoot} */ (node.getRootNode()).activeElement;

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {ParentNode | null} parent
 * @param {string | null} text
 */
export function drawSvg(tag, attributes = {}, parent = null, text = null) {
  return put(document.createElementNS(SVG, tag), attributes, parent, text);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {ParentNode | null} parent
 * @param {string | null} text
 */
export function html(tag, attributes = {}, parent = null, text = null) {
  return put(document.createElement(tag), attributes, parent, text);
}

/**
 * @template {Element} Node
 * @param {Node} node
 * @param {Attributes} attributes
 * @param {ParentNode | null} parent
 * @param {string | null} text
 */
function put(node, attributes, parent, text) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

// Elements of HTML and SVG, and the size at which they are drawn.

// How much larger than on a desk everything is written: more than 1 in presenter mode.
export const magnified = () =>
  ((document.querySelector(".st-key-present") ? 1.5 : 1) *
    parseFloat(getComputedStyle(document.documentElement).fontSize)) /
  16;

// What has the focus in the page or component that `node` is in.
export const focusIn = (node) => /** @type {Document | ShadowRoot} */ (node.getRootNode()).activeElement;

const SVG = "http://www.w3.org/2000/svg";
export function drawSvg(tag, attributes = {}, parent = null, text = null) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

export function html(tag, attributes = {}, parent = null, text = null) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== null) node.textContent = text;
  parent?.append(node);
  return node;
}

// The theme of the page: its colours and its style sheet.

import { PALETTE, STYLE } from "./served.js";

/** @import { Component, Mode } from "./types.js" */

/** @param {Element | ShadowRoot} element */
export function isDark(element) {
  const host = element instanceof ShadowRoot ? element.host : element;
  const colour = getComputedStyle(host).getPropertyValue("--st-background-color").trim();
  const probe = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  probe.fillStyle = colour || "#ffffff";
  const hex = probe.fillStyle;
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128;
}

/** @type {Mode | null} */
let reported = null;

/**
 * The system's theme may change while the page is open: the change is reported once, and the page runs again.
 *
 * @param {Component<{ mode: Mode }>} component
 */
export function followTheme({ data, parentElement, setTriggerValue }) {
  const worn = isDark(parentElement) ? "dark" : "light";
  if (worn !== data.mode && worn !== reported) setTriggerValue("changed", worn);
  reported = worn;
}

/** @param {Element | ShadowRoot} element */
export const colours = (element) => PALETTE[isDark(element) ? "dark" : "light"];

const SHEET = new CSSStyleSheet();
SHEET.replaceSync(STYLE);
/** @param {ShadowRoot} parentElement */
export function dress(parentElement) {
  if (parentElement.adoptedStyleSheets) parentElement.adoptedStyleSheets = [SHEET];
}

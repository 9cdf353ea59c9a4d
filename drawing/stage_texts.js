// The sentence and the formula of a main picture: written as large as their rows allow, with terms that are explained.

import { html } from "./dom.js";

const SIZES = ["", "small", "two", "tiny"]; // of a line of text
const MOST = 500; // the most texts of a line whose sizes are cached

/**
 * The cache of a line: the text and the room that it was last fitted to, and the size that fits each of them.
 *
 * @type {WeakMap<HTMLElement, { fitted: string, sizes: Map<string, string> }>}
 */
const known = new WeakMap();

/**
 * Write a line that is too long smaller, then on two lines. Measuring costs a layout of the page, so it is done once
 * for each text and size of the row; all digits have the same width.
 *
 * @param {HTMLElement} line
 * @param {HTMLElement} row
 * @param {string} room the size of the row
 */
export function fit(line, row, room) {
  const its = known.get(line) ?? { fitted: "", sizes: new Map() };
  known.set(line, its);
  const shape = `${(line.textContent ?? "").replace(/\d/g, "0")} ${room}`;
  if (its.fitted === shape) return;
  its.fitted = shape;
  if (its.sizes.size > MOST) its.sizes.clear();
  const size = its.sizes.get(shape) ?? SIZES.find((each) => fits(line, row, each)) ?? SIZES[SIZES.length - 1];
  its.sizes.set(shape, size);
  line.dataset.fit = size;
  // A line that does not fit even at the smallest size scrolls, with the keyboard too.
  const scrolls = size === "tiny" && line.scrollHeight > line.clientHeight + 1;
  line.toggleAttribute("tabindex", scrolls);
  if (scrolls) line.tabIndex = 0;
}

/**
 * Have a line fitted anew, for example after the font has changed.
 *
 * @param {HTMLElement} line
 */
export const forgetFit = (line) => void known.delete(line);

/** @param {HTMLElement} line @param {HTMLElement} row @param {string} size */
function fits(line, row, size) {
  line.dataset.fit = size;
  return line.scrollWidth <= line.clientWidth + 1 && line.scrollHeight <= row.clientHeight + 1;
}

/**
 * Explain a term of the sentence below the sentence while it is hovered or has the focus.
 *
 * @param {HTMLElement} head @param {HTMLElement} figure @param {(term: string) => string | undefined} meaning
 */
export function explain(head, figure, meaning) {
  /** @type {HTMLElement | null} */
  let tip = null;
  const hide = () => {
    tip?.remove();
    tip = null;
  };
  /** @param {Event} event */
  const show = (event) => {
    const term = /** @type {HTMLElement} */ (event.target).closest?.(".term");
    hide();
    const says = term && meaning(term.textContent ?? "");
    if (!says) return;
    tip = html("div", { class: "tip", role: "tooltip" }, figure, says);
    const [box, at] = [figure.getBoundingClientRect(), term.getBoundingClientRect()];
    tip.style.top = `${at.bottom - box.top + 6}px`;
    tip.style.left = `${Math.max(8, Math.min(at.left - box.left, box.width - tip.offsetWidth - 8))}px`;
  };
  for (const kind of ["pointerover", "focusin"]) head.addEventListener(kind, show);
  for (const kind of ["pointerleave", "focusout"]) head.addEventListener(kind, hide);
}

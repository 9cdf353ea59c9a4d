// The sentence and the formula of a main picture: written as large as their rows allow, with terms that are explained.

import { html } from "./dom.js";

const SIZES = ["", "small", "two", "tiny"]; // of a line of text
const MOST = 500; // texts of a line whose sizes are known

/**
 * What is known of a line: the text and the room that it was fitted for, and the size that fits each of those.
 *
 * @type {WeakMap<HTMLElement, { fitted: string, sizes: Map<string, string> }>}
 */
const known = new WeakMap();

/**
 * A line that is too long is written smaller, then on two lines. Measuring costs a layout of the page, so it is done
 * once for a text, whose digits are all of one width, and the size of its row.
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
  // One that does not fit at its smallest scrolls, with the keyboard too.
  const scrolls = size === "tiny" && line.scrollHeight > line.clientHeight + 1;
  line.toggleAttribute("tabindex", scrolls);
  if (scrolls) line.tabIndex = 0;
}

/**
 * Let a line be fitted anew, as in another font.
 *
 * @param {HTMLElement} line
 */
export const forgetFit = (line) => void known.delete(line);

/**
 * @param {HTMLElement} line
 * @param {HTMLElement} row
 * @param {string} size
 */
function fits(line, row, size) {
  line.dataset.fit = size;
  return line.scrollWidth <= line.clientWidth + 1 && line.scrollHeight <= row.clientHeight + 1;
}

/**
 * A term of the sentence is explained below it, while it is pointed at or has the focus.
 *
 * @param {HTMLElement} head
 * @param {HTMLElement} figure
 * @param {(term: string) => string | undefined} meaning
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

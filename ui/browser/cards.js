// Slides as cards, each with a small picture of its view: in the index of a lecture, and in its overview.

import { addressOf } from "./address.js";
import { html } from "../../drawing/dom.js";
import { isDark } from "../../drawing/theme.js";

/** @import { Attributes, CardPayload, SlidePayload } from "../../drawing/types.js" */

/**
 * The address of a small picture in the theme of `element`.
 *
 * @param {string} still @param {HTMLElement} element
 */
export const stillOf = (still, element) => addressOf(`/live/stills/${still}${isDark(element) ? "-dark" : ""}.webp`);

/**
 * A link to a slide's view; a slide without a view is not a link.
 *
 * @param {HTMLElement} parent
 * @param {SlidePayload | CardPayload} slide
 * @param {boolean} here whether it is the current slide of the lecture
 */
export function slideCard(parent, slide, here) {
  const { number, heading, view, path, still } = slide;
  /** @type {Attributes} */
  const link = path ? { href: addressOf(path), "data-path": path } : {};
  const card = html(
    path ? "a" : "div",
    { class: `slide-card${path ? "" : " bare"}`, id: `slide-${number}`, ...link },
    parent,
  );
  if (here) card.setAttribute("aria-current", "true");
  if (still)
    html(
      "img",
      { src: stillOf(still, parent), alt: "", loading: "lazy", decoding: "async", width: 512, height: 264 },
      card,
    );
  const line = html("div", { class: "slide-name" }, card);
  html("span", { class: "slide-number" }, line, String(number));
  html("span", { class: "slide-heading", title: heading }, line, heading);
  const nothing = "nothing" in slide ? slide.nothing : "";
  if (path || nothing) {
    const about = html(
      "div",
      { class: `slide-view ${path ? (slide.part ? "some" : "live") : ""}` },
      card,
      path ? view : nothing,
    );
    if ("missing" in slide && slide.missing) about.title = `Not in the view: ${slide.missing}`;
    if (slide.part) html("span", { class: "unseen" }, about, " (in part)");
  }
  return card;
}

/**
 * Scroll only `grid`, until its child `part` is in the middle, or with `top` at the top.
 *
 * @param {Element} grid @param {Element | null} part
 */
export function scrollTo(grid, part, top = false) {
  if (!part) return;
  const [outer, inner] = [grid.getBoundingClientRect(), part.getBoundingClientRect()];
  grid.scrollTop += inner.top - outer.top - (top ? 0 : (outer.height - inner.height) / 2);
}

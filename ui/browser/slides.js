// The index of a lecture: the decks, its sections, and every slide as a card.

import { addressOf, keepInside } from "./address.js";
import { scrollTo, slideCard } from "./cards.js";
import { html } from "../../drawing/dom.js";
import { opensHandout } from "./handout.js";
import { forgetTime } from "./lecture.js";
import { makesNotebook } from "./notebook.js";
import { stage } from "../../drawing/stage.js";
import { warmsUp } from "./warm_up.js";

/** @import { Component, DeckPayload, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["slides"]} Data */

/** @param {Component<Data>} component */
export default function slides({ data, parentElement }) {
  const [{ element }, fresh] = stage(
    parentElement,
    `slides ${data.title} ${getComputedStyle(document.body).colorScheme}`,
  );
  if (fresh) build(element, data);
  for (const card of element.querySelectorAll(".slides-grid [aria-current]")) card.removeAttribute("aria-current");
  const here = element.querySelector(`#slide-${data.at}`);
  here?.setAttribute("aria-current", "true");
  scrollTo(/** @type {Element} */ (element.querySelector(".slides-grid")), here);
  present(element, data);
}

/** @param {HTMLElement} element @param {Data} data */
function build(element, data) {
  element.classList.add("slides");
  keepInside(element);
  const top = html("div", { class: "slides-top" }, element);
  deckLinks(top, data.decks);
  const legend = html("div", { class: "slides-legend" }, top);
  for (const [kind, label] of [
    ["live", "live"],
    ["some", "live in part"],
  ])
    html("span", { class: `slide-view ${kind}` }, legend, label);
  html("span", { class: "slides-present" }, top);
  const list = html("nav", { class: "slides-sections", "aria-label": "Sections" }, element);
  html("div", { class: "slides-note" }, list, "Sections (live / to teach)");
  const grid = html(
    "div",
    { class: "slides-grid", tabindex: "0", role: "region", "aria-label": `Slides of ${data.title}` },
    element,
  );
  data.sections.forEach((section, place) => {
    const first = html("button", { type: "button", class: "slides-section" }, list);
    html("span", {}, first, section.title);
    html("span", { class: "count" }, first, `${section.live} / ${section.taught}`);
    const named = section.slides[0].heading === section.title ? section.slides[0] : null; // the slide of the section itself
    const title = html("h2", { id: named ? `slide-${named.number}` : `section-${place}` }, grid, section.title);
    if (named) html("span", { class: "slide-number" }, title, String(named.number));
    first.onclick = () => scrollTo(grid, title, true);
    for (const slide of section.slides) if (slide !== named) slideCard(grid, slide, false);
  });
}

/**
 * The lectures to choose from, as links in `parent`.
 *
 * @param {HTMLElement} parent @param {DeckPayload[]} decks
 */
export function deckLinks(parent, decks) {
  const list = html("nav", { class: "slides-decks", "aria-label": "Decks" }, parent);
  for (const { short, path, chosen } of decks) {
    const link = html("a", { class: "deck", href: addressOf(path), "data-path": path }, list, short);
    if (chosen) link.setAttribute("aria-current", "page");
  }
}

/** @param {HTMLElement} element @param {Data} data */
function present(element, data) {
  const all = data.sections.flatMap((section) => section.slides);
  const first = all.find((slide) => slide.path && slide.number >= data.at) ?? all.find((slide) => slide.path);
  const place = /** @type {Element} */ (element.querySelector(".slides-present"));
  place.replaceChildren();
  const read = () => ({
    title: data.title,
    slides: all.filter(({ path }) => path).map(({ heading, path }) => ({ heading, path })),
  });
  for (const [label, makes] of /** @type {const} */ ([
    ["Notebook", makesNotebook],
    ["Print …", opensHandout],
  ])) {
    makes(html("button", { type: "button", class: "take-home" }, place, label), read);
  }
  warmsUp(html("button", { type: "button", class: "take-home" }, place), data.deck);
  if (!first) return;
  const path = `${first.path}&present=1&beat=0`;
  const begin = html(
    "a",
    { class: "strong", href: addressOf(path), "data-path": path },
    place,
    `Present from ${first.number}`,
  );
  begin.addEventListener("click", () => forgetTime(path));
}

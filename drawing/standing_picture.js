// While a lecture turns, a copy of the picture that leaves stands over its place until the next one is drawn: a script
// that is shown for the first time takes a few frames to load.

import { html } from "./dom.js";
import { dress } from "./theme.js";

const PATIENCE = 400; // ms after which the copy goes even if nothing else was drawn
/** @type {HTMLElement | null} */
let standing = null;

/**
 * Call `left` when an element has left the document, before the next frame is painted: the page ends its script later.
 *
 * @param {HTMLElement} element @param {() => void} left @returns {() => void} ends the watch
 */
export function whenItLeaves(element, left) {
  const watch = new MutationObserver(() => {
    if (element.isConnected) return;
    watch.disconnect();
    left();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}

/** Let a copy of a picture that has left stand at its place. @param {HTMLElement} figure @param {DOMRect | null} place */
export function letStand(figure, place) {
  if (!place?.width || !document.querySelector(".st-key-present")) return;
  removeStanding();
  standing = html("div", { class: "standing-picture", "aria-hidden": "true" }, document.body);
  const [left, top, width, height] = [place.left, place.top, place.width, place.height].map((each) => `${each}px`);
  Object.assign(standing.style, { position: "fixed", left, top, width, height, pointerEvents: "none", zIndex: "1" });
  const root = standing.attachShadow({ mode: "open" });
  dress(root);
  root.append(figure.cloneNode(true));
  const until = performance.now() + PATIENCE;
  const mine = standing;
  const look = () => {
    if (standing !== mine) return;
    if (performance.now() > until || document.querySelector(".st-key-view-open")) removeStanding();
    else requestAnimationFrame(look);
  };
  look();
}

/** Remove the copy, once another picture is drawn. */
export function removeStanding() {
  standing?.remove();
  standing = null;
}

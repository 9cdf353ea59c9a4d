// Presenter mode: the arrow keys, and the Page keys a clicker sends, move through the page's beats.

/** @import { Component, Scripts } from "./types.js" */
/** @typedef {Scripts["beats"]} Data */

const INSIDE = "input, textarea, select, [role=slider], [role=tab], [role=radio], [contenteditable]";

let shown; // the beat that was last brought up
let stop = () => {};

/** @param {Component<Data>} component */
export default function beats({ data, setTriggerValue }) {
  let at = data.beat; // ahead of the server's answer when keys come fast
  if (shown !== data.beat) setTimeout(whenDrawn, 400, () => bringAndKeep(data.below));
  shown = data.beat;
  const onKey = (event) => {
    const step = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
    const typing = event.composedPath()[0]?.closest?.(INSIDE) && event.key.startsWith("Arrow");
    if (!step || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const beat = Math.min(Math.max(at + step, 0), data.last);
    event.preventDefault();
    if (beat === at) return;
    at = beat;
    setTriggerValue("moved", at);
  };
  stop();
  window.addEventListener("keydown", onKey, { capture: true });
  document.documentElement.dataset.beat = String(data.beat);
  stop = () => window.removeEventListener("keydown", onKey, { capture: true });
  return () => stop();
}

// Once the server has drawn everything, or after five seconds at most.
function whenDrawn(then, looks = 50) {
  const state = /** @type {HTMLElement} */ (document.querySelector("[data-testid=stApp]"))?.dataset.testScriptState;
  if (state === "running" && looks > 0) setTimeout(whenDrawn, 100, then, looks - 1);
  else then();
}

// What draws itself late pushes a view away again: it is brought back, unless a hand has scrolled since.
function bringAndKeep(below) {
  bring(below);
  let touched = false;
  const touch = () => (touched = true);
  const kinds = ["wheel", "touchmove"];
  kinds.forEach((kind) => window.addEventListener(kind, touch, { passive: true }));
  setTimeout(() => {
    kinds.forEach((kind) => window.removeEventListener(kind, touch));
    if (!touched) bring(below);
  }, 900);
}

// A beat that opens a view below the picture, or speaks of one, brings it up; any other shows the picture.
function bring(below) {
  const views = document.querySelector("[role=radiogroup][aria-label='Look closer']");
  const first = views?.querySelector("[role=radio]")?.getAttribute("aria-checked") !== "false"; // or there are none
  (first && !below ? document.querySelector("h1") : views)?.scrollIntoView({ block: "start", behavior: "smooth" });
}

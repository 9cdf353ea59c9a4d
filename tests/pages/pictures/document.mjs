// A document without a browser, in which the scripts draw as they do in one: happy-dom, with the sizes that a layout
// would give, letters of one width, canvases that note what is painted on them, and a colour of its own for each role.

import { register } from "node:module";
import { Window } from "happy-dom";
import { notePaintings } from "./painting.mjs";

/** The size of the drawing's box. */
export const box = { width: 0, height: 0 };
/** @param {string[]} names the roles of the palette */
export function prepare(names) {
  const palette = Object.fromEntries(names.map((name, i) => [name, `#a0${(0x1000 + i).toString(16)}`]));
  const served = `export const PALETTE = ${JSON.stringify({ light: palette, dark: palette })}, STYLE = ""`;
  const resolve = `export const resolve = (name, from, next) => name.endsWith("/served.js")
    ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(served)}`)}, shortCircuit: true } : next(name, from);`;
  register(`data:text/javascript,${encodeURIComponent(resolve)}`);
  const window = new Window({ url: "http://localhost/", width: 1366, height: 768 });
  for (const name of [
    "document",
    "HTMLElement",
    "Element",
    "ShadowRoot",
    "CustomEvent",
    "Event",
    "getComputedStyle",
    "CSSStyleSheet",
    "location",
  ])
    globalThis[name] = window[name];
  const still = (query) => ({
    matches: query.includes("reduced-motion"),
    addEventListener() {},
    removeEventListener() {},
  });
  const frame = (call) => setTimeout(() => call(performance.now()), 0);
  const more = {
    innerWidth: 1366,
    innerHeight: 768,
    devicePixelRatio: 1,
    matchMedia: still,
    requestAnimationFrame: frame,
    cancelAnimationFrame: clearTimeout,
  };
  Object.assign(globalThis, { window }, more);
  Object.assign(window, more, {
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
  });
  globalThis.ResizeObserver = window.ResizeObserver;
  for (const [side, kind] of ["Width", "Height"].flatMap((side) =>
    ["client", "scroll", "offset"].map((kind) => [side, kind]),
  ))
    Object.defineProperty(window.HTMLElement.prototype, kind + side, { get: () => box[side.toLowerCase()] });
  const roles = new Map(Object.entries(palette).map(([name, colour]) => [colour, name]));
  notePaintings(window, roles);
  return { window, roles };
}

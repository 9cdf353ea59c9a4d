// A document without a browser, in which the scripts draw as they do in one: happy-dom, with the sizes that a layout
// would give, letters of one width, a canvas that notes what is written on it, and a colour of its own for each role.

import { register } from "node:module";
import { Window } from "happy-dom";

/** The size of the drawing's box. */
export const box = { width: 0, height: 0 };
/** What was written on canvases since it was last emptied. */
export const painted = /** @type {string[]} */ ([]);

/** The images that were put on canvases since it was last emptied: their sizes, and the colours of some cells. */
export const images = /** @type {string[]} */ ([]);
const MOST_IMAGES = 12;

function note({ width, height, data }) {
  const cells = [0, 0.13, 0.37, 0.5, 0.71, 0.99].map((share) => 4 * Math.floor(share * width * height));
  const colours = cells.map((at) => [...data.slice(at, at + 3)].join(" "));
  if (images.length < MOST_IMAGES) images.push(`image of ${width} by ${height}: ${colours.join("; ")}`);
}

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
  window.HTMLCanvasElement.prototype.getContext = canvas;
  window.HTMLCanvasElement.prototype.toDataURL = () => "data:image/png;base64,";
  return { window, roles: new Map(Object.entries(palette).map(([name, colour]) => [colour, name])) };
}

// A 2D context: it measures and notes texts, and takes everything else.
function canvas() {
  const known = {
    measureText: (text) => ({ width: 50 * [...text].length }),
    fillText: (text) => painted.push(text),
    strokeText: () => undefined,
    putImageData: note,
    createImageData: (width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
    getImageData: (_x, _y, width, height) => ({ width, height, data: new Uint8ClampedArray(4 * width * height) }),
  };
  return new Proxy(known, { get: (its, name) => (name in its ? its[name] : () => canvas()) });
}

// A document without a browser, in which the scripts draw as they do in one: happy-dom, with the sizes that a layout
// would give, letters of one width, canvases that note what is painted on them, and a colour of its own for each role.

import { register } from "node:module";
import { Window } from "happy-dom";
import { notePaintings } from "./painting.mjs";

/** The size of the drawing's box. */
export const box = { width: 0, height: 0 };
const watching = new Set();

/** Tell those who watch sizes that the box has another size now. */
export const resized = () => watching.forEach((each) => each.changed());

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
      constructor(changed) {
        this.changed = changed;
      }
      observe() {
        watching.add(this);
      }
      disconnect() {
        watching.delete(this);
      }
    },
  });
  globalThis.ResizeObserver = window.ResizeObserver;
  globalThis.MutationObserver = window.MutationObserver;
  for (const [side, kind] of ["Width", "Height"].flatMap((side) =>
    ["client", "scroll", "offset"].map((kind) => [side, kind]),
  ))
    Object.defineProperty(window.HTMLElement.prototype, kind + side, { get: () => box[side.toLowerCase()] });
  giveGeometry(window);
  const roles = new Map(Object.entries(palette).map(([name, colour]) => [colour, name]));
  notePaintings(window, roles);
  return { window, roles };
}

/** What a layout would give to scripts that look where the pointer is: a part is where its first shape is. */
function giveGeometry(window) {
  const { Element, SVGElement, SVGSVGElement } = window;
  const whole = () => new window.DOMRect(0, 0, box.width, box.height);
  Element.prototype.getBoundingClientRect = whole;
  SVGElement.prototype.getBoundingClientRect = function () {
    const shape = this.matches("rect, circle") ? this : this.querySelector("rect, circle");
    return shape && this !== this.ownerSVGElement ? new window.DOMRect(...extentOf(shape)) : whole();
  };
  SVGSVGElement.prototype.getBoundingClientRect = whole;
  const listen = Element.prototype.addEventListener;
  Element.prototype.addEventListener = function (kind, hears, ...more) {
    (this.hears ??= new Map()).set(kind, hears);
    return listen.call(this, kind, hears, ...more);
  };
  const same = { a: 1, b: 0, c: 0, d: 1, e: 0, f: 0, inverse: () => same };
  SVGElement.prototype.getScreenCTM = () => same;
  globalThis.DOMPoint = class {
    constructor(x, y) {
      Object.assign(this, { x, y });
    }
    matrixTransform() {
      return this;
    }
  };
  Object.defineProperty(SVGSVGElement.prototype, "viewBox", { get: () => ({ baseVal: { ...box } }) });
  for (const name of ["setPointerCapture", "releasePointerCapture", "hasPointerCapture"])
    Element.prototype[name] = () => false;
}

/** @param {Element} shape a rectangle or a circle @returns {[x: number, y: number, width: number, height: number]} */
export function extentOf(shape) {
  const [x, y, width, height, cx, cy, r] = ["x", "y", "width", "height", "cx", "cy", "r"].map((name) =>
    Number(shape.getAttribute(name) ?? 0),
  );
  const [left, top] = shiftOf(shape);
  return shape.tagName === "circle" ? [left + cx - r, top + cy - r, 2 * r, 2 * r] : [left + x, top + y, width, height];
}

/** How far the groups around a shape move it. */
function shiftOf(shape) {
  let [x, y] = [0, 0];
  for (let node = shape; node?.getAttribute; node = node.parentElement) {
    const [, dx, dy] = /translate\(([-\d.e]+)[ ,]+([-\d.e]+)/.exec(node.getAttribute("transform") ?? "") ?? [0, 0, 0];
    [x, y] = [x + Number(dx), y + Number(dy)];
  }
  return [x, y];
}

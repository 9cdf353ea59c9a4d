// A canvas without a browser: it notes what is painted on it.

import { createHash } from "node:crypto";

/** What was written on canvases since this was last emptied. */
export const written = /** @type {string[]} */ ([]);

/** @type {WeakMap<HTMLCanvasElement, Painting>} */
const paintings = new WeakMap();
/** The painting of each address that a canvas gave. */
const addresses = new Map();

const SHARES = [0, 0.13, 0.37, 0.5, 0.71, 0.99]; // where in a painting samples are taken
const hash = (content) => createHash("sha256").update(content).digest("hex").slice(0, 16);
const spot = (x, y) => `${Math.round(x)};${Math.round(y)}`;
const opacity = ({ globalAlpha }) => (globalAlpha < 1 ? ` opacity ${Math.round(100 * globalAlpha) / 100}` : "");

/** @param {HTMLCanvasElement} canvas */
export function paintingOf(canvas) {
  if (!paintings.has(canvas)) paintings.set(canvas, new Painting(canvas));
  return /** @type {Painting} */ (paintings.get(canvas));
}

/** What is painted at an address that `canvas.toDataURL` gave. */
export const paintedAt = (address) => addresses.get(address) ?? "";

class Painting {
  constructor(canvas) {
    this.canvas = canvas;
    this.emptied();
    const look = { fillStyle: "#000000", globalAlpha: 1, canvas };
    const its = (name) => (name in this ? this[name].bind(this) : (...given) => void this.calls.push([name, ...given]));
    this.brush = new Proxy(look, { get: (_, name) => look[name] ?? its(name) });
  }

  emptied() {
    this.calls = []; // everything that was called since
    this.marks = []; // what of it can be seen, in words
  }

  /** Some of the marks, their number, and a hash of all calls. */
  get words() {
    const some = SHARES.map((share) => this.marks[Math.floor(share * this.marks.length)]);
    return `${this.marks.length} painted: ${[...new Set(some)].join(", ")} ${hash(this.calls.join())}`;
  }

  get address() {
    const address = `data:image/png;base64,${hash(this.calls.join())}`;
    addresses.set(address, this.words);
    return address;
  }

  mark(text, exact = text) {
    this.calls.push(exact);
    this.marks.push(text);
  }

  measureText(text) {
    return { width: 50 * [...text].length };
  }

  createImageData(width, height) {
    return { width, height, data: new Uint8ClampedArray(4 * width * height) };
  }

  clearRect() {
    this.emptied();
  }

  fillRect(x, y, width, height) {
    this.mark(`${this.ink} ${spot(x, y)} to ${spot(x + width, y + height)}${opacity(this.brush)}`);
  }

  fillText(text, x, y) {
    written.push(text);
    this.mark(`${JSON.stringify(text)} ${this.ink} ${spot(x, y)}`);
  }

  putImageData({ width, height, data }, x, y) {
    if (!x && !y && width >= this.canvas.width && height >= this.canvas.height) this.emptied();
    const cells = SHARES.map((share) => 4 * Math.floor(share * width * height));
    const colours = cells.map((at) => [...data.slice(at, at + 3)].join(" "));
    this.mark(`${width} by ${height} cells ${colours.join("; ")}`, `${x} ${y} ${hash(data)}`);
  }

  drawImage(from, ...places) {
    const text = `${places.map(Math.round).join(" ")}${opacity(this.brush)} (${paintingOf(from).words})`;
    this.mark(text);
  }

  get ink() {
    const colour = String(this.brush.fillStyle);
    if (!/^#[0-9a-f]{6}$/i.test(colour) || Painting.roles.has(colour)) return Painting.roles.get(colour) ?? colour;
    return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)).join(" ");
  }
}
/** The role of each colour of the palette. */
Painting.roles = new Map();

/** Make the canvases of a window note what is painted on them. */
export function notePaintings({ HTMLCanvasElement: { prototype } }, roles) {
  Painting.roles = roles;
  prototype.getContext = function () {
    return paintingOf(this).brush;
  };
  prototype.toDataURL = function () {
    return paintingOf(this).address;
  };
  for (const side of ["width", "height"]) {
    const { get, set } = Object.getOwnPropertyDescriptor(prototype, side);
    const resized = function (value) {
      set.call(this, value);
      paintingOf(this).emptied();
    };
    Object.defineProperty(prototype, side, { get, set: resized, configurable: true });
  }
}

// Draws a picture anew for every state, and keeps the nodes: what is drawn again under the same key, or in the same
// place among its siblings, keeps its element. So beads keep flowing, the focus stays and nothing flickers.

import { formatNumber } from "./numbers.js";

/** @import { Palette, SomeAttributes } from "./types.js" */

/** @typedef {SomeAttributes & { key?: string | number | null }} Keyed attributes; `key` identifies a node */
/** @typedef {"start" | "middle" | "end"} Anchor */
/** @typedef {readonly number[]} Point x and y */

/**
 * How a text looks: `room` is the width to which it is cut, `halo` separates it from what is below.
 *
 * @typedef {Keyed & {
 *   size?: number, bold?: boolean, fill?: string, anchor?: Anchor, halo?: boolean | string, room?: number
 * }} TextLook
 */
/** @typedef {Keyed & { stroke?: string | null, width?: number, dash?: string | null, fill?: string }} PathLook */
/**
 * How a shape looks; `line` is the width of its outline, `r` the radius of a rectangle's corners.
 *
 * @typedef {Keyed & {
 *   fill?: string, stroke?: string | null, line?: number | null, dash?: string | null, r?: number
 * }} ShapeLook
 */

/**
 * The numbers along an axis.
 *
 * @typedef {object} Axis
 * @property {number} at the base line of the labels of an x axis, the right end of those of a y axis
 * @property {readonly number[] | number} ticks or about how many the scale chooses
 * @property {(tick: number) => string} [label] of a tick; by default the number, formatted like all numbers
 * @property {number} [size] of the labels
 * @property {boolean} [ends] whether the first and the last label of an x axis stay between its ends
 * @property {readonly [number, number]} [lines] where a line at each tick begins and ends
 * @property {PathLook} [look] of those lines
 * @property {number} [zero] width of the line at 0
 * @property {string} title what the axis measures
 * @property {TextLook & { x: number, y: number }} [titled] where and how the title is written; without it, another text
 *   of the picture names the axis
 * @property {string} [key]
 */
/** @typedef {((value: number) => number) & { ticks?: (count: number) => number[] }} Scale */

/**
 * What a pen keeps for a node: its attributes, its name among its siblings, the pen of a group, and what a press does.
 *
 * @typedef {{ attributes: SomeAttributes, name: string, pen?: Pen, pressed?: (() => void) | null }} Kept
 */
/** @type {WeakMap<Element, Kept>} */
const keeping = new WeakMap();

const SVG = "http://www.w3.org/2000/svg";
const FONT = '"Source Sans", "Source Sans Pro", sans-serif';

/** The opacity of a part while a beat speaks of others. */
export const DIM = 0.18;

/** @type {CanvasRenderingContext2D | null} */
let measuring = null;
/** @type {Map<string, number>} */
const widths = new Map();

/**
 * The width of a text in units of the picture.
 *
 * @param {string} text
 */
export function textWidth(text, size = 15, bold = false) {
  const key = `${bold ? "b" : ""}${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known * size;
  measuring ??= /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  measuring.font = `${bold ? 650 : 400} 100px ${FONT}`;
  if (widths.size > 4000) widths.clear();
  const width = measuring.measureText(text).width / 100;
  widths.set(key, width);
  return width * size;
}

export const forgetWidths = () => widths.clear();

/**
 * `text`, cut with an ellipsis where it is wider than `room`.
 *
 * @param {string} text @param {number} room
 */
export function cutText(text, room, size = 15, bold = false) {
  if (textWidth(text, size, bold) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, size, bold) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** The words of a drawing, by the name of the node that contains them. */
export class Words {
  constructor() {
    this.texts = 0; // without a key
    /** @type {Map<string, { text: string | null, [spoken: string]: SomeAttributes[string] }>} */
    this.saying = new Map();
    /** @type {Map<string, Words>} */
    this.inside = new Map();
  }

  /**
   * The words within a group.
   *
   * @param {string} name
   */
  within(name) {
    const words = this.inside.get(name) ?? new Words();
    this.inside.set(name, words);
    return words;
  }
}

const SPOKEN = ["aria-label", "data-whole"];
/** @type {(attributes: SomeAttributes, words?: string) => SomeAttributes} */
const spoken = (attributes, words = undefined) =>
  Object.fromEntries(SPOKEN.filter((each) => each in attributes).map((each) => [each, words ?? attributes[each]]));

export class Pen {
  /**
   * @param {Element} parent
   * @param {Palette} colour of the theme
   */
  constructor(parent, colour) {
    this.parent = parent;
    this.colour = colour;
    /** @type {Map<string, SVGElement>} */
    this.nodes = new Map();
    /** @type {Words | null} */
    this.words = null;
    this.kept = false;
    this.fits = true;
    /** @type {Map<string, number>} how many nodes without a key were drawn, by their tags */
    this.counts = new Map();
    /** @type {Set<string>} */
    this.drawn = new Set();
    /** @type {Element | null} */
    this.last = null;
  }

  /**
   * Draw with `how`, and remove what it did not draw again.
   *
   * During an animation to another state, marks are drawn with intermediate numbers, and words as in the final state:
   * `words` records them when that state is drawn, and with `kept` the recorded words are drawn. Returns whether they
   * still fit: texts without a key are identified by their order, so their count must be the same.
   *
   * @param {(pen: Pen) => void} how @param {Words | null} words @param {boolean} kept
   */
  draw(how, words = null, kept = false) {
    this.words = words;
    this.kept = kept;
    this.fits = true;
    this.counts = new Map();
    this.drawn = new Set();
    this.last = null;
    how(this);
    this.words = null;
    const texts = this.counts.get("text") ?? 0;
    if (words && !kept) words.texts = texts;
    if (words && kept && words.texts !== texts) this.fits = false;
    for (const [key, node] of this.nodes) {
      if (this.drawn.has(key)) continue;
      node.remove();
      this.nodes.delete(key);
    }
    return this.fits;
  }

  /**
   * An element of SVG; `key` distinguishes it from its siblings if their number changes.
   *
   * @template {keyof SVGElementTagNameMap} Tag
   * @param {Tag} tag
   * @param {Keyed} attributes those that are undefined or null are left out
   * @param {string | null} text
   */
  node(tag, { key = null, ...attributes } = {}, text = null) {
    const turn = this.counts.get(tag) ?? 0;
    if (key === null) this.counts.set(tag, turn + 1);
    const name = key === null ? `${tag}#${turn}` : `${tag}:${key}`;
    const node = this.nodeOf(tag, name);
    if (this.words) [attributes, text] = this.worded(this.words, name, attributes, text);
    this.drawn.add(name);
    this.place(node);
    wear(node, attributes);
    if (text !== null && /** @type {Text | null} */ (node.firstChild)?.data !== text) node.textContent = text;
    return node;
  }

  /**
   * Put a node after what is drawn so far. A node that comes later already is not moved: a browser gives no click to a
   * button that is moved while it is held down, and takes its focus away.
   *
   * @param {Element} node
   */
  place(node) {
    const next = this.last ? this.last.nextSibling : this.parent.firstChild;
    let behind = node.parentNode === this.parent ? next : null;
    while (behind && behind !== node) behind = behind.nextSibling;
    if (!behind) this.parent.insertBefore(node, next);
    this.last = node;
  }

  /** @template {keyof SVGElementTagNameMap} Tag @param {Tag} tag @param {string} name */
  nodeOf(tag, name) {
    const known = /** @type {SVGElementTagNameMap[Tag] | undefined} */ (this.nodes.get(name));
    if (known) return known;
    const node = document.createElementNS(SVG, tag);
    keeping.set(node, { attributes: {}, name });
    this.nodes.set(name, node);
    return node;
  }

  /**
   * The attributes and the text of a node, with the words of the final state.
   *
   * @param {Words} words
   * @param {string} name
   * @param {SomeAttributes} attributes
   * @param {string | null} text
   * @returns {[SomeAttributes, string | null]}
   */
  worded({ saying }, name, attributes, text) {
    if (!this.kept) saying.set(name, { text, ...spoken(attributes) });
    const { text: its, ...said } = saying.get(name) ?? { text: "", ...spoken(attributes, "") };
    return [{ ...attributes, ...said }, text === null ? null : its];
  }

  /**
   * A group, or another element with children, with a pen of its own.
   *
   * @template {keyof SVGElementTagNameMap} [Tag="g"]
   * @param {Keyed & { tag?: Tag }} attributes
   * @param {(pen: Pen) => void} how
   */
  group({ tag, ...attributes }, how) {
    const node = this.node(/** @type {Tag} */ (tag ?? "g"), attributes);
    const its = keptOf(node);
    const pen = (its.pen ??= new Pen(node, this.colour));
    pen.colour = this.colour;
    const inside = this.words && this.words.within(its.name);
    if (!pen.draw(how, inside, this.kept)) this.fits = false;
    return node;
  }

  /**
   * A part of the picture under the name that beats use for it: while they speak of others, it is faint.
   *
   * @param {{ dim: (name: string) => boolean }} scene
   * @param {string} name
   * @param {(pen: Pen) => void} how
   * @param {Keyed & { opacity?: number }} more
   */
  part(scene, name, how, { opacity = 1, ...more } = {}) {
    const seen = scene.dim(name) ? DIM : opacity;
    return this.group({ key: name, opacity: seen < 1 ? seen : null, ...more }, how);
  }

  /**
   * An axis: a number at each tick, perhaps with a line, and the title.
   *
   * @param {"x" | "y"} way @param {Scale} scale @param {Axis} axis
   */
  axis(way, scale, { key = `axis ${way}`, title, titled, ticks, ends = false, ...how }) {
    const chosen = typeof ticks === "number" ? (scale.ticks?.(ticks) ?? []) : ticks;
    /** @type {(i: number) => Anchor} */
    const inside = (i) => (i === 0 ? "start" : i === chosen.length - 1 ? "end" : "middle");
    return this.group({ key, "data-axis": way, "data-title": title }, (pen) => {
      chosen.forEach((tick, i) => {
        const anchor = way === "y" ? "end" : ends ? inside(i) : "middle";
        drawTick(pen, way, scale(tick), { ...how, tick, anchor, key: i });
      });
      if (!titled) return;
      const { x, y, ...look } = titled;
      pen.text(x, y, title, look);
    });
  }

  /**
   * A text at a point of its base line.
   *
   * @param {number} x @param {number} y @param {string} text @param {TextLook} how
   */
  text(
    x,
    y,
    text,
    { size = 15, bold = false, fill = this.colour.ink, anchor = "start", halo = false, room = 0, ...more } = {},
  ) {
    const shown = room ? cutText(text, room, size, bold) : text;
    const around = halo
      ? {
          stroke: halo === true ? this.colour.background : halo,
          "stroke-width": 4,
          "stroke-linejoin": "round",
          "paint-order": "stroke",
        }
      : {};
    const whole = shown === text ? null : text;
    return this.node(
      "text",
      {
        x: round(x),
        y: round(y),
        "font-size": size,
        "font-weight": bold ? 650 : 400,
        fill,
        "text-anchor": anchor,
        ...around,
        "data-whole": whole,
        ...more,
      },
      shown,
    );
  }

  /** @param {string} d @param {PathLook} how */
  path(d, { stroke = this.colour.ink, width = 1.5, dash = null, fill = "none", ...more } = {}) {
    return this.node("path", { d, stroke, "stroke-width": width, "stroke-dasharray": dash, fill, ...more });
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {PathLook} how */
  line(x1, y1, x2, y2, how = {}) {
    return this.path(`M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`, how);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height @param {ShapeLook} how */
  rect(x, y, width, height, { fill = "none", stroke = null, line = null, dash = null, r = 4, ...more } = {}) {
    return this.node("rect", {
      x: round(x),
      y: round(y),
      width: round(Math.max(width, 0)),
      height: round(Math.max(height, 0)),
      rx: Math.max(r, 0),
      fill,
      stroke,
      "stroke-width": line ?? (stroke ? 1.5 : null),
      "stroke-dasharray": dash,
      ...more,
    });
  }

  /** @param {number} x @param {number} y @param {number} r @param {ShapeLook} how */
  circle(x, y, r, { fill = "none", stroke = null, line = null, dash = null, ...more } = {}) {
    return this.node("circle", {
      cx: round(x),
      cy: round(y),
      r: round(Math.max(r, 0)),
      fill,
      stroke,
      "stroke-width": line ?? (stroke ? 2 : null),
      "stroke-dasharray": dash,
      ...more,
    });
  }

  /**
   * Beads that flow along a path, in the direction in which it is drawn.
   *
   * @param {string} d @param {string} stroke @param {PathLook} how
   */
  beads(d, stroke, { width = 3.2, ...more } = {}) {
    return this.path(d, { stroke, width, class: "beads", "aria-hidden": "true", ...more });
  }

  /**
   * The yellow mark behind what changed, or what the sentence names.
   *
   * @param {number} x @param {number} y @param {number} width @param {number} height @param {ShapeLook} how
   */
  mark(x, y, width, height, how = {}) {
    return this.rect(x, y, width, height, { fill: this.colour.mark, r: 4, class: "mark", ...how });
  }

  /**
   * A number with the mark behind it if `marked`; `x` and `y` are as for `text`.
   *
   * @param {number} x @param {number} y @param {string} text @param {boolean} marked @param {TextLook} how
   */
  markedText(x, y, text, marked, how = {}) {
    const { size = 15, bold = false, anchor = "start" } = how;
    if (marked) {
      const width = textWidth(text, size, bold) + 10;
      const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width + 5 : x - 5;
      this.mark(left, y - size * 0.98, width, size * 1.32);
    }
    return this.text(x, y, text, { ...how, ...(marked ? { fill: this.colour.onMark } : {}) });
  }

  /**
   * An arrow head at a point; `angle` in degrees, 0 to the right.
   *
   * @param {number} x @param {number} y @param {number} angle @param {string} fill
   */
  head(x, y, angle, fill, size = 8) {
    return this.node("path", {
      d: `M0 0L${-size} ${-size * 0.55}L${-size} ${size * 0.55}z`,
      fill,
      transform: `translate(${round(x)} ${round(y)}) rotate(${round(angle)})`,
    });
  }

  /**
   * Something that can be pressed, with the pointer or with Enter and the space bar.
   *
   * @param {string} name for screen readers
   * @param {() => void} pressed
   * @param {(pen: Pen) => void} how draws it
   * @param {Keyed & { disabled?: boolean, chosen?: boolean }} more
   */
  button(name, pressed, how, { disabled = false, chosen = undefined, ...attributes } = {}) {
    const node = this.group(
      {
        role: "button",
        "aria-label": name,
        tabindex: disabled ? undefined : 0,
        "aria-disabled": disabled || undefined,
        "aria-pressed": chosen,
        class: "press",
        ...attributes,
      },
      how,
    );
    const its = keptOf(node);
    const listens = its.pressed !== undefined;
    its.pressed = disabled ? null : pressed;
    if (listens) return node;
    node.addEventListener("click", () => its.pressed?.());
    node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      its.pressed?.();
    });
    return node;
  }
}

/** @typedef {Pick<Axis, "at" | "label" | "size" | "lines" | "look" | "zero">} TickLook */

/**
 * @param {Pen} pen
 * @param {"x" | "y"} way
 * @param {number} place
 * @param {TickLook & { tick: number, anchor: Anchor, key: number }} how
 */
function drawTick(pen, way, place, { at, lines, look, zero = 1, size = 13, label = formatNumber, tick, anchor, key }) {
  const { quiet, line } = pen.colour;
  const shown = { key, stroke: line, width: tick ? 1 : zero, ...look };
  if (lines && way === "x") pen.line(place, lines[0], place, lines[1], shown);
  if (lines && way === "y") pen.line(lines[0], place, lines[1], place, shown);
  const [x, y] = way === "x" ? [place, at] : [at, place + 5];
  pen.text(x, y, label(tick), { key, size, fill: quiet, anchor });
}

/** @param {Element} node that a pen has drawn */
const keptOf = (node) => /** @type {Kept} */ (keeping.get(node));

/**
 * Give a node these attributes, and remove those of the last call that are not among them.
 *
 * @param {SVGElement} node @param {SomeAttributes} attributes
 */
function wear(node, attributes) {
  const its = keptOf(node);
  const before = its.attributes;
  for (const each in attributes) {
    const value = attributes[each];
    if (value === before[each]) continue;
    if (value === undefined || value === null) node.removeAttribute(each);
    else node.setAttribute(each, /** @type {string} */ (value));
  }
  for (const each in before) if (!(each in attributes)) node.removeAttribute(each);
  its.attributes = attributes;
}

/** @param {number} value */
const round = (value) => Math.round(value * 100) / 100;

/**
 * A path through points, straight from one to the next.
 *
 * @param {readonly Point[]} points
 */
export const through = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${round(x)} ${round(y)}`).join("");

/**
 * A path with right angles, rounded at its corners by `r`.
 *
 * @param {readonly Point[]} points
 */
export function bent(points, r = 10) {
  let d = `M${round(points[0][0])} ${round(points[0][1])}`;
  for (let i = 1; i < points.length; i++) {
    const [x, y] = points[i];
    const after = points[i + 1];
    if (!after) return `${d}L${round(x)} ${round(y)}`;
    const [px, py] = points[i - 1];
    const [ux, uy] = unit(px - x, py - y);
    const [vx, vy] = unit(after[0] - x, after[1] - y);
    const near = Math.min(r, Math.hypot(px - x, py - y) / 2, Math.hypot(after[0] - x, after[1] - y) / 2);
    d += `L${round(x + ux * near)} ${round(y + uy * near)}Q${round(x)} ${round(y)} ${round(x + vx * near)} ${round(y + vy * near)}`;
  }
  return d;
}

/** @param {number} x @param {number} y */
function unit(x, y) {
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}

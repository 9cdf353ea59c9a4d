// Draws a picture anew for every state, and keeps the nodes: what is drawn again under the same key, or in
// the same place among its siblings, is the same element, so beads flow on, focus stays and nothing flickers.

const SVG = "http://www.w3.org/2000/svg";
const FONT = '"Source Sans", "Source Sans Pro", sans-serif';

let measuring = null;
const widths = new Map();

/** The width of a text in units of the picture. */
export function textWidth(text, size = 15, bold = false) {
  const key = `${bold ? "b" : ""}${text}`;
  if (!widths.has(key)) {
    measuring ??= document.createElement("canvas").getContext("2d");
    measuring.font = `${bold ? 650 : 400} 100px ${FONT}`;
    if (widths.size > 4000) widths.clear();
    widths.set(key, measuring.measureText(text).width / 100);
  }
  return widths.get(key) * size;
}

export const forgetWidths = () => widths.clear();

/** `text`, cut with an ellipsis where it is wider than `room`. */
export function cutText(text, room, size = 15, bold = false) {
  if (textWidth(text, size, bold) <= room) return text;
  const letters = [...text];
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, size, bold) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** The words of a drawing, by the name of the node that they stand in. */
export class Words {
  constructor() {
    this.texts = 0; // without a key
    /** @type {Map<string, any>} */
    this.saying = new Map();
    /** @type {Map<string, Words>} */
    this.inside = new Map();
  }

  /** The words within a group. */
  within(name) {
    if (!this.inside.has(name)) this.inside.set(name, new Words());
    return /** @type {Words} */ (this.inside.get(name));
  }
}

const SPOKEN = ["aria-label", "data-whole"];
const spoken = (attributes, words = undefined) =>
  Object.fromEntries(SPOKEN.filter((each) => each in attributes).map((each) => [each, words ?? attributes[each]]));

export class Pen {
  /**
   * @param {Element} parent
   * @param {Record<string, string>} colour the palette of the theme
   */
  constructor(parent, colour) {
    this.parent = parent;
    this.colour = colour;
    /** @type {Map<string, any>} */
    this.nodes = new Map();
    /** @type {Words | null} */
    this.words = null;
  }

  /**
   * Draw with `how`, and take away what it did not draw again.
   *
   * While numbers run to another state, marks are drawn on their way, and words as they are in the end: `words` notes
   * them when that state is drawn, and with `kept` they stand, whatever else is drawn. Returns whether they have their
   * places: texts without a key are told apart by their number.
   *
   * @param {(pen: Pen) => void} how
   * @param {Words | null} words
   * @param {boolean} kept
   */
  draw(how, words = null, kept = false) {
    this.words = words;
    this.kept = kept;
    this.fits = true;
    this.counts = new Map();
    this.drawn = new Set();
    /** @type {Element | null} */
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
   * An element of SVG; `key` tells it from its siblings where their number changes.
   *
   * @param {string} tag
   * @param {Record<string, any>} attributes those that are undefined or null are left out
   * @param {string | null} text
   */
  node(tag, { key = null, ...attributes } = {}, text = null) {
    const turn = this.counts.get(tag) ?? 0;
    if (key === null) this.counts.set(tag, turn + 1);
    const name = key === null ? `${tag}#${turn}` : `${tag}:${key}`;
    let node = this.nodes.get(name);
    if (!node) {
      node = document.createElementNS(SVG, tag);
      node.its = {};
      node.called = name;
      this.nodes.set(name, node);
    }
    if (this.words) [attributes, text] = this.worded(name, attributes, text);
    this.drawn.add(name);
    const next = this.last ? this.last.nextSibling : this.parent.firstChild;
    if (next !== node) this.parent.insertBefore(node, next);
    this.last = node;
    const before = node.its;
    for (const each in attributes) {
      const value = attributes[each];
      if (value === before[each]) continue;
      if (value === undefined || value === null) node.removeAttribute(each);
      else node.setAttribute(each, value);
    }
    for (const each in before) if (!(each in attributes)) node.removeAttribute(each);
    node.its = attributes;
    if (text !== null && node.firstChild?.data !== text) node.textContent = text;
    return node;
  }

  /** The attributes and the text of a node, with the words that it has in the end. */
  worded(name, attributes, text) {
    const { saying } = /** @type {Words} */ (this.words);
    if (!this.kept) saying.set(name, { text, ...spoken(attributes) });
    const { text: its, ...said } = saying.get(name) ?? { text: "", ...spoken(attributes, "") };
    return [{ ...attributes, ...said }, text === null ? null : its];
  }

  /** A group, or another element with children, with a pen of its own. */
  group({ tag = "g", ...attributes }, how) {
    const node = this.node(tag, attributes);
    node.pen ??= new Pen(node, this.colour);
    node.pen.colour = this.colour;
    const inside = this.words && this.words.within(node.called);
    if (!node.pen.draw(how, inside, this.kept)) this.fits = false;
    return node;
  }

  /**
   * A text at a point of its base line. `anchor` is start, middle or end; `halo` parts it from what is below.
   *
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {Record<string, any>} how
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

  /**
   * @param {string} d
   * @param {Record<string, any>} how
   */
  path(d, { stroke = this.colour.ink, width = 1.5, dash = null, fill = "none", ...more } = {}) {
    return this.node("path", { d, stroke, "stroke-width": width, "stroke-dasharray": dash, fill, ...more });
  }

  line(x1, y1, x2, y2, how = {}) {
    return this.path(`M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}`, how);
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} width
   * @param {number} height
   * @param {Record<string, any>} how
   */
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

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} r
   * @param {Record<string, any>} how
   */
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
   * @param {string} d
   * @param {string} stroke
   * @param {Record<string, any>} how
   */
  beads(d, stroke, { width = 3.2, ...more } = {}) {
    return this.path(d, { stroke, width, class: "beads", "aria-hidden": "true", ...more });
  }

  /** The yellow mark behind what changed, or what the sentence names. */
  mark(x, y, width, height, how = {}) {
    return this.rect(x, y, width, height, { fill: this.colour.mark, r: 4, class: "mark", ...how });
  }

  /** A number with the mark behind it where `marked`; `x` and `y` are as for `text`. */
  markedText(x, y, text, marked, how = {}) {
    const { size = 15, bold = false, anchor = "start" } = how;
    if (marked) {
      const width = textWidth(text, size, bold) + 10;
      const left = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width + 5 : x - 5;
      this.mark(left, y - size * 0.98, width, size * 1.32);
    }
    return this.text(x, y, text, { ...how, ...(marked ? { fill: this.colour.onMark } : {}) });
  }

  /** An arrow head at a point; `angle` in degrees, 0 to the right. */
  head(x, y, angle, fill, size = 8) {
    return this.node("path", {
      d: `M0 0L${-size} ${-size * 0.55}L${-size} ${size * 0.55}z`,
      fill,
      transform: `translate(${round(x)} ${round(y)}) rotate(${round(angle)})`,
    });
  }

  /**
   * Something that is pressed: by hand, or with Enter and the space bar.
   *
   * @param {string} name as it is read out
   * @param {() => void} pressed
   * @param {(pen: Pen) => void} how draws it
   * @param {Record<string, any>} more
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
    node.pressed = disabled ? null : pressed;
    if (!node.listens) {
      node.listens = true;
      node.addEventListener("click", () => node.pressed?.());
      node.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        node.pressed?.();
      });
    }
    return node;
  }
}

const round = (value) => Math.round(value * 100) / 100;

/** A path through points, straight from one to the next. */
export const through = (points) => points.map(([x, y], i) => `${i ? "L" : "M"}${round(x)} ${round(y)}`).join("");

/** A path with right angles, rounded at its corners by `r`. */
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

function unit(x, y) {
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}

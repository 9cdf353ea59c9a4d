// The main picture of a page: a sentence, a drawing that fills its box, and a formula. Between two states the marks are
// animated, and the texts jump: an intermediate number is true of neither state. While a slider is dragged, all of it
// follows without the server.

import { drawSvg, html } from "./dom.js";
import { frameEvent, nudge } from "./frames.js";
import { grip } from "./grip.js";
import { explain, fit, forgetFit } from "./stage_texts.js";
import { formatNumber } from "./numbers.js";
import { forgetWidths, Pen, Words } from "./pen.js";
import { fillText, plainText, write } from "./rich_text.js";
import { savePicture } from "./saving.js";
import { letStand, removeStanding, whenItLeaves } from "./standing_picture.js";
import { catchPresses } from "./targets.js";
import { colours } from "./theme.js";

/** @import { Frame, Row } from "./frames.js" */
/** @import { Component, Events, NameOf, Numbers, Palette, Scripts, Stop, StageTexts } from "./types.js" */

/**
 * What a page's script draws from: the size of the drawing, the data, and the numbers, each by its name.
 *
 * @template {keyof Numbers} Name the script
 * @template [Memory=Record<string, never>] what it keeps between drawings; by default nothing
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {boolean} narrow whether it is drawn for a phone
 * @property {Scripts[Name] & StageTexts} data
 * @property {(name: NameOf<Name>) => number} values the current number, also during an animation: for marks; texts show
 *   the final number
 * @property {(name: NameOf<Name>) => number} final the number at the end of the animation: for text that is painted on
 *   a canvas
 * @property {((name: NameOf<Name>) => number) | null} before the number before the drag, if there is one
 * @property {NameOf<Name> | null} moved the slider that was dragged
 * @property {(name: NameOf<Name>) => string} text the number as it is printed, or "?" if it is to be predicted
 * @property {(name: NameOf<Name>) => boolean} hidden whether the number is to be predicted
 * @property {(part: string) => boolean} dim whether a beat speaks of other parts only
 * @property {(event: Events[Name]) => void} send sends an event to the server
 * @property {(name: NameOf<Name>, value: number, settled: boolean) => void} move moves a slider of the page
 * @property {Palette} colour
 * @property {(row: number, moved?: boolean) => void} chooseTexts chooses sentence and formula by their place; without
 *   `moved`, the sentence stays while a slider is dragged
 * @property {(row: Row) => void} play animates the numbers to others that the script has already, before they are sent
 *   to the server
 * @property {() => void} again draws once more, after something in `memory` has changed
 * @property {Memory} memory is kept between drawings, and empty at first
 */
/**
 * @template {keyof Numbers} Name
 * @template Memory
 * @typedef {(pen: Pen, scene: Scene<Name, Memory>) => void} Draw
 */

const TWEEN = 350;
const PATIENCE = 1000; // ms in which an answer to an older move waits for the newer one
const FLOW = 8000; // ms that beads flow after the last change
const NARROW = 800; // units: a narrower drawing is laid out as on a phone
const LEAST = 80; // below this height there is no layout yet
/** @type {WeakMap<ShadowRoot, unknown>} */
const pictures = new WeakMap();

/**
 * @template {keyof Numbers} Name
 * @template Memory
 * @param {Component<Scripts[Name]>} component
 * @param {Draw<Name, Memory>} draw
 * @returns {Stop}
 */
export function mainPicture({ data, parentElement, setTriggerValue }, draw) {
  const given = /** @type {Scripts[Name] & StageTexts} */ (data);
  const colour = colours(parentElement);
  let its = /** @type {MainPicture<Name, Memory> | undefined} */ (pictures.get(parentElement));
  if (!its?.figure.isConnected) pictures.set(parentElement, (its = new MainPicture(parentElement, given, draw)));
  its.draw = draw;
  its.send = (event) => setTriggerValue("event", event);
  its.wear(colour);
  its.listen(given.group);
  its.receive(given);
  return its.stop;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Whether an open view covers the page's picture: an animation would not be seen, and would delay the view.
 *
 * @param {ShadowRoot} root
 */
const covered = (root) =>
  !root.host?.closest(".st-key-view") && document.querySelector(".st-key-stage .st-key-view-open") !== null;

/** @template {keyof Numbers} Name @template Memory */
class MainPicture {
  /** @param {ShadowRoot} root @param {Scripts[Name] & StageTexts} data @param {Draw<Name, Memory>} draw */
  constructor(root, data, draw) {
    root.querySelector(".figure")?.remove();
    this.root = root;
    this.figure = html("div", { class: "stage figure" }, root);
    this.head = html("div", { class: "say" }, this.figure);
    this.say = html("div", { class: "said" }, this.head);
    this.kind = html("span", { class: "kind" }, this.head);
    this.spoken = html("div", { class: "unseen", "aria-live": "polite" }, this.figure);
    this.box = html("div", { class: "box" }, this.figure);
    this.svg = drawSvg("svg", {}, this.box);
    this.formula = html("div", { class: "formula" }, this.figure);

    this.colour = /** @type {Palette} */ ({});
    this.pen = new Pen(this.svg, this.colour);
    this.draw = draw;
    this.memory = /** @type {Memory} */ ({});
    /** @type {Scene<Name, Memory>["send"]} */
    this.send = () => {};

    this.data = data;
    this.index = placesOf(data.names);
    /** @type {Row} the numbers where they run to */
    this.goal = data.now;
    /** @type {Row} the numbers as they are drawn: the goal, or on their way */
    this.shown = data.now;
    /** @type {Row | null} the numbers before the drag, if one was dragged */
    this.was = null;
    /** @type {string | null} */
    this.moved = null;
    this.label = ""; // of what has moved
    this.movedAt = 0;
    /** @type {DOMRect | null} where it is on the screen */
    this.place = null;
    this.rested = true; // whether the server has answered the last move
    /** @type {{ row: number, moved: boolean } | null} */
    this.textChoice = null;
    /** @type {(Words & { of: Row }) | null} */
    this.words = null;

    this.running = 0;
    this.waiting = 0;
    this.speaking = 0;
    this.resting = 0;
    this.later = 0;
    /** @type {string | null} */
    this.frame = null;
    /** @type {Stop | null} */
    this.unwatch = null;
    this.watch = window.ResizeObserver ? new ResizeObserver(() => this.paint()) : null;
    this.soon = () => void (this.waiting ||= requestAnimationFrame(() => this.paint()));
    this.stop = () => this.leave();
    this.onFrame = (/** @type {Event} */ event) => this.follow(/** @type {CustomEvent<Frame>} */ (event).detail);
    this.onSave = (/** @type {Event} */ event) =>
      savePicture(/** @type {CustomEvent<string>} */ (event).detail, this, this.figure);
    // What was measured in another font is measured anew.
    this.onFonts = () => {
      forgetWidths();
      for (const line of [this.say, this.formula]) forgetFit(line);
      this.soon();
    };
    grip({
      svg: this.svg,
      unit: () => Number(this.figure.dataset.unit),
      value: (name) => this.value(this.goal, name),
      group: () => this.data.group,
    });
    catchPresses(this.svg);
    explain(this.head, this.figure, (term) => this.data.glossary[term]);
  }

  /** @param {Palette} colour */
  wear(colour) {
    this.colour = this.pen.colour = colour;
    for (const [role, value] of Object.entries(colour)) this.figure.style.setProperty(`--${role}`, value);
  }

  /** @param {Row} row @param {string} name */
  value(row, name) {
    return row[/** @type {number} */ (this.index.get(name))];
  }

  /** @param {string} name */
  hidden(name) {
    return this.data.hidden.includes(name);
  }

  paint() {
    this.waiting = 0;
    const { box, figure, svg, head, formula } = this;
    if (box.clientHeight < LEAST || box.clientWidth < LEAST) return;
    const design = Number(getComputedStyle(figure).getPropertyValue("--design"));
    const unit = design ? Math.max(1, Math.min(innerWidth / design, innerHeight / 460)) : 1; // larger when presenting
    const size = { width: box.clientWidth / unit, height: box.clientHeight / unit };
    // Read before anything is written: reading in between has the browser lay the page out each time.
    const rooms = [head, formula].map((row) => `${row.clientWidth} ${row.clientHeight}`);
    this.place = figure.getBoundingClientRect();
    svg.setAttribute("viewBox", `0 0 ${size.width} ${size.height}`);
    figure.dataset.unit = String(unit);
    this.drawAll(size);
    this.write(rooms);
    removeStanding();
    clearTimeout(this.resting);
    delete figure.dataset.rests;
    this.resting = window.setTimeout(() => (figure.dataset.rests = ""), FLOW);
  }

  /**
   * Draw the goal, to record its words, and then the intermediate numbers.
   *
   * @param {{ width: number, height: number }} size
   */
  drawAll(size) {
    /** @type {(row: Row, words?: Words | null, kept?: boolean) => boolean} */
    const drawing = (row, words = null, kept = false) =>
      this.pen.draw((pen) => this.draw(pen, this.scene(size, row, kept)), words, kept);
    const onTheWay = this.shown !== this.goal;
    if (!onTheWay || this.words?.of !== this.goal) {
      this.textChoice = null;
      this.words = onTheWay ? Object.assign(new Words(), { of: this.goal }) : null;
      drawing(this.goal, this.words);
    }
    if (onTheWay && !drawing(this.shown, this.words, true)) {
      this.shown = this.goal; // its words would be in the wrong places
      drawing(this.goal);
    }
  }

  /**
   * @param {{ width: number, height: number }} size
   * @param {Row} row
   * @param {boolean} kept whether the words stand
   * @returns {Scene<Name, Memory>}
   */
  scene({ width, height }, row, kept) {
    const { data, goal, was } = this;
    return {
      width,
      height,
      data,
      narrow: width < NARROW,
      values: (name) => this.value(row, name),
      final: (name) => this.value(goal, name),
      before: was && ((name) => this.value(was, name)),
      moved: /** @type {NameOf<Name> | null} */ (this.moved),
      text: (name) => (this.hidden(name) ? "?" : formatNumber(this.value(row, name))),
      hidden: (name) => this.hidden(name),
      dim: (part) => data.light.length > 0 && !data.light.includes(part),
      send: this.send,
      move: (name, to, settled) => nudge(data.group, name, to, settled),
      colour: this.colour,
      chooseTexts: (chosen, moved = true) => {
        if (!kept) this.textChoice = { row: chosen, moved };
      },
      play: (to) => this.play(to),
      again: this.soon,
      memory: this.memory,
    };
  }

  /** @param {string[]} rooms the sizes of the rows of the sentence and of the formula */
  write(rooms) {
    const { data, say, head, kind, svg, formula } = this;
    /** @type {(name: string, before: boolean) => number | string} */
    const printed = (name, before) => (this.hidden(name) ? "?" : this.value((before && this.was) || this.goal, name));
    const template = this.sentence();
    write(say, [template], printed);
    write(formula, data.formula[this.chosen("@formula")] ?? [], printed);
    if (kind.textContent !== data.kind) kind.textContent = data.kind;
    formula.hidden = !data.formula.length;
    fit(say, head, rooms[0]);
    fit(formula, formula, rooms[1]);
    svg.setAttribute("role", svg.querySelector("[tabindex]") ? "group" : "img"); // an image has nothing to press
    svg.setAttribute("aria-label", fillText(data.alt, printed));
    clearTimeout(this.speaking);
    this.speaking = window.setTimeout(() => (this.spoken.textContent = plainText(template, printed)), 600);
  }

  sentence() {
    const { moved, sentences } = this.data;
    if (!this.was || !moved || this.textChoice?.moved === false) return sentences[this.chosen("@say")] ?? "";
    return moved.replaceAll("{moved", `{${this.moved}`).replaceAll("{label}", this.label);
  }

  /**
   * The index of a text: the one that the script has chosen, else the number of that name, else the first.
   *
   * @param {string} name
   */
  chosen(name) {
    return this.textChoice?.row ?? Number(this.index.has(name) ? this.value(this.goal, name) : 0);
  }

  /**
   * Animate the marks to other numbers. A number whose name begins with @ chooses among texts, and jumps.
   *
   * @param {Row} to
   */
  run(to) {
    const from = this.shown;
    const jumps = this.data.names.map((name) => name.startsWith("@"));
    const start = performance.now();
    cancelAnimationFrame(this.running);
    this.figure.dataset.running = ""; // tells tests and screen capture that a tween is running
    /** @param {number} now */
    const step = (now) => {
      const part = Math.min(Math.max((now - start) / TWEEN, 0), 1);
      const eased = 1 - (1 - part) ** 3;
      this.shown =
        part < 1
          ? to.map((goal, i) =>
              jumps[i] || !Number.isFinite(from[i] - goal) ? goal : from[i] + (goal - from[i]) * eased,
            )
          : to;
      this.paint();
      this.running = this.shown === to ? 0 : requestAnimationFrame(step);
      if (!this.running) delete this.figure.dataset.running;
    };
    step(start);
  }

  /** @param {Row} row */
  play(row) {
    this.was = this.moved = null;
    this.rested = true;
    this.goal = row;
    if (!still()) return this.run(row);
    this.shown = row;
    this.paint();
  }

  /** @param {Scripts[Name] & StageTexts} data from the server */
  receive(data) {
    const { names } = this.data;
    const same = names.length === data.names.length && data.names.every((name, i) => name === names[i]);
    if (this.outdated(data, same)) return;
    delete document.documentElement.dataset.moved;
    const echo = same && data.now.every((number, i) => close(number, this.goal[i]));
    this.data = data;
    this.index = placesOf(data.names);
    this.rested = true;
    if (echo && this.running) return;
    this.goal = data.now;
    if (!echo) this.was = this.moved = null;
    if (same && !echo && !still() && !covered(this.root)) return this.run(data.now);
    this.rest();
    this.shown = data.now;
    this.paint();
  }

  /**
   * Ignore the answer to an older position while a drag continues; it is applied after PATIENCE ms if no
   * newer one arrives.
   *
   * @param {Scripts[Name] & StageTexts} data
   * @param {boolean} same whether its numbers have the same names
   */
  outdated(data, same) {
    clearTimeout(this.later);
    const moved = same && !this.rested && this.moved !== null ? this.index.get(this.moved) : undefined;
    const left = this.movedAt + PATIENCE - performance.now();
    if (moved === undefined || close(data.now[moved], this.goal[moved]) || left <= 0) return false;
    this.later = window.setTimeout(() => this.receive(data), left);
    return true;
  }

  /** @param {Frame} frame in which a hand, or another picture, has moved the numbers */
  follow({ row, moved, label }) {
    if (this.rested || this.moved !== moved) this.was = this.goal;
    // Presenting, the picture's own sentence is the headline from now on, unless a question is.
    if (!this.data.hidden.length) document.documentElement.dataset.moved = "";
    Object.assign(this, { rested: false, moved, label, goal: row, shown: row, movedAt: performance.now() });
    this.rest();
    this.soon();
  }

  rest() {
    cancelAnimationFrame(this.running);
    delete this.figure.dataset.running;
  }

  /** @param {string} group */
  listen(group) {
    if (this.frame === frameEvent(group)) return;
    this.leave();
    this.unwatch = whenItLeaves(this.figure, () => letStand(this.figure, this.place));
    this.watch?.observe(this.box);
    if (!this.watch) window.addEventListener("resize", this.soon);
    window.addEventListener((this.frame = frameEvent(group)), this.onFrame);
    window.addEventListener("picture:save", this.onSave);
    document.fonts?.addEventListener("loadingdone", this.onFonts);
  }

  leave() {
    this.unwatch?.();
    this.watch?.disconnect();
    window.removeEventListener("resize", this.soon);
    if (this.frame) window.removeEventListener(this.frame, this.onFrame);
    window.removeEventListener("picture:save", this.onSave);
    document.fonts?.removeEventListener("loadingdone", this.onFonts);
    cancelAnimationFrame(this.running);
    clearTimeout(this.later);
    delete document.documentElement.dataset.moved;
    this.frame = null;
    this.running = 0;
  }
}

/** @param {string[]} names */
const placesOf = (names) => new Map(names.map((name, i) => [name, i]));

/** @param {number} a @param {number} b */
const close = (a, b) => Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

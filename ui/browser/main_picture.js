// The main picture of a page: a sentence, a drawing that fills its box, and a formula. From one state to the
// next its marks run, and what is said jumps: a number on its way is true of neither state. While a hand moves
// a slider, all of it follows without the server.

import { html } from "./dom.js";
import { frameEvent, nudge } from "./frames.js";
import { formatNumber } from "./numbers.js";
import { forgetWidths, Pen, Words } from "./pen.js";
import { fillText, plainText, write } from "./rich.js";
import { savePicture } from "./saving.js";
import { catchPresses, nearest } from "./targets.js";
import { colours } from "./theme.js";

/** @import { Component } from "./types.js" */

/**
 * What a page's script draws from: the size of the drawing, the data, and the numbers.
 *
 * @typedef {object} Scene
 * @property {number} width
 * @property {number} height
 * @property {boolean} narrow whether it is drawn for a phone
 * @property {any} data
 * @property {(name: string) => number} values the number now, or on its way: for marks, whose words are those of the end
 * @property {(name: string) => number} final the number at the end of its way: for what is painted as text on a canvas
 * @property {((name: string) => number) | null} before the number before the hand went down, if it has moved one
 * @property {string | null} moved the slider that the hand has moved
 * @property {(name: string) => string} text the number as it is printed, or "?" where it is to be predicted
 * @property {(name: string) => boolean} hidden
 * @property {(name: string) => boolean} dim whether a beat speaks of other parts only
 * @property {(event: unknown) => void} send tells the server
 * @property {(name: string, value: number, settled: boolean) => void} move moves a slider of the page
 * @property {Record<string, string>} colour
 * @property {(row: number, moved?: boolean) => void} tell chooses sentence and formula by their place; without
 *   `moved`, the sentence stays while a hand moves a slider
 * @property {(row: any) => void} play lets the numbers run to other ones that the script has, before the server hears of them
 * @property {() => void} again draws once more, after something that only this script remembers has changed
 * @property {Record<string, any>} memory what the script remembers between drawings
 */

const TWEEN = 350;
const SIZES = ["", "small", "two", "tiny"]; // of a line of text
const PATIENCE = 1000; // ms in which an answer to an older move waits for the newer one
const FLOW = 8000; // ms that beads flow after the last change
const NARROW = 800; // units: a narrower drawing is laid out as on a phone
const LEAST = 80; // below this height there is no layout yet
/** @type {WeakMap<object, any>} */
const pictures = new WeakMap();

/**
 * @param {Component<any>} component
 * @param {(pen: Pen, scene: Scene) => void} draw
 */
export function mainPicture({ data, parentElement, setTriggerValue }, draw) {
  let its = pictures.get(parentElement);
  if (!its?.figure.isConnected) pictures.set(parentElement, (its = build(parentElement)));
  its.draw = draw;
  its.send = (value) => setTriggerValue("event", value);
  its.wear(colours(parentElement));
  its.listen(data.group);
  its.receive(data);
  return its.stop;
}

export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// An open view lies over the page's picture, whose numbers nobody would see run: drawing them keeps the view waiting.
const covered = (root) =>
  !root.host?.closest(".st-key-view") && document.querySelector(".st-key-stage .st-key-view-open") !== null;

function build(root) {
  root.querySelector(".figure")?.remove();
  const figure = html("div", { class: "stage figure" }, root);
  const head = html("div", { class: "say" }, figure);
  const say = html("div", { class: "said" }, head);
  const kind = html("span", { class: "kind" }, head);
  const spoken = html("div", { class: "unseen", "aria-live": "polite" }, figure);
  const box = html("div", { class: "box" }, figure);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  box.append(svg);
  const formula = html("div", { class: "formula" }, figure);
  const its = /** @type {any} */ ({ figure, svg, shown: null, goal: null, was: null, moved: null, memory: {} });
  let running = 0;
  let waiting = 0;
  let speaking = 0;
  let resting = 0;

  its.wear = (colour) => {
    its.colour = colour;
    for (const [role, value] of Object.entries(colour)) figure.style.setProperty(`--${role}`, value);
    its.pen ??= new Pen(svg, colour);
    its.pen.colour = colour;
  };

  const value = (row, name) => row[its.index.get(name)];
  const hidden = (name) => its.data.hidden.includes(name);
  const printed = (name, before) => (hidden(name) ? "?" : value((before && its.was) || its.goal, name));

  its.paint = () => {
    waiting = 0;
    if (!its.data || box.clientHeight < LEAST || box.clientWidth < LEAST) return;
    const design = Number(getComputedStyle(figure).getPropertyValue("--design"));
    const unit = design ? Math.max(1, Math.min(innerWidth / design, innerHeight / 460)) : 1; // presenting: a unit grows with the screen
    const [width, height] = [box.clientWidth / unit, box.clientHeight / unit];
    // Read before anything is written: reading in between has the browser lay the page out each time.
    const rows = [head, formula].map((row) => `${row.clientWidth} ${row.clientHeight}`);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    figure.dataset.unit = String(unit);
    const { data } = its;
    const drawing = (row, words = null, kept = false) =>
      its.pen.draw(
        (pen) =>
          its.draw(pen, {
            width,
            height,
            data,
            narrow: width < NARROW,
            values: (name) => value(row, name),
            final: (name) => value(its.goal, name),
            before: its.was && ((name) => value(its.was, name)),
            moved: its.moved,
            text: (name) => (hidden(name) ? "?" : formatNumber(value(row, name))),
            hidden,
            dim: (part) => data.light.length > 0 && !data.light.includes(part),
            send: its.send,
            move: (name, to, settled) => nudge(data.group, name, to, settled),
            colour: its.colour,
            tell: (chosen, moved = true) => kept || (its.told = { row: chosen, moved }),
            play: its.play,
            again: its.soon,
            memory: its.memory,
          }),
        words,
        kept,
      );
    const onTheWay = its.shown !== its.goal;
    if (!onTheWay || its.words?.of !== its.goal) {
      its.told = null;
      its.words = onTheWay ? Object.assign(new Words(), { of: its.goal }) : null;
      drawing(its.goal, its.words);
    }
    if (onTheWay && !drawing(its.shown, its.words, true)) {
      its.shown = its.goal; // its words would stand in the wrong places
      drawing(its.goal);
    }
    words(rows);
    clearTimeout(resting);
    delete figure.dataset.rests;
    resting = window.setTimeout(() => (figure.dataset.rests = ""), FLOW);
  };

  function words(rows) {
    const { data } = its;
    const pick = its.told?.row ?? Number(its.index.has("@say") ? value(its.goal, "@say") : 0);
    const template =
      its.was && data.moved && its.told?.moved !== false
        ? data.moved.replaceAll("{moved", `{${its.moved}`).replaceAll("{label}", its.label)
        : (data.sentences[pick] ?? "");
    write(say, [template], printed);
    const which = its.told?.row ?? Number(its.index.has("@formula") ? value(its.goal, "@formula") : 0);
    write(formula, data.formula[which] ?? [], printed);
    if (kind.textContent !== data.kind) kind.textContent = data.kind;
    formula.hidden = !data.formula.length;
    fit(say, head, rows[0]);
    fit(formula, formula, rows[1]);
    svg.setAttribute("role", data.presses ? "group" : "img");
    svg.setAttribute("aria-label", fillText(data.alt, printed));
    clearTimeout(speaking);
    speaking = window.setTimeout(() => (spoken.textContent = plainText(template, printed)), 600);
  }

  its.soon = () => (waiting ||= requestAnimationFrame(its.paint));

  // The marks run to the new state. A number whose name begins with @ chooses among texts, and jumps.
  function run(to) {
    const from = its.shown;
    const start = performance.now();
    cancelAnimationFrame(running);
    figure.dataset.running = ""; // tells tests and screen capture that a tween is running
    const step = (now) => {
      const part = Math.min(Math.max((now - start) / TWEEN, 0), 1);
      const eased = 1 - (1 - part) ** 3;
      its.shown =
        part < 1
          ? to.map((goal, i) =>
              its.jumps[i] || !Number.isFinite(from[i] - goal) ? goal : from[i] + (goal - from[i]) * eased,
            )
          : to;
      its.paint();
      running = its.shown === to ? 0 : requestAnimationFrame(step);
      if (!running) delete figure.dataset.running;
    };
    step(start);
  }

  its.play = (row) => {
    its.was = its.moved = null;
    its.rested = true;
    its.goal = row;
    if (!still()) return run(row);
    its.shown = row;
    its.paint();
  };

  // Ignore the answer to an older position while a drag goes on; it is applied after PATIENCE ms if no
  // newer one arrives.
  function outdated(data, same) {
    clearTimeout(its.later);
    const moved = same && !its.rested ? its.index.get(its.moved) : undefined;
    const left = its.movedAt + PATIENCE - performance.now();
    if (moved === undefined || close(data.now[moved], its.goal[moved]) || left <= 0) return false;
    its.later = setTimeout(() => its.receive(data), left);
    return true;
  }

  its.receive = (data) => {
    const before = its.data;
    const same = before?.names.length === data.names.length && data.names.every((name, i) => name === before.names[i]);
    if (outdated(data, same)) return;
    const echo = same && data.now.every((number, i) => close(number, its.goal[i]));
    its.data = data;
    its.index = new Map(data.names.map((name, i) => [name, i]));
    its.jumps = data.names.map((name) => name.startsWith("@"));
    its.rested = true;
    if (echo && running) return;
    its.goal = data.now;
    if (!echo) its.was = its.moved = null;
    if (same && !echo && !still() && !covered(root)) return run(data.now);
    cancelAnimationFrame(running);
    delete figure.dataset.running;
    its.shown = data.now;
    its.paint();
  };

  const onFrame = (event) => {
    const { row, moved, label } = event.detail;
    if (its.rested || its.moved !== moved) its.was = its.goal;
    Object.assign(its, { rested: false, moved, label, goal: row, shown: row, movedAt: performance.now() });
    cancelAnimationFrame(running);
    delete figure.dataset.running;
    its.soon();
  };
  // What was measured in another font is measured anew.
  const onFonts = () => {
    forgetWidths();
    for (const line of [say, formula]) Object.assign(line, { fitted: null, sizes: null });
    its.soon();
  };
  const onSave = (event) => savePicture(event.detail, its, figure);

  const watch = window.ResizeObserver ? new ResizeObserver(() => its.paint()) : null;
  its.listen = (group) => {
    if (its.frame === frameEvent(group)) return;
    its.stop();
    watch?.observe(box);
    if (!watch) window.addEventListener("resize", its.soon);
    window.addEventListener((its.frame = frameEvent(group)), onFrame);
    window.addEventListener("picture:save", onSave);
    document.fonts?.addEventListener("loadingdone", onFonts);
  };
  its.stop = () => {
    watch?.disconnect();
    window.removeEventListener("resize", its.soon);
    window.removeEventListener(its.frame, onFrame);
    window.removeEventListener("picture:save", onSave);
    document.fonts?.removeEventListener("loadingdone", onFonts);
    cancelAnimationFrame(running);
    clearTimeout(its.later);
    its.frame = null;
    running = 0;
  };
  grip(svg, its);
  catchPresses(svg);
  explain(head, figure, its);
  return its;
}

// A term of the sentence is explained below it, while it is pointed at or has the focus.
function explain(head, figure, its) {
  let tip = null;
  const hide = () => {
    tip?.remove();
    tip = null;
  };
  const show = (event) => {
    const term = /** @type {HTMLElement} */ (event.target).closest?.(".term");
    hide();
    const says = term && its.data.glossary[term.textContent];
    if (!says) return;
    tip = html("div", { class: "tip", role: "tooltip" }, figure, says);
    const [box, at] = [figure.getBoundingClientRect(), term.getBoundingClientRect()];
    tip.style.top = `${at.bottom - box.top + 6}px`;
    tip.style.left = `${Math.max(8, Math.min(at.left - box.left, box.width - tip.offsetWidth - 8))}px`;
  };
  for (const kind of ["pointerover", "focusin"]) head.addEventListener(kind, show);
  for (const kind of ["pointerleave", "focusout"]) head.addEventListener(kind, hide);
}

const close = (a, b) => Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));

// A line that is too long is written smaller, then on two lines. Measuring costs a layout of the page, so it is done
// once for a text, whose digits are all of one width, and the size of its row.
function fit(line, row, room) {
  const its = /** @type {any} */ (line);
  const shape = `${line.textContent.replace(/\d/g, "0")} ${room}`;
  if (its.fitted === shape) return;
  its.fitted = shape;
  its.sizes ??= new Map();
  if (its.sizes.size > 500) its.sizes.clear();
  if (!its.sizes.has(shape)) its.sizes.set(shape, SIZES.find((size) => fits(line, row, size)) ?? SIZES.at(-1));
  line.dataset.fit = its.sizes.get(shape);
  // One that does not fit at its smallest scrolls, with the keyboard too.
  const scrolls = line.dataset.fit === "tiny" && line.scrollHeight > line.clientHeight + 1;
  line.toggleAttribute("tabindex", scrolls);
  if (scrolls) line.tabIndex = 0;
}

function fits(line, row, size) {
  line.dataset.fit = size;
  return line.scrollWidth <= line.clientWidth + 1 && line.scrollHeight <= row.clientHeight + 1;
}

// A handle of the drawing moves its slider: `data-n` names it, `data-per` is how far a unit of it is, in
// units of the picture, `data-way` is x or y.
function grip(svg, its) {
  let held = null;
  const along = (event) => (held.way === "y" ? -event.clientY : event.clientX);
  svg.addEventListener("pointerdown", (event) => {
    const met = /** @type {Element} */ (event.target);
    const handle =
      met.closest("[data-n]") ?? (met.closest(".press") ? null : nearest(svg.querySelectorAll("[data-n]"), event));
    if (!handle || event.button) return;
    const { n, per, way } = /** @type {SVGElement} */ (handle).dataset;
    held = { n, way, value: its.goal[its.index.get(n)], per: Number(per) * Number(its.figure.dataset.unit), from: 0 };
    held.from = along(event);
    svg.setPointerCapture(event.pointerId);
  });
  const moveTo = (event, settled) =>
    nudge(its.data.group, held.n, held.value + (along(event) - held.from) / held.per, settled);
  svg.addEventListener("pointermove", (event) => {
    if (!held || (!held.moved && Math.abs(along(event) - held.from) <= 1)) return;
    held.moved = true;
    moveTo(event, false);
  });
  svg.addEventListener("pointerup", (event) => {
    if (held?.moved) moveTo(event, true);
    held = null;
  });
  svg.addEventListener("pointercancel", () => {
    if (held?.moved) nudge(its.data.group, held.n, held.value, true);
    held = null;
  });
}

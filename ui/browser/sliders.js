// Sliders that respond at once: each position's numbers were computed beforehand, in one batched
// lmcore call; moving a slider looks its row up and sends it to the pictures of the same group.
// The server is notified once, when the slider is released.

import { isConnected, sendConnected } from "./connection.js";
import { focusIn, html } from "../../drawing/dom.js";
import { frameEvent, moveEvent } from "../../drawing/frames.js";
import { formatNumber } from "../../drawing/numbers.js";
import { nearestPosition } from "../../drawing/scales.js";
import { stage } from "../../drawing/stage.js";

/** @import { Frame, Nudge } from "../../drawing/frames.js" */
/** @import { Component, MovedSlider, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["sliders"]} Data */

/**
 * The state of the sliders. `held` is the index of the one being dragged. `sent` has each sent value, and the time
 * until which its answer is awaited. `swiped` is the slider on which a swipe became a scroll.
 *
 * @typedef {object} State
 * @property {Data} data
 * @property {Component<Data>["setTriggerValue"]} send
 * @property {number | null} held
 * @property {Map<string, { value: number, until: number }>} sent
 * @property {HTMLInputElement | null} swiped
 */

/** @type {WeakMap<object, State>} */
const memory = new WeakMap();

/** @param {Component<Data>} component */
export default function sliders({ data, parentElement, setTriggerValue }) {
  const [picture, fresh] = stage(parentElement, data.sliders.map((s) => s.name).join("|"));
  if (fresh) build(picture, data);
  const known = memory.get(picture) ?? { held: null, sent: new Map(), swiped: null };
  const state = Object.assign(known, { data, send: setTriggerValue });
  memory.set(picture, state);
  if (fresh) listen(picture, state);
  data.sliders.forEach((slider, i) => {
    name(picture, slider, i);
    if (state.held !== i && !awaits(state, slider)) place(picture, slider, i, slider.value);
  });
}

const PATIENCE = 3000;

/**
 * Whether the slider keeps its value: for PATIENCE ms, the answer to an older move does not reset it.
 *
 * @param {State} state @param {MovedSlider} slider
 */
function awaits({ sent }, { name, value }) {
  const release = sent.get(name);
  const waiting =
    release && Math.abs(release.value - value) > 1e-9 && (performance.now() < release.until || !isConnected());
  if (!waiting) sent.delete(name);
  return waiting;
}

/** @param {Picture<Data>} picture @param {Data} data */
function build(picture, data) {
  picture.element.classList.add("hand");
  /** @type {string | null} */
  let heading = null;
  data.sliders.forEach((slider, i) => {
    if (slider.heading !== heading) {
      heading = slider.heading;
      if (heading) html("div", { class: "heading" }, picture.element, heading);
    }
    const row = html("div", { class: `slider ${slider.role}` }, picture.element);
    html("span", { class: "name", "aria-hidden": "true" }, row);
    html("input", { type: "range", min: 0, step: 1, "data-i": i }, row);
    html("input", { type: "text", inputmode: "decimal", "data-i": i }, row);
  });
}

/**
 * Name a slider: it may control another number than before, such as another weight.
 *
 * @param {Picture<Data>} picture @param {MovedSlider} slider @param {number} i
 */
function name(picture, { label, spoken, help }, i) {
  const [range, box] = fieldsOf(picture, i);
  const text = /** @type {HTMLElement} */ (range.previousElementSibling);
  if (text.textContent !== label) text.textContent = label;
  text.title = range.title = help;
  range.setAttribute("aria-label", spoken);
  box.setAttribute("aria-label", `${spoken}, typed`);
}

/** @param {Picture<Data>} picture @param {MovedSlider} slider @param {number} i @param {number} value */
function place(picture, slider, i, value) {
  const [range, box] = fieldsOf(picture, i);
  range.max = String(slider.positions.length - 1);
  range.value = String(nearestPosition(slider.positions, value));
  range.setAttribute("aria-valuetext", formatNumber(value));
  if (box !== focusIn(box)) box.value = plain(value);
}

/**
 * The slider, and the number field beside it.
 *
 * @param {Picture<Data>} picture @param {number} i
 */
const fieldsOf = (picture, i) =>
  /** @type {NodeListOf<HTMLInputElement>} */ (picture.element.querySelectorAll(`[data-i="${i}"]`));

/** @param {number} value */
const plain = (value) => String(Number(value.toPrecision(12)));

/** @param {Picture<Data>} picture @param {State} state */
function listen(picture, state) {
  followNudges(picture, state);
  followFrames(picture, state);
  restoreSwiped(picture, state);
  picture.element.addEventListener("input", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    if (target.type !== "range") return;
    const i = Number(target.dataset.i);
    state.held = i;
    move(picture, state, i, Number(target.value));
  });
  picture.element.addEventListener("change", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    state.held = null;
    if (state.swiped === target) state.swiped = null;
    else settle(state, target);
  });
}

/**
 * A picture may move a slider, by its name, as a drag does.
 *
 * @param {Picture<Data>} picture @param {State} state
 */
function followNudges(picture, state) {
  const group = moveEvent(state.data.group);
  const nudged = (/** @type {Event} */ event) => {
    const { name, value, settled } = /** @type {CustomEvent<Nudge>} */ (event).detail;
    if (!picture.element.isConnected) return window.removeEventListener(group, nudged);
    const i = state.data.sliders.findIndex((slider) => slider.name === name);
    const range = /** @type {HTMLInputElement | null} */ (
      picture.element.querySelector(`[type="range"][data-i="${i}"]`)
    );
    if (!range) return;
    range.value = String(nearestPosition(state.data.sliders[i].positions, value));
    range.dispatchEvent(new Event(settled ? "change" : "input", { bubbles: true }));
  };
  window.addEventListener(group, nudged);
}

/**
 * When a picture moves by itself, the sliders follow.
 *
 * @param {Picture<Data>} picture @param {State} state
 */
function followFrames(picture, state) {
  const frames = frameEvent(state.data.group);
  const followed = (/** @type {Event} */ event) => {
    const { own, row } = /** @type {CustomEvent<Frame>} */ (event).detail;
    if (!picture.element.isConnected) return window.removeEventListener(frames, followed);
    if (!own) return;
    const { data } = state;
    data.now = row;
    data.sliders.forEach((slider, i) => place(picture, slider, i, data.now[data.names.indexOf(slider.name)]));
  };
  window.addEventListener(frames, followed);
}

/**
 * If a swipe that begins on a slider turns out to scroll the page, the slider's value is restored.
 *
 * @param {Picture<Data>} picture @param {State} state
 */
function restoreSwiped({ element }, state) {
  /** @type {[target: HTMLInputElement, value: string] | null} */
  let began = null;
  element.addEventListener("pointerdown", (event) => {
    const target = /** @type {HTMLInputElement} */ (event.target);
    state.swiped = null;
    began = event.pointerType === "touch" && target.type === "range" ? [target, target.value] : null;
  });
  element.addEventListener("pointercancel", () => {
    if (!began) return;
    const [target, value] = began;
    target.value = value;
    target.dispatchEvent(new Event("input", { bubbles: true }));
    state.held = null;
    state.swiped = target;
    began = null;
  });
}

/**
 * Send a released slider's value, or a typed one, to the server.
 *
 * @param {State} state @param {HTMLInputElement} target
 */
function settle(state, target) {
  const slider = state.data.sliders[Number(target.dataset.i)];
  const drawn = target.type === "range";
  const value = drawn ? slider.positions[Number(target.value)] : NaN;
  const awaitAnswer = () => {
    if (drawn) state.sent.set(slider.name, { value, until: performance.now() + PATIENCE });
  };
  awaitAnswer();
  sendConnected(`${state.data.group} ${slider.name}`, () => {
    awaitAnswer();
    state.send("settled", { name: slider.name, typed: drawn ? plain(value) : target.value });
  });
  // After a drag the arrow keys turn the beats again; a slider that was reached with the keyboard keeps them.
  if (drawn && !target.matches(":focus-visible")) target.blur();
}

/**
 * Send one row of the sweep: the current numbers, with those that this slider changes replaced.
 *
 * @param {Picture<Data>} picture @param {State} state @param {number} i @param {number} position
 */
function move(picture, state, i, position) {
  const slider = state.data.sliders[i];
  place(picture, slider, i, slider.positions[position]);
  const row = state.data.now.slice();
  const start = position * slider.columns.length;
  slider.columns.forEach((column, j) => (row[column] = slider.table[start + j]));
  // If a number that changes has a slider of its own, that slider moves too.
  state.data.sliders.forEach((other, j) => {
    const column = j === i ? -1 : state.data.names.indexOf(other.name);
    if (slider.columns.includes(column)) place(picture, other, j, row[column]);
  });
  const detail = { row, moved: slider.name, label: slider.label };
  window.dispatchEvent(new CustomEvent(frameEvent(state.data.group), { detail }));
}

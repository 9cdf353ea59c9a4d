// One token at a time: the model's distribution, what each filter leaves of it, and where the draw falls.
// All steps of the branch are sent at once; the open step is reported to the server, which computes new branches.

import { focusIn, html } from "../../drawing/dom.js";
import { saveTable } from "../../drawing/saving.js";
import { scroller } from "../../drawing/scrollers.js";
import { stage } from "../../drawing/stage.js";
import { colours, isDark } from "../../drawing/theme.js";
import { drawBranches } from "./stepping_branches.js";
import { drawLine } from "./stepping_line.js";
import { drawTable, rowsOf } from "./stepping_table.js";
import { drawnText } from "./stepping_words.js";

/** @import { Component, Events, Palette, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["stepping"]} Data */
/**
 * The open step.
 *
 * @typedef {object} Walk
 * @property {number} at how many tokens are written
 * @property {number | null} sent the place that was sent to the server; null after the response
 * @property {number} until the time in ms until which a response to an older place is ignored
 * @property {number} [timer] of the next message
 */
/** @typedef {Record<"rewind" | "back" | "step" | "end", HTMLButtonElement>} Buttons */
/**
 * @typedef {object} Remembered
 * @property {string} key what is drawn
 * @property {Palette} colour
 * @property {Walk} walk
 * @property {(event: Events["stepping"]) => void} send
 * @property {Buttons} buttons
 * @property {HTMLElement} where the place, in words
 * @property {HTMLElement} texts the branches
 * @property {HTMLElement} said the token that was chosen, in words
 * @property {HTMLElement} line the line from 0 to 1
 * @property {HTMLElement} table
 */
/** @typedef {Picture<Data, Remembered>} Stepping */

const RESTING = 300; // ms without a click before the place is sent to the server
const PATIENT = 3000; // ms in which a response to an older click is ignored

/** @param {Component<Data>} component */
export default function stepping({ data, parentElement, setTriggerValue }) {
  const key = JSON.stringify([data.prompt, data.branches, data.branch, data.seed, isDark(parentElement)]);
  /** @type {[Stepping, boolean]} */
  const [picture, fresh] = stage(parentElement, "stepping");
  const walk = (picture.walk ??= { at: data.at, sent: null, until: 0 });
  const changed = picture.key !== key;
  const waits = !changed && walk.sent !== null && walk.sent !== data.at && performance.now() < walk.until;
  Object.assign(picture, { key, data, colour: colours(parentElement) });
  picture.send = (event) => {
    clearTimeout(walk.timer);
    setTriggerValue("event", event);
  };
  if (!waits) {
    walk.at = Math.min(data.at, data.steps.length);
    walk.sent = null;
  }
  if (fresh) buildStepping(picture);
  drawStepping(picture);
}

/** @param {Stepping} picture */
function buildStepping(picture) {
  const { element } = picture;
  const bar = html("div", { class: "row gen-row" }, element);
  picture.buttons = buildButtons(picture, bar);
  picture.where = html("span", { class: "readout", "aria-live": "polite" }, bar);
  picture.texts = html("div", { class: "gen-branches" }, element);
  picture.said = html("div", { class: "readout sum", "aria-live": "polite" }, element);
  picture.line = html("div", { class: "gen-line" }, element);
  picture.table = scroller("What may come next", element, "gen-scroll");
  const note = "Press a token to force it here: the text so far is kept, and a new branch begins.";
  html("div", { class: "heading" }, element, note);
  saveTable(element, () => {
    const step = picture.data.steps[shownStep(picture)];
    return ["step", ["token", "rank", ...step.names, "why"], rowsOf(step)];
  });
}

/** @param {Stepping} picture @param {HTMLElement} bar @returns {Buttons} */
function buildButtons(picture, bar) {
  /** @type {(text: string, name: string, to: (at: number) => number) => HTMLButtonElement} */
  const button = (text, name, to) => {
    const made = html("button", { type: "button", "aria-label": name, title: name }, bar, text);
    made.onclick = () => walkTo(picture, to(picture.walk.at));
    return made;
  };
  return {
    rewind: button("Rewind", "Rewind to the prompt", () => 0),
    back: button("◂ Back", "Back one token", (at) => at - 1),
    step: button("Step ▸", "Step one token", (at) => at + 1),
    end: button("To the end", "Run to the end", () => picture.data.steps.length),
  };
}

/** @param {Stepping} picture @param {number} at */
function walkTo(picture, at) {
  const { walk, data } = picture;
  walk.at = walk.sent = Math.max(0, Math.min(at, data.steps.length));
  walk.until = performance.now() + PATIENT;
  drawStepping(picture);
  clearTimeout(walk.timer);
  walk.timer = window.setTimeout(() => {
    if (walk.sent !== null) picture.send({ at: walk.sent });
  }, RESTING);
}

/**
 * The index of the step that is drawn: that of the next token, or of the last one.
 *
 * @param {Stepping} picture
 */
const shownStep = ({ walk, data }) => Math.min(walk.at, data.steps.length - 1);

/** @param {Stepping} picture */
function drawStepping(picture) {
  const { element, data, walk, buttons, colour, send } = picture;
  const active = /** @type {HTMLButtonElement | null} */ (focusIn(element));
  const parts = [picture.table, picture.texts, buttons.step.parentElement];
  const handsOn = active && parts.some((part) => part?.contains(active) && part !== active);
  const [last, at, place] = [data.steps.length, walk.at, shownStep(picture)];
  const step = data.steps[place];
  const over = at === last;
  buttons.rewind.disabled = buttons.back.disabled = at === 0;
  buttons.step.disabled = buttons.end.disabled = over;
  picture.where.textContent = over
    ? `${last} of ${last}: it ${data.ends[step.end] || "ends"}`
    : `${at} of ${last} written; token ${at + 1} comes next`;
  /** @param {number} to */
  const go = (to) => walkTo(picture, to);
  drawBranches(picture.texts, data, at, { go, send });
  picture.said.textContent = drawnText(step, over);
  drawLine(picture.line, step, colour, element.clientWidth);
  drawTable(picture.table, data, place, { go, send, room: element.clientWidth });
  // If the focused button has been removed or disabled, the focus moves to another one.
  if (handsOn && (!active.isConnected || active.disabled))
    (over ? buttons.back : buttons.step).focus({ preventScroll: true });
}

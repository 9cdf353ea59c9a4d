// The keys of every page (key_table.js): ← →, Space and the Page keys of a clicker turn the beats; in a lecture they
// first scroll through a view that is taller than the screen. P presents, Esc leaves (first the field with the focus),
// N chooses the next example, C hides the controls, B and . blank the screen, F is full screen, D takes the pen. In a
// lecture N opens the notes, G shows all slides, Q a QR code of the address.

import { choose } from "./address.js";
import { sendAgain, sendConnected } from "./connection.js";
import { isLecturing, openCode, openNotes, openOverview, openSlide, setBeat, turnSlide, VIEW } from "./lecture.js";
import { leaving } from "./mounted.js";
import { markAnswer, markDone } from "./progress.js";
import { isLeft, shortcutOf } from "./key_table.js";
import { isPenTaken, keepStrokes, takeBack, takePen } from "./pen_strokes.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["keys"]} Data */
/** @typedef {1 | -1} Step onward or back */
/** @typedef {(event: string, value: number, turn?: number) => void} Send */
/** @typedef {{ data: Data, place: string, send: Send, sendBeat: () => void }} Page whose keys are pressed */

const TYPED = "input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]";
const OPENED = "[data-testid=stPopoverButton][aria-expanded=true]"; // Escape closes it first
/** @type {Record<string, () => void>} */
const OPENS = { next: openNotes, slides: openOverview, code: openCode };
/** @type {Record<string, Step | undefined>} */
const STEP = { onward: 1, back: -1 };
const root = document.documentElement;

let stop = () => {};
let spot = "";
// The beat from which the next key turns. Once a key has turned it, the beats of pages that were drawn before the
// server has answered that key are outdated.
let at = 0;
let turned = { when: 0, place: "" };

/** @param {Component<Data>} component */
export default function keys({ data, parentElement, setTriggerValue }) {
  const place = `${location.pathname} ${new URLSearchParams(location.search).get("slide")} ${data.mode}`;
  if (data.answered >= turned.when || turned.place !== place) at = data.beat;
  noteProgress(data);
  /** @type {Send} */
  const send = (event, value, turn = performance.now()) => {
    choose();
    setTriggerValue("pressed", { event, value, turn });
  };
  // A beat is sent by its number: of several only the last one matters, and one may be sent again.
  const sendBeat = () => send("beat", at, turned.when);
  sendAgain("beat", () => (at === data.beat ? null : sendBeat));
  /** @param {KeyboardEvent} event */
  const onKey = (event) => press(event, { data, place, send, sendBeat });
  stop();
  root.dataset.beat = `${data.mode} ${data.beat}`;
  const here = `${location.pathname} ${new URLSearchParams(location.search).get("slide")} ${data.beat}`;
  if (here !== spot) document.querySelector(VIEW)?.scrollTo(0, 0); // a new beat or slide begins at its top
  spot = here;
  keepStrokes(place);
  setBeat(data.steps.indexOf(data.beat) + 1);
  window.addEventListener("keydown", onKey, { capture: true });
  stop = () => window.removeEventListener("keydown", onKey, { capture: true });
  return leaving(leave, parentElement);
}

/** @param {Data} data */
function noteProgress(data) {
  const page = location.pathname.split("/").at(-1) ?? "";
  if (data.mode && data.beat === data.last) markDone(page);
  if (data.verdict) markAnswer(`${page}/${data.asked}`, data.verdict);
}

/** @param {KeyboardEvent} event @param {Page} page */
function press(event, page) {
  const where = /** @type {HTMLElement} */ (event.composedPath()[0]);
  if (where?.closest?.("dialog[open]")) return; // the overview and the search have keys of their own
  if (where?.closest?.("dialog")) return void leaveClosed(event, where, page);
  if (where?.closest?.(TYPED) && !event.key.startsWith("Page")) {
    if (isLeft(event, where, page.data.mode !== "")) setTimeout(() => where.blur()); // the typed text is sent first
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || !act(event, where, page)) return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * A field of a dialog that has closed keeps the focus until the next frame: the key is the page's.
 *
 * @param {KeyboardEvent} event @param {HTMLElement} where @param {Page} page
 */
function leaveClosed(event, where, page) {
  where.blur();
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  event.stopPropagation();
  if (act(event, document.body, page)) event.preventDefault();
}

/**
 * Do what the key does here; returns whether it does anything.
 *
 * @param {KeyboardEvent} event @param {HTMLElement} where @param {Page} page
 */
function act(event, where, page) {
  const { data, send } = page;
  const shortcut = shortcutOf(event);
  const guided = data.mode !== "";
  if (STEP[shortcut]) return guided && !keepsArrows(where, event.key) && turn(STEP[shortcut], page);
  if (guided && shortcut === "draw") return (takePen(), true);
  if (isPenTaken() && shortcut === "leave") return (takePen(), true);
  if (isPenTaken() && event.key === "Backspace") return takeBack();
  if (shortcut === "leave" && guided && !document.fullscreenElement && !document.querySelector(OPENED))
    return (send("leave", 0), true);
  if (shortcut === "present" && !guided) return (send("present", 0), true);
  if (shortcut === "controls") return (root.classList.toggle("no-controls"), true);
  if (shortcut === "blank" && (guided || event.key !== ".")) return (root.classList.toggle("blank"), true);
  if (isLecturing() && OPENS[shortcut]) return (OPENS[shortcut](), true);
  if (shortcut === "next") return (send("example", event.shiftKey ? -1 : 1), true);
  if (shortcut === "fill")
    return (document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen?.(), true);
  return false;
}

/**
 * After the last beat comes the next slide of a lecture, else the next page's first beat.
 *
 * @param {Step} step @param {Page} page
 */
function turn(step, { data, place, sendBeat }) {
  const beat = step > 0 ? data.steps.find((each) => each > at) : data.steps.findLast((each) => each < at);
  root.classList.remove("blank");
  if (isLecturing() && readOn(step)) return true;
  if (beat !== undefined) {
    at = beat;
    turned = { when: performance.now(), place };
    sendConnected("beat", sendBeat);
  } else if (isLecturing()) {
    if (step < 0 && at > 0) openSlide();
    else turnSlide(step);
  } else if (step > 0 && data.mode === "present")
    /** @type {HTMLElement} */ (document.querySelector(".st-key-onward a"))?.click();
  return true;
}

const LEFT = 24; // px that may stay out of sight
const SEEN = 64; // px that stay in sight, so that the reader keeps the place

/**
 * Scroll through a view that is taller than the stage; returns false at its end, where the beat or the slide turns.
 *
 * @param {Step} step
 */
function readOn(step) {
  const view = document.querySelector(VIEW);
  if (!view) return false;
  const left = step > 0 ? view.scrollHeight - view.clientHeight - view.scrollTop : view.scrollTop;
  if (left < LEFT) return false;
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  view.scrollBy({
    top: step * Math.min(left, step > 0 ? upToNext(view) : view.clientHeight - SEEN),
    behavior: calm ? "instant" : "smooth",
  });
  return true;
}

/**
 * How far to scroll: to the figure that is cut off at the bottom, else by nearly the height of the stage.
 *
 * @param {Element} view
 */
function upToNext(view) {
  const { top, bottom } = view.getBoundingClientRect();
  const cut = [...view.querySelectorAll("[class*=st-key-figure-]")]
    .map((each) => each.getBoundingClientRect())
    .find((box) => box.bottom > bottom && box.top > top + LEFT);
  return cut ? cut.top - top - 8 : view.clientHeight - SEEN;
}

function leave() {
  stop();
  sendAgain("beat", () => null);
  root.classList.remove("no-controls", "blank");
  keepStrokes("");
  delete root.dataset.beat;
}

/**
 * Whether the focused element handles the arrow keys itself: a slider, a row of choices or a part of a picture
 * (`data-arrows`) that was reached with the keyboard.
 *
 * @param {HTMLElement} where @param {string} key
 */
function keepsArrows(where, key) {
  return (
    key.startsWith("Arrow") &&
    where?.matches?.(":focus-visible") &&
    Boolean(where.closest("[type=range], [role=slider], [role=radio], [role=tab], [role=radiogroup], [data-arrows]"))
  );
}

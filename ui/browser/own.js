// The page of the visitor's own lecture: its slides in order, each with heading, notes and what is hidden.

import { addressOf, keepInside } from "./address.js";
import { ask } from "./ask.js";
import { focusIn, html } from "../../drawing/dom.js";
import { opensHandout } from "./handout.js";
import { openMatching } from "./matching.js";
import {
  checkLecture,
  forgetLink,
  isFromLink,
  keepMine,
  lectureOf,
  linkOf,
  MOST,
  onOtherTab,
  placed,
  readMine,
  tomlOf,
  withViews,
} from "./own_lecture.js";
import { makesNotebook } from "./notebook.js";
import { hand } from "../../drawing/saving.js";
import { deckLinks } from "./slides.js";
import { stage } from "../../drawing/stage.js";

/** @import { Answered } from "./ask.js" */
/** @import { OwnLecture, OwnSlide } from "./own_lecture.js" */
/** @import { Component, DeckPayload, Scripts } from "../../drawing/types.js" */

/** @typedef {() => unknown} Act may fail, and its error says why */
/** @typedef {(act: Act) => Promise<boolean>} Attempt whether it could be done */
/** @typedef {(message?: string, undo?: (() => void) | null) => void} Again draws the page anew */
/** @typedef {{ slide: OwnSlide, i: number, lecture: OwnLecture, keep: () => Promise<boolean>, again: Again }} Row */

/** @param {Component<Scripts["own"]>} component */
export default function own({ data, parentElement }) {
  const [{ element }, fresh] = stage(parentElement, "own");
  if (!fresh) return;
  element.classList.add("slides");
  keepInside(element);
  redraw = () => element.isConnected && drawAgain(element, data.decks);
  reopen = () => element.isConnected && open(element, data.decks);
  open(element, data.decks);
}

let redraw = () => {};
let reopen = () => {};
onOtherTab(() => redraw());
window.addEventListener("hashchange", () => reopen()); // a link to a lecture, followed in this tab

/**
 * Draw what another tab has changed; text that is being typed here is kept, and saved with the changes.
 *
 * @param {HTMLElement} element @param {DeckPayload[]} decks
 */
function drawAgain(element, decks) {
  const typing = /** @type {HTMLInputElement | null} */ (focusIn(element)?.closest("[type=text], textarea") ?? null);
  const label = typing?.getAttribute("aria-label");
  if (typing) typing.onchange = null; // removing a focused field fires its change event, which would save the outdated lecture
  draw(element, decks);
  const field = /** @type {HTMLInputElement | null} */ (typing && element.querySelector(`[aria-label="${label}"]`));
  if (!typing || !field || field.dataset.of !== typing.dataset.of) return;
  field.value = typing.value;
  field.focus();
  field.dispatchEvent(new Event("change"));
}

/** @param {HTMLElement} element @param {DeckPayload[]} decks */
async function open(element, decks) {
  let wrong = "";
  if (location.hash.length > 1) {
    try {
      keepMine(await lectureOf(location.hash.slice(1)), { link: true });
    } catch (error) {
      wrong = String(/** @type {Error} */ (error).message);
    }
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  draw(element, decks, wrong);
}

/** @param {HTMLElement} element @param {DeckPayload[]} decks @param {string} wrong @param {(() => void) | null} undo */
function draw(element, decks, wrong = "", undo = null) {
  element.replaceChildren();
  const lecture = readMine();
  const top = html("div", { class: "slides-top" }, element);
  deckLinks(top, decks);
  const said = html("p", { class: "own-said", role: "status" }, top, wrong);
  if (undo) html("button", { type: "button" }, said, "Undo").onclick = undo;
  /** @type {Again} */
  const again = (message = "", undone = null) => draw(element, decks, message, undone);
  /** @type {Attempt} */
  const attempt = (act) => tried(said, act);
  const keep = () => attempt(() => keepMine(lecture));
  actions(element, lecture, attempt, again);
  const list = html("div", { class: "own-list" }, element);
  if (!lecture.slides.length)
    html(
      "p",
      { class: "quiet" },
      list,
      "No slides yet. On any page open Save and press “Add to my lecture”, or open a file or a link of somebody else’s.",
    );
  lecture.slides.forEach((slide, i) => row(list, { slide, i, lecture, keep, again }));
}

/**
 * Do `act`; returns whether it succeeded, and shows the error if not.
 *
 * @param {HTMLElement} said @param {Act} act
 */
async function tried(said, act) {
  try {
    await act();
    said.textContent = "";
    return true;
  } catch (error) {
    said.textContent = /** @type {Error} */ (error).message;
    return false;
  }
}

/** @param {HTMLElement} element @param {OwnLecture} lecture @param {Attempt} attempt @param {Again} again */
function actions(element, lecture, attempt, again) {
  const side = html("div", { class: "slides-sections own-side" }, element);
  const title = field(side, "Title", lecture.title, MOST.title);
  title.onchange = () => attempt(() => keepMine(Object.assign(lecture, { title: title.value })));
  presentLink(side, lecture);
  copyButton(side, attempt);
  press(side, "Save as a file (TOML)", () =>
    hand(new Blob([tomlOf(readMine())], { type: "application/toml" }), `${title.value || "lecture"}.toml`),
  );
  fileButton(side, lecture, attempt, again);
  // A notebook goes to students, so it leaves out the speaker's notes.
  const views = () => withViews(readMine());
  makesNotebook(press(side, "Notebook (Jupyter)", null), () => ({
    ...views(),
    slides: views().slides.map((slide) => ({ ...slide, notes: "" })),
  }));
  opensHandout(press(side, "Print …", null), views);
  press(side, "Match my slides …", () => openMatching(side, (slides) => added(slides, again)));
  if (isFromLink()) keepOrLeave(side, attempt, again);
}

/** @param {HTMLElement} side @param {string} label @param {Act | null} act */
function press(side, label, act) {
  const button = html("button", { type: "button" }, side, label);
  button.onclick = act;
  return button;
}

/** @param {HTMLElement} side @param {OwnLecture} lecture */
function presentLink(side, lecture) {
  const first = lecture.slides.findIndex(({ path }) => path);
  if (first < 0) return;
  const path = `${placed(lecture.slides[first].path, first + 1)}&present=1&beat=0`;
  html("a", { class: "strong", href: addressOf(path), "data-path": path }, side, "Present");
}

/** @param {HTMLElement} side @param {Attempt} attempt */
function copyButton(side, attempt) {
  const copy = press(side, "Copy the link", () =>
    attempt(async () => {
      const link = await linkOf(readMine());
      if (navigator.clipboard) await navigator.clipboard.writeText(link);
      else showLink(side, link);
      copy.textContent = navigator.clipboard ? "Copied" : "Copy it from here";
    }),
  );
}

/** @param {HTMLElement} side @param {OwnLecture} lecture @param {Attempt} attempt @param {Again} again */
function fileButton(side, lecture, attempt, again) {
  const file = html(
    "input",
    { type: "file", accept: ".toml", hidden: "", "aria-label": "A lecture as a TOML file" },
    side,
  );
  press(side, "Open a file (TOML)", () => file.click());
  file.onchange = async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    const done = await attempt(async () => {
      /** @type {Answered<OwnLecture>} */
      const read = await ask("lecture.json", chosen);
      if (read.error) throw new Error(`${chosen.name}: ${read.error}`);
      keepMine(checkLecture(read), { link: lecture.slides.length > 0 });
    });
    file.value = ""; // the same file may be chosen again once it is corrected
    if (done) again();
  };
}

/**
 * Add slides to the end of the lecture; returns why that failed, or "".
 *
 * @param {OwnSlide[]} slides @param {Again} again
 */
async function added(slides, again) {
  try {
    keepMine({ ...readMine(), slides: [...readMine().slides, ...slides] });
  } catch (error) {
    return /** @type {Error} */ (error).message;
  }
  again();
  return "";
}

/**
 * For a lecture that is not the visitor's own: to keep it as that, or to go back to that.
 *
 * @param {HTMLElement} side @param {Attempt} attempt @param {Again} again
 */
function keepOrLeave(side, attempt, again) {
  html("p", { class: "quiet" }, side, "This lecture came with a link or a file. Your own stays as it is.");
  press(
    side,
    "Keep this one as mine",
    async () => (await attempt(() => keepMine(readMine(), { keep: true }))) && again(),
  );
  press(side, "Back to mine", () => (forgetLink(), again()));
}

/**
 * Show the link in a field, selected, if there is no clipboard, as over plain HTTP.
 *
 * @param {HTMLElement} side @param {string} link
 */
function showLink(side, link) {
  const known = /** @type {HTMLInputElement | null} */ (side.querySelector(".own-link"));
  const shown =
    known ?? html("input", { type: "text", class: "own-link", readonly: "", "aria-label": "The link" }, side);
  shown.value = link;
  shown.select();
}

/** @param {HTMLElement} list @param {Row} its */
function row(list, its) {
  const { slide, i, keep } = its;
  const item = html("div", { class: "own-slide", id: `own-${i + 1}` }, list);
  html("span", { class: "slide-number" }, item, String(i + 1));
  const fields = html("div", { class: "own-fields" }, item);
  const heading = field(fields, `Heading of slide ${i + 1}`, slide.heading, MOST.heading);
  heading.dataset.of = slide.path; // identifies the slide of a field, also after the slides have moved
  heading.onchange = () => (Object.assign(slide, { heading: heading.value }), keep());
  const notes = html(
    "textarea",
    { "aria-label": `Notes of slide ${i + 1}`, rows: 2, maxlength: MOST.notes, placeholder: "Notes" },
    fields,
  );
  notes.value = slide.notes;
  notes.dataset.of = slide.path;
  notes.onchange = () => (Object.assign(slide, { notes: notes.value }), keep());
  viewOf(fields, its);
  moves(item, its);
}

/**
 * The view of a slide, and whether its controls are hidden.
 *
 * @param {HTMLElement} fields @param {Row} its
 */
function viewOf(fields, { slide, i, keep }) {
  const line = html("div", { class: "row" }, fields);
  const path = placed(slide.path, i + 1);
  if (path) html("a", { href: addressOf(path), "data-path": path, class: "own-path" }, line, slide.path);
  else html("span", { class: "own-path quiet" }, line, "no view: the lecture goes on with the next slide");
  const label = html("label", {}, line);
  const hide = html("input", { type: "checkbox" }, label);
  label.append(" hide the controls");
  hide.checked = slide.hide;
  hide.onchange = () => (Object.assign(slide, { hide: hide.checked }), keep());
}

/**
 * The buttons that move a slide, or remove it.
 *
 * @param {HTMLElement} item @param {Row} its
 */
function moves(item, its) {
  const box = html("div", { class: "own-moves" }, item);
  for (const [sign, name, to] of /** @type {const} */ ([
    ["↑", "Earlier", its.i - 1],
    ["↓", "Later", its.i + 1],
    ["✕", "Remove", null],
  ])) {
    const button = html(
      "button",
      { type: "button", "aria-label": `${name}: slide ${its.i + 1}`, title: name },
      box,
      sign,
    );
    button.disabled = to !== null && (to < 0 || to >= its.lecture.slides.length);
    button.onclick = () => move(item, its, to);
  }
}

/** @param {HTMLElement} item @param {Row} its @param {number | null} to null removes it */
async function move(item, { slide, i, lecture, keep, again }, to) {
  const before = [...lecture.slides];
  lecture.slides.splice(i, 1);
  if (to !== null) lecture.slides.splice(to, 0, slide);
  if (!(await keep())) return;
  const page = /** @type {ShadowRoot} */ (item.getRootNode()); // the list is drawn anew below
  const back = () => (keepMine({ ...lecture, slides: before }), again());
  if (to === null) again(`Slide ${i + 1} was removed. `, back);
  else again();
  /** @type {HTMLElement | null} */ (page.querySelector(`#own-${(to ?? i) + 1} button`))?.focus();
}

/**
 * @param {HTMLElement} parent
 * @param {string} label
 * @param {string} value
 * @param {number} most characters
 */
function field(parent, label, value, most) {
  const input = html("input", { type: "text", "aria-label": label, placeholder: label, maxlength: most }, parent);
  input.value = value;
  return input;
}

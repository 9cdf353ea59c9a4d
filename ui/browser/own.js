// The page of one's own lecture: its slides in order, each with heading, notes and what is hidden.

import { addressOf, keepInside } from "./address.js";
import { html } from "./dom.js";
import { opensHandout } from "./handout.js";
import { openMatching } from "./matching.js";
import { checkLecture, forgetLink, isFromLink, keepMine, lectureOf, linkOf, MOST, placed, readMine, tomlOf } from "./mine.js";
import { makesNotebook } from "./notebook.js";
import { deckLinks } from "./slides.js";
import { stage } from "./stage.js";

/** @import { Component, Scripts } from "./types.js" */
/** @import { OwnLecture } from "./mine.js" */

/** @param {Component<Scripts["own"]>} component */
export default function own({ data, parentElement }) {
  const [{ element }, fresh] = stage(parentElement, "own");
  if (!fresh) return;
  element.classList.add("slides");
  keepInside(element);
  open(element, data.decks);
}

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

function draw(element, decks, wrong = "") {
  element.replaceChildren();
  const lecture = readMine();
  const top = html("div", { class: "slides-top" }, element);
  deckLinks(top, decks);
  const said = html("p", { class: "own-said", role: "status" }, top, wrong);
  const again = (message = "") => draw(element, decks, message);
  const keep = () => attempt(said, () => keepMine(lecture));
  actions(element, lecture, said, again);
  const list = html("div", { class: "own-list" }, element);
  if (!lecture.slides.length) html("p", { class: "quiet" }, list, "No slides yet. On any page open Save and press “Add to my lecture”, or open a file or a link of somebody else’s.");
  lecture.slides.forEach((slide, i) => row(list, slide, i, lecture, keep, again));
}

function attempt(said, act) {
  try {
    act();
    said.textContent = "";
  } catch (error) {
    said.textContent = /** @type {Error} */ (error).message;
  }
}

/** @param {OwnLecture} lecture */
function actions(element, lecture, said, again) {
  const side = html("div", { class: "slides-sections own-side" }, element);
  const title = field(side, "Title", lecture.title, MOST.title);
  title.onchange = () => attempt(said, () => keepMine(Object.assign(lecture, { title: title.value })));
  if (lecture.slides.length) {
    const path = `${placed(lecture.slides[0].path, 1)}&present=1&beat=0`;
    html("a", { class: "strong", href: addressOf(path), "data-path": path }, side, "Present");
  }
  const press = (label, act) => {
    const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button" }, side, label));
    button.onclick = act;
    return button;
  };
  press("Copy the link", async ({ target }) => {
    const link = await linkOf(readMine());
    await navigator.clipboard?.writeText(link);
    target.textContent = navigator.clipboard ? "Copied" : link;
  });
  press("Save as a file (TOML)", () => download(`${title.value || "lecture"}.toml`, tomlOf(readMine())));
  const file = /** @type {HTMLInputElement} */ (html("input", { type: "file", accept: ".toml", hidden: "", "aria-label": "A lecture as a TOML file" }, side));
  press("Open a file (TOML)", () => file.click());
  file.onchange = async () => {
    const answer = await fetch(new URL("live/lecture.json", location.href), { method: "POST", body: await file.files[0].text() });
    const read = await answer.json();
    if (read.error) return void (said.textContent = `${file.files[0].name}: ${read.error}`);
    attempt(said, () => keepMine(checkLecture(read)));
    again(said.textContent);
  };
  makesNotebook(press("Notebook (Jupyter)", null), () => readMine());
  opensHandout(press("Print …", null), () => readMine());
  press("Match my slides …", () => openMatching(side, (slides) => {
    attempt(said, () => keepMine({ ...readMine(), slides: [...readMine().slides, ...slides] }));
    again(said.textContent);
  }));
  if (isFromLink()) {
    html("p", { class: "quiet" }, side, "This lecture came with a link. Your own stays as it is.");
    press("Keep this one as mine", () => (attempt(said, () => keepMine(readMine(), { keep: true })), again(said.textContent)));
    press("Back to mine", () => (forgetLink(), again()));
  }
}

function row(list, slide, i, lecture, keep, again) {
  const item = html("div", { class: "own-slide", id: `own-${i + 1}` }, list);
  html("span", { class: "slide-number" }, item, String(i + 1));
  const fields = html("div", { class: "own-fields" }, item);
  const heading = field(fields, `Heading of slide ${i + 1}`, slide.heading, MOST.heading);
  heading.onchange = () => (Object.assign(slide, { heading: heading.value }), keep());
  const notes = /** @type {HTMLTextAreaElement} */ (html("textarea", { "aria-label": `Notes of slide ${i + 1}`, rows: 2, maxlength: MOST.notes, placeholder: "Notes" }, fields));
  notes.value = slide.notes;
  notes.onchange = () => (Object.assign(slide, { notes: notes.value }), keep());
  const line = html("div", { class: "row" }, fields);
  const path = placed(slide.path, i + 1);
  html("a", { href: addressOf(path), "data-path": path, class: "own-path" }, line, slide.path);
  const label = html("label", {}, line);
  const hide = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox" }, label));
  label.append(" hide the controls");
  hide.checked = slide.hide;
  hide.onchange = () => (Object.assign(slide, { hide: hide.checked }), keep());
  const move = (to) => {
    lecture.slides.splice(i, 1);
    if (to !== null) lecture.slides.splice(to, 0, slide);
    keep();
    again();
    /** @type {HTMLElement} */ (list.getRootNode().querySelector(`#own-${(to ?? i) + 1} button`))?.focus();
  };
  const moves = html("div", { class: "own-moves" }, item);
  for (const [sign, name, to] of /** @type {const} */ ([["↑", "Earlier", i - 1], ["↓", "Later", i + 1], ["✕", "Remove", null]])) {
    const button = /** @type {HTMLButtonElement} */ (html("button", { type: "button", "aria-label": `${name}: slide ${i + 1}`, title: name }, moves, sign));
    button.disabled = to !== null && (to < 0 || to >= lecture.slides.length);
    button.onclick = () => move(to);
  }
}

function field(parent, label, value, most) {
  const input = /** @type {HTMLInputElement} */ (html("input", { type: "text", "aria-label": label, placeholder: label, maxlength: most }, parent));
  input.value = value;
  return input;
}

function download(name, text) {
  const link = html("a", { href: URL.createObjectURL(new Blob([text], { type: "application/toml" })), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

// Find a page, a slide or a word: a button in the bar, and Ctrl K. The server searches while a word is being typed.

import { addressOf, keepInside } from "./address.js";
import { ask } from "./ask.js";
import { drawSvg, html } from "../../drawing/dom.js";
import { stage } from "../../drawing/stage.js";
import { watchScrollers } from "../../drawing/scrollers.js";
import { stand } from "./standing.js";

/** @import { Answered } from "./ask.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @typedef {{ kind: string, title: string, about: string, path: string }} Hit */

/** @type {() => void} */
let open = () => {};
let listening = false;

/** @param {Component<Scripts["find"]>} component */
export default function find({ data, parentElement }) {
  const [{ element }, fresh] = stage(parentElement, `find ${data.look}`);
  stand();
  watchScrollers();
  if (!fresh) return;
  if (data.look !== "none") press(element, data.look === "field");
  const dialog = html("dialog", { class: "finder", "aria-label": "Find a page, a slide or a word" }, element);
  const field = fieldOf(dialog);
  const said = html("p", { class: "quiet", role: "status" }, dialog);
  const list = html("div", { class: "found", id: "found", role: "listbox", "aria-label": "Found" }, dialog);
  keepInside(list);
  list.addEventListener("click", () => dialog.close());
  const look = searches(field, said, list);
  let answered = Promise.resolve();
  field.oninput = () => (answered = look());
  field.onkeydown = (event) => choose(event, list, field, answered);
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  open = () => {
    if (dialog.open) return;
    field.value = "";
    answered = look();
    dialog.showModal();
  };
  if (!listening) window.addEventListener("keydown", onShortcut);
  listening = true;
}

/** @param {HTMLElement} dialog */
const fieldOf = (dialog) =>
  html(
    "input",
    {
      type: "text",
      role: "combobox",
      "aria-label": "Find a page, a slide or a word",
      "aria-expanded": "true",
      "aria-controls": "found",
      autocomplete: "off",
      spellcheck: "false",
      maxlength: 200,
      placeholder: "A page, a slide or a word",
    },
    dialog,
  );

/**
 * A function that searches for what is in the field; an answer that comes after a newer search began is dropped.
 *
 * @param {HTMLInputElement} field @param {HTMLElement} said @param {HTMLElement} list
 */
function searches(field, said, list) {
  let turn = 0;
  return async () => {
    const words = field.value.trim();
    const mine = ++turn;
    /** @type {Answered<{ hits: Hit[], said: string }>} */
    const found = words ? await ask(`find?words=${encodeURIComponent(words)}`) : {};
    if (mine !== turn) return;
    show(list, found.hits ?? []);
    said.textContent = found.error ?? found.said ?? "";
    field.removeAttribute("aria-activedescendant");
    mark(list, field, 0);
  };
}

/**
 * The arrow keys mark a hit, and Enter opens it: among the hits for the whole text, which are awaited.
 *
 * @param {KeyboardEvent} event @param {HTMLElement} list @param {HTMLElement} field @param {Promise<void>} answered
 */
async function choose(event, list, field, answered) {
  event.stopPropagation();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step) event.preventDefault();
  await answered;
  const links = [...list.children];
  const at = links.findIndex((each) => each.getAttribute("aria-selected") === "true");
  if (step) mark(list, field, (at + step + links.length) % links.length);
  if (event.key === "Enter") /** @type {HTMLElement} */ (links[Math.max(at, 0)])?.click();
}

/** @param {KeyboardEvent} event */
function onShortcut(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "k") return;
  event.preventDefault();
  open();
}

/** @param {HTMLElement} parent @param {boolean} wide */
function press(parent, wide) {
  const button = html(
    "button",
    {
      type: "button",
      class: `find ${wide ? "wide" : ""}`,
      title: "Find a page, a slide or a word (Ctrl K)",
      "aria-keyshortcuts": "Control+K",
    },
    parent,
  );
  const glass = drawSvg(
    "svg",
    {
      viewBox: "0 0 20 20",
      width: 18,
      height: 18,
      "aria-hidden": "true",
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
    },
    button,
  );
  drawSvg("circle", { cx: 8.5, cy: 8.5, r: 5.5 }, glass);
  drawSvg("path", { d: "M13 13l5 5" }, glass);
  html("span", {}, button, wide ? "Find a page, slide or word" : "Find");
  button.onclick = () => open();
}

/** @param {HTMLElement} list @param {Hit[]} hits */
function show(list, hits) {
  list.replaceChildren();
  hits.forEach(({ kind, title, about, path }, i) => {
    const link = html(
      "a",
      { class: "hit", role: "option", id: `hit-${i}`, href: addressOf(path), "data-path": path, tabindex: "-1" },
      list,
    );
    html("span", { class: "hit-kind" }, link, kind);
    html("span", { class: "hit-title" }, link, title);
    html("span", { class: "hit-about" }, link, about);
  });
}

/** @param {HTMLElement} list @param {HTMLElement} field @param {number} at */
function mark(list, field, at) {
  [...list.children].forEach((link, i) => {
    link.setAttribute("aria-selected", String(i === at));
    if (i !== at) return;
    field.setAttribute("aria-activedescendant", link.id);
    link.scrollIntoView({ block: "nearest" });
  });
}

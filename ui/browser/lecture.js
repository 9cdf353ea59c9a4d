// The place of a page in a lecture: the slide, the ways on and back, an overview, and the speaker's window.

import { addressOf, answered, keepInside, navigate } from "./address.js";
import { ask } from "./ask.js";
import { scrollTo, slideCard } from "./cards.js";
import { html } from "../../drawing/dom.js";
import { elapsedSince } from "./elapsed.js";
import { placed, plainPath, readMine } from "./own_lecture.js";
import { leaving } from "./mounted.js";
import { takePen } from "./pen_strokes.js";
import { stage } from "../../drawing/stage.js";

/** @import { Answered } from "./ask.js" */
/** @import { Component, Scripts, Stop } from "../../drawing/types.js" */
/** @typedef {Scripts["lecture"]} Data */

/** A view that lies over the picture of a presented page, and may be taller than the stage. */
export const VIEW = ".st-key-present [data-testid=stLayoutWrapper]:has(> .st-key-view .st-key-view-open)";
const ID = "lml-lecture";
const BEGAN = "lml-lecture-began";

/** @type {Data | null} */
let now = null;
/** @type {HTMLDialogElement | null} */
let overview = null;
let beat = 0; // of the slide, from 1; 0 before the first
let clock = 0;
let hidden = false;
/** @type {BroadcastChannel | null} */
let channel = null;

/** @param {Component<Data>} component @returns {Stop} */
export default function lecture({ data: given, parentElement }) {
  const turned = now?.at !== given.at;
  const data = (now = given.own ? ofMine(given) : given);
  if (turned) {
    answered();
    document.querySelector(VIEW)?.scrollTo(0, 0); // each slide begins at the top, also after one with the same view
  }
  if (given.own) {
    askForStills(() => {
      if (now !== data) return;
      now = ofMine(given);
      announce();
    });
  }
  hideControls(data.hide);
  const [{ element }] = stage(parentElement, data.presenting ? "strip" : "place");
  element.replaceChildren();
  element.className = `stage lecture ${data.presenting ? "strip" : "place"}`;
  element.dataset.shape = data.presenting ? "strip" : "place";
  element.onclick = null;
  if (!element.dataset.kept) keepInside(element);
  element.dataset.kept = "yes";
  if (data.presenting) strip(element, data);
  else place(element, data);
  overview = html("dialog", { class: "overview", "aria-label": `Slides of ${data.title}` }, element);
  keepInside(overview);
  listen();
  announce();
  return leaving(leave, parentElement);
}

/**
 * The controls that a slide hides come back with the next one; what the key C has hidden stays hidden.
 *
 * @param {boolean} hide
 */
function hideControls(hide) {
  if (hide || hidden) document.documentElement.classList.toggle("no-controls", hide);
  hidden = hide;
}

/** @type {Record<string, string> | null} the small pictures of views by their addresses */
let stills = null;

/**
 * Request the small pictures, once, when the visitor's own lecture is opened.
 *
 * @param {() => void} then
 */
async function askForStills(then) {
  if (stills) return;
  stills = {};
  /** @type {Answered<Record<string, string>>} */
  const found = await ask("stills.json");
  if (found.error) return void (stills = null);
  // Each path in the browser's spelling.
  stills = Object.fromEntries(Object.entries(found).map(([path, name]) => [plainPath(path), name ?? ""]));
  then();
}

/**
 * The data of the visitor's own lecture, which only this browser has.
 *
 * @param {Data} data @returns {Data}
 */
function ofMine(data) {
  const { title, slides } = readMine();
  const here = slides[data.at - 1];
  const withView = slides.map((slide, i) => (slide.path ? i + 1 : 0)).filter(Boolean);
  /** @param {number | undefined} place */
  const path = (place) =>
    place ? `${placed(slides[place - 1].path, place)}${data.presenting ? "&present=1&beat=0" : ""}` : "";
  const next = withView.find((place) => place > data.at) ?? 0;
  return {
    ...data,
    title,
    heading: here ? here.heading : `Your lecture in this browser has no slide ${data.at}`,
    notes: here?.notes ?? "",
    hide: data.presenting && Boolean(here?.hide),
    onward: path(next),
    back: path(withView.findLast((place) => place < data.at)),
    next,
    slides: slides.map(({ heading, path: view }, i) => ({
      number: i + 1,
      heading,
      view: view.replace(/\?.*/, ""),
      path: placed(view, i + 1),
      still: stills?.[plainPath(view)] ?? "",
      part: false,
    })),
  };
}

function leave() {
  now = null;
  hidden = false;
  clearInterval(clock);
  channel?.close();
  channel = null;
}

/** Whether the page is part of a lecture that is being presented. */
export const isLecturing = () => Boolean(now?.presenting);

/**
 * Go to the next or the previous slide; in presenter mode, the previous slide opens at its last beat.
 *
 * @param {1 | -1} step
 */
export function turnSlide(step) {
  if (!now) return;
  const path = step > 0 ? now.onward : now.back;
  if (path) navigate(path);
  else if (step > 0) atEnd();
}

// After the last slide the key only makes the strip report the end.
let atEnd = () => {};

/** The view of this slide, before its first beat. */
export function openSlide() {
  if (now) navigate(`${now.slides[now.at - 1].path}&present=1&beat=0`);
}

/**
 * Send the slide's current beat to the speaker's window.
 *
 * @param {number} said
 */
export function setBeat(said) {
  if (beat === said) return;
  beat = said;
  announce();
}

/** @param {HTMLElement} parent @param {string} path @param {string} sign @param {string} label */
function way(parent, path, sign, label) {
  if (!path) return html("span", { class: "way", "aria-hidden": "true" }, parent, sign);
  return html(
    "a",
    { class: "way", href: addressOf(path), "data-path": path, "aria-label": label, title: label },
    parent,
    sign,
  );
}

/** @param {HTMLElement} element @param {Data} data */
function place(element, data) {
  way(element, data.back, "‹", "The slide before");
  const here = html("button", { type: "button", class: "here", title: data.heading }, element);
  html("span", { class: "here-deck" }, here, `${data.short} `);
  here.append(`${data.at} / ${data.slides.length}`);
  here.onclick = openOverview;
  way(element, data.onward, "›", "The next slide");
}

/** @param {HTMLElement} element @param {Data} data */
function strip(element, data) {
  way(element, data.back, "‹", "Back");
  way(element, data.onward, "›", "The next slide");
  html("strong", { class: "slide-heading" }, element, data.heading);
  html("span", { class: "quiet" }, element, `${data.short} · ${data.at} / ${data.slides.length}`);
  const end = data.onward
    ? null
    : html(
        "span",
        { class: "end", role: "status" },
        element,
        data.at < data.slides.length ? "The last view" : "The last slide",
      );
  atEnd = () => void end?.animate([{ opacity: 0.2 }, { opacity: 1 }], 400);
  const timer = html("button", { type: "button", class: "quiet time", title: "Restart the timer" }, element);
  const time = html("span", { role: "timer" }, timer);
  const tick = () => {
    if (now) time.textContent = elapsedSince(began(now), Date.now());
  };
  clearInterval(clock);
  clock = window.setInterval(tick, 1000);
  tick();
  timer.onclick = restart;
  restarted = tick;
  for (const [label, key, act] of /** @type {const} */ ([
    ["Slides", "G", openOverview],
    ["Notes", "N", openNotes],
    ["QR code", "Q", openCode],
    ["Pen", "D", takePen],
  ])) {
    const button = html("button", { type: "button", "aria-keyshortcuts": key }, element, label);
    html("kbd", { "aria-hidden": "true" }, button, key);
    button.onclick = act;
  }
}

/**
 * When this tab began to present the lecture; a reload keeps it.
 *
 * @param {Data} data
 */
const began = ({ index }) => Number(remembered(clockOf(index), () => String(Date.now())));

/** @param {string} index */
const clockOf = (index) => `${BEGAN} ${new URLSearchParams(index.split("?")[1]).get("deck")}`;

/**
 * Reset the timer of the lecture that has this index; it starts when the lecture is next presented.
 *
 * @param {string} index
 */
export function forgetTime(index) {
  delete memory[clockOf(index)];
  try {
    sessionStorage.removeItem(clockOf(index));
  } catch {
    // no storage
  }
}

function restart() {
  if (!now) return;
  forgetTime(now.index);
  restarted();
  announce();
}
let restarted = () => {};

/** @param {string} name @param {() => string} make */
function remembered(name, make) {
  try {
    let value = sessionStorage.getItem(name);
    if (!value) sessionStorage.setItem(name, (value = make()));
    return value;
  } catch {
    return (memory[name] ??= make()); // no storage
  }
}
/** @type {Record<string, string>} */
const memory = {};

/**
 * Like `fold` in lmcore/typed.py, for search texts.
 *
 * @param {string} text
 */
const plain = (text) =>
  text
    .normalize("NFKC")
    .replaceAll(/[’‘ʼ`´]/g, "'")
    .replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .toLowerCase();

/** Show all slides; a number or a word in the field filters them, Enter opens the first match. */
export function openOverview() {
  if (now && overview && !overview.open) showOverview(overview, now);
}

/** @param {HTMLDialogElement} dialog @param {Data} data */
function showOverview(dialog, data) {
  dialog.replaceChildren();
  const field = html(
    "input",
    { type: "text", "aria-label": "Go to a slide by number or word", placeholder: "Go to: number or word" },
    dialog,
  );
  const grid = html("div", { class: "slides-grid" }, dialog);
  const none = html("p", { class: "quiet", role: "status" });
  const shown = data.slides.filter((slide) => slide.path);
  const cards = shown.map((slide) => slideCard(grid, slide, slide.number === data.at));
  if (data.presenting) for (const card of cards) card.dataset.path += "&present=1&beat=0";
  const all = html(
    "a",
    { class: "all", href: addressOf(data.index), "data-path": data.index },
    dialog,
    "The index of this lecture",
  );
  all.onclick = () => dialog.close();
  const fits = () => {
    const [card, said] = filterCards(cards, shown, data.slides, plain(field.value.trim()));
    none.textContent = said;
    grid.append(none);
    return card;
  };
  field.oninput = fits;
  field.onkeydown = (event) => {
    // Closed, so that the search can open.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") return dialog.close();
    event.stopPropagation();
    if (event.key === "Enter") fits()?.click();
    if (event.key === "Escape") dialog.close();
  };
  for (const card of cards) card.addEventListener("click", () => dialog.close());
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
  scrollTo(grid, grid.querySelector("[aria-current]"));
  field.focus();
}

/**
 * Hide the cards of slides that do not fit the number or the word that is asked for. Returns the best card that fits,
 * and a note if the slide has no view, or none fits.
 *
 * @param {HTMLElement[]} cards @param {Data["slides"]} shown those with a view, of `slides` @param {Data["slides"]} slides
 * @param {string} asked
 * @returns {[card: HTMLElement | undefined, note: string]}
 */
function filterCards(cards, shown, slides, asked) {
  shown.forEach(({ number, heading, view }, i) => {
    const fit = /^\d+$/.test(asked) ? String(number).startsWith(asked) : plain(`${heading} ${view}`).includes(asked);
    cards[i].hidden = !fit;
  });
  const exact = shown.findIndex(({ number }) => String(number) === asked);
  if (exact >= 0) return [cards[exact], ""];
  const after = slides.some(({ number }) => String(number) === asked)
    ? shown.findIndex(({ number }) => number > Number(asked))
    : -1;
  if (after >= 0) {
    cards[after].hidden = false;
    return [cards[after], `Slide ${asked} has no view. The next slide that has one is ${shown[after].number}.`];
  }
  const first = cards.find((card) => !card.hidden);
  return [first, first ? "" : "No slide of this lecture fits. Ctrl K searches everything."];
}

/** Show the address of this view as a QR code. */
export function openCode() {
  if (now && overview && !overview.open) showCode(overview, now);
}

/** @param {HTMLDialogElement} dialog @param {Data} data */
function showCode(dialog, data) {
  const to = new URL(location.href);
  for (const name of ["present", "beat", ...(data.own ? ["deck", "slide"] : [])]) to.searchParams.delete(name);
  dialog.replaceChildren();
  const code = html(
    "img",
    {
      class: "code",
      alt: "QR code of the address below",
      src: `${addressOf("/live/code.svg")}?of=${encodeURIComponent(to.href)}`,
    },
    dialog,
  );
  code.onerror = () => code.replaceWith(html("p", { role: "status" }, null, "This address is too long for a QR code."));
  html("p", { class: "address" }, dialog, to.href);
  const close = html("button", { type: "button" }, dialog, "Close");
  close.onclick = () => dialog.close();
  dialog.onclick = (event) => event.target === dialog && dialog.close();
  dialog.showModal();
}

/**
 * Open the speaker's window: notes, the next view and the time. Without an opener the window runs in a process of its
 * own, and does not wait until this page has drawn. A speaker's window that is already open closes (speaker.js).
 */
export function openNotes() {
  window.open(`${addressOf("/live/speaker")}#${id()}`, "_blank", "noopener,width=1100,height=720");
}

const id = () => remembered(ID, () => Math.random().toString(36).slice(2));

function listen() {
  if (channel || !window.BroadcastChannel || !now?.presenting) return;
  channel = new BroadcastChannel(`${ID} ${id()}`);
  channel.onmessage = ({ data }) => {
    if (data.key) press(data.key);
    if (data.hello) announce();
    if (data.restart) restart();
  };
}

/**
 * Press a key of the speaker's window on this page; a dialog above the slide is closed instead.
 *
 * @param {string} key
 */
function press(key) {
  const open = /** @type {HTMLDialogElement | null} */ (
    document.querySelector("dialog[open]") ?? (overview?.open ? overview : null)
  );
  if (open) open.close();
  else window.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
}

function announce() {
  if (!channel || !now) return;
  const { title, short, at, heading, notes, slides, says, next: following } = now;
  const next = slides.find(({ number }) => number === following) ?? null;
  channel.postMessage({ title, short, at, of: slides.length, heading, notes, beat, says, next, began: began(now) });
}

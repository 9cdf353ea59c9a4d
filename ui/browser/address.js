// The address: links inside the app, and Back and Forward. Each page, example, view or beat is one entry of the
// history; a drag or a typed number adds none. ui/desk.py sets the controls from the address.

import { isConnected, sendConnected } from "./connection.js";

const ENTRIES =
  ".st-key-strip, .st-key-pills, .st-key-look, .st-key-turns, .st-key-present-start, .st-key-tour-start, [data-testid=stPopoverBody] [role=radiogroup]";
const WAIT = 5000; // ms after a press within which a change of the address counts as its result

let chosen = -Infinity;
let turns = 0;

/** Make the next change of the address an entry of the history. */
export const choose = () => (chosen = performance.now());

export function followAddress() {
  if (history.pushState.name === "enter") return;
  const push = history.pushState.bind(history);
  history.pushState = function enter(state, unused, url) {
    const to = new URL(url ?? "", location.href);
    const entry = to.pathname !== location.pathname || performance.now() - chosen < WAIT;
    chosen = -Infinity;
    if (to.href === location.href) return;
    if (entry) push(state, unused, url);
    else history.replaceState(state, unused, url);
  };
  /** @param {Event} event */
  const pressed = (event) => {
    if (event.composedPath().some((node) => node instanceof Element && node.matches(ENTRIES))) choose();
  };
  window.addEventListener("click", pressed, { capture: true });
}

/**
 * The URL of a path of the app, which begins with a slash, wherever the app is served.
 *
 * @param {string} path
 */
export const addressOf = (path) => new URL(`.${path}`, location.href).href;

/**
 * Open a path of the app without loading the document again, as Back and Forward do. The old picture stays on the
 * screen until the new one is drawn.
 *
 * @param {string} path @returns {void}
 */
export function navigate(path) {
  if (!isConnected()) return sendConnected("navigate", () => navigate(path));
  const { dataset } = document.documentElement;
  const mine = (dataset.turning = String(++turns));
  const change = async () => {
    const ran = scriptRuns();
    choose();
    history.pushState(null, "", addressOf(path));
    window.dispatchEvent(new PopStateEvent("popstate"));
    await drawn(ran);
    if (dataset.turning === mine) delete dataset.turning;
  };
  if (!document.startViewTransition) return void change();
  const { ready, finished } = document.startViewTransition(change);
  for (const each of [ready, finished]) each.catch(() => {}); // rejected if a later transition replaces this one
}

/**
 * Make plain clicks on the links in `root` call `navigate`.
 *
 * @param {HTMLElement} root
 */
export function keepInside(root) {
  root.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[data-path]");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(/** @type {HTMLElement} */ (link).dataset.path ?? "");
  });
}

const STILL = 1500; // ms for which the old picture may stay
const app = () => /** @type {HTMLElement} */ (document.querySelector("[data-testid=stApp]"));
const LATE = "[data-testid=stSkeleton], [data-testid=stSpinner]";

let heard = () => {};

/** Report that a slide has come from the server: if a script's start and end arrive together, no attribute changes. */
export const answered = () => heard();

// A promise that is resolved when the script of the page has run.
function scriptRuns() {
  const { promise, resolve } = Promise.withResolvers();
  const look = (heard = () => app().dataset.testScriptState === "notRunning" && resolve(null));
  const watch = new MutationObserver(look);
  watch.observe(app(), { attributes: true, attributeFilter: ["data-test-script-state"] });
  return promise.finally(() => watch.disconnect());
}

/**
 * Wait until the page is drawn. No animation frames fire during a view transition, so `setTimeout` polls.
 *
 * @param {Promise<unknown>} ran
 */
async function drawn(ran) {
  const end = performance.now() + STILL;
  await Promise.race([ran, new Promise((then) => setTimeout(then, STILL))]);
  while (performance.now() < end && (document.querySelector(LATE) || !isThere()))
    await new Promise((then) => setTimeout(then, 10));
}

// Whether the page's main part exists; it is drawn with the next frame.
function isThere() {
  const parts = [...document.querySelectorAll(".st-key-stage [data-testid^=stBidiComponent]")];
  return parts.some((part) => part.shadowRoot?.querySelector(".figure, .slides"));
}

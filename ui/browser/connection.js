// Reports a lost connection in the app's own words; moves and typed text are sent when the connection is back.

import { html } from "../../drawing/dom.js";

const LOST = "Connection lost. Reconnecting … What you change now is sent as soon as it is back.";
const PATIENCE = 1500; // ms; a shorter loss is not reported

const MOST = 20; // presses that wait for the connection
/** @type {Map<string | symbol, () => void>} */
const waiting = new Map();
/** @type {Map<string, () => (() => void) | null>} */
const unsure = new Map();
/** @type {HTMLElement | null} */
let watched = null;

export const isConnected = () => watched === null || watched.dataset.testConnectionState === "CONNECTED";

/**
 * Send now, or once the connection is back; of several with the same key, only the last one is sent.
 *
 * @param {string | symbol} key @param {() => void} send
 */
export function sendConnected(key, send) {
  if (isConnected()) send();
  else waiting.set(key, send);
}

/**
 * Keep what a component sends while the connection is lost: the newest `MOST` values wait, in order.
 *
 * @param {(name: string, value: unknown) => void} send @returns {(name: string, value: unknown) => void}
 */
export const keptUntilConnected = (send) => (name, value) => {
  const [oldest] = waiting.keys();
  if (waiting.size >= MOST && !isConnected()) waiting.delete(oldest);
  sendConnected(Symbol(name), () => send(name, value));
};

/**
 * What was sent just before the connection broke may not have arrived. Once the connection is back, call the function
 * that `look` returns, unless it returns null. `sendConnected` uses the same key, so that nothing is sent twice.
 *
 * @param {string} key @param {() => (() => void) | null} look
 */
export const sendAgain = (key, look) => void unsure.set(key, look);

export function watchConnection() {
  const app = /** @type {HTMLElement} */ (document.querySelector("[data-testid=stApp]"));
  if (!app || watched === app) return;
  watched = app;
  /** @type {HTMLElement | null} */
  let banner = null;
  let timer = 0;
  let lost = !isConnected();
  const look = () => {
    const here = isConnected();
    if (here === !lost) return;
    lost = !here;
    document.documentElement.classList.toggle("connection-lost", !here);
    clearTimeout(timer);
    if (!here) {
      timer = window.setTimeout(() => {
        banner ??= html("div", { class: "connection", role: "status" }, document.body);
        banner.textContent = LOST;
      }, PATIENCE);
      return;
    }
    banner?.remove();
    banner = null;
    for (const [key, find] of unsure) {
      const send = find();
      if (send) waiting.set(key, send);
    }
    sendWaiting();
  };
  new MutationObserver(look).observe(app, { attributes: true, attributeFilter: ["data-test-connection-state"] });
}

// One after the other: each is sent only once the page has answered the one before, or it would be lost.
async function sendWaiting() {
  for (const [key, send] of [...waiting]) {
    waiting.delete(key);
    await settled();
    send();
  }
}

async function settled() {
  do await new Promise((then) => setTimeout(then, 250));
  while (watched?.dataset.testScriptState === "running");
}

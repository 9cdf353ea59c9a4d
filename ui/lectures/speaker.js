// The speaker's window: the notes of the slide, the next view, the clock and the time elapsed. The presenting page
// reports its slide through a channel of this browser; nothing is sent to the server.

import { html } from "../../drawing/dom.js";
import { elapsedSince } from "../browser/elapsed.js";
import { shortcutOf } from "../browser/key_table.js";

const WAITS = "Open a slide of a lecture in presenter mode in this browser, and press N there.";
const dark = matchMedia("(prefers-color-scheme: dark)");
let began = 0;

/**
 * The Markdown of a sentence without its marks.
 *
 * @param {string} sentence
 */
const plain = (sentence) => sentence.replaceAll(/[*`]/g, "");

export default function start() {
  const channel = new BroadcastChannel(`lml-lecture ${location.hash.slice(1)}`);
  const main = html("main", {}, document.body);
  const heading = html("h1", {}, main, "Speaker");
  const place = html("p", { class: "place" }, main, WAITS);
  const said = html("p", { class: "said" }, main);
  const notes = html("p", { class: "notes", role: "status" }, main);
  const aside = html("aside", {}, document.body);
  html("h2", {}, aside, "Next");
  const picture = html("img", { alt: "", hidden: "" }, aside);
  const next = html("p", { class: "next" }, aside);
  const tick = footer(channel);
  channel.onmessage = ({ data }) => {
    if (data.hello) window.close(); // a newer speaker's window has opened
    if (!data.at) return;
    const { beat, says } = data;
    heading.textContent = data.heading || `Slide ${data.at}`;
    place.textContent = `${data.short} · ${data.at} / ${data.of}${beat ? ` · beat ${beat} / ${says.length}` : ""}`;
    said.textContent = plain(says[beat - 1] ?? "");
    notes.textContent = data.notes;
    next.textContent = comingNext(data);
    picture.hidden = Boolean(says[beat]) || !data.next?.still;
    if (!picture.hidden) picture.src = `stills/${data.next.still}${dark.matches ? "-dark" : ""}.webp`;
    began = data.began;
    tick();
    document.documentElement.dataset.at = data.at;
  };
  window.addEventListener("keydown", (event) => onKey(event, channel));
  setInterval(tick, 1000);
  tick();
  channel.postMessage({ hello: true });
}

/**
 * The buttons, the clock and the timer; returns what sets both to the time.
 *
 * @param {BroadcastChannel} channel
 */
function footer(channel) {
  const foot = html("footer", {}, document.body);
  for (const [key, label] of [
    ["PageUp", "‹ Back"],
    ["PageDown", "Next ›"],
  ]) {
    const button = html("button", { type: "button" }, foot, label);
    button.onclick = () => channel.postMessage({ key });
  }
  const clock = html("span", { class: "time", role: "timer", "aria-label": "Clock" }, foot);
  const elapsed = html("span", { class: "time", role: "timer", "aria-label": "Elapsed" }, foot);
  const again = html("button", { type: "button" }, foot, "Restart the timer");
  again.onclick = () => channel.postMessage({ restart: true });
  return () => {
    clock.textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    elapsed.textContent = elapsedSince(began || Date.now(), Date.now());
  };
}

/**
 * The next beat of the slide, else the next slide.
 *
 * @param {{ beat: number, says: string[], next: { number: number, heading: string } | null }} shown
 */
function comingNext({ beat, says, next }) {
  if (says[beat]) return `Beat ${beat + 1} / ${says.length}: ${plain(says[beat])}`;
  return next ? `${next.number} ${next.heading}` : "The end of the lecture";
}

/** @param {KeyboardEvent} event @param {BroadcastChannel} channel */
function onKey(event, channel) {
  const shortcut = shortcutOf(event);
  if (!shortcut || shortcut === "next" || shortcut === "present") return; // the notes and the lecture are open
  event.preventDefault();
  if (shortcut !== "fill") channel.postMessage({ key: event.key });
  else if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

start();

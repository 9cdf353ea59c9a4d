// The button that lets the server compute what all slides of a lecture show, and says how far it has come.

import { ask } from "./ask.js";

/** @import { Answered } from "./ask.js" */
/** @typedef {{ opened: number, slides: number, runs: boolean }} Progress */

const EVERY = 1000; // ms between two looks at the progress
const HELP = "The server computes what the slides show, so that nobody waits for it in class";

/**
 * @param {HTMLButtonElement} button
 * @param {string} deck
 */
export function warmsUp(button, deck) {
  const way = `warm?deck=${encodeURIComponent(deck)}`;
  button.title = HELP;
  /** @param {Answered<Progress>} found */
  const show = ({ opened = 0, slides = 0, runs, error }) => {
    button.textContent = labelOf({ opened, slides, runs: !!runs });
    button.setAttribute("aria-label", runs ? `${opened} of ${slides} slides are ready. Stop` : button.textContent);
    button.disabled = !runs && !error && opened === slides;
    button.title = error ?? HELP;
    button.onclick = async () => show(await ask(way, runs ? "stop" : "begin"));
    if (runs) setTimeout(look, EVERY);
  };
  const look = async () => {
    if (button.isConnected) show(await ask(way));
  };
  button.textContent = labelOf({ opened: 0, slides: 1, runs: false });
  button.disabled = true; // until it is known what has been opened
  look();
}

/** @param {Progress} progress */
const labelOf = ({ opened, slides, runs }) =>
  runs ? `${opened} of ${slides} ready · Stop` : opened === slides ? "All slides ready" : "Warm up";

// A text with a gauge of one unit's value under each character: filled upwards from its middle line
// where the value is above 0, downwards and in another colour where it is below.

import { html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { stage } from "../../drawing/stage.js";
import { isDark } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["letters"]} Data */
/** @typedef {Picture<Data, { heading: HTMLElement, ends: HTMLElement[], text: HTMLElement, letters: HTMLElement[] }>} Letters */

/** @param {Component<Data>} component */
export default function letters({ data, parentElement }) {
  /** @type {[Letters, boolean]} */
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.text, isDark(parentElement)]));
  if (fresh) build(picture, data);
  picture.text.setAttribute("aria-label", data.alt);
  picture.heading.textContent = data.name;
  picture.letters.forEach((letter, i) => {
    gauge(letter, Math.min(Math.max(data.values[i] / data.reach, -1), 1));
    letter.title = `${data.name}: ${formatNumber(data.values[i])}${data.said[i]}`;
  });
  const [low, , high] = picture.ends;
  low.textContent = formatNumber(-data.reach);
  high.textContent = formatNumber(data.reach);
}

/** @param {Letters} picture @param {Data} data */
function build(picture, data) {
  picture.heading = html("div", { class: "heading" }, picture.element);
  const legend = html("div", { class: "row legend" }, picture.element);
  picture.ends = [-1, 0, 1].map((share) => {
    gauge(html("span", { class: "letter" }, legend, " "), share);
    return html("span", { class: "number" }, legend, share ? "" : "0");
  });
  const text = html("div", { class: "letters", role: "img" }, picture.element);
  picture.text = text;
  picture.letters = [...data.text].map((character) => {
    const letter = html("span", { class: "letter" }, text, character === "\n" ? "⏎" : character);
    if (character === "\n") html("br", {}, text);
    return letter;
  });
}

/**
 * Fill a letter's background from its middle line up or down.
 *
 * @param {HTMLElement} letter
 * @param {number} share from -1 to 1
 */
function gauge(letter, share) {
  const level = 50 - 50 * share;
  const [from, to] = share >= 0 ? [level, 50] : [50, level];
  const fill = `var(--${share >= 0 ? "input" : "gradient"})`;
  const middle = "linear-gradient(transparent 48%, var(--quiet) 48% 52%, transparent 52%)";
  letter.style.backgroundImage = `linear-gradient(transparent ${from}%, ${fill} ${from}% ${to}%, transparent ${to}%), ${middle}`;
}

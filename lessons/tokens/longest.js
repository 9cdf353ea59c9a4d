// Greedy longest match: every piece that was looked for, a row each, from the longest down. The
// slider shows one attempt more at a time; the server hears of it when the hand rests.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["longest"]} Data */

const ATTEMPT = { letter: 26, least: 15, height: 24, top: 30, right: 150 };

/** @param {Component<Data>} component */
export default function longest({ data, parentElement, setTriggerValue }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.word, data.attempts, isDark(parentElement)]));
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, data.at)) picture.at = data.at;
  if (fresh) buildLongest(picture);
  drawLongest(picture);
  picture.watch.observe(picture.element);
  return () => {
    clearTimeout(picture.timer);
    picture.watch.disconnect();
  };
}

/** @param {Picture<Data>} picture */
function buildLongest(picture) {
  const line = html("label", { class: "scrub" }, picture.element, "Attempt ");
  picture.range = html("input", { type: "range", min: 0, "aria-label": "Attempt" }, line);
  picture.output = html("output", {}, line);
  picture.range.oninput = () => tryOn(picture, Number(picture.range.value), true);
  picture.range.onchange = () => tryOn(picture, Number(picture.range.value));
  picture.readout = html("div", { class: "readout", "aria-live": "polite" }, picture.element);
  picture.scroll = html("div", { class: "scroll longest", tabindex: 0, role: "group", "aria-label": "Every piece that was looked up; it scrolls" }, picture.element);
  picture.svg = drawSvg("svg", { role: "img", "font-size": 13 }, picture.scroll);
  picture.result = html("div", { class: "pieces" }, picture.element);
  saveButtons(picture.element, () => [picture.data.name, [[picture.svg]]]);
  picture.watch = new ResizeObserver(() => drawLongest(picture));
}

/** @param {Picture<Data>} picture */
function tryOn(picture, at, held = false) {
  picture.at = at;
  drawLongest(picture);
  keepInView(picture);
  sendAtRest(picture, at, { held });
}

/**
 * The attempt that the hand has come to stays in view.
 *
 * @param {Picture<Data>} picture
 */
function keepInView({ scroll, at }) {
  const low = magnified() * (ATTEMPT.top + at * ATTEMPT.height) + 4;
  const high = magnified() * (at > 1 ? ATTEMPT.top + (at - 1) * ATTEMPT.height : 0);
  if (low > scroll.scrollTop + scroll.clientHeight) scroll.scrollTop = low - scroll.clientHeight;
  if (high < scroll.scrollTop) scroll.scrollTop = high;
}

/** @param {Picture<Data>} picture */
function drawLongest(picture) {
  const { data, colour, svg } = picture;
  const tries = data.attempts.length;
  const seen = Math.min(picture.at, tries);
  picture.range.max = tries;
  picture.range.value = seen;
  picture.output.textContent = `${seen} of ${tries}`;
  const wide = Math.floor(picture.element.clientWidth / magnified()) || 640;
  const cell = Math.min(Math.max((wide - ATTEMPT.right) / data.word.length, ATTEMPT.least), ATTEMPT.letter);
  const [width, height] = [data.word.length * cell + ATTEMPT.right, ATTEMPT.top + tries * ATTEMPT.height + 4];
  for (const [name, value] of Object.entries({ width: magnified() * width, height: magnified() * height, viewBox: `0 0 ${width} ${height}`, fill: colour.ink, "aria-label": data.alt })) svg.setAttribute(name, value);
  svg.replaceChildren();
  data.word.forEach((letter, i) => drawSvg("text", { x: (i + 0.5) * cell, y: 18, "text-anchor": "middle", "font-weight": 700 }, svg, letter));
  data.attempts.slice(0, seen).forEach((attempt, i) => drawAttempt(picture, attempt, i, cell));
  sayAttempt(picture, seen);
}

/** @param {Picture<Data>} picture */
function drawAttempt({ data, colour, svg, at }, [piece, start, end, id], i, cell) {
  const y = ATTEMPT.top + i * ATTEMPT.height;
  const taken = id >= 0;
  drawSvg("rect", { x: start * cell + 1, y: y + 2, width: (end - start) * cell - 2, height: ATTEMPT.height - 4, rx: 4, fill: taken ? colour.activation : "none", stroke: taken ? colour.activation : colour.mask, "stroke-dasharray": taken ? "none" : "4 3", "stroke-width": i === at - 1 ? 2.5 : 1 }, svg);
  const look = { y: y + ATTEMPT.height / 2, "dominant-baseline": "central" };
  data.word.slice(start, end).forEach((letter, j) => drawSvg("text", { ...look, x: (start + j + 0.5) * cell, "text-anchor": "middle", fill: taken ? colour.background : colour.mask, "font-weight": taken ? 700 : 400 }, svg, letter));
  drawSvg("title", {}, drawSvg("text", { ...look, x: data.word.length * cell + 8, fill: taken ? colour.activation : colour.mask, "font-weight": taken ? 700 : 400 }, svg, taken ? `✓ taken, id ${id}` : "✕ not in V"), piece);
}

/** @param {Picture<Data>} picture */
function sayAttempt(picture, seen) {
  const { data } = picture;
  const last = data.attempts[seen - 1];
  picture.readout.textContent = !last ? "Drag to add one attempt at a time." : last[3] >= 0 ? `${last[0]} is in the vocabulary, id ${last[3]}: taken` : `${last[0]} is not in the vocabulary: one letter less`;
  if (last && last[3] < 0 && last[2] - last[1] === 1) picture.readout.textContent = `${last[0]} is not in the vocabulary, and is one letter: the whole word is [UNK]`;
  picture.result.replaceChildren();
  const whole = seen === data.attempts.length;
  const pieces = whole ? data.pieces : data.attempts.slice(0, seen).filter((each) => each[3] >= 0).map((each) => each[0]);
  const group = html("span", { class: "piece-word" }, picture.result);
  for (const piece of pieces) html("bdi", { class: `piece${piece === "[UNK]" ? " unknown" : " made"}` }, group, piece);
}

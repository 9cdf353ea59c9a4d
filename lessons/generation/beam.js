// Beam search, a step at a time: the tree as far as it is expanded, the candidates of the step that
// is looked at, and the texts that have ended so far, ranked by sum / tᵃ for the a of the slider.
// The whole search is here from the start, so stepping asks the server nothing.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { saveButtons, saveTable } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, sendAtRest } from "../../ui/browser/events.js";
import { TITLES, candidatesOf, drawCandidates, drawEnded, rowOf } from "./beam_rows.js";
import { drawBest, drawVine } from "./beam_vine.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["beam"]} Data */

/** @param {Component<Data>} component */
export default function beam({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.tokens, data.reasons, data.ended, data.width, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, send: (value) => setTriggerValue("event", value), colour: colours(parentElement) });
  if (isNews(picture, data.at)) picture.step = data.at;
  if (fresh) buildBeam(picture);
  const stop = follow(picture, data, (values) => {
    picture.values = values;
    drawEnded(picture);
    drawBest(picture);
  });
  drawStep(picture);
  drawBest(picture);
  return () => {
    clearTimeout(picture.timer);
    stop();
  };
}

/** @param {Picture<Data>} picture */
function buildBeam(picture) {
  const { data } = picture;
  const bar = html("div", { class: "row" }, picture.element);
  const button = (label, spoken, to) => {
    const made = html("button", { type: "button", title: spoken, "aria-label": spoken }, bar, label);
    made.onclick = () => goTo(picture, to());
    return made;
  };
  picture.back = [button("« Start", "From the start", () => 1), button("‹ Back", "One step back", () => picture.step - 1)];
  picture.ahead = [button("Step ›", "One step forward", () => picture.step + 1), button("End »", "To the end", () => data.steps)];
  const scrub = html("label", { class: "scrub grow" }, bar, "Step ");
  picture.range = html("input", { type: "range", min: 1, max: data.steps, "aria-label": "Step of the search" }, scrub);
  picture.output = html("output", {}, scrub);
  picture.range.oninput = () => goTo(picture, Number(picture.range.value));
  beamKey(picture);
  picture.scroll = html("div", { class: "scroll vine", tabindex: 0, role: "group", "aria-label": "The tree; it scrolls" }, picture.element);
  picture.tree = drawSvg("svg", { role: "img" }, picture.scroll);
  picture.readout = html("div", { class: "readout", "aria-live": "polite" }, picture.element);
  saveButtons(picture.element, () => [`${data.name}-step-${picture.step}`, [[picture.tree]]]);
  picture.table = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The candidates of the step; it scrolls" }, picture.element);
  saveTable(picture.element, () => [`${data.name}-step-${picture.step}`, TITLES, candidatesOf(picture).map((i) => rowOf(picture, i).map(String))]);
  picture.list = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The texts that have ended; it scrolls" }, picture.element);
}

/** @param {Picture<Data>} picture */
function beamKey(picture) {
  const key = html("div", { class: "row vine-key" }, picture.element);
  const line = (role, dash, text) => {
    const sample = drawSvg("svg", { width: 34, height: 12, "aria-hidden": "true" }, key);
    drawSvg("path", { d: "M1 6H33", stroke: picture.colour[role], "stroke-width": 4, "stroke-dasharray": dash }, sample);
    html("span", {}, key, text);
  };
  line("gradient", "7 4", "greedy path");
  line("input", "none", "best text that has ended");
  html("span", { class: "vine-sample on" }, key, "goes on");
  html("span", { class: "vine-sample end" }, key, "■ ends");
  html("span", { class: "vine-sample cut" }, key, "✕ pruned");
}

/** @param {Picture<Data>} picture */
function goTo(picture, step) {
  picture.step = Math.min(Math.max(step, 1), picture.data.steps);
  drawStep(picture);
  drawEnded(picture);
  drawBest(picture);
  sendAtRest(picture, picture.step);
}

/** @param {Picture<Data>} picture */
function drawStep(picture) {
  const { data } = picture;
  picture.step = Math.min(Math.max(picture.step, 1), data.steps);
  picture.range.value = picture.step;
  picture.output.textContent = `${picture.step} of ${data.steps}`;
  picture.back.forEach((button) => (button.disabled = picture.step === 1));
  picture.ahead.forEach((button) => (button.disabled = picture.step === data.steps));
  drawVine(picture);
  drawCandidates(picture);
  picture.readout.textContent = picture.step === data.steps ? `The search stops: ${data.why}.` : "";
}

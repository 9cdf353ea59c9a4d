// Beam search, a step at a time: the tree as far as it is expanded, the candidates of the step that
// is looked at, and the texts that have ended so far, ranked by sum / tᵃ for the a of the slider.
// The whole search is here from the start, so stepping asks the server nothing.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { saveButtons, saveTable } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { isNews, tellAtRest } from "../../ui/browser/told.js";
import { TITLES, candidatesOf, drawCandidates, drawEnded, rowOf } from "./beam_rows.js";
import { drawBest, drawVine } from "./beam_vine.js";

export default function beam({ data, parentElement, setTriggerValue }) {
  const shape = JSON.stringify([data.tokens, data.reasons, data.ended, data.width, isDark(parentElement)]);
  const [root, fresh] = stage(parentElement, shape);
  Object.assign(root, { data, tell: (value) => setTriggerValue("told", value), colour: colours(parentElement) });
  if (isNews(root, data.at)) root.step = data.at;
  if (fresh) buildBeam(root);
  const stop = follow(root, data, (values) => {
    root.values = values;
    drawEnded(root);
    drawBest(root);
  });
  drawStep(root);
  drawBest(root);
  return () => {
    clearTimeout(root.timer);
    stop();
  };
}

function buildBeam(root) {
  const { data } = root;
  const bar = html("div", { class: "row" }, root);
  const button = (label, spoken, to) => {
    const made = html("button", { type: "button", title: spoken, "aria-label": spoken }, bar, label);
    made.onclick = () => goTo(root, to());
    return made;
  };
  root.back = [button("« Start", "From the start", () => 1), button("‹ Back", "One step back", () => root.step - 1)];
  root.ahead = [button("Step ›", "One step on", () => root.step + 1), button("End »", "To the end", () => data.steps)];
  const scrub = html("label", { class: "scrub grow" }, bar, "Step ");
  root.range = html("input", { type: "range", min: 1, max: data.steps, "aria-label": "Step of the search" }, scrub);
  root.output = html("output", {}, scrub);
  root.range.oninput = () => goTo(root, Number(root.range.value));
  beamKey(root);
  root.scroll = html("div", { class: "scroll vine", tabindex: 0, role: "group", "aria-label": "The tree; it scrolls" }, root);
  root.tree = drawSvg("svg", { role: "img" }, root.scroll);
  root.readout = html("div", { class: "readout", "aria-live": "polite" }, root);
  saveButtons(root, () => [`${data.name}-step-${root.step}`, [[root.tree]]]);
  root.table = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The candidates of the step; it scrolls" }, root);
  saveTable(root, () => [`${data.name}-step-${root.step}`, TITLES, candidatesOf(root).map((i) => rowOf(root, i).map(String))]);
  root.list = html("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The texts that have ended; it scrolls" }, root);
}

function beamKey(root) {
  const key = html("div", { class: "row vine-key" }, root);
  const line = (role, dash, text) => {
    const sample = drawSvg("svg", { width: 34, height: 12, "aria-hidden": "true" }, key);
    drawSvg("path", { d: "M1 6H33", stroke: root.colour[role], "stroke-width": 4, "stroke-dasharray": dash }, sample);
    html("span", {}, key, text);
  };
  line("gradient", "7 4", "greedy path");
  line("input", "none", "best text that has ended");
  html("span", { class: "vine-sample on" }, key, "goes on");
  html("span", { class: "vine-sample end" }, key, "■ ends");
  html("span", { class: "vine-sample cut" }, key, "✕ pruned");
}

function goTo(root, step) {
  root.step = Math.min(Math.max(step, 1), root.data.steps);
  drawStep(root);
  drawEnded(root);
  drawBest(root);
  tellAtRest(root, root.step);
}

function drawStep(root) {
  const { data } = root;
  root.step = Math.min(Math.max(root.step, 1), data.steps);
  root.range.value = root.step;
  root.output.textContent = `${root.step} of ${data.steps}`;
  root.back.forEach((button) => (button.disabled = root.step === 1));
  root.ahead.forEach((button) => (button.disabled = root.step === data.steps));
  drawVine(root);
  drawCandidates(root);
  root.readout.textContent = root.step === data.steps ? `The search stops: ${data.why}.` : "";
}

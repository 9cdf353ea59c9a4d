// Learning pieces: the sentence in the pieces known so far, the pairs that lead now, and how many
// tokens the text has after each merge. The curve can be dragged; every number comes with the page.

import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { follow, nudge } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

const RIVAL = { height: 26, top: 4, left: 150, right: 96 };
const CURVE_OF = { tall: 170, left: 58, right: 14, top: 14, bottom: 40 };

export default function tokens({ data, parentElement }) {
  const [root, fresh] = stage(parentElement, JSON.stringify([data.words, data.curve.length, data.by, isDark(parentElement)]));
  Object.assign(root, { data, colour: colours(parentElement) });
  if (fresh) buildTokens(root);
  const stop = follow(root, data, (values) => showTokens(root, values));
  root.watch.observe(root);
  return () => {
    stop();
    root.watch.disconnect();
  };
}

function buildTokens(root) {
  root.replaceChildren();
  root.named = html("div", { class: "mask-title" }, root);
  root.sentence = html("div", { class: "pieces" }, root);
  const both = html("div", { class: "beside pieces-below" }, root);
  const [left, right] = [html("div", {}, both), html("div", {}, both)];
  root.next = html("div", { class: "mask-title" }, left);
  root.rivals = drawSvg("svg", { role: "img", "font-size": 13 }, left);
  html("div", { class: "mask-title" }, right, "Tokens of the whole text: drag");
  root.curve = drawSvg("svg", { role: "img", "font-size": 12, style: "cursor: ew-resize; touch-action: pan-y" }, right);
  saveButtons(root, () => ["tokens", [[root.rivals], [root.curve]]]);
  root.watch = new ResizeObserver(() => {
    const wide = [left.clientWidth, right.clientWidth].map((each) => Math.floor(each / magnified()) || 320);
    if (root.wide?.join() === wide.join()) return;
    root.wide = wide;
    root.roomy = null;
    drawCurve(root);
    if (root.values) showTokens(root, root.values);
  });
  root.wide = [left, right].map((each) => Math.floor(each.clientWidth / magnified()) || 320);
  drawCurve(root);
  dragCurve(root);
}

// --- the curve ---------------------------------------------------------------------------------

const lastOf = ({ data }) => data.curve.length - 1;
const acrossMerges = (root, n) => CURVE_OF.left + ((root.wide[1] - CURVE_OF.left - CURVE_OF.right) * n) / Math.max(lastOf(root), 1);
const downTokens = ({ data }, tokens) => CURVE_OF.top + CURVE_OF.tall * (1 - tokens / data.curve[0]);

function drawCurve(root) {
  const { curve, colour, data } = root;
  const [wide, tall] = [root.wide[1], CURVE_OF.top + CURVE_OF.tall + CURVE_OF.bottom];
  for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * tall, viewBox: `0 0 ${wide} ${tall}`, fill: colour.ink })) curve.setAttribute(name, value);
  curve.replaceChildren();
  const base = downTokens(root, 0);
  const tick = (tokens, words) => {
    drawSvg("path", { d: `M${CURVE_OF.left} ${downTokens(root, tokens)}H${wide - CURVE_OF.right}`, stroke: colour.quiet, "stroke-opacity": 0.6, "stroke-dasharray": tokens ? "4 4" : "none" }, curve);
    drawSvg("text", { x: CURVE_OF.left - 6, y: downTokens(root, tokens), "text-anchor": "end", "dominant-baseline": "central", fill: colour.quiet }, curve, words);
  };
  tick(0, "0");
  tick(data.curve[0], data.curve[0].toLocaleString("en"));
  tick(data.total, data.total.toLocaleString("en"));
  drawSvg("text", { x: wide - CURVE_OF.right, y: downTokens(root, data.total) + 14, "text-anchor": "end", fill: colour.quiet }, curve, "one token a word");
  for (const n of new Set([0, lastOf(root)])) drawSvg("text", { x: acrossMerges(root, n), y: base + 16, "text-anchor": "middle", fill: colour.quiet }, curve, String(n));
  drawSvg("text", { x: acrossMerges(root, lastOf(root) / 2), y: base + 32, "text-anchor": "middle", fill: colour.quiet }, curve, "merges");
  const path = [...data.curve].map((tokens, n) => `${n ? "L" : "M"}${acrossMerges(root, n).toFixed(1)} ${downTokens(root, tokens).toFixed(1)}`).join("");
  drawSvg("path", { d: path, fill: "none", stroke: colour.input, "stroke-width": 2.5 }, curve);
  root.here = drawSvg("path", { stroke: colour.weight, "stroke-width": 1.5 }, curve);
  root.spot = drawSvg("circle", { r: 6, fill: colour.weight, stroke: colour.background, "stroke-width": 2 }, curve);
  root.label = drawSvg("text", { fill: colour.weight, "font-weight": 600, stroke: colour.background, "stroke-width": 4, "paint-order": "stroke" }, curve);
}

function dragCurve(root) {
  const { curve } = root;
  const at = (event) => {
    const box = curve.getBoundingClientRect();
    const x = ((event.clientX - box.left) * root.wide[1]) / box.width - CURVE_OF.left;
    const share = x / (root.wide[1] - CURVE_OF.left - CURVE_OF.right);
    return Math.round(Math.min(Math.max(share, 0), 1) * lastOf(root));
  };
  const move = (event, settled) => nudge(root.data.group, root.data.slider, at(event), settled);
  curve.onpointerdown = (event) => {
    if (event.button) return;
    curve.setPointerCapture(event.pointerId);
    root.held = true;
    move(event, false);
  };
  curve.onpointermove = (event) => root.held && move(event, false);
  curve.onpointerup = curve.onpointercancel = (event) => {
    if (root.held) move(event, true);
    root.held = false;
  };
}

// --- what moves --------------------------------------------------------------------------------

function showTokens(root, values) {
  const { data, colour } = root;
  root.values = values;
  const n = Math.round(values("n"));
  const made = n ? data.rivals[n - 1][0][2] : null;
  const count = values("sentence");
  root.named.textContent = `After ${n} merges: ${count} ${count === 1 ? "token" : "tokens"}. |V| = ${values("types").toLocaleString("en")}`;
  showSentence(root, n, made);
  showRivals(root, n);
  const [x, y] = [acrossMerges(root, n), downTokens(root, data.curve[n])];
  root.here.setAttribute("d", `M${x} ${y}V${downTokens(root, 0)}`);
  root.spot.setAttribute("cx", x);
  root.spot.setAttribute("cy", y);
  const right = x > root.wide[1] / 2;
  for (const [name, value] of Object.entries({ x: x + (right ? -10 : 10), y: Math.max(y - 8, 12), "text-anchor": right ? "end" : "start" })) root.label.setAttribute(name, value);
  root.label.textContent = `${data.curve[n].toLocaleString("en")} tokens`;
  root.curve.setAttribute("aria-label", fill(data.alt, values));
  root.curve.style.color = colour.ink;
}

function showSentence(root, n, made) {
  let low = 0;
  for (let high = root.data.readings.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (root.data.readings[middle][0] <= n) low = middle;
    else high = middle - 1;
  }
  if (root.roomy !== root.data.readings) keepRoom(root);
  writeSentence(root, root.data.readings[low][1], made);
}

// In letters the sentence is longest: its lines are kept free, so that nothing below moves.
function keepRoom(root) {
  root.roomy = root.data.readings;
  root.sentence.style.minHeight = "";
  writeSentence(root, root.roomy[0][1], null);
  root.sentence.style.minHeight = `${root.sentence.offsetHeight}px`;
}

function writeSentence(root, words, made) {
  root.sentence.replaceChildren();
  words.forEach((pieces, i) => {
    const group = html("span", { class: "piece-word", title: root.data.words[i] }, root.sentence);
    for (const piece of pieces) {
      const kind = piece === "[UNK]" ? " unknown" : piece === made ? " made" : "";
      html("bdi", { class: `piece${kind}` }, group, piece);
    }
  });
}

// The pairs that lead before the next merge; the first is the one that is merged.
function showRivals(root, n) {
  const { data, colour, rivals } = root;
  const [wide, tall] = [root.wide[0], RIVAL.top + data.most * RIVAL.height];
  const found = data.rivals[n];
  for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * tall, viewBox: `0 0 ${wide} ${tall}`, fill: colour.ink })) rivals.setAttribute(name, value);
  rivals.replaceChildren();
  root.next.textContent = found.length ? `Next: ${found[0][0]} + ${found[0][1]} → ${found[0][2]}` : "Every word is one piece: no pair is left";
  const left = Math.min(RIVAL.left, wide * 0.42);
  const room = wide - left - RIVAL.right;
  const worth = data.by === "gain" ? data.gains : data.counts;
  found.forEach(([first, second], i) => {
    const [at, y] = [n * data.most + i, RIVAL.top + i * RIVAL.height];
    const look = { y: y + RIVAL.height / 2, "dominant-baseline": "central", "font-weight": i ? 400 : 700 };
    const name = `${first} + ${second}`;
    const most = Math.floor(left / 7.4);
    drawSvg("title", {}, drawSvg("text", { ...look, x: left - 8, "text-anchor": "end" }, rivals, [...name].length > most ? `${[...name].slice(0, most - 1).join("")}…` : name), name);
    drawSvg("rect", { x: left, y: y + 4, width: Math.max((room * worth[at]) / worth[n * data.most], 1), height: RIVAL.height - 8, rx: 3, fill: i ? colour.quiet : colour.score, "fill-opacity": i ? 0.55 : 1 }, rivals);
    const said = data.by === "gain" ? `${formatNumber(data.gains[at])} (${data.counts[at]} ×)` : `${data.counts[at].toLocaleString("en")} ×`;
    drawSvg("text", { ...look, x: left + (room * worth[at]) / worth[n * data.most] + 6 }, rivals, said);
  });
  rivals.setAttribute("aria-label", found.map(([first, second], i) => `${first} and ${second}: ${data.counts[n * data.most + i]} times`).join("; ") || "No pair is left");
}

// Learning pieces: the sentence in the pieces known so far, the pairs that lead now, and how many
// tokens the text has after each merge. The curve can be dragged; every number comes with the page.

import { line, scaleLinear } from "../../ui/browser/d3.js";
import { drawSvg, html, magnified } from "../../ui/browser/dom.js";
import { follow, nudge } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["tokens"]} Data */

const RIVAL = { height: 26, top: 4, left: 150, right: 96 };
const CURVE_OF = { tall: 170, left: 58, right: 14, top: 14, bottom: 40 };

/** @param {Component<Data>} component */
export default function tokens({ data, parentElement }) {
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.words, data.curve.length, data.by, isDark(parentElement)]));
  Object.assign(picture, { data, colour: colours(parentElement) });
  if (fresh) buildTokens(picture);
  const stop = follow(picture, data, (values) => showTokens(picture, values));
  picture.watch.observe(picture.element);
  return () => {
    stop();
    picture.watch.disconnect();
  };
}

/** @param {Picture<Data>} picture */
function buildTokens(picture) {
  picture.element.replaceChildren();
  picture.named = html("div", { class: "mask-title" }, picture.element);
  picture.sentence = html("div", { class: "pieces" }, picture.element);
  const both = html("div", { class: "beside pieces-below" }, picture.element);
  const [left, right] = [html("div", {}, both), html("div", {}, both)];
  picture.next = html("div", { class: "mask-title" }, left);
  picture.rivals = drawSvg("svg", { role: "img", "font-size": 13 }, left);
  html("div", { class: "mask-title" }, right, "Tokens of the whole text (drag)");
  picture.curve = drawSvg("svg", { role: "img", "font-size": 12, style: "cursor: ew-resize; touch-action: pan-y" }, right);
  saveButtons(picture.element, () => ["tokens", [[picture.rivals], [picture.curve]]]);
  picture.watch = new ResizeObserver(() => {
    const wide = [left.clientWidth, right.clientWidth].map((each) => Math.floor(each / magnified()) || 320);
    if (picture.wide?.join() === wide.join()) return;
    picture.wide = wide;
    picture.roomy = null;
    drawCurve(picture);
    if (picture.values) showTokens(picture, picture.values);
  });
  picture.wide = [left, right].map((each) => Math.floor(each.clientWidth / magnified()) || 320);
  drawCurve(picture);
  dragCurve(picture);
}

// --- the curve ---------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
const lastOf = ({ data }) => data.curve.length - 1;
/** @param {Picture<Data>} picture */
const acrossOf = (picture) => scaleLinear([0, Math.max(lastOf(picture), 1)], [CURVE_OF.left, picture.wide[1] - CURVE_OF.right]).clamp(true);
/** @param {Picture<Data>} picture */
const downOf = ({ data }) => scaleLinear([0, data.curve[0]], [CURVE_OF.top + CURVE_OF.tall, CURVE_OF.top]);

/** @param {Picture<Data>} picture */
function drawCurve(picture) {
  const { curve, colour, data } = picture;
  const [wide, tall] = [picture.wide[1], CURVE_OF.top + CURVE_OF.tall + CURVE_OF.bottom];
  Object.assign(picture, { across: acrossOf(picture), down: downOf(picture) });
  for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * tall, viewBox: `0 0 ${wide} ${tall}`, fill: colour.ink })) curve.setAttribute(name, value);
  curve.replaceChildren();
  const base = picture.down(0);
  const tick = (tokens, words) => {
    drawSvg("path", { d: `M${CURVE_OF.left} ${picture.down(tokens)}H${wide - CURVE_OF.right}`, stroke: colour.quiet, "stroke-opacity": 0.6, "stroke-dasharray": tokens ? "4 4" : "none" }, curve);
    drawSvg("text", { x: CURVE_OF.left - 6, y: picture.down(tokens), "text-anchor": "end", "dominant-baseline": "central", fill: colour.quiet }, curve, words);
  };
  tick(0, "0");
  tick(data.curve[0], data.curve[0].toLocaleString("en"));
  tick(data.total, data.total.toLocaleString("en"));
  drawSvg("text", { x: wide - CURVE_OF.right, y: picture.down(data.total) + 14, "text-anchor": "end", fill: colour.quiet }, curve, "one token per word");
  for (const n of new Set([0, lastOf(picture)])) drawSvg("text", { x: picture.across(n), y: base + 16, "text-anchor": "middle", fill: colour.quiet }, curve, String(n));
  drawSvg("text", { x: picture.across(lastOf(picture) / 2), y: base + 32, "text-anchor": "middle", fill: colour.quiet }, curve, "merges");
  const path = line((/** @type {number} */ _, n) => picture.across(n), (tokens) => picture.down(tokens))(data.curve);
  drawSvg("path", { d: path, fill: "none", stroke: colour.input, "stroke-width": 2.5 }, curve);
  picture.here = drawSvg("path", { stroke: colour.weight, "stroke-width": 1.5 }, curve);
  picture.spot = drawSvg("circle", { r: 6, fill: colour.weight, stroke: colour.background, "stroke-width": 2 }, curve);
  picture.label = drawSvg("text", { fill: colour.weight, "font-weight": 600, stroke: colour.background, "stroke-width": 4, "paint-order": "stroke" }, curve);
}

/** @param {Picture<Data>} picture */
function dragCurve(picture) {
  const { curve } = picture;
  const at = (event) => {
    const box = curve.getBoundingClientRect();
    const x = ((event.clientX - box.left) * picture.wide[1]) / box.width;
    return Math.min(Math.round(picture.across.invert(x)), lastOf(picture));
  };
  const move = (event, settled) => nudge(picture.data.group, picture.data.slider, at(event), settled);
  curve.onpointerdown = (event) => {
    if (event.button) return;
    curve.setPointerCapture(event.pointerId);
    picture.held = true;
    move(event, false);
  };
  curve.onpointermove = (event) => picture.held && move(event, false);
  curve.onpointerup = curve.onpointercancel = (event) => {
    if (picture.held) move(event, true);
    picture.held = false;
  };
}

// --- what moves --------------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function showTokens(picture, values) {
  const { data, colour } = picture;
  picture.values = values;
  const n = Math.round(values("n"));
  const made = n ? data.rivals[n - 1][0][2] : null;
  const count = values("sentence");
  picture.named.textContent = `After ${n} merges: ${count} ${count === 1 ? "token" : "tokens"}. |V| = ${values("types").toLocaleString("en")}`;
  showSentence(picture, n, made);
  showRivals(picture, n);
  const [x, y] = [picture.across(n), picture.down(data.curve[n])];
  picture.here.setAttribute("d", `M${x} ${y}V${picture.down(0)}`);
  picture.spot.setAttribute("cx", x);
  picture.spot.setAttribute("cy", y);
  const right = x > picture.wide[1] / 2;
  for (const [name, value] of Object.entries({ x: x + (right ? -10 : 10), y: Math.max(y - 8, 12), "text-anchor": right ? "end" : "start" })) picture.label.setAttribute(name, value);
  picture.label.textContent = `${data.curve[n].toLocaleString("en")} tokens`;
  picture.curve.setAttribute("aria-label", fill(data.alt, values));
  picture.curve.style.color = colour.ink;
}

/** @param {Picture<Data>} picture */
function showSentence(picture, n, made) {
  let low = 0;
  for (let high = picture.data.readings.length - 1; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (picture.data.readings[middle][0] <= n) low = middle;
    else high = middle - 1;
  }
  if (picture.roomy !== picture.data.readings) keepRoom(picture);
  writeSentence(picture, picture.data.readings[low][1], made);
}

/**
 * In letters the sentence is longest: its lines are kept free, so that nothing below moves.
 *
 * @param {Picture<Data>} picture
 */
function keepRoom(picture) {
  picture.roomy = picture.data.readings;
  picture.sentence.style.minHeight = "";
  writeSentence(picture, picture.roomy[0][1], null);
  picture.sentence.style.minHeight = `${picture.sentence.offsetHeight}px`;
}

/** @param {Picture<Data>} picture */
function writeSentence(picture, words, made) {
  picture.sentence.replaceChildren();
  words.forEach((pieces, i) => {
    const group = html("span", { class: "piece-word", title: picture.data.words[i] }, picture.sentence);
    for (const piece of pieces) {
      const kind = piece === "[UNK]" ? " unknown" : piece === made ? " made" : "";
      html("bdi", { class: `piece${kind}` }, group, piece);
    }
  });
}

/**
 * The pairs that lead before the next merge; the first is the one that is merged.
 *
 * @param {Picture<Data>} picture
 */
function showRivals(picture, n) {
  const { data, colour, rivals } = picture;
  const [wide, tall] = [picture.wide[0], RIVAL.top + data.most * RIVAL.height];
  const found = data.rivals[n];
  for (const [name, value] of Object.entries({ width: magnified() * wide, height: magnified() * tall, viewBox: `0 0 ${wide} ${tall}`, fill: colour.ink })) rivals.setAttribute(name, value);
  rivals.replaceChildren();
  picture.next.textContent = found.length ? `Next: ${found[0][0]} + ${found[0][1]} → ${found[0][2]}` : "Every word is one piece: no pair is left";
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

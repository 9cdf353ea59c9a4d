// A text and what becomes of each of its words, and under it the two numbers that decide. A share is
// a threshold: while the hand drags one, sliders.js sends what lmcore decided there.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow, nudge } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["corruption"]} Data */

const STRIP = { left: 2, right: 2, r: 10, row: 23, band: 12, gap: 30, title: 20, foot: 18 };
const OUTCOME_ROLES = ["quiet", "weight", "gradient", "activation"];

/** @param {Component<Data>} component */
export default function corruption({ data, parentElement, setTriggerValue }) {
  const { host } = parentElement;
  const narrow = host.clientWidth > 0 && host.clientWidth < 520;
  const shape = JSON.stringify([data.tokens, data.titles, [...data.chance], [...data.way], narrow, isDark(parentElement)]);
  const [picture, fresh] = stage(parentElement, shape);
  Object.assign(picture, { data, wide: narrow ? 360 : 720, colour: colours(parentElement), send: (value) => setTriggerValue("event", value) });
  if (fresh) buildCorruption(picture);
  return follow(picture, data, (values) => showCorruption(picture, values));
}

// --- what stands still -------------------------------------------------------------------------

/** @param {Picture<Data>} picture */
function buildCorruption(picture) {
  const { data } = picture;
  picture.element.replaceChildren();
  const text = html("div", { class: "looks outcomes", role: "group", "aria-label": "The text as the model sees it; press a word to choose by hand" }, picture.element);
  picture.chips = data.tokens.map((token, i) => chipOf(picture, text, token, i));
  picture.counted = html("div", { class: "lines" }, picture.element);
  picture.line = html("div", { class: "line" }, picture.counted);
  const frame = html("div", { class: "pictures" }, picture.element);
  picture.strips = [stripOf(picture, [...data.chance], 0), stripOf(picture, [...data.way], 0)];
  picture.strips[1].top = picture.strips[0].bottom + STRIP.gap;
  picture.strips[1].bottom += picture.strips[1].top;
  const height = picture.strips[1].bottom + 4;
  picture.svg = drawSvg("svg", { viewBox: `0 0 ${picture.wide} ${height}`, role: "img", "font-size": 13, fill: picture.colour.ink, style: "width: 100%; touch-action: pan-y; cursor: ew-resize" }, frame);
  picture.strips.forEach((strip, n) => drawStrip(picture, strip, n));
  saveButtons(picture.element, () => [data.name, [[picture.svg]]]);
  listenToStrips(picture);
}

/** @param {Picture<Data>} picture */
function chipOf(picture, parent, token, i) {
  const open = picture.data.maskable[i] > 0;
  const chip = html(open ? "button" : "span", { class: "look outcome", ...(open ? { type: "button", "data-place": i } : {}) }, parent);
  const shown = html("span", { class: "word" }, chip, token);
  const was = html("span", { class: "was" }, chip, "");
  const tag = html("span", { class: "tag" }, chip, open ? "" : "never");
  if (open) chip.onclick = () => press(picture, i);
  return { chip, shown, was, tag, open };
}

/**
 * Dots in as many lanes as it takes for none to cover another.
 *
 * @param {Picture<Data>} picture
 */
function stripOf(picture, numbers, top) {
  const width = picture.wide - STRIP.left - STRIP.right - 2 * STRIP.r;
  const x = (number) => STRIP.left + STRIP.r + Math.min(Math.max(number, 0), 1) * width;
  const ends = [];
  const lanes = [];
  numbers.map((_, i) => i).filter((i) => picture.data.maskable[i] > 0).sort((a, b) => numbers[a] - numbers[b]).forEach((i) => {
    let lane = ends.findIndex((end) => x(numbers[i]) - end >= 2 * STRIP.r + 1);
    if (lane < 0) lane = ends.length;
    ends[lane] = x(numbers[i]);
    lanes[i] = lane;
  });
  const bottom = top + STRIP.title + ends.length * STRIP.row + STRIP.band + STRIP.foot;
  return { numbers, lanes, count: ends.length, x, top, bottom };
}

/** @param {Picture<Data>} picture */
function drawStrip(picture, strip, n) {
  const { svg, colour } = picture;
  const base = strip.top + STRIP.title + strip.count * STRIP.row;
  strip.base = base;
  strip.title = drawSvg("text", { x: STRIP.left, y: strip.top + 13, "font-weight": 600, "font-size": picture.wide < 500 ? 11 : 13 }, svg);
  const roles = n ? ["weight", "gradient", "activation"] : ["loss", "quiet"];
  strip.bands = roles.map((role) => drawSvg("rect", { y: base, height: STRIP.band, fill: colour[role], "fill-opacity": role === "quiet" ? 0.3 : 1 }, svg));
  strip.edges = roles.slice(1).map(() => drawSvg("path", { stroke: colour.ink, "stroke-width": 2 }, svg));
  for (const value of [0, 0.5, 1]) {
    drawSvg("text", { x: strip.x(value), y: base + STRIP.band + 14, "text-anchor": "middle", "font-size": 11, fill: colour.quiet }, svg, value);
  }
  strip.dots = strip.numbers.map((number, i) => {
    if (!(picture.data.maskable[i] > 0)) return null;
    const y = base - 4 - STRIP.r - strip.lanes[i] * STRIP.row;
    const group = drawSvg("g", {}, svg);
    const circle = drawSvg("circle", { cx: strip.x(number), cy: y, r: STRIP.r, "stroke-width": 1.5 }, group);
    const label = drawSvg("text", { x: strip.x(number), y, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 11 }, group, numberOf(picture, i));
    drawSvg("title", {}, group, `${numberOf(picture, i)} “${picture.data.tokens[i]}”: ${formatNumber(number)}`);
    return { group, circle, label };
  });
}

/**
 * Words are counted from 1, without [CLS] and [SEP].
 *
 * @param {Picture<Data>} picture
 */
const numberOf = ({ data }, place) => data.tokens.filter((_, i) => i <= place && data.maskable[i] > 0).length;

// --- what moves --------------------------------------------------------------------------------

/** @param {Data} data */
const hereOf = (data, values, i) => {
  const outcome = values(`f${i}`);
  return outcome === 1 ? "[MASK]" : outcome === 2 ? (values("hand") ? data.standing[i] : data.drawn[i]) : data.tokens[i];
};

/** @param {Picture<Data>} picture */
function showCorruption(picture, values) {
  const { data } = picture;
  picture.values = values;
  const hand = values("hand") > 0;
  picture.chips.forEach(({ chip, shown, was, tag, open }, i) => {
    const outcome = values(`f${i}`);
    shown.textContent = hereOf(data, values, i);
    chip.className = `look outcome outcome${outcome}`;
    if (!open) return;
    was.textContent = outcome === 1 || outcome === 2 ? `was ${data.tokens[i]}` : "";
    tag.textContent = outcome ? data.outcomes[outcome] : "–";
    chip.setAttribute("aria-label", `Word ${numberOf(picture, i)}, ${data.tokens[i]}: ${data.outcomes[outcome]}${outcome === 2 ? `, shown as ${shown.textContent}` : ""}`);
  });
  picture.line.textContent = fill(data.counted, values);
  const cuts = [[values("chosen")], [values("masked"), Math.min(values("upto"), 1)]];
  picture.strips.forEach((strip, n) => moveStrip(picture, strip, cuts[n], values, hand, n));
  picture.svg.setAttribute("aria-label", `${hand ? data.by_hand : data.titles.map((title) => fill(title, values)).join(". ")}. ${fill(data.counted, values)}`);
}

/** @param {Picture<Data>} picture */
function moveStrip(picture, strip, cuts, values, hand, n) {
  const { data, colour } = picture;
  const ends = [0, ...cuts, 1];
  strip.title.textContent = hand && !n ? data.by_hand : fill(picture.wide < 500 ? data.brief[n] : data.titles[n], values);
  strip.bands.forEach((band, k) => {
    band.setAttribute("opacity", hand ? 0.35 : 1);
    band.setAttribute("x", strip.x(ends[k]));
    band.setAttribute("width", Math.max(strip.x(ends[k + 1]) - strip.x(ends[k]), 0));
  });
  strip.edges.forEach((edge) => edge.setAttribute("opacity", hand ? 0.35 : 1));
  strip.edges.forEach((edge, k) => edge.setAttribute("d", `M${strip.x(ends[k + 1])} ${strip.top + STRIP.title - 2}V${strip.base + STRIP.band + 2}`));
  strip.dots.forEach((dot, i) => {
    if (!dot) return;
    const outcome = values(`f${i}`);
    const role = n ? OUTCOME_ROLES[outcome] : outcome ? "loss" : "quiet";
    const full = outcome > 0 && !hand;
    dot.group.setAttribute("opacity", hand ? 0.35 : n && !outcome ? 0.3 : 1);
    dot.circle.setAttribute("fill", full ? colour[role] : colour.background);
    dot.circle.setAttribute("stroke", colour[role]);
    dot.label.setAttribute("fill", full ? colour.background : colour.ink);
  });
}

// --- choosing by hand, and dragging a threshold ------------------------------------------------

/**
 * Pressed again and again a word is masked, replaced, kept, and left alone.
 *
 * @param {Picture<Data>} picture
 */
function press(picture, place) {
  const { data, values } = picture;
  const parts = [];
  data.tokens.forEach((token, i) => {
    const next = (values(`f${i}`) + (i === place ? 1 : 0)) % 4;
    if (!next) return;
    const other = i === place || !values("hand") ? data.drawn[i] : data.standing[i];
    parts.push(`${numberOf(picture, i)}:${next === 1 ? "[MASK]" : next === 2 ? other : token}`);
  });
  picture.send({ hand: parts.join(" ") });
}

/** @param {Picture<Data>} picture */
function listenToStrips(picture) {
  const { svg } = picture;
  const place = (event) => {
    const box = svg.getBoundingClientRect();
    const scale = picture.wide / box.width;
    const [zero, one] = [picture.strips[0].x(0), picture.strips[0].x(1)];
    const x = ((event.clientX - box.left) * scale - zero) / (one - zero);
    return [Math.min(Math.max(Math.round(100 * x) / 100, 0), 1), (event.clientY - box.top) * scale];
  };
  const drag = (event, settled) => {
    const [x] = place(event);
    const n = picture.held;
    const value = n === 2 ? Math.max(x - picture.values("masked"), 0) : x;
    nudge(picture.data.group, picture.data.sliders[n], Math.round(100 * value) / 100, settled);
  };
  svg.onpointerdown = (event) => {
    if (event.button) return;
    const [x, y] = place(event);
    const second = y > picture.strips[1].top - STRIP.gap / 2;
    const nearer = Math.abs(x - picture.values("upto")) < Math.abs(x - picture.values("masked")) || (x > picture.values("upto"));
    picture.held = second ? (nearer ? 2 : 1) : 0;
    svg.setPointerCapture(event.pointerId);
    drag(event, false);
  };
  svg.onpointermove = (event) => picture.held !== undefined && drag(event, false);
  svg.onpointerup = svg.onpointercancel = (event) => {
    if (picture.held !== undefined) drag(event, true);
    delete picture.held;
  };
}

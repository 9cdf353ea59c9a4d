// Words on a plane while their embeddings are learned: the data have every snapshot, and a slider steps through them.

import { drawSvg, html } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours, isDark } from "../../drawing/theme.js";
import { mapScale } from "../../drawing/map_scale.js";

/** @import { Attributes, Component, Palette, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["drift"]} Data */
/**
 * @typedef {object} Remembered
 * @property {number} at the snapshot shown
 * @property {string} word the chosen word
 * @property {string} [sent] both as the server had them last
 * @property {() => void} send tells the server both
 * @property {number} playing the timer, 0 while it does not play
 * @property {number} width
 * @property {number} high of the plane
 * @property {Palette} colour
 * @property {HTMLButtonElement} button
 * @property {HTMLInputElement} range
 * @property {HTMLSelectElement} choice
 * @property {HTMLElement} words
 * @property {SVGSVGElement} svg
 * @property {HTMLElement} near
 */
/** @typedef {Picture<Data, Remembered>} Drift */
/** @typedef {[left: number, top: number, right: number, foot: number]} Box */
/** @typedef {{ i: number, left: number, top: number, strong: boolean }} Spot of a word; strong: it is labelled always */
/** @typedef {{ word: string, strong: boolean, at: Attributes }} Label */

const AROUND = 236; // px of the stage for what is above and below the plane
const PACE = 260; // ms a snapshot while playing
const EDGE = 26;
const MARK = 6; // half a mark's size
/** @type {((r: number) => string)[]} one for each group, r half its size */
const MARKS = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`,
  (r) => `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  (r) => `M0 ${-1.3 * r}L${1.2 * r} ${r}H${-1.2 * r}Z`,
  (r) => `M0 ${-1.4 * r}L${1.4 * r} 0L0 ${1.4 * r}L${-1.4 * r} 0Z`,
  (r) => `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}`,
];

/** @param {Component<Data>} component */
export default function drift({ data, parentElement, setTriggerValue }) {
  // On a projector, a unit of the picture grows with the screen.
  const unit = parentElement.host.closest(".st-key-present")
    ? Math.max(1, Math.min(innerWidth / 1097, innerHeight / 460))
    : 1;
  const width = (parentElement.host.clientWidth || 700) / unit;
  const high = Math.max(((parentElement.host.closest(".st-key-stage")?.clientHeight ?? 700) - AROUND) / unit, 260);
  /** @type {[Drift, boolean]} */
  const [picture, fresh] = stage(parentElement, JSON.stringify([data.words, width, high, isDark(parentElement)]));
  picture.data = data;
  picture.send = () => setTriggerValue("event", [picture.at, picture.word]);
  if (fresh) build(picture, { width, high, colour: colours(parentElement) });
  const asked = JSON.stringify([data.at, data.word]);
  if (fresh || asked !== picture.sent) Object.assign(picture, { at: data.at, word: data.word });
  picture.sent = asked;
  draw(picture);
  return () => clearInterval(picture.playing);
}

/** @param {Drift} picture @param {{ width: number, high: number, colour: Palette }} how */
function build(picture, { width, high, colour }) {
  const { data } = picture;
  const legend = 30 + 22 * Math.floor((data.groups.length - 1) / perLine(width, data));
  Object.assign(picture, { width, high: high - legend, colour, playing: 0 });
  buildControls(picture, html("div", { class: "row" }, picture.element));
  picture.words = html("div", { class: "words" }, picture.element);
  const box = html("div", { class: "pictures" }, picture.element);
  const look = { role: "img", "font-size": 13, fill: colour.ink, width: "100%" };
  picture.svg = drawSvg("svg", { viewBox: `0 0 ${width} ${high}`, ...look }, box);
  picture.near = html("div", { class: "lines" }, picture.element);
  saveButtons(picture.element, () => ["embeddings", [[picture.svg]]]);
}

/**
 * Play, the slider of the snapshots, and the choice of a word.
 *
 * @param {Drift} picture @param {HTMLElement} bar
 */
function buildControls(picture, bar) {
  const { data } = picture;
  picture.button = html("button", { type: "button" }, bar, "Play");
  picture.button.onclick = () => (picture.playing ? rest(picture) : play(picture));
  const scrub = html("label", { class: "scrub grow" }, bar);
  const ends = { min: 0, max: data.steps.length - 1, step: 1 };
  picture.range = html("input", { type: "range", ...ends, "aria-label": "Training step" }, scrub);
  picture.range.oninput = () => {
    rest(picture, false);
    picture.at = Number(picture.range.value);
    draw(picture);
  };
  picture.range.onchange = () => picture.send();
  const choice = html("label", { class: "row" }, bar, "Word ");
  picture.choice = html("select", { "aria-label": "Word whose neighbours are shown" }, choice);
  data.groups.forEach((name, g) => {
    const part = html("optgroup", { label: name }, picture.choice);
    data.words.forEach((word, i) => data.group[i] === g && html("option", { value: word }, part, word));
  });
  picture.choice.onchange = () => choose(picture, picture.choice.value);
}

/** @param {Drift} picture @param {string} word */
function choose(picture, word) {
  picture.word = word;
  draw(picture);
  picture.send();
}

/** @param {Drift} picture */
function play(picture) {
  if (picture.at === picture.data.steps.length - 1) picture.at = 0;
  picture.button.textContent = "Pause";
  picture.playing = setInterval(() => {
    if (picture.at === picture.data.steps.length - 1) return rest(picture);
    picture.at += 1;
    return draw(picture);
  }, PACE);
  draw(picture);
}

/** @param {Drift} picture */
function rest(picture, sending = true) {
  if (!picture.playing) return;
  clearInterval(picture.playing);
  picture.playing = 0;
  picture.button.textContent = "Play";
  if (sending) picture.send();
}

/** @param {Drift} picture */
function draw(picture) {
  const { data, at } = picture;
  const step = data.steps[at];
  picture.range.value = String(at);
  picture.range.setAttribute("aria-valuetext", `after step ${step}`);
  picture.choice.value = picture.word;
  picture.words.textContent =
    `After step ${step}: validation loss ${formatNumber(data.losses[at])} nats. ` +
    `The plane shows ${Math.round(100 * data.share[at])} % of the words' variance.`;
  const close = neighbours(picture);
  picture.near.textContent =
    `Nearest to ${picture.word}, by cosine in all dimensions: ` +
    `${close.map(([word, cosine]) => `${word} ${formatNumber(Number(cosine.toPrecision(3)))}`).join(", ")}`;
  picture.svg.replaceChildren();
  picture.svg.setAttribute("aria-label", `${picture.words.textContent} ${picture.near.textContent}`);
  plane(picture, new Set(close.map(([word]) => word)));
  legend(picture);
}

/** @param {Drift} picture @returns {[string, number][]} */
function neighbours({ data, at, word }) {
  const from = (at * data.words.length + data.words.indexOf(word)) * data.count;
  return Array.from({ length: data.count }, (_, i) => [data.vocabulary[data.near[from + i]], data.cosines[from + i]]);
}

/**
 * The chosen word and its neighbours are labelled first, and always.
 *
 * @param {Drift} picture
 * @param {ReadonlySet<string>} close its neighbours
 */
function plane(picture, close) {
  const { data, at, width, high, colour, svg } = picture;
  const { x, y } = mapScale(data.points, { left: 0, top: 0, wide: width, high }, EDGE);
  drawSvg("path", { d: `M0 ${y(0)}H${width}M${x(0)} 0V${high}`, stroke: colour.quiet, "stroke-opacity": 0.4 }, svg);
  drawSvg("text", { x: width - 4, y: y(0) - 6, "text-anchor": "end", fill: colour.quiet }, svg, "principal axis 1 →");
  drawSvg("text", { x: x(0) + 6, y: 14, fill: colour.quiet }, svg, "↑ principal axis 2");
  const order = data.words.map((_, i) => i);
  /** @param {number} i */
  const first = (i) => (data.words[i] === picture.word ? 0 : close.has(data.words[i]) ? 1 : 2);
  order.sort((a, b) => first(a) - first(b));
  const spots = order.map((i) => {
    const from = 2 * (at * data.words.length + i);
    return { i, left: x(data.points[from]), top: y(data.points[from + 1]), strong: first(i) < 2 };
  });
  const named = labelled(picture, spots);
  // Below all marks, so that the halo of a name hides none.
  for (const name of named) write(svg, name, { stroke: colour.background, "stroke-width": 3, fill: colour.background });
  for (const each of spots.toReversed()) drawMark(picture, each);
  for (const name of named) write(svg, name, { fill: colour.ink });
}

/**
 * A word's mark, which can be pressed to choose the word.
 *
 * @param {Drift} picture @param {Spot} spot
 */
function drawMark(picture, { i, left, top, strong }) {
  const { data, colour, svg } = picture;
  const group = data.group[i];
  const tint = colour[`series-${group + 1}`];
  const look = {
    fill: group === 4 ? "none" : tint,
    stroke: strong ? colour.ink : tint,
    "stroke-width": group === 4 ? 2.4 : 1.4,
    cursor: "pointer",
  };
  const d = MARKS[group](strong ? 6 : 4.5);
  const mark = drawSvg("path", { d, transform: `translate(${left} ${top})`, ...look }, svg);
  drawSvg("title", {}, mark, `${data.words[i]}, ${data.groups[group]}`);
  mark.onclick = () => choose(picture, data.words[i]);
}

/**
 * Which words have their names drawn, and where: right of the mark or left of it, if neither a mark nor a name is in
 * the way.
 *
 * @param {Drift} picture @param {readonly Spot[]} spots
 */
function labelled({ data, width }, spots) {
  const taken = spots.map(({ left, top }) => /** @type {Box} */ ([left - MARK, top - MARK, left + MARK, top + MARK]));
  const named = /** @type {Label[]} */ ([]);
  for (const { i, left, top, strong } of spots) {
    const word = data.words[i];
    const long = 7.2 * word.length;
    const sides = [left + 9, left - 9 - long].filter((x) => x > 0 && x + long < width);
    /** @type {(x: number) => Box} */
    const box = (x) => [x, top - 7, x + long, top + 5];
    const free = sides.find((x) => !taken.some((other) => meet(box(x), other)));
    if (free === undefined && !strong) continue;
    const x = free ?? sides[0];
    taken.push(box(x));
    /** @type {Attributes} */
    const side = x < left ? { x: left - 9, "text-anchor": "end" } : { x };
    named.push({ word, strong, at: { ...side, y: top + 4 } });
  }
  return named;
}

/** @type {(a: Box, b: Box) => boolean} */
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** @param {SVGSVGElement} svg @param {Label} label @param {Attributes} look */
function write(svg, { word, at, strong }, look) {
  drawSvg("text", { ...at, "font-weight": strong ? 700 : 400, "pointer-events": "none", ...look }, svg, word);
}

/** @type {(width: number, data: Data) => number} names of groups in a line */
const perLine = (width, data) => (width < 480 ? 3 : data.groups.length);

/** @param {Drift} picture */
function legend({ data, width, high, colour, svg }) {
  const columns = perLine(width, data);
  data.groups.forEach((name, i) => {
    const left = 12 + (i % columns) * ((width - 12) / columns);
    const top = high + 18 + 22 * Math.floor(i / columns);
    drawSvg(
      "path",
      {
        d: MARKS[i](5),
        transform: `translate(${left} ${top})`,
        fill: i === 4 ? "none" : colour[`series-${i + 1}`],
        stroke: colour[`series-${i + 1}`],
        "stroke-width": 2,
      },
      svg,
    );
    drawSvg("text", { x: left + 12, y: top + 5 }, svg, name);
  });
}

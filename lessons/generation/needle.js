// A random walk: the words that may come next lie end to end on a line of length 1, and a needle falls on one of them.
// One line with its needle, or all lines of a text, one below the other.

import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { drawText } from "./needle_text_lines.js";
import { drawPin, isShort, placesOf, shown } from "./needle_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { WalkPlaces, WalkScene } from "./needle_places.js" */
/** @typedef {(pen: Pen, scene: WalkScene, at: WalkPlaces) => void} Draw */

/** @param {Component<Scripts["needle"]>} component */
export default function needle(component) {
  return mainPicture(component, (pen, /** @type {WalkScene} */ scene) => {
    if (scene.data.shown === "text") return drawText(pen, scene);
    const at = placesOf(scene);
    if (scene.data.shown === "draw") scene.chooseTexts(scene.values("@word"), false);
    drawSentence(pen, scene, at);
    drawParts(pen, scene, at);
    drawAxis(pen, scene, at);
    drawShortParts(pen, scene, at);
    if (scene.data.shown === "draw") drawNeedle(pen, scene, at);
    else drawHanging(pen, scene, at);
  });
}

/**
 * The part under the needle: −1 if it is hidden, or has no part of its own.
 *
 * @param {WalkScene} scene
 */
const chosenPart = ({ data, values, hidden }) =>
  data.shown === "line" || hidden("@word") ? -1 : data.partOf[values("@word")];

/**
 * The prompt and the word that is drawn, or a gap.
 *
 * @type {Draw}
 */
function drawSentence(pen, { data, colour, values, hidden, narrow }, { left, length, size, sentence }) {
  const drawn = data.shown === "draw" && !hidden("@word") ? shown(data.words[values("@word")]) : "____";
  const room = length - textWidth(` ${drawn}`, size, true);
  const width = Math.min(textWidth(data.prompt, size), room);
  pen.text(left + width, sentence, data.prompt, { size, fill: colour.quiet, room, anchor: "end" });
  const fill = drawn === "____" ? colour.ink : colour.activation;
  pen.text(left + width + size * 0.35, sentence, drawn, { key: "drawn", size, bold: true, fill });
  if (data.shown === "line" && !narrow) {
    pen.text(left + length, sentence, "A random number from 0 to 1: where will it fall?", { size: 20, anchor: "end" });
  }
}

/**
 * The part of each word, from the sum of the p before it to the sum with it.
 *
 * @type {Draw}
 */
function drawParts(pen, scene, { left, length, top, high, narrow }) {
  const { data, colour, text } = scene;
  const chosen = chosenPart(scene);
  data.lines[0].parts.forEach(({ word, low, high: until }, i) => {
    const on = i === chosen;
    const [x, width] = [left + low * length, (until - low) * length];
    const look = { key: `part ${i}`, r: 0, fill: colour.activation, "fill-opacity": on ? 1 : i % 2 ? 0.38 : 0.24 };
    pen.rect(x, top, width, high, look);
    const sizes = narrow ? [20, 16] : [26, 20, 16];
    const size = sizes.find((each) => textWidth(shown(word), each, true) + 12 <= width);
    if (!size) return;
    const ink = on ? colour.background : colour.ink;
    const middle = { anchor: /** @type {const} */ ("middle"), fill: ink };
    pen.text(x + width / 2, top + high * 0.5, shown(word), { key: `word ${i}`, size, bold: true, ...middle });
    const p = text(`part ${i}`);
    if (textWidth(p, 17) + 8 > width) return;
    const named = data.shown === "line" && i === data.widest;
    pen.markedText(x + width / 2, top + high * 0.5 + 28, p, named, { key: `p ${i}`, size: 17, ...middle });
  });
  pen.rect(left, top, length, high, { key: "line", r: 0, stroke: colour.ink, line: 1.5 });
}

/** @type {Draw} */
function drawAxis(pen, { colour }, { left, length, top, high, last, narrow, scale }) {
  const ticks = Array.from({ length: narrow ? 6 : 11 }, (_, i) => i / (narrow ? 5 : 10));
  const size = narrow ? 13 : 14;
  const foot = top + high;
  for (const tick of ticks) pen.line(scale(tick), foot, scale(tick), foot + 5, { key: `tick ${tick}`, width: 1 });
  pen.axis("x", scale, {
    at: foot + 20,
    ticks,
    size,
    label: (tick) => formatNumber(Math.round(tick * 10) / 10),
    title: "Σ p of the words up to here, in the order of their ids",
    titled: { x: left + length, y: last, size, fill: colour.quiet, anchor: "end" },
  });
}

/**
 * The words whose parts are too short for them, below the line, and how much all other words share.
 *
 * @type {Draw}
 */
function drawShortParts(pen, scene, { left, length, top, high, last, narrow }) {
  const { data, colour, text } = scene;
  const foot = top + high;
  const ends = [-Infinity, -Infinity, -Infinity];
  data.lines[0].parts.forEach((part, i) => {
    const { word, low, high: until } = part;
    if (narrow || !isShort(part, length)) return;
    const said = `${shown(word)} ${text(`part ${i}`)}`;
    const wide = textWidth(said, 14);
    const middle = left + ((low + until) / 2) * length;
    const from = Math.min(Math.max(middle - wide / 2, left), left + length - wide);
    const row = ends.findIndex((end) => end + 12 < from);
    if (row < 0) return;
    ends[row] = from + wide;
    const y = foot + 46 + 20 * row;
    pen.line(middle, foot + 1, middle, y - 14, { key: `lead ${i}`, stroke: colour.activation, width: 1 });
    pen.text(from, y, said, { key: `short ${i}`, size: 14, halo: true });
  });
  if (data.others < 1) return;
  const said = `white: ${data.others.toLocaleString("en")} more words, which share ${text("rest")}`;
  pen.text(left, last - (narrow ? 20 : 0), said, { key: "others", size: narrow ? 13 : 14, fill: colour.quiet });
}

/**
 * The needle that has fallen; it can be dragged.
 *
 * @type {Draw}
 */
function drawNeedle(pen, scene, { left, length, top, high, narrow }) {
  const { values, text, colour, width } = scene;
  const x = left + values("u") * length;
  drawGreedy(pen, scene, { left, length, top, high });
  const drag = { "data-n": "u", "data-per": length, "data-way": "x", style: "cursor: ew-resize" };
  pen.group({ key: "needle", class: "handle", ...drag }, (its) => {
    its.rect(x - 22, top - 52, 44, high + 52, { fill: "transparent" });
    drawPin(its, x, top, high, colour.ink, colour.background);
  });
  const said = `u = ${text("u")}`;
  const size = narrow ? 17 : 22;
  const right = x + 24 + textWidth(said, size, true) < width - 8;
  const anchor = right ? "start" : "end";
  pen.markedText(x + (right ? 22 : -22), top - 26, said, true, { key: "u", size, bold: true, anchor });
}

/**
 * The mark over the part that greedy search takes.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Pick<WalkPlaces, "left" | "length" | "top" | "high">} at
 */
function drawGreedy(pen, { data, colour, values }, { left, length, top, high }) {
  const { low, high: until } = data.lines[0].parts[data.widest];
  const said = "widest: greedy search";
  const wide = textWidth(said, 15);
  const u = left + values("u") * length;
  const middle = left + ((low + until) / 2) * length;
  const from = Math.min(Math.max(middle - wide / 2, left), left + length - wide);
  const near = Math.max(from - u, u - from - wide);
  const lines = { stroke: colour.quiet, width: 1.5 };
  pen.path(`M${left + low * length} ${top - 4}v-7H${left + until * length}v7`, { key: "greedy", ...lines });
  if (near > 130 || (near > 20 && u > from)) {
    pen.text(from, top - 18, said, { key: "greedy said", size: 15, fill: colour.quiet });
  }
}

/**
 * The needle before it falls: a press lets it fall.
 *
 * @type {Draw}
 */
function drawHanging(pen, { send, colour }, { left, length, top, narrow }) {
  const x = left + length / 2;
  const name = "Draw a random number: let the needle fall on the line";
  pen.button(
    name,
    () => send({ show: "draw" }),
    (its) => {
      its.rect(x - 22, top - 60, 150, 56, { fill: "transparent" });
      drawPin(its, x, top - 10, 0, colour.quiet, colour.background);
      its.text(x + 22, top - 34, "u = ?", { size: narrow ? 17 : 22, bold: true, fill: colour.quiet });
    },
    { key: "hanging" },
  );
}

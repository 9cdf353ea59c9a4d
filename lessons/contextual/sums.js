// Two readers of one text: what each token costs the one who comes from the left, and the one who comes from the right,
// on both sides of the words; at the end both sums, stacked from the same bars on the same scale.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { along, bandBox, barBox, sumsPlaces } from "./sums_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, SumsScene } from "./sums_places.js" */
/** @typedef {(pen: Pen, scene: SumsScene, at: Places) => void} Draw */
/** @typedef {{ side: -1 | 1, names: "up" | "down", sum: "left" | "right", fill: string, shown: boolean }} Reader */

const LEAST = 0.05; // smaller costs have their number only at the chosen word

/** @param {Component<Scripts["sums"]>} component */
export default function sums(component) {
  return mainPicture(component, (pen, /** @type {SumsScene} */ scene) => {
    const at = sumsPlaces(scene);
    pen.part(scene, "words", (its) => drawWords(its, scene, at));
    for (const reader of readersOf(scene)) {
      pen.part(scene, reader.sum, (its) => {
        drawHead(its, scene, at, reader);
        if (reader.shown) drawCosts(its, scene, at, reader);
        else drawAsked(its, scene, at, reader);
      });
      pen.part(scene, "sums", (its) => reader.shown && drawSum(its, scene, at, reader), { key: `Σ ${reader.sum}` });
    }
  });
}

/** @param {SumsScene} scene @returns {Reader[]} */
const readersOf = ({ colour, data, hidden }) => [
  { side: -1, names: "up", sum: "left", fill: colour.input, shown: true },
  { side: 1, names: "down", sum: "right", fill: colour.score, shown: data.both && !hidden("right") },
];

/**
 * The tokens that a reader predicts: all but the first that it reads.
 *
 * @param {Places} at @param {Reader} reader
 */
const predicted = ({ count }, { side }) => Array.from({ length: count - 1 }, (_, n) => (side < 0 ? n + 1 : n));

/** @param {Pick<Reader, "names">} reader @param {number} i */
const nameOf = ({ names }, i) => /** @type {NameOf<"sums">} */ (`${names} ${i}`);

/**
 * The tokens on their band; what each reader has read before the chosen word is tinted, and a press chooses one.
 *
 * @type {Draw}
 */
function drawWords(pen, scene, at) {
  const { data, colour, move, narrow } = scene;
  const before = bandBox(at, 0, at.chosen - 1);
  const after = bandBox(at, at.chosen + 1, at.count - 1);
  const tint = { "fill-opacity": 0.16, r: 8 };
  pen.rect(before.x, before.y, before.wide, before.high, { key: "before", fill: colour.input, ...tint });
  const [fill, opacity] = data.both ? [colour.score, 0.16] : [colour.ground, 1];
  pen.rect(after.x, after.y, after.wide, after.high, { key: "after", fill, ...tint, "fill-opacity": opacity });
  const most = Math.max(...data.tokens.map((token) => textWidth(token, 1, true)));
  const room = (narrow ? at.band : at.pitch) - 6;
  const size = Math.min(Math.max(room / most, 14), narrow ? 16 : 22);
  data.tokens.forEach((token, i) => {
    const { x, y, wide, high } = bandBox(at, i, i);
    const mark = i === 0 || i === at.count - 1;
    /** @param {Pen} its */
    const draw = (its) => {
      const chosen = i === at.chosen;
      its.rect(x, y, wide, high, { fill: "transparent", stroke: chosen ? colour.ink : null, line: 2.5, r: 8 });
      const look = /** @type {const} */ ({ size, anchor: "middle", bold: chosen, room });
      const middle = [x + wide / 2, y + high / 2 + size * 0.33];
      its.text(middle[0], middle[1], token, { ...look, fill: mark ? colour.quiet : colour.ink });
    };
    if (mark) pen.group({ key: `token ${i}` }, draw);
    else pen.button(`${token}, word ${i}: compare its costs`, () => move("k", i, true), draw, { key: `token ${i}` });
  });
}

/**
 * Who reads, with an arrow in the direction of reading.
 *
 * @param {Pen} pen @param {SumsScene} scene @param {Places} at @param {Reader} reader
 */
function drawHead(pen, { narrow, width, height }, at, { side, fill }) {
  if (narrow) {
    const x = side < 0 ? 6 : width - 6;
    const said = side < 0 ? "from the start ↓" : "↑ from the end";
    pen.text(x, 18, said, { size: 15, bold: true, fill, anchor: side < 0 ? "start" : "end" });
    return;
  }
  const size = 19;
  const said = side < 0 ? "from the left: each token, given all before" : "from the right: each token, given all after";
  const y = side < 0 ? 20 : height - 10;
  const [from, to] = side < 0 ? [8, 84] : [84, 8];
  pen.line(from, y - 6, to + side * 6, y - 6, { stroke: fill, width: 4 });
  pen.head(to, y - 6, side < 0 ? 0 : 180, fill, 14);
  pen.text(98, y, said, { size, bold: true, fill });
}

/**
 * A bar for each token, and the numbers of those that can be seen and of the chosen word.
 *
 * @param {Pen} pen @param {SumsScene} scene @param {Places} at @param {Reader} reader
 */
function drawCosts(pen, scene, at, reader) {
  const { values, final, hidden } = scene;
  const { side, fill } = reader;
  for (const i of predicted(at, reader)) {
    const cost = values(nameOf(reader, i));
    const box = barBox(at, { at: along(at, i), thick: at.thick, side, from: 0, to: cost });
    const chosen = i === at.chosen;
    pen.rect(box.x, box.y, box.wide, box.high, { key: `bar ${i}`, fill, r: 2 });
    if (!chosen && final(nameOf(reader, i)) < LEAST) continue;
    const marked = chosen && side > 0 && !hidden("down");
    drawCost(pen, scene, at, { i, end: cost, side, fill, marked });
  }
}

/**
 * The number beyond the end of a bar: all digits at the chosen word, else two decimals.
 *
 * @param {Pen} pen @param {SumsScene} scene @param {Places} at
 * @param {{ i: number, end: number, side: -1 | 1, fill: string, marked: boolean }} cost
 */
function drawCost(pen, scene, at, { i, end, side, fill, marked }) {
  const { text, final } = scene;
  const name = nameOf({ names: side < 0 ? "up" : "down" }, i);
  const peak = side < 0 && final(name) === final("peak");
  const said = i === at.chosen || peak ? text(name) : final(name).toFixed(2);
  const size = at.narrow ? 14 : i === at.chosen ? 20 : 17;
  const tip = at.middle + side * (at.band / 2 + 4 + end * at.scale);
  const look = /** @type {const} */ ({ key: `cost ${i}`, size, bold: true, fill });
  if (at.narrow) {
    pen.markedText(tip + side * 7, along(at, i) + 5, said, marked, { ...look, anchor: side < 0 ? "end" : "start" });
    return;
  }
  pen.markedText(along(at, i), side < 0 ? tip - 8 : tip + size + 3, said, marked, { ...look, anchor: "middle" });
}

/**
 * A question mark for each token, where the costs are not shown yet.
 *
 * @param {Pen} pen @param {SumsScene} scene @param {Places} at @param {Reader} reader
 */
function drawAsked(pen, { narrow }, at, reader) {
  const size = narrow ? 15 : 30;
  for (const i of predicted(at, reader)) {
    const beyond = at.middle + reader.side * (at.band / 2 + (narrow ? 16 : 38));
    const [x, y] = narrow ? [beyond, along(at, i) + 5] : [along(at, i), beyond];
    pen.text(x, y, "?", { key: `asked ${i}`, size, bold: true, fill: reader.fill, anchor: "middle", opacity: 0.55 });
  }
}

/**
 * The sum: all bars of a reader, one on the other.
 *
 * @param {Pen} pen @param {SumsScene} scene @param {Places} at @param {Reader} reader
 */
function drawSum(pen, scene, at, reader) {
  const { values, text, data, narrow, hidden } = scene;
  const { side, fill, sum } = reader;
  let from = 0;
  for (const i of predicted(at, reader)) {
    const cost = values(nameOf(reader, i));
    const box = barBox(at, { at: at.sum.at, thick: at.sum.thick, side, from, to: from + cost });
    const line = cost * at.scale > 3 ? 1.5 : 0;
    if (cost * at.scale > 0.4)
      pen.rect(box.x, box.y, box.wide, box.high, { key: `part ${i}`, fill, r: 0, stroke: pen.colour.background, line });
    from += cost;
  }
  const marked = !data.both && side < 0 && !hidden("left");
  const half = at.band / 2 + 4 + (from * at.scale) / 2;
  const look = /** @type {const} */ ({ key: "sum", bold: true, fill });
  if (narrow) {
    const tip = at.middle + side * (at.band / 2 + 10 + from * at.scale);
    const anchor = side < 0 ? "end" : "start";
    pen.markedText(tip, at.sum.at + 5, text(sum), marked, { ...look, size: 15, anchor });
    if (side < 0) pen.text(at.middle, at.sum.at + 5, "Σ nats", { key: "nats", size: 15, anchor: "middle" });
    return;
  }
  const x = at.sum.at - at.sum.thick / 2 - 14;
  pen.markedText(x, at.middle + side * half + 10, text(sum), marked, { ...look, size: 32, anchor: "end" });
  if (side < 0) pen.text(at.sum.at, at.middle + 6, "Σ nats", { key: "nats", size: 19, anchor: "middle" });
}

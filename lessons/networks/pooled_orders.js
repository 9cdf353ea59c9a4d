// Two reviews in three ways: their rows of E joined, the mean of these, and the maximum of each number. Where both
// reviews are one and the same vector, no classifier can tell them apart.

import { textWidth } from "../../drawing/pen.js";
import { drawCells } from "./pooled_cells.js";

/** @import { NameOf, PooledRow } from "../../drawing/types.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { PooledScene } from "./pooled.js" */
/**
 * @typedef {object} OrderPlaces
 * @property {number[]} left of the strips of both reviews
 * @property {number} wide of a strip
 * @property {number} head the middle of the words
 * @property {number} top of the first row
 * @property {number} high of a row
 */

/** @param {Pen} pen @param {PooledScene} scene */
export function drawOrders(pen, scene) {
  const at = placesOf(scene);
  scene.data.reviews.forEach((_, i) => drawReview(pen, scene, at, i));
  scene.data.rows.forEach((row, k) => pen.part(scene, row.title, (its) => drawRow(its, scene, at, row, k)));
}

/** @param {PooledScene} scene @returns {OrderPlaces} */
function placesOf({ width, height, narrow }) {
  const side = narrow ? 6 : 142;
  const between = narrow ? 14 : 128;
  const wide = (width - 2 * side - between) / 2;
  const top = narrow ? 50 : 62;
  return { left: [side, side + wide + between], wide, head: narrow ? 26 : 30, top, high: (height - top - 4) / 3 };
}

/**
 * The words of a review, over their rows of E. A press on a word of the second one moves it one place on.
 *
 * @param {Pen} pen @param {PooledScene} scene @param {OrderPlaces} at @param {number} i
 */
function drawReview(pen, scene, { left, wide, head }, i) {
  const { data, colour, narrow, send } = scene;
  const words = data.reviews[i];
  const slot = wide / data.length;
  const widest = Math.max(...words.map((word) => textWidth(word, 1, true)));
  const size = Math.max(Math.min(narrow ? 16 : 24, (slot - 8) / widest), 9);
  words.forEach((word, k) => {
    const [x, tall] = [left[i] + k * slot, narrow ? 28 : 40];
    /** @param {Pen} its */
    const chip = (its) => {
      const look = { r: 8, fill: colour.background, stroke: i ? colour.input : colour.line, line: i ? 2.5 : 2 };
      its.rect(x + 2, head - tall / 2, slot - 4, tall, look);
      its.text(x + slot / 2, head + size * 0.35, word, { size, bold: true, anchor: "middle", room: slot - 6 });
    };
    if (!i) pen.group({ key: `word ${i} ${k}` }, chip);
    else pen.button(`${word}: move it one place on`, () => send({ word: k }), chip, { key: `word ${i} ${k}` });
  });
  if (narrow || !data.labels.length) return;
  const x = i ? left[1] + wide + 14 : left[0] - 14;
  /** @type {Anchor} */
  const anchor = i ? "start" : "end";
  pen.text(x, head + 6, data.labels[i], { key: `label ${i}`, size: 18, bold: true, anchor });
}

/**
 * One way to one vector, for both reviews.
 *
 * @param {Pen} pen @param {PooledScene} scene @param {OrderPlaces} at @param {PooledRow} row @param {number} k
 */
function drawRow(pen, scene, at, row, k) {
  const { colour, width, narrow } = scene;
  const { left, wide, high } = at;
  const top = at.top + k * high;
  pen.rect(2, top, width - 4, high - 8, { key: "panel", r: 10, stroke: colour.line, line: 1.5 });
  pen.text(12, top + (narrow ? 18 : 26), row.title, { key: "title", size: narrow ? 15 : 20, bold: true });
  const tall = narrow ? high - 62 : Math.min(64, high * 0.5);
  const strip = top + (narrow ? 28 : (high - 8 - tall) / 2);
  const asked = k > 0 && scene.hidden(/** @type {NameOf<"pooled">} */ (`differ ${k}`));
  row.inputs.forEach((numbers, i) => {
    const place = { left: left[i], top: strip, wide, high: tall };
    if (asked && i) drawUnknown(pen, place, colour.quiet);
    else pen.group({ key: `strip ${i}` }, (its) => drawStrip(its, scene, numbers, place, k));
    drawVerdict(pen, scene, at, row, { k, i, y: strip + tall / 2, under: strip + tall + 20 });
  });
  drawBetween(
    pen,
    scene,
    row,
    asked,
    narrow ? width - 12 : (left[0] + wide + left[1]) / 2,
    narrow ? top + 13 : strip + tall / 2,
  );
}

/**
 * The numbers of a vector; joined ones in parts, a part for each word.
 *
 * @param {Pen} pen
 * @param {PooledScene} scene
 * @param {number[]} numbers
 * @param {{ left: number, top: number, wide: number, high: number }} at
 * @param {number} k
 */
function drawStrip(pen, scene, numbers, at, k) {
  drawCells(pen, scene, numbers, at, true);
  const { data, colour } = scene;
  const part = at.wide / data.length;
  if (k)
    pen.rect(at.left - 2, at.top - 2, at.wide + 4, at.high + 4, { key: "whole", r: 6, stroke: colour.ink, line: 2.5 });
  else
    for (let i = 0; i < data.length; i++)
      pen.rect(at.left + i * part + 1, at.top - 2, part - 2, at.high + 4, { r: 5, stroke: colour.input, line: 2.5 });
}

/** @param {Pen} pen @param {{ left: number, top: number, wide: number, high: number }} at @param {string} stroke */
function drawUnknown(pen, { left, top, wide, high }, stroke) {
  pen.rect(left, top, wide, high, { key: "unknown", r: 6, stroke, dash: "6 5", line: 2 });
  pen.text(left + wide / 2, top + high / 2 + 10, "?", { key: "asked", size: 28, bold: true, anchor: "middle" });
}

/**
 * p(positive) of a review, and whether that is right.
 *
 * @param {Pen} pen
 * @param {PooledScene} scene
 * @param {OrderPlaces} at
 * @param {PooledRow} row
 * @param {{ k: number, i: number, y: number, under: number }} place
 */
function drawVerdict(pen, { data, text, hidden, colour, narrow, width }, { left, wide }, row, { k, i, y, under }) {
  const name = /** @type {NameOf<"pooled">} */ (`p ${k} ${i}`);
  const wrong = data.labels.length > 0 && !row.right[i];
  const asked = hidden(name);
  const fill = asked ? colour.ink : wrong ? colour.gradient : colour.activation;
  const verdict = row.positive[i] ? "positive" : "negative";
  const judged = data.labels.length ? (wrong ? ", wrong" : ", right") : "";
  if (narrow) {
    const look = { key: `p ${i}`, size: 14, bold: true, fill, room: wide, anchor: /** @type {const} */ ("middle") };
    const said = asked ? "?" : `${text(name)}${wrong ? " wrong" : ""}`;
    pen.text(left[i] + wide / 2, under, said, look);
    return;
  }
  const x = i ? (left[1] + wide + width) / 2 : left[0] / 2;
  const look = { bold: true, fill, anchor: /** @type {const} */ ("middle") };
  const number = text(name);
  const size = Math.min(26, 118 / textWidth(number, 1, true));
  pen.text(x, y + 8 + (i ? 0 : 8), number, { key: `p ${i}`, size, ...look });
  if (!asked) pen.text(x, y + 32 + (i ? 0 : 8), `${verdict}${judged}`, { key: `verdict ${i}`, size: 16, ...look });
}

/**
 * Whether both vectors are the same.
 *
 * @param {Pen} pen
 * @param {PooledScene} scene
 * @param {PooledRow} row
 * @param {boolean} asked
 * @param {number} x
 * @param {number} y
 */
function drawBetween(pen, { narrow }, { inputs: [one, other] }, asked, x, y) {
  const same = one.every((number, i) => number === other[i]);
  const said = asked ? "?" : same ? "the same" : "≠";
  const size = same || narrow ? (narrow ? 15 : 20) : 34;
  /** @type {Anchor} */
  const anchor = narrow ? "end" : "middle";
  pen.markedText(x, y + size * 0.35, said, same && !asked, { key: "between", size, bold: true, anchor });
}

// The head as a box with the name of its matrix, and the rows of its matrix beside their scores.

import { textWidth } from "../../drawing/pen.js";
import { barsPath } from "./small_head_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadScene, Zone } from "./small_head_places.js" */

const LEAST = 13;

/**
 * @param {Pen} pen @param {HeadScene} scene @param {Zone} box @param {string} key
 */
export function drawBox(pen, { data, colour }, { left, right, top, foot }, key) {
  pen.rect(left, top, right - left, foot - top, { key: `${key} ground`, r: 6, fill: colour.background });
  pen.rect(left, top, right - left, foot - top, { key, r: 6, fill: colour.weight, "fill-opacity": 0.14 });
  pen.rect(left, top, right - left, foot - top, { key: `${key} line`, r: 6, stroke: colour.weight, line: 2.5 });
  const size = Math.min(26, (right - left) * 0.42, (foot - top) * 0.62);
  if (size < LEAST) return; // the sentence names it
  const name = { size, bold: true, fill: colour.weight };
  const wide = textWidth("W", size, true);
  const [x, y] = [(left + right) / 2 - wide * 0.75, (top + foot) / 2 + size * 0.34];
  pen.text(x, y, "W", { key: `${key} W`, ...name });
  pen.text(x + wide, y + size * 0.2, data.letter, { key: `${key} letter`, ...name, size: Math.max(size * 0.7, LEAST) });
}

/**
 * Each row of the matrix, the vector that it is multiplied with, and the scores.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {Zone} zone @param {string} word whose vector it is
 */
export function drawMatrix(pen, scene, zone, word) {
  const { data, colour, hidden, text, values, narrow } = scene;
  const width = data.weights.length / data.labels.length;
  const place = data.followed;
  const vector = Array.from(data.vectors).slice(place * width, (place + 1) * width);
  const rows = data.labels.map((_, k) => Array.from(data.weights).slice(k * width, (k + 1) * width));
  const scores = data.labels.map((_, k) => values(`s ${place} ${k}`));
  const high = (zone.foot - zone.top) / (rows.length + 1);
  const size = Math.min(narrow ? 15 : 24, high * 0.6);
  const names = narrow ? 62 : 24 + Math.max(...data.labels.map((each) => textWidth(each, size, true)), 90);
  const bars = { left: zone.left + names, right: zone.right - (narrow ? 66 : 120) };
  const box = (/** @type {number} */ k) => ({
    ...bars,
    top: zone.top + k * high + 3,
    foot: zone.top + (k + 1) * high - 3,
  });
  const most = Math.max(...rows.flat().map(Math.abs));
  const thin = Math.max(((bars.right - bars.left) / width) * 0.7, 0.6);
  rows.forEach((row, k) => {
    const best = scores[k] === Math.max(...scores) && !hidden(`s ${place} ${k}`);
    const y = zone.top + (k + 0.5) * high + size * 0.34;
    pen.text(zone.left, y, data.labels[k], { key: `label ${k}`, size, bold: true, room: names - 8 });
    pen.path(barsPath(row, most, box(k)), { key: `row ${k}`, stroke: colour.weight, width: thin });
    const look = /** @type {const} */ ({ key: `score ${k}`, size, bold: true, fill: colour.score, anchor: "end" });
    pen.markedText(zone.right - 6, y, text(`s ${place} ${k}`), best, look);
  });
  const below = box(rows.length);
  const y = (below.top + below.foot) / 2 + 5;
  pen.path(barsPath(vector, Math.max(...vector.map(Math.abs)), below), {
    key: "vector",
    stroke: colour.activation,
    width: thin,
  });
  pen.text(zone.left, y, `z: ${word}`, {
    key: "z of",
    size: narrow ? 13 : 17,
    bold: true,
    fill: colour.activation,
    room: names - 8,
  });
  if (!narrow)
    pen.text(zone.right - 6, y, "· z + b = s", { key: "product", size: 17, fill: colour.quiet, anchor: "end" });
}

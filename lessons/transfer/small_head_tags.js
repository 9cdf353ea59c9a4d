// A head that reads the vector of every word: the same matrix above each, and what it says there.

import { textWidth } from "../../drawing/pen.js";
import { whole } from "./network_parts.js";
import { drawBox, drawMatrix } from "./small_head_box.js";

/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { HeadPlaces, HeadScene, Zone } from "./small_head_places.js" */
/** @typedef {(pen: Pen, scene: HeadScene, at: HeadPlaces, zone: Zone) => void} DrawIn */

const LEAST = 0.01; // a share below it stands without its number

/** @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at */
export function drawTags(pen, scene, at) {
  const { data, narrow, colour } = scene;
  const high = narrow ? 22 : 38;
  const top = at.zone.foot - high;
  drawShared(pen, scene, at, top + high / 2);
  data.read.forEach((token) => {
    const half = Math.min(at.column - 6, 90) / 2;
    const box = { left: at.x(token) - half, right: at.x(token) + half, top, foot: at.zone.foot };
    const faint = data.shown === "scores" && token !== data.read[data.followed];
    const draw = (/** @type {Pen} */ its) => drawBox(its, scene, box, "box");
    pen.group({ key: `head ${token}`, opacity: faint ? 0.3 : null }, draw);
    pen.line(at.x(token), at.vectors - 6, at.x(token), at.zone.foot + 1, {
      key: `read ${token}`,
      stroke: colour.activation,
      width: 3,
    });
  });
  const zone = { ...at.zone, foot: top - 12 };
  drawCount(pen, scene, at, top, high);
  if (data.shown === "scores") return drawScores(pen, scene, at, zone);
  if (data.shown === "answer" && data.reads === "tags") return drawAnswers(pen, scene, at, zone);
  if (data.shown === "head") return drawOpen(pen, scene, at, zone);
  drawGrid(pen, scene, at, zone);
}

/**
 * A dotted line through all boxes: they are one matrix.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {number} y
 */
function drawShared(pen, { data, colour }, { x }, y) {
  const [first, last] = [x(data.read[0]), x(data.read[data.read.length - 1])];
  pen.line(first, y, last, y, { key: "shared", stroke: colour.weight, width: 2.5, dash: "2 4" });
}

/**
 * How many weights learn: at the left of the boxes, where no word stands.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {number} top @param {number} high
 */
function drawCount(pen, { data, colour, hidden, narrow, width }, { x, column }, top, high) {
  if (narrow) return;
  const count = hidden("learn") ? "?" : whole(data.head);
  const named = data.shown === "head" && !hidden("learn");
  const end = x(data.read[data.read.length - 1]) + column / 2;
  const right = width - end > 90; // beside the last word, or above the first token
  /** @type {{ anchor: Anchor, fill: string }} */
  const look = { anchor: right ? "start" : "end", fill: colour.weight };
  const left = right ? end + 10 : x(data.read[0]) - column / 2 - 8;
  pen.markedText(left, top + high / 2 - 2, count, named, { key: "learn", size: 24, bold: true, ...look });
  pen.text(left, top + high / 2 + 20, "learn", { key: "learn is", size: 16, ...look });
}

/** @type {DrawIn} */
function drawOpen(pen, { data, colour, narrow }, { x }, { top, foot }) {
  const size = narrow ? 22 : 44;
  const y = (top + foot) / 2 + size * 0.3;
  data.read.forEach((token) => {
    pen.text(x(token), y, "?", { key: `tag ${token}`, size, bold: true, fill: colour.quiet, anchor: "middle" });
  });
  drawLegend(pen, { data, colour, narrow }, top);
}

/**
 * What the tags mean.
 *
 * @param {Pen} pen @param {Pick<HeadScene, "data" | "colour" | "narrow">} scene @param {number} top
 */
function drawLegend(pen, { data, colour, narrow }, top) {
  if (narrow || !data.legend) return;
  pen.text(22, top + 18, data.legend, { key: "legend", size: 18, fill: colour.quiet });
}

/**
 * The likeliest tag of each word, with its share; one that is wrong stands with the right one.
 *
 * @type {DrawIn}
 */
function drawAnswers(pen, scene, { x, column }, { top, foot }) {
  const { data, colour, text, hidden, narrow } = scene;
  const size = narrow ? 20 : Math.max(13, Math.min(column * 0.7, 54));
  const y = (top + foot) / 2 + size * 0.5;
  data.read.forEach((token, place) => {
    const best = likeliest(scene, place);
    const open = hidden(`p ${place} ${best}`);
    const wrong = data.right[place] >= 0 && data.right[place] !== best;
    const none = data.labels[best] === "–";
    const fill = open || none ? colour.quiet : wrong ? colour.gradient : colour.activation;
    const middle = { anchor: /** @type {const} */ ("middle") };
    pen.text(x(token), y, open ? "?" : data.labels[best], { key: `tag ${token}`, size, bold: true, fill, ...middle });
    if (open || narrow) return;
    pen.text(x(token), y + 26, text(`p ${place} ${best}`), {
      key: `p ${token}`,
      size: 16,
      fill: colour.quiet,
      ...middle,
    });
    if (!wrong) return;
    const said = `right: ${data.labels[data.right[place]]}`;
    pen.text(x(token), y + 48, said, { key: `right ${token}`, size: 16, fill: colour.gradient, ...middle });
  });
  drawLegend(pen, scene, top);
}

/** @param {HeadScene} scene @param {number} place */
function likeliest({ data, values }, place) {
  const shares = data.labels.map((_, k) => values(`p ${place} ${k}`));
  return shares.indexOf(Math.max(...shares));
}

/**
 * Every share, one row a label: the largest of each word, or of each end, is full.
 *
 * @type {DrawIn}
 */
function drawGrid(pen, scene, { x, column }, { top, foot }) {
  const { data, colour, values, text, hidden, narrow } = scene;
  const high = (foot - top) / data.labels.length;
  const side = Math.min(column - 6, 100);
  const named = nameOfMarked(scene);
  const size = narrow ? 13 : Math.min(22, high * 0.6);
  data.labels.forEach((label, k) => {
    const y = top + (k + 0.5) * high;
    const from = x(data.read[0]) - column / 2 - (narrow ? 2 : 12);
    pen.text(from, y + size * 0.34, label, { key: `row ${k}`, size, bold: true, anchor: "end" });
    data.read.forEach((token, place) => {
      const name = /** @type {const} */ (`p ${place} ${k}`);
      const open = hidden(name);
      const best = !open && isBest(scene, place, k);
      const left = x(token) - side / 2;
      pen.rect(left, y - high * 0.44, side, high * 0.88, {
        key: `cell ${token} ${k}`,
        r: 4,
        fill: open ? colour.line : colour.activation,
        "fill-opacity": open ? 0.3 : best ? 1 : 0.06 + 0.5 * values(name),
      });
      const said = open ? "?" : text(name);
      const fits = textWidth(said, 17, best) <= side - 2;
      if (narrow || !fits || (!open && values(name) < LEAST)) return;
      const look = { anchor: /** @type {const} */ ("middle"), fill: best ? colour.background : colour.ink };
      pen.markedText(x(token), y + 6, said, name === named, { key: `p ${token} ${k}`, size: 17, bold: best, ...look });
    });
  });
}

/**
 * The share that the sentence names.
 *
 * @param {HeadScene} scene
 */
function nameOfMarked(scene) {
  const { data } = scene;
  if (data.reads === "tags") return `p ${data.followed} ${likeliest(scene, data.followed)}`;
  return `p ${data.read.findIndex((_, place) => isBest(scene, place, 0))} 0`;
}

/**
 * Whether a label is the likeliest of its word; of the ends of an answer, whether its word is the likeliest.
 *
 * @param {HeadScene} scene @param {number} place @param {number} label
 */
function isBest({ data, values }, place, label) {
  const own = values(`p ${place} ${label}`);
  if (data.reads === "tags") return data.labels.every((_, other) => values(`p ${place} ${other}`) <= own);
  return data.read.every((_, other) => values(`p ${other} ${label}`) <= own);
}

/**
 * The scores of one word.
 *
 * @type {DrawIn}
 */
function drawScores(pen, scene, { x, column }, zone) {
  const { data, colour } = scene;
  const token = data.read[data.followed];
  drawMatrix(pen, scene, { ...zone, foot: zone.foot - 10 }, data.tokens[token]);
  pen.line(x(token) - column / 2 + 3, zone.foot, x(token) + column / 2 - 3, zone.foot, {
    key: "followed",
    stroke: colour.activation,
    width: 4,
  });
}

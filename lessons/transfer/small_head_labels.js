// A head that reads one vector for the whole text: its labels with scores, shares, or the answer alone.

import { whole } from "./network_parts.js";
import { drawBox, drawMatrix } from "./small_head_box.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadPlaces, HeadScene, Zone } from "./small_head_places.js" */

/** @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at */
export function drawLabels(pen, scene, at) {
  const { data, narrow } = scene;
  const box = headBox(scene, at);
  drawReads(pen, scene, at, box);
  drawBox(pen, scene, box, "head");
  drawCount(pen, scene, box);
  const rest = narrow
    ? { ...at.zone, foot: box.top - 34 }
    : { ...at.zone, ...(box.left < at.zone.right / 2 ? { left: box.right + 56 } : { right: box.left - 56 }) };
  if (data.shown === "scores") drawMatrix(pen, scene, rest, data.tokens[data.read[0]]);
  else if (data.shown === "answer") drawAnswer(pen, scene, rest);
  else drawShares(pen, scene, rest);
}

/**
 * The box of the head, above the first token that it reads.
 *
 * @param {HeadScene} scene @param {HeadPlaces} at @returns {Zone}
 */
function headBox({ data, narrow }, { zone, x }) {
  const [wide, high] = narrow ? [84, 40] : [170, 76];
  const left = Math.min(Math.max(x(data.read[0]) - wide / 2, zone.left), zone.right - wide);
  const foot = narrow ? zone.foot : (zone.top + zone.foot) / 2 + high;
  return { left, right: left + wide, top: foot - high, foot };
}

/**
 * Lines from the vectors that are read to the head.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {HeadPlaces} at @param {Zone} box
 */
function drawReads(pen, { data, colour }, { x, vectors }, { left, right, foot }) {
  data.read.forEach((token) => {
    const to = Math.min(Math.max(x(token), left + 16), right - 16);
    const line = `M${x(token)} ${vectors - 7}C${x(token)} ${foot + 20} ${to} ${vectors - 20} ${to} ${foot + 2}`;
    pen.path(line, { key: `read ${token}`, stroke: colour.activation, width: 4 });
    pen.head(to, foot + 1, -90, colour.activation, 12);
  });
}

/** @param {Pen} pen @param {HeadScene} scene @param {Zone} box */
function drawCount(pen, { data, colour, hidden, narrow }, { left, right, top }) {
  const count = hidden("learn") ? "?" : whole(data.head);
  if (narrow) {
    pen.text(left, top - 8, `${count} weights learn`, { key: "learn", size: 15, bold: true, fill: colour.weight });
    return;
  }
  const named = data.shown === "head" && !hidden("learn");
  const middle = { anchor: /** @type {const} */ ("middle"), fill: colour.weight };
  pen.markedText((left + right) / 2, top - 44, count, named, { key: "learn", size: 36, bold: true, ...middle });
  pen.text((left + right) / 2, top - 14, "weights learn", { key: "learn is", size: 18, ...middle });
}

/**
 * The share of each label as a bar; before the head has answered, a question mark.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {Zone} zone
 */
function drawShares(pen, scene, zone) {
  const { data, colour, values, text, hidden, narrow } = scene;
  const high = (zone.foot - zone.top) / data.labels.length;
  const size = Math.min(narrow ? 18 : 32, high * 0.5);
  const names = 26 + Math.max(...data.labels.map((each) => textWidth(each, size, true)));
  const left = zone.left + names;
  const most = zone.right - left - textWidth("0.00000", size, true) - 24;
  data.labels.forEach((label, k) => {
    const name = /** @type {const} */ (`p 0 ${k}`);
    const open = data.shown === "head" || hidden(name);
    const best = !open && data.labels.every((_, other) => values(`p 0 ${other}`) <= values(name));
    const middle = zone.top + (k + 0.5) * high;
    const wide = open ? 0 : Math.max(values(name) * most, 2);
    pen.text(zone.left, middle + size * 0.34, label, { key: `label ${k}`, size, bold: best || open });
    pen.rect(left, middle - high * 0.32, most, high * 0.64, {
      key: `track ${k}`,
      r: 4,
      fill: colour.line,
      "fill-opacity": 0.35,
    });
    pen.rect(left, middle - high * 0.32, wide, high * 0.64, {
      key: `bar ${k}`,
      r: 4,
      fill: colour.activation,
      "fill-opacity": best ? 1 : 0.5,
    });
    const look = { key: `p ${k}`, size, bold: best || open, fill: open ? colour.quiet : colour.ink };
    pen.markedText(left + most + 16, middle + size * 0.34, open ? "?" : text(name), best, look);
  });
}

/**
 * The likeliest label alone, with its share, and whether it is right.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {Zone} zone
 */
function drawAnswer(pen, { data, colour, values, text, hidden, narrow }, zone) {
  const shares = data.labels.map((_, k) => values(`p 0 ${k}`));
  const best = shares.indexOf(Math.max(...shares));
  const name = /** @type {const} */ (`p 0 ${best}`);
  const open = hidden(name);
  const [size, small] = narrow ? [30, 22] : [72, 44];
  const y = (zone.top + zone.foot) / 2;
  const label = open ? "?" : data.labels[best];
  pen.text(zone.left, y, label, { key: "answer", size, bold: true, fill: colour.activation });
  const after = zone.left + textWidth(label, size, true) + 30;
  if (!open) pen.markedText(after, y, text(name), true, { key: "share", size: small, bold: true });
  const others = data.labels.filter((_, k) => k !== best).map((each) => each);
  const said = open ? data.labels.join(", ") : `and not ${others.join(" or ")}`;
  pen.text(zone.left, y + size * 0.65, said, { key: "others", size: narrow ? 15 : 24, fill: colour.quiet });
}

// A classifier of six features as a drawn network: a weight is as wide as it is large, and dashed below 0; its answer
// is a level between negative and positive. Below it, each unseen review of the same kind is a dot or a cross.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { ClassifierPanel, NameOf } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, ReviewScene } from "./classifiers.js" */
/** @typedef {ReturnType<typeof placesIn>} Places */

const NO = 2; // the place of the feature for “no”

/**
 * @param {Pen} pen @param {ReviewScene} scene @param {ClassifierPanel} panel @param {Box} box
 */
export function drawNetwork(pen, scene, panel, box) {
  const { colour, narrow } = scene;
  const at = placesIn(scene, panel, box);
  const { left, top, right, foot } = box;
  pen.rect(left, top, right - left, foot - top, { key: "panel", r: 12, fill: colour.quiet, "fill-opacity": 0.06 });
  pen.text(right - 14, top + (narrow ? 18 : 26), panel.title, {
    key: "title",
    size: narrow ? 14 : 19,
    bold: true,
    anchor: "end",
  });
  drawEdges(pen, scene, panel, at);
  if (panel.weights.length > 1) drawHidden(pen, scene, at);
  else if (!narrow) for (const i of [0, NO]) drawWeight(pen, scene, at, i);
  drawInputs(pen, scene, at);
  drawAnswer(pen, scene, panel, at);
  drawHeldOut(pen, scene, panel, at);
}

/** @param {ReviewScene} scene @param {ClassifierPanel} panel @param {Box} box */
function placesIn({ narrow }, { weights }, { left, top, right, foot }) {
  const wide = right - left;
  const deep = weights.length > 1;
  const dots = narrow ? 34 : 62;
  const [first, last] = [top + (narrow ? 22 : 30), foot - dots - (narrow ? 26 : 46)];
  const step = (last - first) / 5;
  const column = right - (narrow ? 32 : 58);
  return {
    narrow,
    left,
    right,
    foot,
    wide,
    dots,
    input: left + (narrow ? 72 : 98),
    hidden: left + wide * 0.45,
    out: left + wide * (deep ? 0.68 : 0.64),
    radius: Math.min(narrow ? 12 : 22, step * 0.46),
    /** @param {number} i */
    row: (i) => first + step * i,
    middle: (first + last) / 2,
    level: { x: column, wide: narrow ? 22 : 44, top: top + (narrow ? 42 : 66), foot: last - (narrow ? 4 : 8) },
  };
}

/** @param {Pen} pen @param {ReviewScene} scene @param {ClassifierPanel} panel @param {Places} at */
function drawEdges(pen, { colour }, { weights }, at) {
  const deep = weights.length > 1;
  weights.forEach((layer, l) => {
    const most = Math.max(...layer.flat().map(Math.abs));
    const end = deep && l === 0 ? at.hidden : at.out;
    const start = l === 0 ? at.input : at.hidden;
    layer.forEach((unit, k) =>
      unit.forEach((weight, i) => {
        const width = Math.max(0.8, (Math.abs(weight) / most) * (deep ? 8 : 16) * (at.narrow ? 0.6 : 1));
        const to = end === at.out ? at.middle : at.row(k);
        const dash = weight < 0 ? `${Math.max(5, width * 0.8)} 6` : null;
        const look = {
          key: `edge ${l} ${k} ${i}`,
          stroke: colour.weight,
          width,
          dash,
          "stroke-opacity": deep ? 0.32 : 0.45,
        };
        pen.line(start, at.row(i), end, to, look);
      }),
    );
  });
}

/**
 * A weight of the only layer as a number on its edge.
 *
 * @param {Pen} pen @param {ReviewScene} scene @param {Places} at @param {number} i
 */
function drawWeight(pen, { text, colour }, at, i) {
  const share = 0.45;
  const [x, y] = [at.input + (at.out - at.input) * share, at.row(i) + (at.middle - at.row(i)) * share];
  const label = `w${"₁₂₃₄₅₆"[i]} = ${text(/** @type {NameOf<"classifiers">} */ (`w${i + 1}`))}`;
  const half = textWidth(label, 17, true) / 2 + 11;
  pen.rect(x - half, y - 15, 2 * half, 30, { key: `pill ${i}`, r: 15, fill: colour.background, stroke: colour.weight });
  pen.text(x, y + 6, label, { key: `weight ${i}`, size: 17, bold: true, anchor: "middle" });
}

/** @param {Pen} pen @param {ReviewScene} scene @param {Places} at */
function drawInputs(pen, { data, text, colour, narrow }, at) {
  data.short.forEach((name, i) => {
    const y = at.row(i);
    const no = i === NO && data.negated;
    pen.circle(at.input, y, at.radius, {
      key: `input ${i}`,
      fill: colour.background,
      stroke: colour.input,
      line: no ? 5 : 2.5,
    });
    const number = text(/** @type {NameOf<"classifiers">} */ (`x${i + 1}`));
    const size = narrow ? 13 : Math.min(20, at.radius * (number.length > 3 ? 0.74 : 0.95));
    pen.text(at.input, y + size * 0.35, number, { key: `x ${i}`, size, bold: true, anchor: "middle" });
    const label = { size: narrow ? 13 : 17, bold: no, fill: no ? colour.ink : colour.quiet };
    pen.text(at.input - Math.max(at.radius, narrow ? 15 : 0) - 7, y + 5, name, {
      key: `name ${i}`,
      ...label,
      anchor: "end",
    });
  });
}

/**
 * The hidden units: full above 0, dashed below, as strong as their values are large.
 *
 * @param {Pen} pen @param {ReviewScene} scene @param {Places} at
 */
function drawHidden(pen, { data, values, hidden, colour, narrow }, at) {
  const asked = hidden("two");
  data.panels[1].weights[0].forEach((_, k) => {
    const name = /** @type {NameOf<"classifiers">} */ (`h${k + 1}`);
    const value = values(name);
    const ring = { stroke: colour.activation, line: 2.5, dash: !asked && value < 0 ? "5 4" : null };
    pen.circle(at.hidden, at.row(k), at.radius, { key: `under ${k}`, fill: colour.background });
    const strong = asked || value < 0 ? 0 : 0.3 * Math.min(1, value);
    pen.circle(at.hidden, at.row(k), at.radius, {
      key: `unit ${k}`,
      fill: colour.activation,
      "fill-opacity": strong,
      ...ring,
    });
    if (narrow) return;
    const number = asked ? "?" : formatNumber(Math.round(value * 100) / 100);
    pen.text(at.hidden, at.row(k) + 5, number, { key: `value ${k}`, size: 15, bold: true, anchor: "middle" });
  });
}

/**
 * p as a number and as a level; what it was without “no” stays as a mark.
 *
 * @param {Pen} pen @param {ReviewScene} scene @param {ClassifierPanel} panel @param {Places} at
 */
function drawAnswer(pen, { data, values, text, hidden, colour, narrow }, { p, without }, at) {
  const name = /** @type {NameOf<"classifiers">} */ (p);
  const asked = hidden(name);
  const { x, wide, top, foot } = at.level;
  const y = (/** @type {number} */ share) => foot - (foot - top) * share;
  const [left, right] = [x - wide / 2, x + wide / 2];
  pen.line(at.out, at.middle, left - 4, at.middle, { key: "to", stroke: colour.activation, width: 3 });
  pen.rect(left, top, wide, foot - top, { key: "frame", r: 6, fill: colour.background, stroke: colour.line, line: 2 });
  if (!asked)
    pen.rect(left, y(values(name)), wide, foot - y(values(name)), { key: "level", r: 4, fill: colour.activation });
  pen.line(left - 8, y(0.5), right + 8, y(0.5), { key: "half", stroke: colour.ink, width: 2, dash: "5 4" });
  const was = values(/** @type {NameOf<"classifiers">} */ (without));
  if (data.negated && data.turns) {
    pen.line(left - 5, y(was), right + 5, y(was), { key: "was", stroke: colour.quiet, width: 4 });
    const [from, to] = [y(was), asked ? y(was) : y(values(name))];
    if (to - from > 30) {
      pen.line(x, from + 6, x, to - 12, { key: "fell", stroke: colour.ink, width: 3.5 });
      pen.head(x, to - 4, 90, colour.ink, 14);
    }
  }
  const words = { size: narrow ? 13 : 16, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
  pen.text(narrow ? right : x, top - 8, "positive", { key: "top", ...words, anchor: narrow ? "end" : "middle" });
  pen.text(narrow ? right : x, foot + (narrow ? 13 : 20), "negative", {
    key: "foot",
    ...words,
    anchor: narrow ? "end" : "middle",
  });
  const radius = narrow ? 26 : 44;
  pen.circle(at.out, at.middle, radius, { key: "out", fill: colour.background, stroke: colour.activation, line: 4 });
  const number = text(name);
  const size = number.length > 6 ? (narrow ? 13 : 19) : narrow ? 15 : 25;
  const look = { key: "p", size, bold: true, fill: colour.activation, anchor: /** @type {const} */ ("middle") };
  pen.markedText(at.out, at.middle + size * 0.35, number, p === "two" && !asked, look);
}

/**
 * The unseen reviews with “no”, or without it: a dot for each that is right, and a cross for each that is wrong.
 *
 * @param {Pen} pen @param {ReviewScene} scene @param {ClassifierPanel} panel @param {Places} at
 */
function drawHeldOut(pen, { data, values, text, hidden, colour, narrow }, panel, at) {
  const name = /** @type {NameOf<"classifiers">} */ (panel.right);
  const [right, total, asked] = [values(name), values("total"), hidden(name)];
  const top = at.foot - at.dots;
  const left = at.left + (narrow ? 10 : 20);
  const kind = data.negated ? "with" : "without";
  pen.text(left, top, `unseen reviews ${kind} “no”`, { key: "kind", size: narrow ? 13 : 16, fill: colour.quiet });
  const said = asked ? "? right" : `${text(name)} of ${text("total")} right`;
  const fill = !asked && right < total / 2 ? colour.gradient : colour.activation;
  const look = { key: "right", size: narrow ? 15 : 24, bold: true, fill, anchor: /** @type {const} */ ("end") };
  pen.text(at.right - (narrow ? 10 : 18), at.foot - (narrow ? 9 : 16), said, look);
  const room = at.right - left - textWidth("100 of 100 right", look.size, true) - 20;
  const rows = total > 40 ? 3 : 2;
  const columns = Math.max(1, Math.ceil(total / rows));
  const step = Math.min(room / columns, (at.dots - 14) / rows);
  for (let k = 0; k < Math.min(total, 120) && !asked; k++) {
    const [x, y] = [left + step * ((k % columns) + 0.5), top + 8 + step * (Math.floor(k / columns) + 0.5)];
    const r = step * 0.34;
    if (k < right) pen.circle(x, y, r, { key: `dot ${k}`, fill: colour.activation });
    else {
      const d = `M${x - r} ${y - r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
      pen.path(d, { key: `cross ${k}`, stroke: colour.gradient, width: narrow ? 1.5 : 2.5 });
    }
  }
}

// All words on one scale: the cosine of their row with the row of a word. Each word is a dot; those of the same group
// have their names.

import { scaleLinear } from "../../drawing/d3.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { BenefitDot } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BenefitsScene } from "./benefits.js" */
/** @typedef {{ dot: BenefitDot, x: number, y: number, bin: number }} Put a dot and where it is */
/** @typedef {{ left: number, right: number, foot: number, top: number, pitch: number }} Field */

/** @param {Pen} pen @param {BenefitsScene} scene */
export function drawRows(pen, scene) {
  const { width, height, narrow, data, colour } = scene;
  const dots = data.dots;
  const [left, right] = narrow ? [16, width - 34] : [40, width - 70];
  const ends = /** @type {const} */ ([dots[dots.length - 1].cosine - 0.02, dots[0].cosine + 0.01]);
  const x = scaleLinear(ends, [left, right]);
  const field = { left, right, foot: height - (narrow ? 50 : 62), top: narrow ? 40 : 46, pitch: narrow ? 6 : 18 };
  const put = stacked(dots, x, field);
  const shown = put.filter(({ dot }) => dot.alike || dot === dots[0]);
  drawDots(pen, scene, put, field);
  drawNames(pen, scene, shown.slice(0, narrow ? 6 : 12), field, heightsOf(put));
  pen.line(left - 8, field.foot + 8, right + 20, field.foot + 8, { key: "base", stroke: colour.quiet, width: 2 });
  const titled = /** @type {const} */ ({
    x: (left + right) / 2,
    y: field.foot + (narrow ? 44 : 56),
    size: narrow ? 13 : 17,
    fill: colour.quiet,
    anchor: "middle",
  });
  pen.axis("x", x, { at: field.foot + 28, ticks: narrow ? 4 : 6, size: narrow ? 13 : 16, title: data.xTitle, titled });
}

/**
 * The dots in columns, one above the other.
 *
 * @param {BenefitDot[]} dots @param {(cosine: number) => number} x @param {Field} field @returns {Put[]}
 */
function stacked(dots, x, { foot, pitch }) {
  /** @type {Map<number, number>} */
  const filled = new Map();
  return dots.map((dot) => {
    const bin = Math.round(x(dot.cosine) / pitch);
    const count = filled.get(bin) ?? 0;
    filled.set(bin, count + 1);
    return { dot, bin, x: bin * pitch, y: foot - count * pitch };
  });
}

/** @param {Put[]} put @returns {Map<number, number>} the top of each column */
function heightsOf(put) {
  /** @type {Map<number, number>} */
  const tops = new Map();
  for (const { bin, y } of put) tops.set(bin, Math.min(tops.get(bin) ?? Infinity, y));
  return tops;
}

/** @param {Pen} pen @param {BenefitsScene} scene @param {Put[]} put @param {Field} field */
function drawDots(pen, { colour, data, hidden }, put, { pitch }) {
  for (const { dot, x, y } of put) {
    const first = dot === data.dots[0];
    const blue = dot.alike && !(first && hidden("near"));
    const fill = blue ? colour.input : first && !hidden("near") ? colour.ink : colour.line;
    pen.circle(x, y, pitch * (blue ? 0.52 : 0.43), { key: dot.word, fill });
  }
}

/**
 * The names above the dots, each as low as it finds room; the nearest is the largest.
 *
 * @param {Pen} pen @param {BenefitsScene} scene @param {Put[]} shown @param {Field} field @param {Map<number, number>} tops
 */
function drawNames(pen, scene, shown, field, tops) {
  const { data, colour, text, hidden, narrow } = scene;
  /** @type {{ from: number, to: number, y: number }[]} */
  const taken = [];
  for (const { dot, x, y } of shown) {
    const first = dot === data.dots[0];
    const asked = first && hidden("near");
    const size = (first ? 40 : 20) * (narrow ? 0.65 : 1);
    const said = asked ? "?" : dot.word;
    const half = textWidth(said, size, true) / 2 + 6;
    const middle = Math.min(x, field.right + (narrow ? 30 : 66) - half);
    const place = first ? field.top : placeOf(middle - half, middle + half, size, field, tops, taken);
    taken.push({ from: middle - half, to: middle + half, y: place });
    const fill = first ? colour.ink : colour.input;
    pen.line(x, place + size * 0.3, x, y - field.pitch * 0.7, {
      key: `stem ${dot.word}`,
      stroke: fill,
      width: first ? 3.5 : 1.5,
      dash: first ? null : "2 5",
    });
    /** @param {Pen} its */
    const name = (its) =>
      its.markedText(middle, place, said, first && !asked, { size, bold: true, anchor: "middle", fill, halo: !first });
    if (asked) name(pen);
    else {
      const label = `${dot.word}: compare all rows with its row`;
      pen.button(label, () => scene.send({ word: dot.word }), name, { key: `name ${dot.word}` });
    }
    if (!first) continue;
    const number = /** @type {const} */ ({ key: "near", size: narrow ? 15 : 26, bold: true, anchor: "end" });
    pen.text(x - 10, place + (narrow ? 30 : 50), text("near"), number);
  }
}

/**
 * The lowest base line at which a name is above all dots below it, and meets no other name.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} size
 * @param {Field} field
 * @param {Map<number, number>} tops
 * @param {{ from: number, to: number, y: number }[]} taken
 */
function placeOf(from, to, size, { pitch, foot }, tops, taken) {
  let y = foot - 3 * pitch;
  for (const [bin, top] of tops) if (bin * pitch > from && bin * pitch < to) y = Math.min(y, top - pitch);
  const meets = () => taken.find((each) => each.from < to && each.to > from && Math.abs(each.y - y) < size * 1.3);
  for (let other = meets(); other; other = meets()) y = other.y - size * 1.35;
  return y;
}

// One query with the same keys, scored in four ways: each score on a ruler of its own, the gap of the two best keys, and
// the shares that a softmax makes of the scores. The second key can be dragged: its length changes, not its direction.

import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { drawShares, drawSum } from "./rulers_shares.js";
import { endsOf, rowPlaces } from "./rulers_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { Row, RulersScene } from "./rulers_places.js" */
/** @typedef {(pen: Pen, scene: RulersScene, m: number, row: Row) => void} DrawRow */

const SPACE = 9; // between a name and its number
const NEAR = 11; // units within which two pins are drawn as one in the other

/** @param {Component<Scripts["rulers"]>} component */
export default function rulers(component) {
  return mainPicture(component, (pen, /** @type {RulersScene} */ scene) => {
    drawHead(pen, scene);
    scene.data.rulers.forEach((_, m) => {
      const row = rowPlaces(scene, m);
      pen.part(scene, `score ${m}`, (its) => {
        drawName(its, scene, m, row);
        drawRuler(its, scene, m, row);
        drawGap(its, scene, m, row);
        drawPins(its, scene, m, row);
        (scene.data.soft ? drawShares : drawSum)(its, scene, m, row);
      });
    });
  });
}

/**
 * The two keys with their colours, and the titles of the columns.
 *
 * @param {Pen} pen @param {RulersScene} scene
 */
function drawHead(pen, scene) {
  const { data, colour, narrow } = scene;
  const [first, second] = data.pair;
  const size = narrow ? 14 : 18;
  const keys = first === second ? [first] : [first, second];
  let x = narrow ? 8 : 12;
  keys.forEach((key, i) => {
    const fill = i ? colour.weight : colour.input;
    pen.circle(x + 6, 17, 6, { fill });
    const look = { size, bold: true, fill, room: 120 };
    pen.text(x + 18, 23, data.tokens[key], look);
    x += 34 + Math.min(textWidth(data.tokens[key], size, true), 120);
  });
  if (data.tokens.length > 2) {
    pen.circle(x + 6, 17, 4, { fill: colour.quiet });
    pen.text(x + 16, 23, "other keys", { size: narrow ? 13 : 15, fill: colour.quiet });
  }
  if (narrow) return;
  const { left, right, bar } = rowPlaces(scene, 0);
  const look = /** @type {const} */ ({ size, bold: true, anchor: "middle" });
  pen.text((left + right) / 2, 23, "score, each on its own scale", { ...look, fill: colour.score });
  const said = data.soft ? "softmax: shares that sum to 1" : "weights as they are: their sum";
  pen.text(bar.x + bar.wide / 2, 23, said, { ...look, fill: data.soft ? colour.activation : colour.score });
}

/** @type {DrawRow} */
function drawName(pen, { data, text, colour, narrow }, m, { top, y }) {
  const { name, formula } = data.rulers[m];
  const said = m === 1 ? `${formula}${text("d_k")}` : formula;
  if (narrow) {
    pen.text(8, top + 16, name, { size: 16, bold: true });
    pen.text(18 + textWidth(name, 16, true), top + 16, said, { size: 13, fill: colour.quiet });
    return;
  }
  pen.text(12, y - 3, name, { size: 24, bold: true });
  pen.text(12, y + 22, said, { size: 17, fill: colour.quiet });
}

/** @type {DrawRow} */
function drawRuler(pen, scene, m, { y, left, right, scale }) {
  const { colour, data, narrow } = scene;
  const ends = endsOf(scene, m);
  const size = narrow ? 13 : 15;
  const beside = narrow ? 9 : 14; // clear of a pin at the end
  pen.group(
    { key: "axis", "data-axis": "x", "data-title": `${data.rulers[m].name} of the query with each key` },
    (its) => {
      its.line(left, y, right, y, { stroke: colour.ink, width: 2 });
      const marks = ends[0] < 0 && ends[1] > 0 ? [...ends, 0] : [...ends, (ends[0] + ends[1]) / 2];
      for (const tick of marks) its.line(scale(tick), y - 7, scale(tick), y + 7, { stroke: colour.ink, width: 1.5 });
      ends.forEach((tick, i) => {
        const anchor = /** @type {Anchor} */ (i ? "start" : "end");
        its.text(i ? right + beside : left - beside, y + 5, formatNumber(tick), { size, fill: colour.quiet, anchor });
      });
    },
  );
}

/** @param {number} m @param {number} k @returns {NameOf<"rulers">} */
const score = (m, k) => /** @type {const} */ (`s${m} ${k}`);

/**
 * The distance of the two best keys on a ruler.
 *
 * @type {DrawRow}
 */
function drawGap(pen, { data, values, text, colour, narrow, width }, m, { top, y, left, right, scale }) {
  const [first, second] = data.pair;
  if (first === second) return;
  const [a, b] = data.pair.map((k) => scale(values(score(m, k))));
  pen.line(a, y, b, y, { key: "gap", stroke: colour.score, width: narrow ? 7 : 11 });
  const name = /** @type {NameOf<"rulers">} */ (`g${m}`);
  const size = narrow ? 15 : 22;
  const said = text(name);
  const wide = textWidth("gap", size) + SPACE + textWidth(said, size, true);
  const middle = narrow ? width - 8 - wide / 2 : Math.min(Math.max((a + b) / 2, left + wide / 2), right - wide / 2);
  const base = narrow ? top + 16 : y + 36;
  pen.text(middle - wide / 2, base, "gap", { key: "gap said", size, fill: colour.score });
  const x = middle - wide / 2 + textWidth("gap", size) + SPACE;
  const look = { key: "gap number", size, bold: true, fill: colour.score };
  pen.markedText(x, base, said, !data.soft && data.marked === name, look);
}

/**
 * A pin for each key; the two best ones have their colours and their numbers.
 *
 * @type {DrawRow}
 */
function drawPins(pen, scene, m, row) {
  const { data, values, colour, narrow } = scene;
  const { y, scale } = row;
  const [first, second] = data.pair;
  const big = narrow ? 8 : 11;
  data.tokens.forEach((_, k) => {
    if (k === first || k === second) return;
    pen.circle(scale(values(score(m, k))), y, narrow ? 4 : 6, { key: `pin ${k}`, fill: colour.quiet });
  });
  const [a, b] = data.pair.map((k) => scale(values(score(m, k))));
  const inside = first !== second && Math.abs(a - b) < NEAR;
  const ring = { stroke: colour.background, line: 2 };
  pen.circle(a, y, inside ? big + 4 : big, { key: "first", fill: colour.input, ...ring });
  if (first !== second) drawSecond(pen, scene, m, row, big);
  drawValues(pen, scene, m, row);
}

/**
 * The pin of the second key; on the first two rulers it can be dragged.
 *
 * @param {Pen} pen @param {RulersScene} scene @param {number} m @param {Row} row @param {number} r
 */
function drawSecond(pen, { data, values, colour }, m, { y, scale }, r) {
  const value = values(score(m, data.pair[1]));
  const x = scale(value);
  const per = (x - scale(0)) / values("stretch");
  const moves = m < 2 && Math.abs(per) > 20;
  const handle = moves ? { "data-n": "stretch", "data-per": per, "data-way": "x", style: "cursor: ew-resize" } : {};
  pen.group({ key: "second", ...handle }, (its) => {
    if (moves) its.circle(x, y, r + 14, { fill: "transparent" });
    its.circle(x, y, moves ? r + 3 : r, { fill: colour.weight, stroke: colour.background, line: 2 });
    if (!moves) return;
    const arrows = `M${x - 3} ${y - 5}l-5 5l5 5M${x + 3} ${y - 5}l5 5l-5 5`;
    its.path(arrows, { stroke: colour.background, width: 2.5 });
  });
}

/**
 * The numbers over the pins of the two best keys, the smaller one to the left.
 *
 * @type {DrawRow}
 */
function drawValues(pen, { data, values, text, colour, narrow, moved }, m, { y, left, right, scale }) {
  const [first, second] = data.pair;
  const size = narrow ? 14 : 19;
  const base = y - (narrow ? 13 : 19);
  const keys = first === second ? [first] : [first, second];
  const places = keys.map((k) => scale(values(score(m, k))));
  const middle = (places[0] + places[places.length - 1]) / 2;
  keys.forEach((k, i) => {
    const name = score(m, k);
    const wide = textWidth(text(name), size, true);
    const from = fromOf(places, i, middle, wide);
    const x = Math.min(Math.max(from, left - 34), right + 40 - wide);
    const marked = !data.soft && !moved && data.marked === name;
    const fill = i ? colour.weight : colour.input;
    pen.markedText(x, base, text(name), marked, { key: `value ${i}`, size, bold: true, fill });
  });
}

/**
 * Where the number of a pin begins: that of the smaller one ends left of their middle.
 *
 * @param {number[]} places @param {number} i @param {number} middle @param {number} wide
 */
function fromOf(places, i, middle, wide) {
  if (places.length === 1) return places[0] - wide / 2;
  const higher = i ? places[1] > places[0] : places[0] >= places[1];
  return higher ? Math.max(places[i] - wide / 2, middle + 5) : Math.min(places[i] - wide / 2, middle - 5 - wide);
}

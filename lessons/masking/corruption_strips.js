// A number from 0 to 1 for each word, and the thresholds that decide; a threshold can be dragged.

import { fill, formatNumber } from "../../drawing/numbers.js";
import { lanesOf } from "./corruption_places.js";
import { numberOf, OUTCOME_ROLES, outcomeOf } from "./corruption_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NumberName } from "../../drawing/types.js" */
/** @import { Zone } from "./corruption_places.js" */
/** @import { CorruptionScene } from "./corruption_scene.js" */

/** @typedef {0 | 1} Which the first number, or the second one, of chosen words */
/** @typedef {{ x: (value: number) => number, top: number, base: number, wide: number }} Line base: its upper edge */

const FAINT = 0.4; // outcomes set by hand were not drawn

/** @param {Pen} pen @param {CorruptionScene} scene @param {Zone} zone @param {Which} n */
export function drawStrip(pen, scene, { left, right, top, foot }, n) {
  const { values } = scene;
  const from = left + 12;
  const wide = right - 12 - from;
  const x = (/** @type {number} */ value) => from + Math.min(Math.max(value, 0), 1) * wide;
  const line = { x, top: top + 20, base: foot - 32, wide };
  const cuts = n ? [values("masked"), Math.min(values("upto"), 1)] : [values("chosen")];
  drawTitle(pen, scene, left, top + 14, right - left, n);
  pen.group({ key: "line", opacity: values("hand") > 0 ? FAINT : null }, (its) => {
    drawBands(its, line, cuts, n);
    drawScale(its, line, foot - 3);
    drawDots(its, scene, line, n);
  });
  cuts.forEach((cut, k) => drawHandle(pen, scene, line, cut, n + k, k));
}

/**
 * @param {Pen} pen
 * @param {CorruptionScene} scene
 * @param {number} x
 * @param {number} y
 * @param {number} room
 * @param {Which} n
 */
function drawTitle(pen, { data, values, colour, narrow }, x, y, room, n) {
  // A template names numbers of this picture: it comes from the server.
  const valueOf = (/** @type {string} */ name) => values(/** @type {NumberName} */ (name));
  const byHand = values("hand") > 0 && !n;
  const title = byHand ? data.by_hand[narrow ? 1 : 0] : fill(narrow ? data.brief[n] : data.titles[n], valueOf);
  pen.text(x, y, title, { size: narrow ? 13 : 15, bold: true, fill: n ? colour.ink : colour.loss, room });
}

/**
 * Colours for the outcome of a word whose number lies there.
 *
 * @param {Pen} pen @param {Line} line @param {readonly number[]} cuts @param {Which} n
 */
function drawBands(pen, { x, base }, cuts, n) {
  const ends = [0, ...cuts, 1];
  const roles = n ? ["weight", "gradient", "activation"] : ["loss", "quiet"];
  roles.forEach((role, k) => {
    const look = { r: 0, fill: pen.colour[role], "fill-opacity": role === "quiet" ? 0.25 : 0.85 };
    pen.rect(x(ends[k]), base, x(ends[k + 1]) - x(ends[k]), 14, { key: `band${k}`, ...look });
  });
}

/** @param {Pen} pen @param {Line} line @param {number} y */
function drawScale(pen, { x }, y) {
  const title = "a number for each word"; // named in the title of the strip
  pen.group({ key: "axis x", "data-axis": "x", "data-title": title }, (its) => {
    for (const value of [0, 0.5, 1])
      its.text(x(value), y, `${value}`, { size: 13, fill: pen.colour.quiet, anchor: "middle" });
  });
}

/**
 * The words as dots above their numbers, in lanes where they lie close together.
 *
 * @param {Pen} pen @param {CorruptionScene} scene @param {Line} line @param {Which} n
 */
function drawDots(pen, scene, { x, top, base }, n) {
  const { data, values, colour } = scene;
  const hand = values("hand") > 0;
  const numbers = n ? data.way : data.chance;
  const { radius, lanes } = lanesOf(Array.from(numbers, x), Array.from(data.maskable), base - top - 4);
  lanes.forEach((lane, i) => {
    if (lane < 0) return;
    const outcome = outcomeOf(scene, i);
    const tint = colour[n ? OUTCOME_ROLES[outcome] : outcome ? "loss" : "quiet"];
    const full = outcome > 0 && !hand;
    const [cx, cy] = [x(numbers[i]), Math.max(base - 4 - radius - lane * (2 * radius + 2), top + radius)];
    const number = `${numberOf(scene, i)}`;
    pen.group({ key: `dot${i}`, opacity: n && !outcome && !hand ? 0.35 : null }, (dot) => {
      dot.circle(cx, cy, radius, { fill: full ? tint : colour.background, stroke: tint, line: 1.5 });
      const look = /** @type {const} */ ({ size: 13, fill: full ? colour.background : colour.ink, anchor: "middle" });
      if (radius >= 9) dot.text(cx, cy + 4.5, number, look);
      dot.node("title", {}, `${number} “${data.tokens[i]}”: ${formatNumber(numbers[i])}`);
    });
  });
}

/**
 * A threshold as a handle.
 *
 * @param {Pen} pen
 * @param {CorruptionScene} scene
 * @param {Line} line
 * @param {number} cut
 * @param {number} slider its place among the sliders
 * @param {number} k its place among the handles of this strip
 */
function drawHandle(pen, { data, colour }, { x, top, base, wide }, cut, slider, k) {
  const at = x(cut);
  const arrows = `M${at - 12} ${base + 7}l6 -5v10zM${at + 12} ${base + 7}l-6 -5v10z`;
  const moves = { "data-n": data.sliders[slider], "data-per": wide, "data-way": "x" };
  pen.group({ key: `handle${k}`, ...moves }, (handle) => {
    handle.rect(at - 11, top, 22, base - top + 20, { r: 4, fill: colour.background, "fill-opacity": 0.01 });
    handle.line(at, top + 2, at, base + 17, { stroke: colour.ink, width: 2.5 });
    handle.node("path", { d: arrows, fill: colour.ink });
  });
}

// CO₂ on one logarithmic scale: printed estimates as dots, a computation of one’s own as a line across, which is
// dragged; a row that is pressed is compared with it. Below, a growth as a ruler of equal doublings.

import { drag } from "../../drawing/hand.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { raised } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { hoursAt, placesOf } from "./scale_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { ScalePlaces, ScaleScene } from "./scale_places.js" */
/** @typedef {(pen: Pen, scene: ScaleScene, at: ScalePlaces) => void} Draw */

const WHOLE = 1000; // numbers from here on are written as powers of ten

/** @param {Component<Scripts["scale"]>} component */
export default function scale(component) {
  return mainPicture(component, (pen, /** @type {ScaleScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "axis", (its) => drawAxis(its, scene, at));
    pen.part(scene, "rows", (its) => scene.data.labels.forEach((_, n) => drawRow(its, scene, at, n)));
    pen.part(scene, "growth", (its) => drawGrowth(its, scene, at));
    pen.part(scene, "yours", (its) => drawOwn(its, scene, at));
    const look = { key: "source", size: 14, fill: scene.colour.quiet, room: scene.width - 2 * at.edge };
    pen.text(at.edge, scene.height - 8, scene.data.source, look);
  });
}

/** @param {ScaleScene} scene the place of the row that is compared */
const besideOf = ({ data, final }) => data.lbs.indexOf(final("beside"));

/** @type {Draw} */
function drawAxis(pen, { colour, narrow }, at) {
  pen.axis("x", at.x, {
    at: at.foot + (narrow ? 16 : 20),
    ticks: at.ticks,
    label: (tick) => (tick < WHOLE ? `${tick}` : `10${raised(Math.round(Math.log10(tick)))}`),
    size: narrow ? 13 : 16,
    lines: [at.top, at.foot],
    title: "CO₂e, lbs",
    titled: { x: at.edge, y: at.foot + (narrow ? 16 : 20), size: narrow ? 13 : 16, fill: colour.quiet },
  });
}

/**
 * A row of the table: its name, its dot and its number; a press compares it.
 *
 * @param {Pen} pen @param {ScaleScene} scene @param {ScalePlaces} at @param {number} n
 */
function drawRow(pen, scene, at, n) {
  const { data, colour, narrow, width, send } = scene;
  const chosen = n === besideOf(scene);
  const y = at.y(n);
  const x = at.x(data.lbs[n]);
  const fill = data.trains[n] ? colour.loss : colour.input;
  pen.button(
    `Compare with ${data.labels[n]}`,
    () => send({ beside: n + 1 }),
    (its) => {
      its.rect(at.edge - 4, y - at.pitch / 2, width - 2 * at.edge + 8, at.pitch, { fill: "transparent" });
      const name = { size: at.size, bold: chosen, fill: chosen ? colour.ink : colour.quiet };
      const room = at.left - at.edge - 4;
      its.text(at.edge, y + at.size * 0.35, narrow ? data.shorts[n] : data.labels[n], { ...name, room });
      its.line(at.left, y, x, y, { stroke: colour.line, width: 1 });
      if (chosen) drawComparison(its, scene, at, x, y);
      its.circle(x, y, chosen ? at.dot * 1.35 : at.dot, { fill });
      const right = x >= at.own;
      const said = narrow ? data.printed[n] : `${data.printed[n]} lbs`;
      const look = {
        size: at.size,
        bold: chosen,
        fill,
        halo: true,
        anchor: /** @type {Anchor} */ (right ? "start" : "end"),
      };
      its.text(x + (right ? 1 : -1) * (at.dot + 7), y + at.size * 0.35, said, look);
    },
    { key: `row ${n}`, chosen },
  );
}

/**
 * How many times one is of the other: the way between them on the scale.
 *
 * @param {Pen} pen @param {ScaleScene} scene @param {ScalePlaces} at @param {number} x @param {number} y
 */
function drawComparison(pen, { colour, text, hidden, final, narrow }, at, x, y) {
  pen.line(at.own, y, x, y, { stroke: colour.ink, width: narrow ? 4 : 6 });
  if (!final("own")) return;
  const size = narrow ? 16 : 24;
  const said = `× ${text("times")}`;
  const wide = textWidth(said, size, true) / 2 + 8;
  const middle = Math.min(Math.max((at.own + x) / 2, at.left + wide), at.right - wide);
  const look = { size, bold: true, anchor: /** @type {Anchor} */ ("middle"), halo: hidden("times") };
  pen.markedText(middle, y + size * 0.35, said, !hidden("times"), look);
}

/**
 * A growth by the factor, from yours on: as many steps as doublings.
 *
 * @type {Draw}
 */
function drawGrowth(pen, { data, colour, final, narrow, text }, at) {
  const own = final("own");
  const y = at.ruler;
  const doublings = Math.floor(final("doublings"));
  const end = at.x(own * data.factor);
  pen.line(at.own, y, end, y, { key: "ruler", stroke: colour.gradient, width: 3 });
  const step = own ? at.x(2 * data.low) - at.x(data.low) : 0;
  for (let k = 0; k <= doublings; k += 1) {
    const x = at.own + k * step;
    if (x > end + 0.5 || (k && step < 3)) break;
    pen.line(x, y - 8, x, y + 8, { key: `step ${k}`, stroke: colour.gradient, width: k ? 1.5 : 3 });
  }
  pen.group({ key: "tip" }, (its) => its.head(end + 6, y, 0, colour.gradient, 14));
  const factor = `× ${data.factor.toLocaleString("en-US")} in ${data.months} months`;
  const said = narrow ? factor : `${factor}: ${text("doublings")} doublings, one every ${text("double")} months`;
  const size = narrow ? 13 : 18;
  const look = { key: "growth", size, bold: true, fill: colour.gradient, anchor: /** @type {const} */ ("end") };
  pen.text(at.right, y + (narrow ? 22 : 30), said, look);
  if (narrow) return;
  pen.text(at.edge, y + 6, "Green AI: the growth of", { key: "of", size: 16, fill: colour.quiet });
  pen.text(at.edge, y + 26, "the largest trainings, 2012–2018", { key: "of 2", size: 16, fill: colour.quiet });
}

/**
 * Yours, as a line across all rows; dragged, its hours change.
 *
 * @type {Draw}
 */
function drawOwn(pen, scene, at) {
  const { colour, text, values, move, narrow } = scene;
  const style = "cursor: ew-resize; touch-action: none";
  const node = pen.group({ key: "handle", class: "handle", style }, (its) => {
    its.rect(at.own - 16, at.top - 34, 32, at.foot - at.top + 34, { fill: "transparent" });
    its.line(at.own, at.top - 8, at.own, at.foot, { stroke: colour.activation, width: 3 });
    its.line(at.own, at.foot + (narrow ? 22 : 28), at.own, at.ruler, { stroke: colour.activation, width: 3 });
    its.circle(at.own, at.top - 12, narrow ? 9 : 12, { fill: colour.activation });
    const size = narrow ? 15 : 22;
    const said = `yours: ${text("own")} lbs`;
    const wide = textWidth(said, size, true);
    const right = at.own + 20 + wide < at.right;
    const anchor = /** @type {Anchor} */ (right ? "start" : "end");
    its.text(at.own + (right ? 20 : -20), at.top - 12 + size * 0.35, said, {
      size,
      bold: true,
      fill: colour.activation,
      anchor,
    });
  });
  drag(node, {
    down: () => ({ hours: values("hours") }),
    move: (began, x) => move("hours", (began.hours = hoursAt(at, values, x)), false),
    up: (began, moved) => moved && move("hours", began.hours, true),
  });
}

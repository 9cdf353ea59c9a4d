// One LSTM cell as pipes: the memory runs along the top, and its level is its value. A gate is a valve, open as far as
// its number: forget on the memory, input on the pipe of the candidate, output on the pipe to h.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawControls } from "./lstm_controls.js";
import {
  drawHeading,
  drawLevel,
  drawLevelBar,
  drawLevelTicks,
  drawPipe,
  drawRiser,
  drawZero,
  shortNumber,
} from "./lstm_marks.js";
import { levels, narrowPlaces, widePlaces } from "./lstm_places.js";
import { drawValve, GATES, PLATE } from "./lstm_valve.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { CellScene, Draw, Name } from "./lstm_marks.js" */

/** @param {Component<Scripts["lstm"]>} component */
export default function lstm(component) {
  return mainPicture(component, (pen, /** @type {CellScene} */ scene) => {
    const at = scene.narrow ? narrowPlaces(scene) : widePlaces(scene);
    const { values, before, moved, data } = scene;
    const reach = Math.max(values("reach"), before ? before("reach") : 0);
    const cell = { at, reach, named: moved ?? data.named[values("@say")] };
    pen.part(scene, "gradient", (its) => drawGradient(its, scene, cell));
    pen.part(scene, "memory", (its) => drawMemory(its, scene, cell));
    pen.part(scene, "write", (its) => drawWriting(its, scene, cell));
    pen.part(scene, "read", (its) => drawReading(its, scene, cell));
    pen.part(scene, "forget", (its) => drawValve(its, scene, cell, GATES.forget));
    pen.part(scene, "gates", (its) => drawControls(its, scene, cell));
  });
}

/**
 * The memory before, the part that is kept, the place where the candidate joins, and the memory after.
 *
 * @type {Draw}
 */
function drawMemory(pen, scene, cell) {
  const { colour } = scene;
  const { at, reach } = cell;
  const { top, x } = at;
  drawPipe(pen, top, [x.start, x.end], { open: true, gap: ["foot", x.join, x.joined] });
  drawLevelTicks(pen, at, top, x.start, reach, "memory c");
  const pipe = { lane: top, reach, fill: colour.value };
  const centre = (x.start + x.forget - PLATE) / 2;
  drawLevel(pen, scene, cell, { ...pipe, name: "c_before", ends: [x.start, x.forget], centre });
  drawLevel(pen, scene, cell, { ...pipe, name: "kept", ends: [x.forget, x.join] });
  drawSum(pen, scene, cell);
  const after = /** @type {const} */ ({ name: "cell", ends: [x.joined, x.end] });
  drawLevel(pen, scene, cell, {
    ...pipe,
    ...after,
    size: at.number + 3,
    centre: at.narrow ? undefined : (x.joined + x.end) / 2,
  });
  const { mid } = levels(top, reach);
  drawZero(pen, x.start, x.end, mid);
  pen.head(x.end + 16, mid, 0, colour.value, 14);
  drawMemoryFlow(pen, scene, cell);
  const y = top.top - (at.narrow ? 5 : 9);
  const { narrow } = at;
  drawHeading(pen, at, [(x.start + x.forget - 10) / 2, y], narrow ? "cₜ₋₁" : "before, cₜ₋₁", colour.value);
  drawHeading(pen, at, [(x.forget + x.join) / 2, y], narrow ? "f·cₜ₋₁" : "kept, f·cₜ₋₁", colour.value);
  drawHeading(pen, at, [(x.join + x.joined) / 2, y], "+", colour.input);
  drawHeading(pen, at, [(x.joined + x.end) / 2, y], narrow ? "cₜ" : "memory after, cₜ", colour.value);
}

/**
 * Where the candidate joins the memory: the written part is drawn on top of the kept part.
 *
 * @type {Draw}
 */
function drawSum(pen, scene, { at, reach }) {
  const { colour, hidden } = scene;
  if (hidden("cell")) return;
  const join = { lane: at.top, reach, ends: /** @type {[number, number]} */ ([at.x.join, at.x.joined]) };
  if (!hidden("kept")) drawLevelBar(pen, scene, { ...join, name: "kept", fill: colour.value });
  if (!hidden("written")) drawLevelBar(pen, scene, { ...join, name: "written", fill: colour.input, base: "kept" });
}

/**
 * Beads at half the height of each level.
 *
 * @type {Draw}
 */
function drawMemoryFlow(pen, { colour, values, hidden }, { at: { top, x }, reach }) {
  if (hidden("cell")) return;
  const { y } = levels(top, reach);
  /** @param {Name} name */
  const half = (name) => y(values(name) / 2);
  const forgotten = `M${x.start} ${half("c_before")}H${x.forget - 16}L${x.forget + 16} ${half("kept")}`;
  const d = `${forgotten}H${x.join}L${x.joined} ${half("cell")}H${x.end}`;
  pen.beads(d, colour.background, { width: 4 });
}

/**
 * The candidate, and how much of it is written to the memory.
 *
 * @type {Draw}
 */
function drawWriting(pen, scene, cell) {
  const { colour } = scene;
  const { at } = cell;
  const { low, top, x } = at;
  drawPipe(pen, low, [x.candidate, x.joined], { gap: ["top", x.join, x.joined] });
  drawRiser(pen, [x.join, x.joined], { top: top.foot, foot: low.top });
  drawLevelTicks(pen, at, low, x.candidate, 1, "candidate c̃");
  const centre = (x.candidate + x.input - PLATE) / 2;
  const pipe = { lane: low, reach: 1, fill: colour.input };
  drawLevel(pen, scene, cell, { ...pipe, name: "candidate", ends: [x.candidate, x.input], centre });
  drawLevel(pen, scene, cell, { ...pipe, name: "written", ends: [x.input, x.joined] });
  drawZero(pen, x.candidate, x.joined, levels(low, 1).mid);
  drawWrittenFlow(pen, scene, cell);
  pen.head((x.join + x.joined) / 2, top.foot + 12, -90, colour.input, 11);
  const y = low.top - (at.narrow ? 5 : 9);
  drawHeading(pen, at, [centre, y], at.narrow ? "c̃" : "candidate c̃", colour.input);
  drawHeading(pen, at, [(x.input + x.join) / 2, y], "i·c̃", colour.input);
  drawValve(pen, scene, cell, GATES.input);
}

/** @type {Draw} */
function drawWrittenFlow(pen, { colour, values, hidden }, { at: { low, top, x } }) {
  if (hidden("written")) return;
  const { y } = levels(low, 1);
  const [from, to] = [y(values("candidate") / 2), y(values("written") / 2)];
  const d = `M${x.candidate} ${from}H${x.input - 16}L${x.input + 16} ${to}H${x.joined}`;
  pen.beads(d, colour.background, { width: 3.4 });
  const open = Math.min(1, Math.abs(values("input")));
  pen.beads(`M${(x.join + x.joined) / 2} ${low.top}V${top.foot - 2}`, colour.input, {
    width: 5,
    "stroke-opacity": open,
  });
}

/**
 * The memory through tanh, and how much of it reaches the hidden state.
 *
 * @type {Draw}
 */
function drawReading(pen, scene, cell) {
  const { colour, values, hidden } = scene;
  const { at } = cell;
  const { low, top, x } = at;
  drawPipe(pen, low, [x.squashed, x.shown], { gap: ["top", x.drop, x.dropped] });
  drawRiser(pen, [x.drop, x.dropped], { top: top.foot, foot: low.top });
  drawLevelTicks(pen, at, low, x.squashed, 1, "hidden state h");
  const pipe = { lane: low, reach: 1 };
  const centre = (x.squashed + x.output - PLATE) / 2;
  drawLevel(pen, scene, cell, { ...pipe, name: "squashed", ends: [x.squashed, x.output], fill: colour.score, centre });
  const shown = /** @type {const} */ ({ name: "hidden", ends: [x.output, x.shown] });
  const state = { ...pipe, ...shown, fill: colour.activation, centre: (x.output + PLATE + x.shown) / 2 };
  if (at.narrow) drawLevel(pen, scene, cell, state);
  else drawLevelBar(pen, scene, state);
  drawZero(pen, x.squashed, x.shown, levels(low, 1).mid);
  drawSquashing(pen, scene, cell);
  drawValve(pen, scene, cell, GATES.output);
  if (!hidden("hidden")) {
    const { y } = levels(low, 1);
    const [from, to] = [y(values("squashed") / 2), y(values("hidden") / 2)];
    const d = `M${x.squashed} ${from}H${x.output - 16}L${x.output + 16} ${to}H${x.shown}`;
    pen.beads(d, colour.background, { width: 3.4 });
  }
  drawHiddenState(pen, scene, cell);
}

/**
 * The memory falls through tanh, with the headings of the pipe below.
 *
 * @type {Draw}
 */
function drawSquashing(pen, { colour }, { at }) {
  const { low, top, x } = at;
  const middle = (x.drop + x.dropped) / 2;
  const gap = (top.foot + low.top) / 2;
  pen.beads(`M${middle} ${top.foot}V${low.top}`, colour.value, { width: 5 });
  if (at.narrow) return drawHeading(pen, at, [x.dropped + 5, gap + 5], "tanh", colour.score, { anchor: "start" });
  pen.circle(middle, gap, 21, { fill: colour.background, stroke: colour.score, line: 2 });
  drawHeading(pen, at, [middle, gap + 5], "tanh", colour.score, { size: 14 });
  drawHeading(pen, at, [(x.dropped + x.output - 12) / 2, low.top - 9], "tanh cₜ", colour.score);
  drawHeading(pen, at, [(x.output + x.shown) / 2 + 6, low.top - 9], "o·tanh cₜ", colour.activation);
}

/** @type {Draw} */
function drawHiddenState(pen, scene, { at, named }) {
  const { colour, text } = scene;
  const { low, x, out } = at;
  const { mid } = levels(low, 1);
  if (at.narrow) return drawHeading(pen, at, [x.shown, low.top - 5], "hₜ", colour.activation, { anchor: "end" });
  const d = `M${x.shown} ${mid}H${out.x - out.r}`;
  pen.path(d, { stroke: colour.activation, width: 5 });
  pen.beads(d, colour.background, { width: 2.6 });
  pen.circle(out.x, mid, out.r, { fill: colour.background, stroke: colour.activation, line: 2.5 });
  pen.text(out.x, mid - 7, "hₜ", { size: 16, bold: true, fill: colour.activation, anchor: "middle" });
  pen.markedText(out.x, mid + 15, shortNumber(scene, "hidden", 2 * out.r - 12, 17), named === "hidden", {
    size: text("hidden").length > 6 ? 15 : 17,
    bold: true,
    anchor: "middle",
  });
}

/**
 * The factor of the gradient on its way back along the memory.
 *
 * @type {Draw}
 */
function drawGradient(pen, { text, colour, data }, { at }) {
  const y = at.back;
  const d = `M${at.x.end} ${y}H${at.x.start + 8}`;
  pen.path(d, { stroke: colour.gradient, width: 2.5 });
  pen.head(at.x.start, y, 180, colour.gradient, 12);
  pen.beads(d, colour.gradient, { width: 4.5 });
  const back = `${at.narrow ? "" : "gradient back along the memory: "}× f = ${text("cell_by_before")} a step, `;
  const far = `${data.farSteps} steps: ${text("far")}`;
  pen.text((at.x.start + at.x.end) / 2, y + 5, `${back}${far}`, {
    size: at.narrow ? 13 : 15,
    bold: true,
    fill: colour.gradient,
    anchor: "middle",
    halo: true,
    "stroke-width": 8,
  });
}

// The nodes of the network: the inputs, the hidden units with the bend of each, and the answer beside its target.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { REACH } from "./blame_places.js";

/** @import { BlameUnit } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BlameScene, Draw, UnitBox } from "./blame_places.js" */

/** @type {Draw} */
export function drawInputs(pen, { data, values, colour, narrow }, { inputs, size }) {
  data.inputs.forEach(({ name, label }, j) => {
    const { x, y, r } = inputs[j];
    pen.circle(x, y, r, { key: name, fill: colour.background, stroke: colour.input, line: 3 });
    const look = /** @type {const} */ ({ anchor: "middle", size: size.label, fill: colour.input });
    pen.text(x, y - (narrow ? 4 : 7), label, { key: `${name} label`, ...look });
    const number = /** @type {const} */ ({ anchor: "middle", size: size.number, bold: true });
    pen.text(x, y + (narrow ? 12 : 19), formatNumber(values(name)), { key: `${name} number`, ...number });
  });
}

/** @type {Draw} */
export function drawUnits(pen, scene, { units, size }) {
  scene.data.units.forEach((unit, i) => {
    const moves = unit.handle
      ? { "data-n": unit.handle, "data-per": units[i].width / (2.2 * REACH), "data-way": "x" }
      : {};
    pen.group({ key: `unit ${i}`, ...moves }, (its) => drawUnit(its, scene, unit, units[i], size.label));
  });
}

/**
 * A hidden unit: the bend of its ReLU, with the point where it is. Shut, nothing goes through.
 *
 * @param {Pen} pen @param {BlameScene} scene @param {BlameUnit} unit @param {UnitBox} box @param {number} size
 */
function drawUnit(pen, scene, unit, box, size) {
  const { data, values, colour, narrow, moved, hidden } = scene;
  const { x, y, width, height } = box;
  const shut = data.stage === "weights" && !hidden(unit.slope) && values(unit.slope) === 0;
  const stroke = shut ? colour.quiet : colour.activation;
  const line = moved && moved === unit.handle ? 5 : 3;
  pen.rect(x - width / 2, y - height / 2, width, height, {
    r: 12,
    fill: colour.background,
    stroke,
    line,
    dash: shut ? "7 5" : null,
  });
  drawBend(pen, scene, unit, box, stroke);
  drawUnitWords(pen, scene, unit, box, size);
  if (!shut) return;
  const right = x + width / 2;
  pen.rect(right - 4, y - height * 0.3, narrow ? 6 : 10, height * 0.6, { key: "valve", fill: colour.ink });
  const look = /** @type {const} */ ({ key: "shut", size: narrow ? 13 : 18, bold: true, anchor: "end" });
  pen.text(right - (narrow ? 6 : 14), y + height / 2 - (narrow ? 5 : 9), "shut", look);
}

/** @param {Pen} pen @param {BlameScene} scene @param {BlameUnit} unit @param {UnitBox} box @param {string} stroke */
function drawBend(pen, { values, colour, narrow }, { sum }, { x, y, width, height }, stroke) {
  const [across, foot] = [width / (2.2 * REACH), y + height * 0.2];
  const rise = (height * 0.42) / REACH;
  const [left, right] = [x - REACH * across, x + REACH * across];
  pen.line(left, foot, right, foot, { key: "ground", stroke: colour.line, width: 1.5 });
  pen.path(`M${left} ${foot}L${x} ${foot}L${right} ${foot - REACH * rise}`, {
    key: "bend",
    stroke,
    width: narrow ? 2.5 : 4,
  });
  const z = Math.max(-REACH, Math.min(values(sum), REACH));
  const point = { key: "point", fill: stroke, stroke: colour.background, line: 2.5 };
  pen.circle(x + z * across, foot - Math.max(z, 0) * rise, narrow ? 5 : 8.5, point);
}

/**
 * Forward, what goes in and what comes out; in the end, the slope.
 *
 * @param {Pen} pen @param {BlameScene} scene @param {BlameUnit} unit @param {UnitBox} box @param {number} size
 */
function drawUnitWords(pen, scene, unit, { x, y, width, height }, size) {
  const { data, text, colour } = scene;
  const left = x - width / 2 + (scene.narrow ? 5 : 11);
  const top = y - height / 2 + size * 1.2;
  if (data.stage === "output") {
    pen.text(left, top, "ReLU", { key: "relu", size, fill: colour.quiet });
  } else if (data.stage === "forward") {
    labelled(pen, [left, top], "z", text(unit.sum), { size, fill: colour.score });
    labelled(pen, [left, y + height / 2 - size * 0.45], "a", text(unit.out), { size, fill: colour.activation });
  } else {
    const first = data.units.find((each) => scene.values(each.slope) === 0);
    const marked = first === unit && !scene.moved && !scene.hidden(unit.slope);
    labelled(pen, [left, top], "slope", text(unit.slope), { size, fill: colour.gradient, marked });
  }
}

/**
 * @param {Pen} pen
 * @param {[number, number]} place
 * @param {string} label
 * @param {string} number
 * @param {{ size: number, fill: string, marked?: boolean }} look
 */
function labelled(pen, [x, y], label, number, { size, fill, marked = false }) {
  pen.text(x, y, label, { key: `${label} label`, size, fill });
  const after = x + textWidth(label, size) + 8;
  pen.markedText(after, y, number, marked, { key: `${label} number`, size: size * 1.1, bold: true, fill });
}

/**
 * The answer and how far it is from its target.
 *
 * @type {Draw}
 */
export function drawAnswer(pen, scene, at) {
  drawLevel(pen, scene, at);
  drawGap(pen, scene, at);
  drawOut(pen, scene, at);
}

/** @type {Draw} */
function drawOut(pen, { data, text, colour, moved, narrow }, { out: { x, y, r }, bar, size }) {
  const going = data.stage === "forward";
  const stroke = going ? colour.activation : colour.gradient;
  pen.line(x + r, y, bar.left, y, { key: "way", stroke, width: going ? 4 : 9, "stroke-opacity": going ? 1 : 0.4 });
  if (!going) pen.head(x + r, y, 180, stroke, narrow ? 8 : 18);
  pen.circle(x, y, r, { key: "out", fill: colour.background, stroke, line: 3.5 });
  const label = going ? data.outLabel : data.blameLabel;
  const look = /** @type {const} */ ({ key: "out label", anchor: "middle", size: size.label, fill: stroke });
  pen.text(x, y - (narrow ? 5 : 9), label, look);
  const said = text(going ? data.out : data.blame);
  const number = { key: "out number", anchor: /** @type {const} */ ("middle"), size: narrow ? 13 : 24, bold: true };
  pen.markedText(x, y + (narrow ? 12 : 20), said, data.stage !== "weights" && !moved, { ...number, fill: stroke });
}

/** The level of the answer, and the line of the target. @type {Draw} */
function drawLevel(pen, { data, values, colour, moved, narrow }, { bar }) {
  const { left, right, top, foot } = bar;
  const height = foot - top;
  const y = (/** @type {number} */ share) => foot - Math.max(0, Math.min(share, 1)) * height;
  const level = y(values(data.out));
  pen.rect(left, top, right - left, height, { key: "whole", r: 6, stroke: colour.line, line: 2 });
  pen.rect(left, level, right - left, foot - level, { key: "level", r: 6, fill: colour.activation });
  pen.text(left - 16, foot + 5, "0", { key: "zero", size: 14, anchor: "end", fill: colour.quiet });
  pen.text(left - 16, top + 5, "1", { key: "one", size: 14, anchor: "end", fill: colour.quiet });
  const moves = { "data-n": data.target, "data-per": height, "data-way": "y", style: "cursor: ns-resize" };
  pen.group({ key: "target", ...moves }, (its) => {
    const line = y(values(data.target));
    const wide = moved === data.target ? 7 : 5;
    its.line(left - 10, line, right + 10, line, { stroke: colour.ink, width: wide });
    const said = `${narrow ? "" : "target "}${data.targetLabel} = ${formatNumber(values(data.target))}`;
    const place = values(data.target) < 0.5 ? line + (narrow ? 18 : 26) : line - 14;
    its.text((left + right) / 2, place, said, { size: narrow ? 13 : 19, bold: true, anchor: "middle", halo: true });
  });
}

/** The gap between answer and target: the blame. @type {Draw} */
function drawGap(pen, { data, values, text, colour, narrow }, { bar }) {
  const { right, top, foot } = bar;
  const y = (/** @type {number} */ share) => foot - Math.max(0, Math.min(share, 1)) * (foot - top);
  const [one, other] = [y(values(data.out)), y(values(data.target))];
  const x = right + (narrow ? 8 : 16);
  const stroke = colour.gradient;
  if (Math.abs(one - other) > 6)
    pen.path(`M${x} ${other}h${narrow ? 5 : 14}V${one}h${narrow ? -5 : -14}`, { key: "gap", stroke, width: 3 });
  if (narrow) return;
  const middle = (one + other) / 2;
  const forward = data.stage === "forward";
  const label = { key: "gap label", size: 18, fill: stroke };
  if (!forward) pen.text(x + 24, middle - 6, data.gapLabel, label);
  const said = forward ? "?" : text(data.blame);
  pen.text(x + 24, middle + (forward ? 12 : 18), said, {
    key: "gap number",
    size: forward ? 34 : 20,
    bold: true,
    fill: stroke,
  });
}

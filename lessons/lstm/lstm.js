// One LSTM cell as pipes: the memory runs along the top, its level is its value. A gate is a valve, open as
// far as its number says: forget on the memory, input on the way of the candidate, output on the way to h.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { bent, textWidth } from "../../ui/browser/pen.js";
import { levels, narrowPlaces, places } from "./lstm_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["lstm"]} Data */

const DIM = 0.18;
const PLATE = 18; // the width of a valve's plates
const PULL = 12; // how far a hand moves a valve for a change of 1 in z

/** @param {Component<Data>} component */
export default function lstm(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = scene.narrow ? narrowPlaces(scene) : places(scene);
    const { values, before, moved, data } = scene;
    const reach = Math.max(values("reach"), before ? before("reach") : 0);
    const its = { at, reach, named: moved ?? data.named[values("@say")] };
    part(pen, scene, "gradient", (pen) => gradient(pen, scene, its));
    part(pen, scene, "memory", (pen) => memory(pen, scene, its));
    part(pen, scene, "write", (pen) => write(pen, scene, its));
    part(pen, scene, "read", (pen) => read(pen, scene, its));
    part(pen, scene, "forget", (pen) => valve(pen, scene, its, GATES.forget));
    part(pen, scene, "gates", (pen) => controls(pen, scene, its));
  });
}

const GATES = {
  forget: { slot: "forget", z: "z_f", letter: "f", title: "forget gate", lane: "top" },
  input: { slot: "input", z: "z_i", letter: "i", title: "input gate", lane: "low" },
  output: { slot: "output", z: "z_o", letter: "o", title: "output gate", lane: "low" },
};

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

// A number in the room that there is: with four digits, or with two.
function short({ text, values, hidden }, name, room, size) {
  const whole = text(name);
  if (hidden(name) || textWidth(whole, size, true) <= room) return whole;
  return formatNumber(Number(values(name).toPrecision(2)));
}

// The walls of a pipe; `gaps` are where another one joins, [from, to] along the wall at the top or at the foot.
function pipe(pen, { top, foot }, left, right, colour, { open = null, gap = null } = {}) {
  pen.rect(left, top, right - left, foot - top, { fill: colour.quiet, "fill-opacity": 0.07, r: 0 });
  for (const [side, y] of [
    ["top", top],
    ["foot", foot],
  ]) {
    const cuts =
      gap?.[0] === side
        ? [
            [left, gap[1]],
            [gap[2], right],
          ]
        : [[left, right]];
    for (const [from, to] of cuts) pen.line(from, y, to, y, { stroke: colour.ink, width: 2.5 });
  }
  if (open !== "left") pen.line(left, top, left, foot, { stroke: colour.ink, width: 2.5 });
  if (open !== "right") pen.line(right, top, right, foot, { stroke: colour.ink, width: 2.5 });
}

function ticks(pen, { at: { axis } }, lane, x, reach, colour) {
  const { y, mid } = levels(lane, reach);
  for (const [value, drop] of [
    [reach, 10],
    [0, 5],
    [-reach, 0],
  ]) {
    pen.text(x - 6, y(value) + drop, formatNumber(Number(value.toPrecision(2))), {
      size: axis,
      fill: colour.quiet,
      anchor: "end",
    });
  }
  return mid;
}

// The level of one number between two places of a pipe, with what stood there before, and its number.
function level(
  pen,
  scene,
  { at, named },
  lane,
  [left, right],
  reach,
  name,
  role,
  { base = null, print = true, centre = null, size = at.number } = {},
) {
  const { values, before, colour, hidden } = scene;
  const { y, mid, half } = levels(lane, reach);
  const box = (its) => {
    const from = base ? its(base) : 0;
    const [a, b] = [y(from), y(from + its(name))];
    return [left, Math.min(a, b), right - left, Math.max(Math.abs(a - b), 1.5)];
  };
  const middle = centre ?? (left + right) / 2;
  if (!hidden(name)) {
    const [x, top, wide, high] = box(values);
    pen.rect(x, top, wide, high, { key: `level-${name}-${left}`, fill: role, r: 0 });
    const changed =
      before &&
      (Math.abs(before(name) - values(name)) > 1e-9 || (base && Math.abs(before(base) - values(base)) > 1e-9));
    if (changed) {
      const [ox, oy, ow, oh] = box(before);
      pen.rect(ox + 2, oy, ow - 4, Math.max(oh, 2), {
        key: `old-${name}-${left}`,
        stroke: colour.ink,
        line: 1.5,
        dash: "6 4",
        r: 0,
      });
    }
  }
  if (!print) return;
  const up = !hidden(name) && values(name) < 0; // the number stands where the level is not
  const room = (centre === null ? right - left : 2 * Math.min(middle - left, right - middle)) - 8;
  pen.markedText(
    middle,
    mid + (up ? -half / 2 : half / 2) + size * 0.36,
    short(scene, name, room, size),
    named === name,
    { key: `number-${name}`, size, bold: true, fill: role, anchor: "middle", halo: named !== name },
  );
}

function heading(pen, x, y, text, fill, at, anchor = "middle") {
  pen.text(x, y, text, { size: at.label, bold: true, fill, anchor });
}

function memory(pen, scene, its) {
  const { colour, values, hidden } = scene;
  const { at, reach } = its;
  const { top, x } = at;
  pipe(pen, top, x.start, x.end, colour, { open: "right", gap: ["foot", x.join, x.joined] });
  ticks(pen, its, top, x.start, reach, colour);
  const { y, mid } = levels(top, reach);
  const known = !hidden("cell");
  level(pen, scene, its, top, [x.start, x.forget], reach, "c_before", colour.value, {
    centre: (x.start + x.forget - PLATE) / 2,
  });
  level(pen, scene, its, top, [x.forget, x.join], reach, "kept", colour.value);
  if (known && !hidden("kept"))
    level(pen, scene, its, top, [x.join, x.joined], reach, "kept", colour.value, { print: false });
  if (known && !hidden("written"))
    level(pen, scene, its, top, [x.join, x.joined], reach, "written", colour.input, { base: "kept", print: false });
  level(pen, scene, its, top, [x.joined, x.end], reach, "cell", colour.value, {
    size: at.number + 3,
    centre: at.narrow ? null : (x.joined + x.end) / 2,
  });
  pen.line(x.start, mid, x.end, mid, { key: "zero", stroke: colour.quiet, width: 1, dash: "2 4" });
  pen.head(x.end + 16, mid, 0, colour.value, 14);
  if (known) {
    const half = (name) => y(values(name) / 2);
    pen.beads(
      `M${x.start} ${half("c_before")}H${x.forget - 16}L${x.forget + 16} ${half("kept")}H${x.join}L${x.joined} ${half("cell")}H${x.end}`,
      colour.background,
      { width: 4 },
    );
  }
  const line = top.top - (at.narrow ? 5 : 9);
  heading(pen, (x.start + x.forget - 10) / 2, line, at.narrow ? "cₜ₋₁" : "before, cₜ₋₁", colour.value, at);
  heading(pen, (x.forget + x.join) / 2, line, at.narrow ? "f·cₜ₋₁" : "kept, f·cₜ₋₁", colour.value, at);
  heading(pen, (x.join + x.joined) / 2, line, "+", colour.input, at);
  heading(pen, (x.joined + x.end) / 2, line, at.narrow ? "cₜ" : "memory after, cₜ", colour.value, at);
}

function write(pen, scene, its) {
  const { colour, values, hidden } = scene;
  const { at } = its;
  const { low, top, x } = at;
  pipe(pen, low, x.candidate, x.joined, colour, { gap: ["top", x.join, x.joined] });
  riser(pen, colour, x.join, x.joined, top.foot, low.top);
  const mid = ticks(pen, its, low, x.candidate, 1, colour);
  const centre = (x.candidate + x.input - PLATE) / 2;
  level(pen, scene, its, low, [x.candidate, x.input], 1, "candidate", colour.input, { centre });
  level(pen, scene, its, low, [x.input, x.joined], 1, "written", colour.input);
  pen.line(x.candidate, mid, x.joined, mid, { key: "zero", stroke: colour.quiet, width: 1, dash: "2 4" });
  const { y } = levels(low, 1);
  const middle = (x.join + x.joined) / 2;
  if (!hidden("written")) {
    pen.beads(
      `M${x.candidate} ${y(values("candidate") / 2)}H${x.input - 16}L${x.input + 16} ${y(values("written") / 2)}H${x.joined}`,
      colour.background,
      { width: 3.4 },
    );
    pen.beads(`M${middle} ${low.top}V${top.foot - 2}`, colour.input, {
      width: 5,
      "stroke-opacity": Math.min(1, Math.abs(values("input"))),
    });
  }
  pen.head(middle, top.foot + 12, -90, colour.input, 11);
  heading(pen, centre, low.top - (at.narrow ? 5 : 9), at.narrow ? "c̃" : "candidate c̃", colour.input, at);
  heading(pen, (x.input + x.join) / 2, low.top - (at.narrow ? 5 : 9), "i·c̃", colour.input, at);
  valve(pen, scene, its, GATES.input);
}

function riser(pen, colour, left, right, top, foot) {
  pen.rect(left, top, right - left, foot - top, { key: "rise", fill: colour.quiet, "fill-opacity": 0.07, r: 0 });
  pen.line(left, top, left, foot, { key: "rise-left", stroke: colour.ink, width: 2.5 });
  pen.line(right, top, right, foot, { key: "rise-right", stroke: colour.ink, width: 2.5 });
}

function read(pen, scene, its) {
  const { colour, values, hidden, text } = scene;
  const { at } = its;
  const { low, top, x, out } = at;
  pipe(pen, low, x.squashed, x.shown, colour, { gap: ["top", x.drop, x.dropped] });
  riser(pen, colour, x.drop, x.dropped, top.foot, low.top);
  const mid = ticks(pen, its, low, x.squashed, 1, colour);
  const centre = (x.squashed + x.output - PLATE) / 2;
  level(pen, scene, its, low, [x.squashed, x.output], 1, "squashed", colour.score, { centre });
  level(pen, scene, its, low, [x.output, x.shown], 1, "hidden", colour.activation, {
    print: at.narrow,
    centre: (x.output + PLATE + x.shown) / 2,
  });
  pen.line(x.squashed, mid, x.shown, mid, { key: "zero", stroke: colour.quiet, width: 1, dash: "2 4" });
  const middle = (x.drop + x.dropped) / 2;
  const gap = (top.foot + low.top) / 2;
  const { y } = levels(low, 1);
  pen.beads(`M${middle} ${top.foot}V${low.top}`, colour.value, { width: 5 });
  if (at.narrow) heading(pen, x.dropped + 5, gap + 5, "tanh", colour.score, at, "start");
  else {
    pen.circle(middle, gap, 21, { fill: colour.background, stroke: colour.score, line: 2 });
    heading(pen, middle, gap + 5, "tanh", colour.score, { label: 14 });
    heading(pen, (x.dropped + x.output - 12) / 2, low.top - 9, "tanh cₜ", colour.score, at);
    heading(pen, (x.output + x.shown) / 2 + 6, low.top - 9, "o·tanh cₜ", colour.activation, at);
  }
  valve(pen, scene, its, GATES.output);
  if (!hidden("hidden")) {
    pen.beads(
      `M${x.squashed} ${y(values("squashed") / 2)}H${x.output - 16}L${x.output + 16} ${y(values("hidden") / 2)}H${x.shown}`,
      colour.background,
      { width: 3.4 },
    );
  }
  if (at.narrow) return heading(pen, x.shown, low.top - 5, "hₜ", colour.activation, at, "end");
  const d = `M${x.shown} ${mid}H${out.x - out.r}`;
  pen.path(d, { stroke: colour.activation, width: 5 });
  pen.beads(d, colour.background, { width: 2.6 });
  pen.circle(out.x, mid, out.r, { fill: colour.background, stroke: colour.activation, line: 2.5 });
  pen.text(out.x, mid - 7, "hₜ", { size: 16, bold: true, fill: colour.activation, anchor: "middle" });
  pen.markedText(out.x, mid + 15, short(scene, "hidden", 2 * out.r - 12, 17), its.named === "hidden", {
    size: text("hidden").length > 6 ? 15 : 17,
    bold: true,
    anchor: "middle",
  });
}

// A valve: plates from above and from below leave a gap as wide as the gate is open; its σ stands below it.
function valve(pen, scene, { at, named }, { slot, z, letter, title, lane: side }) {
  const { values, before, colour, hidden } = scene;
  const lane = at[side];
  const x = at.x[slot];
  const { mid, half } = levels(lane, 1);
  const open = hidden(slot) ? 0.5 : values(slot);
  pen.group({ key: `valve-${slot}`, "data-n": z, "data-per": PULL, "data-way": "y" }, (its) => {
    its.rect(x - 22, lane.top - 7, 44, lane.foot - lane.top + 14, { fill: colour.weight, "fill-opacity": 0, r: 0 });
    const wide = at.narrow ? 12 : PLATE;
    its.rect(x - wide / 2, lane.top, wide, half * (1 - open), { key: "upper", fill: colour.weight, r: 2 });
    its.rect(x - wide / 2, mid + half * open, wide, half * (1 - open), { key: "lower", fill: colour.weight, r: 2 });
    for (const y of [lane.top - 5, lane.foot - 5]) its.rect(x - wide, y, 2 * wide, 10, { fill: colour.weight, r: 3 });
    if (before && !hidden(slot) && Math.abs(before(slot) - open) > 1e-9) {
      const was = half * before(slot);
      its.rect(x - wide / 2 - 4, mid - was, wide + 8, 2 * was, {
        key: "old",
        stroke: colour.ink,
        line: 1.5,
        dash: "6 4",
        r: 2,
      });
    }
  });
  const marked = named === slot;
  const room = at.narrow ? 70 : 90;
  if (at.narrow) {
    const label = `${letter} `;
    const number = short(scene, slot, room, 14);
    const wide = textWidth(label, 14, true) + (marked ? 8 : 3);
    const left = Math.max(x - (wide + textWidth(number, 14, true)) / 2, 8);
    pen.text(left, lane.foot + 19, label, { size: 14, bold: true, fill: colour.weight });
    return pen.markedText(left + wide, lane.foot + 19, number, marked, { size: 14, bold: true, fill: colour.weight });
  }
  // A stem that rises as the valve opens.
  const rise = lane.top - 5 - 7 - 9 * open;
  pen.path(`M${x} ${lane.top - 6}V${rise}M${x - 9} ${rise}H${x + 9}`, {
    key: `stem-${slot}`,
    stroke: colour.weight,
    width: 3,
    "stroke-linecap": "round",
  });
  const y = lane.foot + 21;
  pen.circle(x, y, 14, { key: `sigma-${slot}`, fill: colour.background, stroke: colour.weight, line: 2 });
  pen.text(x, y + 6, "σ", { key: `sigma-${slot}`, size: 18, bold: true, fill: colour.weight, anchor: "middle" });
  const label = `${title} ${letter} =`;
  const number = short(scene, slot, room, 18);
  const wide = textWidth(label, at.label) + (marked ? 16 : 10);
  const left = side === "top" ? x - 27 - wide - textWidth(number, 18, true) : x + 24;
  pen.text(left, y + 6, label, { key: `title-${slot}`, size: at.label, fill: colour.weight });
  pen.markedText(left + wide, y + 6, number, marked, {
    key: `number-${slot}`,
    size: 18,
    bold: true,
    fill: colour.weight,
  });
}

// Where every z comes from, and the four of them with their handles.
function controls(pen, scene, its) {
  const { colour } = scene;
  const { at } = its;
  const { low, knobs } = at;
  if (at.narrow) {
    for (const z of ZS) knob(pen, scene, its, z, at.knob[z], knobs);
    return pen.text(at.middle, knobs + 36, "each z = W·[hₜ₋₁; eₜ] + b", {
      size: 13,
      fill: colour.score,
      anchor: "middle",
    });
  }
  const { bus, box, h, e } = at;
  for (const [name, title, x] of [
    ["hₜ₋₁", "state before", h],
    ["eₜ", "word", e],
  ]) {
    const d = `M${x} ${at.inputs + 25}V${knobs - 17}`;
    pen.path(d, { stroke: colour.input, width: 2 });
    pen.beads(d, colour.input);
    pen.circle(x, at.inputs, 25, { fill: colour.background, stroke: colour.input, line: 2 });
    pen.text(x, at.inputs + 6, name, { size: 17, bold: true, fill: colour.input, anchor: "middle" });
    pen.text(x, at.inputs - 33, title, { size: 13, fill: colour.input, anchor: "middle" });
  }
  pen.rect(box.left, knobs - 17, box.right - box.left, 34, {
    r: 8,
    fill: colour.background,
    stroke: colour.score,
    line: 1.5,
  });
  pen.text((box.left + box.right) / 2, knobs + 5, "z = W·[h; e] + b", {
    size: 15,
    fill: colour.score,
    anchor: "middle",
  });
  const middle = (box.left + box.right) / 2;
  for (const z of ZS) {
    const x = at.knob[z];
    const from = z === "z_c" ? low.foot : (z === "z_f" ? at.top : low).foot + 35;
    const d = bent(
      [
        [middle, knobs + 17],
        [middle, bus],
        [x, bus],
        [x, from],
      ],
      8,
    );
    pen.path(d, { stroke: colour.score, width: 1.6 });
    pen.beads(d, colour.score, { width: 3 });
    if (z !== "z_c") continue;
    pen.circle(x, low.foot + 24, 20, { fill: colour.background, stroke: colour.input, line: 2 });
    pen.text(x, low.foot + 29, "tanh", { size: 14, bold: true, fill: colour.input, anchor: "middle" });
  }
  for (const z of ZS) knob(pen, scene, its, z, at.knob[z], knobs);
}

const ZS = ["z_f", "z_c", "z_i", "z_o"];

function knob(pen, scene, { at, named }, z, x, y) {
  const { colour, moved } = scene;
  const width = at.knobWidth;
  pen.group({ key: z, "data-n": z, "data-per": 20, "data-way": "x" }, (its) => {
    its.rect(x - width / 2, y - 15, width, 30, {
      r: 15,
      fill: colour.background,
      stroke: colour.score,
      line: z === moved ? 3 : 1.5,
    });
    const number = short(scene, z, width - 36, 16);
    const whole = 20 + textWidth(number, 16, true);
    const left = x - whole / 2;
    its.text(left, y + 5, "z", { size: 16, fill: colour.score });
    its.text(left + 8.5, y + 9, z[2], { size: 13, fill: colour.score });
    its.markedText(left + 20, y + 5, number, named === z, { size: 16, bold: true });
  });
}

function gradient(pen, scene, { at }) {
  const { text, colour, data } = scene;
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

// Training as it happens: the loss against the steps, over a recorded run, and under their steps the texts
// that the model wrote. Runs tell their numbers themselves (ui/browser/runs.js).

import { frameEvent } from "../../ui/browser/frames.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { control, FITS, listen, WORDS } from "../../ui/browser/runs.js";
import { cards, lanes } from "./training_texts.js";
import { apart, curveOf, isOver, litBeat, lossAt, scalesOf, standing, wrapped } from "./training_scales.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["training"]} Data */

const DIM = 0.18;
const HIDDEN_FROM = { curve: 0.25, winner: 0.5 };
/** @type {WeakMap<object, any>} */
const followed = new WeakMap();

/** @param {Component<Data>} component */
export default function training(component) {
  const { data, parentElement, setTriggerValue } = component;
  const names = data.runs.map((run) => run.name).join(",");
  let its = followed.get(parentElement);
  if (!its) followed.set(parentElement, (its = { paint: () => {} }));
  its.data = data;
  its.send = (value) => setTriggerValue("event", value);
  if (its.names !== names || (names && !its.source)) {
    its.stop?.();
    Object.assign(its, { names, histories: new Map(), stop: null });
    if (names) its.stop = listen(its, () => tell(its));
  }
  const stop = mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => draw(pen, scene, its));
  tell(its);
  return () => {
    its.stop?.();
    stop();
  };
}

// What the runs have told reaches sentence, formula and picture as a frame, like a slider's.
function tell(its) {
  const { data } = its;
  if (!data.runs.length) return;
  const { numbers } = standing(data, histories(its));
  const row = data.names.map((name, i) => numbers[name] ?? data.now[i]);
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved: null, label: null } }));
}

const histories = (its) => its.data.runs.map((run) => its.histories.get(run.name));

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene, its) {
  const { data, colour } = scene;
  const told = data.runs.length ? histories(its) : [];
  const live = told.map((history, i) => curveOf(history, data.runs[i].label));
  const many = Math.max(live.length, data.recorded.length) > 1;
  const lines = live.length ? live : data.recorded;
  const begun = told.length ? standing(data, told) : null;
  const beat = data.light.join();
  its.lit = litBeat(told, beat, its.lit);
  if (its.lit === beat) scene = { ...scene, dim: () => false };
  const state = {
    live,
    told,
    lines,
    many,
    named: begun ? begun.named : lowest(data.recorded),
    uniform: begun ? begun.uniform : data.uniform,
    truth: begun ? begun.truth : data.truth,
    longest: Math.max(10, ...live.map((curve) => curve.steps), ...(live.length ? [] : [data.longest])),
    role: (i) => (many ? colour[`series-${i + 1}`] : colour.loss),
  };
  const frame = scene.narrow ? narrowFrame(scene, lines.length, many) : wideFrame(scene, lines.length, many);
  const scales = scalesOf([...live, ...data.recorded], state, frame);
  state.from = cut(scene, frame);
  if (Number.isFinite(state.from)) scene.tell(data.says.asked);
  its.zone = zoneOf(frame, scales, data.recorded, scene); // the runs themselves would move it as they go on
  part(pen, scene, "axes", (each) => axes(each, scene, frame, scales, state));
  part(pen, scene, "guessing", (each) => bound(each, scene, frame, scales, state, "uniform"));
  if (state.truth !== null) part(pen, scene, "floor", (each) => bound(each, scene, frame, scales, state, "truth"));
  part(pen, scene, "curves", (each) => curves(each, scene, frame, scales, state));
  if (many && !scene.narrow) part(pen, scene, "zoom", (each) => zoom(each, scene, frame, state));
  part(pen, scene, "ends", (each) => ends(each, scene, frame, scales, state));
  part(pen, scene, "start", (each) => zone(each, scene, frame, scales, state, its), live.length ? "run" : null);
  part(pen, scene, "texts", (each) => (many ? lanes : cards)(each, scene, frame, scales, state, steering(its, data)));
  part(pen, scene, "reader", (each) => reader(each, scene, frame, scales, state, its));
}

function part(pen, scene, name, how, kind = null) {
  const always = ["axes", "reader"].includes(name);
  pen.group({ key: name, class: kind, opacity: !always && scene.dim(name) ? DIM : null }, how);
}

function lowest(curves) {
  const losses = curves.map((curve) => lossAt(curve)?.[1] ?? Infinity);
  return Math.max(0, losses.indexOf(Math.min(...losses)));
}

function wideFrame({ width, height }, count, many) {
  const texts = many
    ? Math.max(count, 2) * Math.min(34, (height * 0.34) / Math.max(count, 2))
    : Math.min(150, height * 0.285);
  return {
    left: 62,
    right: width - (many ? 172 : 146),
    top: 30,
    foot: height - texts - 60,
    texts,
    below: height - texts - 14,
    size: 14,
    width,
    height,
  };
}

function narrowFrame({ width, height }, count, many) {
  const texts = many
    ? Math.max(count, 2) * Math.min(36, (height * 0.42) / Math.max(count, 2))
    : Math.min(128, height * 0.34);
  return {
    left: 36,
    right: width - 70,
    top: 22,
    foot: height - texts - 30,
    texts,
    below: height - texts - 4,
    size: 13,
    width,
    height,
  };
}

// A question hides the curves from a share of the axis on.
function cut({ hidden }, { left, right }) {
  const name = Object.keys(HIDDEN_FROM).find((each) => hidden(each));
  return name ? left + HIDDEN_FROM[name] * (right - left) : Infinity;
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function axes(pen, { narrow, colour }, { left, right, foot, size, width }, scales, { uniform }) {
  for (const loss of scales.nats) {
    const y = scales.y(loss);
    if (Math.abs(y - scales.y(uniform)) < 14) continue; // the beginning of the line stands there
    pen.line(left, y, right, y, { key: `nats${loss}`, stroke: colour.line, width: 1 });
    pen.text(left - 7, y + 5, formatNumber(loss), {
      key: `nats${loss}`,
      size,
      fill: colour.quiet,
      anchor: "end",
      class: "nats",
    });
  }
  for (const step of scales.steps) {
    pen.line(scales.x(step), foot, scales.x(step), foot + 5, { key: `step${step}`, stroke: colour.quiet, width: 1.5 });
    pen.text(scales.x(step), foot + 19, step.toLocaleString("en"), {
      key: `step${step}`,
      size,
      fill: colour.quiet,
      anchor: "middle",
      halo: true,
    });
  }
  pen.line(left, foot, right, foot, { stroke: colour.quiet, width: 1.5 });
  pen.text(narrow ? 6 : 14, narrow ? 14 : 20, narrow ? "loss, nats per token" : "loss, nats per token (log scale)", {
    size,
    bold: true,
    fill: colour.loss,
  });
  const last = textWidth(scales.steps[scales.steps.length - 1].toLocaleString("en"), size) / 2;
  pen.text(narrow ? width - 6 : right + last + 10, foot + 19, narrow ? "steps" : "steps (log scale)", {
    size,
    fill: colour.quiet,
    anchor: narrow ? "end" : "start",
  });
}

// The line that no learning is needed for, and the one that no model gets below.
function bound(pen, { colour, text, data, narrow }, { left, right, size }, { y }, state, name) {
  const floor = name === "truth";
  const at = y(state[name]);
  const role = floor ? colour.activation : colour.ink;
  pen.line(left, at, right, at, { stroke: role, width: floor ? 2.5 : 2, dash: floor ? "10 5" : "2 5", class: "bound" });
  if (floor)
    return narrow
      ? pen.text(left + 8, at - 6, "the grammar", { size: 13, bold: true, fill: role, class: "bound" })
      : undefined;
  pen.text(right + 12, at - (narrow ? 2 : 1), narrow ? "guessing" : "uniform guessing", {
    size: narrow ? 13 : 14,
    bold: true,
    class: "bound",
  });
  pen.text(right + 12, at + (narrow ? 14 : 17), narrow ? text("uniform") : `ln ${data.types} = ${text("uniform")}`, {
    size,
    fill: colour.quiet,
  });
}

const until = (points, edge, x) => points.filter(([step]) => x(step) <= edge);

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function curves(pen, { data, colour }, frame, scales, state) {
  const drawn = (points) => scales.through(until(points, state.from, scales.x));
  data.recorded.forEach((curve, i) => {
    const faded = state.live.length > 0;
    if (!state.many)
      pen.path(drawn(curve.batches), {
        key: `thin${i}`,
        stroke: state.role(i),
        width: 1,
        "stroke-opacity": faded ? 0.16 : 0.36,
        class: "recorded batch",
      });
    pen.path(drawn(curve.evaluations), {
      key: `ghost${i}`,
      stroke: state.role(i),
      width: 2.6,
      dash: "7 5",
      "stroke-opacity": faded ? 0.5 : 0.85,
      class: "recorded validation",
    });
  });
  state.live.forEach((curve, i) => {
    if (!state.many)
      pen.path(drawn(curve.batches), {
        key: `batch${i}`,
        stroke: state.role(i),
        width: 1.2,
        "stroke-opacity": 0.5,
        class: "batch",
      });
    const d = drawn(curve.evaluations);
    pen.path(d, {
      key: `live${i}`,
      stroke: state.role(i),
      width: 3.4,
      "stroke-linejoin": "round",
      class: "validation",
    });
    const end = lossAt(curve);
    if (!end || end[1] === null) return;
    if (!isOver(curve.state))
      pen.circle(scales.x(end[0]), scales.y(end[1]), 10, { key: `pulse${i}`, fill: state.role(i), class: "pulse" });
    pen.circle(scales.x(end[0]), scales.y(end[1]), 5.5, {
      key: `head${i}`,
      fill: state.role(i),
      stroke: colour.background,
    });
  });
  if (Number.isFinite(state.from)) {
    const wide = frame.right - state.from;
    pen.rect(state.from, frame.top, wide, frame.foot - frame.top, { fill: colour.ink, "fill-opacity": 0.05, r: 0 });
    pen.text(state.from + wide / 2, (frame.top + frame.foot) / 2 + 20, "?", {
      size: 44,
      bold: true,
      fill: colour.quiet,
      anchor: "middle",
    });
  }
}

// At the end of each line its name and its loss; close ones are moved apart.
function ends(pen, { colour, text, hidden, narrow, values }, frame, { x, y }, state) {
  const { right, top, foot } = frame;
  const margin = right + 12;
  const entries = /** @type {any[]} */ ([]);
  if (state.truth !== null)
    entries.push({
      key: "floor",
      x: margin,
      y: y(state.truth),
      from: null,
      role: colour.activation,
      label: "grammar",
      number: text("truth"),
      named: false,
    });
  state.lines.forEach((curve, i) => {
    const end = lossAt(curve);
    if (!end || (Number.isFinite(state.from) && !state.many)) return;
    const known = end[1] !== null && !Number.isFinite(state.from);
    const loss = values(`loss${i}`);
    const number =
      hidden("final") || hidden("curve")
        ? "?"
        : end[1] === null
          ? "not finite"
          : formatNumber(narrow ? Number(loss.toPrecision(3)) : loss);
    const from = known ? [x(end[0]), y(end[1])] : [right, (top + foot) / 2];
    const outside = from[0] + 150 > right;
    const label = state.many || outside ? curve.label : `${curve.label}, validation`;
    entries.push({
      key: `run${i}`,
      x: outside || !known ? margin : from[0] + 18,
      y: from[1],
      from: known ? from : null,
      role: state.role(i),
      label,
      number,
      named: i === state.named && !hidden("winner"),
    });
  });
  const side = entries.filter((entry) => entry.x === margin);
  const taken = y(state.uniform) + (narrow ? 26 : 32);
  const above = side.length && side.every((entry) => entry.y > y(state.uniform) - 4);
  const places = apart(
    side.map((entry) => entry.y + 5),
    narrow ? 17 : 21,
    above ? taken : top + 8,
    foot + (narrow ? 0 : 4),
  );
  side.forEach((entry, i) => (entry.place = places[i]));
  if (!above) avoid(side, y(state.uniform), narrow ? 20 : 26);
  for (const entry of entries) {
    const { key, role, label, number, named, from } = entry;
    const at = entry.place ?? entry.y - 12;
    const start = entry.x;
    if (from && start === margin) pen.line(from[0] + 6, from[1], start - 3, at - 5, { key, stroke: role, width: 1.2 });
    const big = narrow ? 13 : 15;
    if (!narrow)
      pen.text(start, at, label, {
        key: `${key}l`,
        size: big,
        bold: true,
        fill: role,
        halo: start !== margin,
        class: "end",
      });
    const left = narrow ? start : start + textWidth(label, big, true) + 12; // on a phone the lanes have the names
    pen.markedText(left, at, number, named, {
      key: `${key}n`,
      size: big,
      bold: true,
      fill: role,
      halo: start !== margin && !named,
      class: "end",
    });
  }
}

// Labels above the line of guessing leave its own two lines free.
function avoid(side, at, room) {
  for (const entry of side) if (Math.abs(entry.place - at - 8) < room) entry.place = at - room + 2;
}

// The last half of the steps, on a linear scale, where lines that merge come apart.
function zoom(pen, scene, frame, state) {
  const { colour } = scene;
  const { longest, lines } = state;
  const from = longest / 2;
  const tails = lines.map((curve) => curve.evaluations.filter(([step, loss]) => step >= from && loss !== null));
  if (Number.isFinite(state.from) || tails.some((tail) => tail.length < 2)) return;
  const losses = tails.flat().map(([, loss]) => loss);
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const left = frame.left + 0.725 * (frame.right - frame.left);
  const box = {
    left,
    right: frame.right - 8,
    top: frame.top + 30,
    foot: frame.top + 30 + 0.52 * (frame.foot - frame.top),
  };
  pen.rect(box.left, box.top, box.right - box.left, box.foot - box.top, {
    fill: colour.background,
    stroke: colour.line,
    r: 8,
  });
  pen.text(
    box.left + 10,
    box.top + 18,
    `steps ${from.toLocaleString("en")} to ${longest.toLocaleString("en")}, enlarged`,
    { size: 13, fill: colour.quiet },
  );
  const inner = { left: box.left + 12, right: box.right - 100, top: box.top + 30, foot: box.foot - 12 };
  const x = (step) => inner.left + ((step - from) / (longest - from)) * (inner.right - inner.left);
  const y = (loss) => inner.foot - ((loss - low) / (high - low || 1)) * (inner.foot - inner.top);
  const places = apart(
    tails.map((tail) => y(tail[tail.length - 1][1]) + 5),
    16,
    inner.top + 4,
    inner.foot + 6,
  );
  tails.forEach((tail, i) => {
    const d = tail.map(([step, loss], k) => `${k ? "L" : "M"}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
    pen.path(d, { key: `tail${i}`, stroke: state.role(i), width: i === state.named ? 3.4 : 2.2 });
    const [step, loss] = tail[tail.length - 1];
    pen.circle(x(step), y(loss), i === state.named ? 5 : 3.5, { key: `zoom${i}`, fill: state.role(i) });
    pen.line(x(step) + 5, y(loss), inner.right + 13, places[i] - 5, {
      key: `lead${i}`,
      stroke: state.role(i),
      width: 1,
    });
    pen.text(inner.right + 16, places[i], lines[i].label, {
      key: `zoom${i}`,
      size: 13,
      bold: i === state.named,
      fill: state.role(i),
    });
  });
}

// A place for Start in the upper part of the chart that no curve crosses.
function zoneOf(frame, { x, y }, lines, { narrow }) {
  const wide = frame.right - frame.left;
  const size = narrow
    ? { width: 148, height: 44, top: frame.top + 14 }
    : { width: 200, height: 52, top: frame.top + 24 };
  const foot = size.top + size.height + (narrow ? 46 : 64);
  const points = lines.flatMap((curve) => [...curve.evaluations, ...curve.batches]).filter(([, loss]) => loss !== null);
  const free = (share) => {
    const left = frame.left + share * wide;
    return !points.some(([step, loss]) => x(step) >= left - 12 && x(step) <= left + size.width + 40 && y(loss) < foot);
  };
  const share = !lines.length
    ? 0.5
    : ([0.26, 0.3, 0.34, 0.38, 0.42].find(free) ?? (lines.some(({ why }) => why) ? 0.5 : 0.46));
  const left = Math.min(frame.left + share * wide, frame.right - size.width);
  return { ...size, left };
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function zone(pen, scene, frame, scales, state, its) {
  const { colour, narrow, data } = scene;
  const { left, top, height } = its.zone;
  if (!state.live.length) {
    handle(pen, scene, scales, state, its.zone);
    begin(pen, scene, its.zone, data.start, narrow ? 16 : 19);
    return note(pen, scene, frame, left, top + height + (narrow ? 19 : 24));
  }
  const names = data.runs.filter((run) => run.mine).map((run) => run.name);
  const history = state.told[state.named];
  const over = state.told.every((each) => isOver(each.state));
  const step = Math.min(...state.told.map((each) => each.step));
  const size = narrow ? 14 : 17;
  if (!data.recorded.length)
    pen.rect(left - 10, top - 16, narrow ? 150 : 330, narrow ? 90 : 96, {
      fill: colour.background,
      "fill-opacity": 0.82,
      r: 8,
    });
  pen.text(left, top + 2, stateWords(state), { size, bold: true, class: "state", halo: true });
  const counted = `step ${step.toLocaleString("en")} of ${history.steps.toLocaleString("en")}`;
  const speed = history.rate ? `, ${Math.round(history.rate / 100) / 10}k tokens/s on ${history.device}` : "";
  const weights = history.parameters ? `, ${history.parameters.toLocaleString("en")} weights` : "";
  pen.text(left, top + (narrow ? 20 : 24), narrow ? counted : `${counted}${speed}${weights}`, {
    size: narrow ? 13 : 14,
    fill: colour.quiet,
    halo: true,
    class: "count",
    room: frame.width - left - 150,
  });
  const row = top + (narrow ? 30 : 38);
  if (over)
    begin(
      pen,
      scene,
      { left, top: row, width: narrow ? 120 : 150, height: narrow ? 36 : 40 },
      data.blocked ? "Start" : "Start again",
      narrow ? 14 : 16,
    );
  else if (names.length) steer(pen, scene, its, state, names, left, row);
  else pen.text(left, row + 18, "Only the person who started it can pause it.", { size: 13, fill: colour.quiet });
  const below = row + (narrow ? 54 : 62);
  const why = state.told.map((each) => each.refused || each.why).find(Boolean) ?? "";
  if (!why) return data.recorded.length ? note(pen, scene, frame, left, below) : undefined;
  const room = (state.many && !narrow ? frame.left + 0.65 * (frame.right - frame.left) : frame.right) - left - 8;
  pen.group({ key: "why", class: "why" }, (each) =>
    wrapped(why, room, 14, narrow ? 5 : 6, true).forEach((line, i) =>
      each.text(left, below + 18 * i, `${line} `, {
        size: narrow ? 13 : 14,
        fill: colour.gradient,
        halo: true,
        room: room + 8,
      }),
    ),
  );
}

function stateWords({ told }) {
  const words = told.map((each) => WORDS[each.state ?? "queued"]);
  const same = words.every((word) => word === words[0]);
  const others = told.length === 1 && told[0].followers > 1 ? `, shared with ${told[0].followers - 1} more` : "";
  if (same)
    return `${words[0]}${told.length === 1 && told[0].place ? `, place ${told[0].place} in the queue` : ""}${others}`;
  return [...new Set(words)].map((word) => `${words.filter((each) => each === word).length} ${word}`).join(", ");
}

// The beginning of the line as a handle, which leads to the button.
function handle(pen, { colour, narrow }, { x, y }, { uniform }, { left, top, height }) {
  const [sx, sy] = [x(0), y(uniform)];
  if (!narrow)
    pen.path(`M${sx} ${sy}H${left - 22}V${top + height / 2}H${left}`, {
      stroke: colour.ink,
      width: 2.4,
      "stroke-linejoin": "round",
    });
  pen.circle(sx, sy, 10, { stroke: colour.ink, line: 2, class: "pulse" });
  pen.circle(sx, sy, 7, { fill: colour.ink });
}

function begin(pen, { colour, send, data }, { left, top, width, height }, words, size) {
  const draw = (button) => {
    button.rect(left, top, width, height, { fill: colour.ink, r: 9 });
    const wide = textWidth(words, size, true) + 30;
    const from = left + (width - wide) / 2;
    button.path(`M${from} ${top + height / 2 - 9}l16 9l-16 9z`, {
      fill: colour.background,
      stroke: colour.background,
      "stroke-linejoin": "round",
    });
    button.text(from + 30, top + height / 2 + size * 0.36, words, { size, bold: true, fill: colour.background });
  };
  pen.button(words === "Start" ? "Start training" : words, () => send({ start: true, at: Date.now() }), draw, {
    key: "begin",
    disabled: Boolean(data.blocked),
  });
}

function note(pen, { data, colour, narrow }, frame, left, top) {
  const room = frame.width - left - (narrow ? 8 : 150);
  const swatch = data.recorded.length && !narrow ? 34 : 0;
  if (swatch)
    pen.line(left, top - 5, left + 26, top - 5, { key: "swatch", stroke: colour.ink, width: 2.4, dash: "7 4" });
  data.note.forEach((line, i) =>
    pen.text(left + (i ? 0 : swatch), top + (narrow ? 17 : 19) * i, line, {
      key: `note${i}`,
      size: narrow ? 13 : 14,
      bold: !i,
      fill: i ? colour.quiet : colour.ink,
      halo: true,
      room: room - (i ? 0 : swatch),
      class: "note",
    }),
  );
}

// Of one run among several: what can be done with it now, as [name, sign, press].
const steering = (its, data) => (i) => {
  const run = data.runs[i];
  if (!run?.mine) return [];
  const verbs = /** @type {const} */ (["pause", "resume", "stop"]);
  const fitting = verbs.filter((verb) => FITS[verb](its.histories.get(run.name).state));
  return fitting.map((verb) => [`${STEER[verb]} ${run.label}`, SIGNS[verb], () => control(its, [run.name], verb)]);
};

const STEER = { pause: "Pause", resume: "Resume", step: "One step", stop: "Stop" };
const SIGNS = {
  pause: "M-5 -6h3.5v12h-3.5zM2 -6h3.5v12h-3.5z",
  resume: "M-4 -7l10 7l-10 7z",
  step: "M-6 -6l8 6l-8 6zM4 -6h3v12h-3z",
  stop: "M-5.5 -5.5h11v11h-11z",
};

// Pause or resume, one step, stop: at once, without a rerun of the page.
function steer(pen, { colour, narrow }, its, state, names, left, top) {
  const fits = (verb, among = names) => among.filter((name) => FITS[verb](its.histories.get(name).state));
  const all = names.length > 1 ? " all" : "";
  const first = fits("pause").length ? "pause" : "resume";
  let x = left;
  for (const [key, verb] of /** @type {const} */ ([
    ["go", first],
    ["step", "step"],
    ["stop", "stop"],
  ])) {
    const words = narrow ? "" : STEER[verb];
    const width = narrow ? 40 : 46 + textWidth(words, 15, true);
    const at = x;
    pen.button(
      STEER[verb] + all,
      () => control(its, fits(verb), verb),
      (button) => {
        button.rect(at, top, width, 36, { fill: colour.background, stroke: colour.ink, r: 8 });
        button.path(SIGNS[verb], {
          fill: colour.ink,
          stroke: "none",
          width: 0,
          transform: `translate(${at + 20} ${top + 18})`,
        });
        if (words) button.text(at + 34, top + 23, words, { size: 15, bold: true });
      },
      { key, disabled: !fits(verb).length, "data-verb": verb },
    );
    x += width + 8;
  }
}

// A line at the step that is pointed at, or that the arrow keys lead to, with the numbers there.
function reader(pen, scene, frame, scales, state, its) {
  const { colour, narrow, memory, again } = scene;
  const { left, right, top, foot } = frame;
  const last = Math.max(0, ...state.lines.map((curve) => lossAt(curve)?.[0] ?? 0));
  const hold = (step) => {
    const held = step === null ? null : Math.max(0, Math.min(last, step));
    if (held === memory.held) return;
    memory.held = held;
    again();
  };
  its.hold = hold;
  its.stepAt = scales.stepAt;
  const open = !Number.isFinite(state.from);
  const handleAt = open && memory.held !== null && memory.held !== undefined ? memory.held : null;
  const area = pen.rect(left, foot - 26, right - left, 30, { fill: "transparent", r: 0, class: "scrub" });
  watch(area, its);
  const knob = pen.group(
    {
      key: "knob",
      role: "slider",
      tabindex: 0,
      "aria-label": "Step to look at",
      "aria-valuemin": 0,
      "aria-valuemax": last,
      "aria-valuenow": handleAt ?? last,
      "aria-valuetext": `step ${handleAt ?? last}`,
      class: "press knob",
    },
    (each) => {
      const x = scales.x(handleAt ?? last);
      each.rect(x - 12, foot - 19, 24, 24, { fill: "transparent" });
      each.path(`M${x} ${foot + 1}l-7 -11h14z`, { fill: colour.ink, stroke: colour.background });
    },
  );
  keys(knob, its, last);
  if (handleAt === null) return;
  const at = scales.x(handleAt);
  pen.line(at, top, at, foot, { key: "held", stroke: colour.ink, width: 1.5, class: "held" });
  const said = state.lines.map((curve) => {
    const found = lossAt(curve, handleAt);
    const batch = curve.batches.find(([step]) => step >= handleAt);
    const loss = found ? (found[1] === null ? "not finite" : formatNumber(found[1])) : "…";
    if (state.many) return `${curve.label} ${loss}`;
    const of =
      found && found[1] !== null ? `, perplexity ${formatNumber(Number(Math.exp(found[1]).toPrecision(4)))}` : "";
    return `validation ${loss}${of}${batch && batch[1] !== null ? `, batch ${formatNumber(batch[1])}` : ""}`;
  });
  const lines = [`step ${handleAt.toLocaleString("en")}`, ...said];
  const width = Math.max(...lines.map((line, i) => textWidth(line, 14, !i))) + 20;
  const x = Math.max(4, Math.min(at + 10, frame.width - width - 4));
  const height = 19 * lines.length + 12;
  pen.rect(x, foot - height - 34, width, height, { fill: colour.background, stroke: colour.ink, r: 8 });
  lines.forEach((line, i) =>
    pen.text(x + 10, foot - height - 14 + 19 * i, line, {
      key: `read${i}`,
      size: narrow ? 13 : 14,
      bold: !i,
      class: "reading",
    }),
  );
}

function watch(area, its) {
  if (area.watched) return;
  area.watched = true;
  const move = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(
      area.ownerSVGElement.getScreenCTM().inverse(),
    );
    its.hold(its.stepAt(point.x));
  };
  area.addEventListener("pointermove", move);
  area.addEventListener("pointerdown", move);
  area.addEventListener("pointerleave", () => its.hold(null));
}

function keys(knob, its, last) {
  knob.last = last;
  if (knob.listening) return;
  knob.listening = true;
  knob.addEventListener("keydown", (event) => {
    const now = Number(knob.getAttribute("aria-valuenow"));
    const by = Math.max(1, Math.round(now / 10));
    const to = {
      ArrowLeft: now - by,
      ArrowDown: now - by,
      ArrowRight: now + by,
      ArrowUp: now + by,
      Home: 0,
      End: knob.last,
    }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      its.hold(to);
    } else if (event.key === "Escape") its.hold(null);
  });
  knob.addEventListener("blur", () => its.hold(null));
}

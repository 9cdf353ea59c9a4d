// A small network with the plane that it divides, and its training below: time is a slider. Each unit is a map
// of what it computes over the plane; weights, the input and own points are moved by hand.

import { line } from "../../ui/browser/d3.js";
import { frameEvent } from "../../ui/browser/frames.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { evenTicks } from "../../ui/browser/scales.js";
import { sharpness } from "../shared/canvas.js";
import { crossings } from "../shared/crossings.js";
import { codeStrip, isComputed, isLit } from "./code_strip.js";
import { classOf, forward, judge, maps, placeOf } from "./forward.js";
import { drag } from "../shared/hand.js";
import { paintMaps } from "./maps.js";
import { labelPlace, places, planeScale } from "./places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["networks"]} Data */

const DIM = 0.18;
const SIDE = 60; // cells of a map along each side
const PER = 60; // units of the drawing that move a weight by 1
const OVERFLOWS = 3; // the sentence of a loss that is not finite
const PLAYED = 4000; // ms in which the whole training plays
const NUMBERED = 8; // edges between two layers that have their number written
const INSIDE = 58; // the size of a unit from which its value stands inside

/** @param {Component<Data>} component */
export default function networks(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    if (!scene.data.passes) scene.memory.line = undefined;
    else scene.memory.line ??= 0;
    const net = stateOf(scene);
    net.maps = maps(net, net.parameters, net.window, SIDE);
    const at = places(scene, net.sizes);
    if (scene.moved !== "w") scene.tell(scene.values("@say"), false);
    paintMaps(pen, scene, net, at, { side: SIDE, sharp: sharpness(pen.parent) });
    part(pen, scene, "edges", (its) => edges(its, scene, net, at));
    part(pen, scene, "inputs", (its) => inputs(its, scene, at));
    part(pen, scene, "hidden", (its) => hiddenUnits(its, scene, net, at));
    part(pen, scene, "output", (its) => output(its, scene, net, at));
    part(pen, scene, "plane", (its) => plane(its, scene, net, at));
    part(pen, scene, "steps", (its) => (scene.data.passes ? codeStrip(its, scene, net, at) : steps(its, scene, at)));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

// The network as it stands: the parameters of the step, with what a hand has set, and what they compute.
function stateOf(scene) {
  const { data, values, memory } = scene;
  if (memory.data !== data) {
    Object.assign(memory, { data, held: null, points: null });
    memory.gradients = new Float32Array(
      data.gradients.buffer,
      data.gradients.byteOffset,
      data.gradients.byteLength / 4,
    );
  }
  const count = data.rows.length / data.loss.length;
  const step = Math.min(Math.max(Math.round(values("step")), 0), data.loss.length - 1);
  const parameters = data.rows.slice(step * count, (step + 1) * count);
  if (step === data.at) for (const [place, value] of Object.entries(data.hand)) parameters[place] = value;
  const touched = memory.held ?? data.weight;
  parameters[touched] = values("w");
  const net = { sizes: data.sizes, functions: data.functions };
  const byHand =
    Math.abs(parameters[touched] - data.rows[step * count + touched]) > 1e-12 ||
    (step === data.at && Object.keys(data.hand).length > 0);
  const x = [values("x1"), values("x2")];
  const window = { low: data.low, high: data.high };
  return {
    ...net,
    parameters,
    x,
    window,
    backward: data.flow === "gradients" && !byHand, // what a hand has set has no gradient of the run
    layers: forward(net, parameters, x),
    maps: /** @type {Float64Array[][]} */ ([]),
    gradients: memory.gradients.subarray(step * count, (step + 1) * count),
    points: memory.points ?? { x: data.x, labels: data.labels, held: data.held },
  };
}

// What a hand has moved, as a frame for everything that shows these numbers.
function show(scene, moved, label, changed, judged = moved === "w") {
  const { data, values } = scene;
  const row = Float64Array.from(data.names, (name) => changed[name] ?? values(name));
  const get = (name) => row[data.names.indexOf(name)];
  const net = stateOf({ ...scene, values: get });
  const last = net.layers.at(-1);
  const put = (name, value) => data.names.includes(name) && (row[data.names.indexOf(name)] = value);
  last.z.forEach((z, k) => put(`z${k + 1}`, z));
  last.a.forEach((p, k) => put(`p${k + 1}`, p));
  if (judged) {
    const seen = judge(net, net.parameters, net.points, 0);
    put("loss", seen.loss);
    put("wrong", Number.isFinite(seen.loss) ? seen.wrong : NaN);
    put("val", judge(net, net.parameters, net.points, 1).loss);
    put("@say", Number.isFinite(seen.loss) ? Number(seen.wrong === 0) : OVERFLOWS);
  }
  window.dispatchEvent(new CustomEvent(frameEvent(data.group), { detail: { row, moved, label } }));
}

// --- the graph ------------------------------------------------------------------------------------

const columnsOf = (at) => [at.inputs, ...at.layers, at.outputs];

function edges(pen, scene, net, at) {
  const { colour } = scene;
  const { backward } = net;
  const columns = columnsOf(at);
  const shown = backward ? net.gradients : net.parameters;
  const role = backward ? colour.gradient : colour.weight;
  const most = shown.reduce((top, each) => Math.max(top, Math.abs(each)), 1e-9);
  for (let layer = 0; layer < net.functions.length; layer++) {
    const [from, to] = [columns[layer], columns[layer + 1]];
    const t = labelPlace(from, to);
    const crowded =
      t === null ||
      from.length > 4 ||
      (layer > 0 && from[0].size < INSIDE) ||
      from.length * to.length > NUMBERED ||
      at.small;
    to.forEach((unit, i) => {
      from.forEach((source, j) => {
        const place = placeOf(net, layer, i, j);
        edge(pen, scene, net, {
          source,
          unit,
          place,
          value: shown[place],
          role,
          most,
          backward,
          crowded,
          t: t ?? 0.5,
          layer,
          i,
          j,
        });
      });
    });
  }
}

function edge(pen, scene, net, its) {
  const { colour, memory, data } = scene;
  const { source, unit, place, value, role, most, backward, crowded } = its;
  const [x1, y1, x2, y2] = [source.x + source.size / 2, source.y, unit.x - unit.size / 2, unit.y];
  const ends = backward ? [x2, y2, x1, y1] : [x1, y1, x2, y2];
  const d = `M${ends[0]} ${ends[1]}L${ends[2]} ${ends[3]}`;
  const share = Math.min(Math.abs(value) / most, 1);
  const chosen = (memory.held ?? data.weight) === place;
  const width = 1 + 9 * share;
  const name = nameOf(net, its.layer, its.i, its.j);
  const opacity = isComputed(memory, net, its.layer, "z") ? null : DIM;
  pen.group({ key: `edge ${place}`, class: "grab", "data-edge": place, opacity }, (group) => {
    if (isLit(memory, "W", its.layer + 1)) group.path(d, { stroke: colour.mark, width: width + 10 });
    group.path(d, {
      stroke: chosen ? colour.ink : role,
      width: chosen ? Math.max(width, 2.5) : width,
      "stroke-opacity": chosen ? 0.75 : 0.3,
      dash: value < 0 ? "3 5" : null,
    });
    if (share > 0.04 && !crowded) group.beads(d, role);
    group.path(d, { stroke: "transparent", width: 14, "pointer-events": "stroke" });
    if (!crowded || chosen) pill(group, scene, its, name, chosen);
    grabWeight(group.parent, scene, net, place, name);
  });
}

function pill(pen, { colour }, { source, unit, value, role, t }, name, chosen) {
  const text = formatNumber(value);
  const wide = textWidth(text, 14, true) + 14;
  const [x1, x2] = [source.x + source.size / 2, unit.x - unit.size / 2];
  const [x, y] = [x1 + (x2 - x1) * t, source.y + (unit.y - source.y) * t];
  pen.rect(x - wide / 2, y - 12, wide, 24, {
    r: 12,
    fill: colour.background,
    stroke: chosen ? colour.ink : role,
    line: chosen ? 2.5 : 1.2,
  });
  pen.text(x, y + 5, text, { size: 14, bold: true, anchor: "middle", fill: chosen ? colour.ink : role });
}

// As lessons/networks/picture.py writes the name of a weight.
function nameOf(net, layer, unit, from) {
  const sub = (i) => "₀₁₂₃₄₅₆₇₈₉"[i + 1];
  const raised = `⁽${"⁰¹²³⁴"[layer + 1]}⁾`;
  return from < 0 ? `b${raised}${sub(unit)}` : `W${raised}${sub(unit)}${sub(from)}`;
}

function grabWeight(node, scene, net, place, name) {
  const { memory } = scene;
  drag(node, {
    down: (x) => /** @type {{ value: number, x: number, last?: number }} */ ({ value: net.parameters[place], x }),
    move: (began, x) => {
      memory.held = place;
      const value = Math.round((began.value + (x - began.x) / PER) * 100) / 100;
      show({ ...scene, memory }, "w", name, { w: value });
      began.last = value;
    },
    up: (began, moved) => scene.send({ weight: place, value: moved ? began.last : null }),
  });
}

function inputs(pen, { colour, values, memory }, at) {
  const small = at.small;
  pen.text(at.inputs[0].x, at.head, small ? "x" : "input x", {
    size: small ? 13 : 15,
    bold: true,
    fill: colour.input,
    anchor: "middle",
  });
  at.inputs.forEach(({ x, y, size }, i) => {
    pen.circle(x, y, size / 2, { fill: isLit(memory, "a", 0) ? colour.mark : colour.background, stroke: colour.input });
    pen.text(x, y - 4, `x${"₁₂"[i]}`, { size: 13, anchor: "middle", fill: colour.input });
    const number = formatNumber(Math.round(values(`x${i + 1}`) * 100) / 100);
    pen.text(x, y + 15, number, { size: number.length > 4 ? 13 : 16, bold: true, anchor: "middle" });
  });
}

function hiddenUnits(pen, scene, net, at) {
  const { colour, data } = scene;
  at.layers.forEach((units, layer) => {
    const raised = `⁽${"⁰¹²³⁴"[layer + 1]}⁾`;
    const whole = `a${raised} = ${data.symbols[layer]}(z${raised})`;
    const title = at.small || textWidth(whole, 15, true) > at.column - 12 ? `a${raised}` : whole;
    pen.text(units[0].x, at.head, title, {
      size: at.small ? 13 : 15,
      bold: true,
      fill: colour.activation,
      anchor: "middle",
    });
    units.forEach((unit, i) => hiddenUnit(pen, scene, net, at, { ...unit, layer, i, count: units.length }));
  });
}

function hiddenUnit(pen, scene, net, at, { x, y, size, layer, i, count }) {
  const { colour, memory } = scene;
  const half = size / 2;
  const lit = ["z", "a"].some((symbol) => isLit(memory, symbol, layer + 1));
  const after = isComputed(memory, net, layer, "a");
  const before = isComputed(memory, net, layer, "z");
  if (lit) pen.rect(x - half - 6, y - half - 6, size + 12, size + 12, { r: 9, stroke: colour.mark, line: 7 });
  pen.rect(x - half, y - half, size, size, { r: 6, stroke: after ? colour.activation : colour.quiet, line: 2 });
  const letter = after ? "a" : "z";
  const value = before ? formatNumber(net.layers[layer][letter][i]) : "?";
  const fill = after ? colour.activation : before ? colour.score : colour.quiet;
  const text = size > 80 && !at.small ? `${letter}${"₁₂₃₄₅₆₇₈"[i]} = ${value}` : value;
  const print = size > 80 ? 15 : 13;
  const wide = textWidth(text, print, true) + 10;
  if (size < INSIDE) return pen.text(x + half + 4, y + 5, text, { size: 13, bold: true, fill, halo: true });
  pen.rect(x - wide / 2, y + half - print - 10, wide, print + 7, {
    r: 5,
    fill: colour.background,
    "fill-opacity": 0.88,
  });
  pen.text(x, y + half - 8, text, { size: print, bold: true, anchor: "middle", fill });
  if (count <= 4 && !at.small) bias(pen, scene, net, { x, y: y + half + 13, layer, i });
}

function bias(pen, scene, net, { x, y, layer, i }) {
  const { colour, data, memory } = scene;
  const place = placeOf(net, layer, i, -1);
  const chosen = (memory.held ?? data.weight) === place;
  const { backward } = net;
  const role = chosen ? colour.ink : backward ? colour.gradient : colour.weight;
  const lit = isLit(memory, "b", layer + 1);
  const text = `b ${formatNumber((backward ? net.gradients : net.parameters)[place])}`;
  const wide = textWidth(text, 13, true) + 14;
  pen.group({ key: `bias ${layer} ${i}`, class: "grab" }, (group) => {
    group.rect(x - wide / 2, y - 10, wide, 20, {
      r: 10,
      fill: lit ? colour.mark : colour.background,
      stroke: role,
      line: chosen ? 2.5 : 1.2,
    });
    group.text(x, y + 5, text, { size: 13, bold: true, anchor: "middle", fill: lit ? colour.onMark : role });
    grabWeight(group.parent, scene, net, place, nameOf(net, layer, i, -1));
  });
}

function output(pen, scene, net, at) {
  const { colour, hidden, data, memory } = scene;
  const layer = net.functions.length - 1;
  const lit = ["z", "a"].some((symbol) => isLit(memory, symbol, layer + 1));
  const after = isComputed(memory, net, layer, "a");
  const before = isComputed(memory, net, layer, "z");
  const { z, a } = net.layers[layer];
  const top = Math.min(...at.outputs.map(({ y, size }) => y - size / 2));
  pen.text(
    at.outputs[0].x,
    at.small ? at.head : Math.min(top - 12, at.plane.top + 60),
    at.small ? "ŷ" : `ŷ = ${data.symbols[layer]}(z)`,
    { size: at.small ? 13 : 15, bold: true, fill: colour.activation, anchor: "middle" },
  );
  at.outputs.forEach(({ x, y, size }, k) => {
    const to = at.small ? null : at.plane.left - 6;
    if (to && at.outputs.length === 1) {
      pen.line(x + size / 2, y, to, y, { stroke: colour.activation, width: 3 });
      pen.head(to, y, 0, colour.activation, 10);
    }
    pen.circle(x, y, size / 2, {
      fill: lit ? colour.mark : colour.background,
      stroke: after ? colour.activation : colour.quiet,
      line: 2.5,
    });
    const name = `${after ? "p" : "z"}${k + 1}`;
    const text = hidden(name) || !before ? "?" : formatNumber(after ? a[k] : z[k]);
    pen.text(x, y + 5, short(text), {
      size: 13,
      bold: true,
      anchor: "middle",
      fill: lit ? colour.onMark : after ? colour.ink : colour.score,
    });
    if (at.outputs.length === 1 && !at.small) bias(pen, scene, net, { x, y: y + size / 2 + 15, layer, i: 0 });
    if (at.outputs.length > 1) pen.text(x + size / 2 + 6, y + 5, `class ${k}`, { size: 13, fill: colour.quiet });
  });
}

// Rounded to three decimals where there is room for no more.
const short = (text) => {
  const value = Number(text.replace("−", "-"));
  return text.length > 6 && Number.isFinite(value) ? value.toFixed(3).replace("-", "−") : text;
};

// --- the plane ------------------------------------------------------------------------------------

function plane(pen, scene, net, at) {
  const { colour, values } = scene;
  const { left, top, wide, high } = at.plane;
  const scale = planeScale(at.plane, net.window);
  const count = net.points.labels.length - net.points.held.reduce((sum, each) => sum + Number(each), 0);
  const held = judge(net, net.parameters, net.points, 1);
  const title = `${formatNumber(values("wrong"))} of ${count} wrong${held.count ? `, ${held.wrong} of ${held.count} held out` : ""}`;
  if (!at.small) {
    const heading = "What the network computes";
    const fits = textWidth(heading, 15, true) + textWidth(title, 15, true) + 20 < wide;
    pen.text(left, top - 9, fits ? heading : "ŷ", { size: 15, bold: true, fill: colour.activation });
    pen.markedText(left + wide, top - 9, title, true, { size: 15, bold: true, anchor: "end" });
  }
  if (!scene.hidden("map")) border(pen, scene, net, at.plane);
  pen.rect(left, top, wide, high, { r: 3, stroke: colour.activation, line: 2, key: "frame" });
  pen.text(left + wide - 4, top + high - 6, "x₁", {
    size: 14,
    bold: true,
    anchor: "end",
    fill: colour.input,
    halo: true,
  });
  pen.text(left + 6, top + 17, "x₂", { size: 14, bold: true, fill: colour.input, halo: true });
  const cover = pen.rect(left, top, wide, high, { key: "cover", fill: "transparent", class: "grab" });
  grabPlane(cover, scene, net, scale);
  points(pen, scene, net, scale, at);
  const [x, y] = [scale.x(net.x[0]), scale.y(net.x[1])];
  pen.group({ key: "input", "pointer-events": "none" }, (mark) => {
    const cross = `M${x - 15} ${y}h30M${x} ${y - 15}v30`;
    mark.path(cross, { stroke: colour.background, width: 6 });
    mark.path(cross, { stroke: colour.ink, width: 2.5 });
    mark.circle(x, y, 8, { stroke: colour.ink, line: 2.5 });
  });
}

function border(pen, { colour }, net, { left, top, wide, high }) {
  const maps = net.maps.at(-1);
  const cell = wide / SIDE;
  const put = ([x1, y1, x2, y2]) =>
    `M${left + (x1 + 0.5) * cell} ${top + (y1 + 0.5) * (high / SIDE)}L${left + (x2 + 0.5) * cell} ${top + (y2 + 0.5) * (high / SIDE)}`;
  const levels =
    maps.length === 1
      ? [[maps[0], 0.5]]
      : maps.map((map, k) => [
          map.map((p, i) => p - Math.max(...maps.filter((_, j) => j !== k).map((other) => other[i]))),
          0,
        ]);
  const d = levels.map(([map, level]) => crossings(map, SIDE, level).map(put).join("")).join("");
  pen.path(d, { key: "border halo", stroke: colour.background, width: 5, "pointer-events": "none" });
  pen.path(d, { key: "border", stroke: colour.ink, width: 2.5, "pointer-events": "none" });
}

function points(pen, scene, net, scale, { small, plane: { left, top, wide, high } }) {
  const { colour } = scene;
  const { x, labels, held } = net.points;
  const few = labels.length <= 12;
  const radius = few ? (small ? 9 : 13) : small ? 3.5 : 5;
  pen.group({ tag: "clipPath", key: "clip", id: "networks-plane" }, (clip) =>
    clip.rect(left, top, wide, high, { r: 3 }),
  );
  pen.group({ key: "points", "clip-path": "url(#networks-plane)" }, (group) => {
    for (let i = 0; i < labels.length; i++) {
      const [across, down] = [scale.x(x[2 * i]), scale.y(x[2 * i + 1])];
      const { z } = forward(net, net.parameters, [x[2 * i], x[2 * i + 1]]).at(-1);
      const wrong = classOf(z) !== labels[i];
      const how = {
        fill: held[i] ? colour.background : few ? colour.background : colour.ink,
        stroke: wrong ? colour.gradient : few || held[i] ? colour.ink : colour.background,
        line: wrong ? (few ? 5 : 3) : few ? 2 : 1.2,
      };
      group.group({ key: `point ${i}`, class: "grab" }, (mark) => {
        shape(mark, labels[i], across, down, radius, how);
        if (few) mark.text(across, down + 5, `${labels[i]}`, { size: small ? 13 : 15, bold: true, anchor: "middle" });
        grabPoint(mark.parent, scene, net, scale, i);
      });
    }
  });
}

function shape(pen, label, x, y, r, how) {
  if (label === 0) return pen.circle(x, y, r, how);
  if (label === 1) return pen.rect(x - r, y - r, 2 * r, 2 * r, { ...how, r: 2 });
  return pen.path(`M${x} ${y - 1.2 * r}L${x + 1.1 * r} ${y + 0.8 * r}H${x - 1.1 * r}z`, {
    fill: how.fill,
    stroke: how.stroke,
    width: how.line,
  });
}

const inWindow = ({ low, high }, value) => Math.min(Math.max(Math.round(value * 100) / 100, low), high);

function grabPlane(node, scene, net, scale) {
  const { data, send } = scene;
  const to = (x, y) => scale.back(x, y).map((each) => inWindow(net.window, each));
  const put = ([x1, x2]) => show(scene, "x1", "the input", { x1, x2 });
  const moves = data.brush === "input" || data.data !== "own";
  drag(node, {
    down: (x, y) => ({ at: to(x, y) }),
    start: (began) => moves && put(began.at),
    move: (began, x, y) => moves && put((began.at = to(x, y))),
    up: (began) => {
      if (moves) return send({ x: began.at });
      if (data.brush === "erase") return;
      send({ points: [...listOf(net.points), [...began.at, Number(data.brush.slice(-1))]] });
    },
  });
}

const listOf = ({ x, labels }) => Array.from(labels, (label, i) => [x[2 * i], x[2 * i + 1], label]);

function grabPoint(node, scene, net, scale, i) {
  const { data, memory, send } = scene;
  const own = data.data === "own" || net.points.labels.length <= 12;
  drag(node, {
    down: () => /** @type {{ all?: number[][] }} */ ({}),
    move: (began, x, y) => {
      if (!own) return;
      const at = scale.back(x, y).map((each) => inWindow(net.window, each));
      const all = listOf(net.points);
      all[i] = [...at, all[i][2]];
      memory.points = {
        x: all.flatMap(([a, b]) => [a, b]),
        labels: all.map((each) => each[2]),
        held: all.map(() => 0),
      };
      show(scene, "x1", "a point", {}, true);
      began.all = all;
    },
    up: (began, moved) => {
      if (moved && own) return send({ points: began.all });
      if (data.brush === "erase" && data.data === "own")
        return send({ points: listOf(net.points).filter((_, j) => j !== i) });
      const { x } = net.points;
      send({ x: [x[2 * i], x[2 * i + 1]] });
    },
  });
}

// --- the steps of training ------------------------------------------------------------------------

function steps(pen, scene, at) {
  const { colour, data, values, memory, move } = scene;
  const { left, top, wide, high } = at.strip;
  const last = data.loss.length - 1;
  const finite = [...data.loss, ...data.validation].filter(Number.isFinite);
  const most = Math.max(Math.min(Math.max(...finite), 3 * data.loss[0]), 0.2) * 1.08;
  const x = (step) => left + (step / Math.max(last, 1)) * wide;
  const y = (loss) => top + high - (Math.min(loss, most) / most) * high;
  for (const tick of evenTicks(0, most, 2)) {
    pen.line(left, y(tick), left + wide, y(tick), { stroke: colour.line, width: 1 });
    pen.text(left - 7, y(tick) + 5, formatNumber(tick), { size: 13, fill: colour.quiet, anchor: "end" });
  }
  for (const tick of evenTicks(0, last, at.small ? 3 : 5))
    pen.text(x(tick), top + high + 18, `${tick}`, {
      size: 13,
      fill: colour.quiet,
      anchor: tick ? (tick === last ? "end" : "middle") : "start",
    });
  pen.text(left + wide - 44, top + high + 18, at.small ? "" : "step", { size: 13, fill: colour.quiet, anchor: "end" });
  if (memory.curve !== data || memory.size !== `${left} ${top} ${wide} ${high}`)
    Object.assign(memory, { curve: data, size: `${left} ${top} ${wide} ${high}`, paths: curvesOf(data, x, y) });
  pen.path(memory.paths[1], { key: "validation", stroke: colour.loss, width: 2, dash: "5 4" });
  pen.path(memory.paths[0], { key: "training", stroke: colour.loss, width: 3 });
  if (!at.small)
    pen.text(left, top - 12, memory.paths[1] ? "loss L in nats: training, and - - held out" : "loss L in nats", {
      size: 14,
      bold: true,
      fill: colour.loss,
    });
  const step = Math.min(Math.max(values("step"), 0), last);
  const loss = data.loss[Math.round(step)];
  pen.line(x(step), top - 6, x(step), top + high, { key: "now", stroke: colour.ink, width: 2 });
  pen.circle(x(step), y(loss), 8, { key: "dot", fill: colour.loss, stroke: colour.background, line: 2.5 });
  const label = `step ${Math.round(step)}`;
  const flip = x(step) + textWidth(label, 15, true) + 14 > left + wide;
  pen.text(x(step) + (flip ? -12 : 12), top + 8, label, {
    key: "label",
    size: 15,
    bold: true,
    anchor: flip ? "end" : "start",
    halo: true,
  });
  const cover = pen.rect(left - 8, top - 10, wide + 16, high + 12, {
    key: "cover",
    fill: "transparent",
    class: "grab",
  });
  const to = (across) => Math.round(Math.min(Math.max((across - left) / wide, 0), 1) * last);
  drag(cover, {
    down: (across) => ((memory.playing = 0), { step: to(across) }),
    start: (began) => move("step", began.step, false),
    move: (began, across) => move("step", (began.step = to(across)), false),
    up: (began) => move("step", began.step, true),
  });
  player(pen, scene, at, last);
}

function curvesOf({ loss, validation }, x, y) {
  const path = (values) =>
    line(
      (_, i) => x(i),
      (value) => y(value),
    ).defined(Number.isFinite)(Array.from(values)) ?? "";
  return [path(loss), path(validation)];
}

function player(pen, scene, at, last) {
  const { colour, memory, values, move, again } = scene;
  const [x, y] = [at.small ? 20 : 26, at.strip.top + at.strip.high / 2];
  const play = () => {
    memory.playing = (memory.playing ?? 0) > 0 ? 0 : performance.now();
    if (!memory.playing) return move("step", Math.round(memory.step), true);
    const from = values("step") >= last ? 0 : values("step");
    const began = memory.playing;
    const next = (now) => {
      if (memory.playing !== began) return;
      memory.step = Math.min(from + ((now - began) / PLAYED) * last, last);
      const done = memory.step >= last || !pen.parent.isConnected;
      if (done) memory.playing = 0;
      move("step", Math.round(memory.step), done);
      if (!done) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    again();
  };
  pen.button(memory.playing ? "Stop" : "Play the training", play, (its) => {
    its.circle(x, y, 17, { fill: colour.background, stroke: colour.loss, line: 2 });
    if (memory.playing) its.rect(x - 6, y - 6, 12, 12, { r: 1, fill: colour.loss });
    else its.path(`M${x - 5} ${y - 8}L${x + 9} ${y}L${x - 5} ${y + 8}z`, { fill: colour.loss, stroke: colour.loss });
  });
}

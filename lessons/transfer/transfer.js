// A pre-trained network with a new head: its parts, frozen or learning, beside its accuracy by the number of labels.
// A press on a part freezes up to it; a drag over the curves moves the number of labels.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth, through } from "../../ui/browser/pen.js";
import { drag } from "../shared/hand.js";
import { spread } from "../shared/labels.js";
import { curvesBox, places } from "./places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["transfer"]} Data */

const DIM = 0.18;
const GRID = [0, 0.25, 0.5, 0.75, 1];

/** @param {Component<Data>} component */
export default function transfer(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = places(scene);
    part(pen, scene, "stack", (its) => stack(its, scene, at));
    part(pen, scene, "curves", (its) => curves(its, scene, at));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

const whole = (number) => Math.round(number).toLocaleString("en");

// --- the network -----------------------------------------------------------------------------------

function stack(pen, scene, at) {
  const { data, values } = scene;
  const frozen = Math.round(values("frozen"));
  data.parts.forEach((its, k) => box(pen, scene, at, its, k, k < frozen));
  head(pen, scene, at);
  vectors(pen, scene, at);
  tokens(pen, scene, at);
}

function box(pen, scene, at, { name, weights }, k, frozen) {
  const { colour, move } = scene;
  const { left, top, wide, high } = at.part(k);
  const tint = frozen ? colour.mask : colour.weight;
  const state = frozen ? "frozen" : "learns";
  const reached = `${name}: ${whole(weights)} weights, ${frozen ? "frozen" : "they learn"}. Freeze ${frozen ? "only below" : "up to here"}`;
  pen.button(
    reached,
    () => move("frozen", frozen ? k : k + 1, true),
    (its) => {
      its.rect(left, top, wide, high, { r: 6, fill: tint, opacity: frozen ? 0.12 : 0.22 });
      its.rect(left, top, wide, high, { r: 6, stroke: tint, line: frozen ? 1.5 : 2.5, dash: frozen ? "5 4" : null });
      const y = top + high / 2 + 5;
      if (at.small) {
        its.text(left + wide / 2, y - 7, name.replace("block ", "").replace("LSTM layer ", "h"), {
          size: 14,
          bold: true,
          anchor: "middle",
        });
        its.text(left + wide / 2, y + 10, state, { size: 13, anchor: "middle", fill: tint });
        return;
      }
      its.text(left + 12, y, name, { size: 17, bold: true });
      its.text(left + wide - 12, y, state, { size: 16, bold: !frozen, anchor: "end", fill: tint });
      its.text(left + wide - 84, y, whole(weights), { size: 15, anchor: "end", fill: colour.quiet });
    },
    { key: `part ${k}`, chosen: frozen },
  );
}

// The new head above, and the one that pre-training had, struck out.
function head(pen, scene, at) {
  const { colour, data, hidden } = scene;
  const { left, top, wide, high } = at.head;
  pen.rect(left, top, wide, high, { key: "head", r: 6, fill: colour.score, opacity: 0.2 });
  pen.rect(left, top, wide, high, { key: "head line", r: 6, stroke: colour.score, line: 2.5 });
  if (at.small) {
    pen.text(left + wide / 2, top + high / 2 - 2, "head", { size: 14, bold: true, anchor: "middle" });
    pen.text(left + wide / 2, top + high / 2 + 15, "new", { size: 13, anchor: "middle", fill: colour.score });
    return;
  }
  pen.text(left + 10, top + 20, `new head, ${hidden("learn") ? "?" : whole(data.head)} weights`, {
    size: 15,
    bold: true,
    fill: colour.score,
    room: wide - 16,
  });
  pen.text(left + 10, top + 40, data.labels.join(" · "), { size: 15, room: wide - 16 });
  const gone = at.gone;
  pen.rect(gone.left, gone.top, gone.wide, gone.high, {
    key: "gone",
    r: 6,
    stroke: colour.mask,
    line: 1.5,
    dash: "3 4",
  });
  pen.text(gone.left + gone.wide / 2, gone.top + 20, "left out:", {
    size: 14,
    anchor: "middle",
    fill: colour.quiet,
    room: gone.wide - 8,
  });
  pen.text(gone.left + gone.wide / 2, gone.top + 39, data.lost, {
    size: 14,
    anchor: "middle",
    fill: colour.quiet,
    room: gone.wide - 8,
  });
  pen.line(gone.left + 6, gone.top + gone.high - 6, gone.left + gone.wide - 6, gone.top + 6, {
    key: "struck",
    stroke: colour.quiet,
    width: 1.5,
    opacity: 0.6,
  });
}

// One vector a token over the last block; those that the head reads are filled.
function vectors(pen, scene, at) {
  const { colour, data } = scene;
  if (at.small) return;
  const count = data.tokens.length;
  const [x, y] = [at.column(count, slant(data)), at.vectors];
  const foot = at.head.top + at.head.high;
  data.tokens.forEach((_, i) => {
    const read = data.read.includes(i);
    if (read)
      pen.line(x(i), y - 6, Math.min(Math.max(x(i), at.head.left + 14), at.head.left + at.head.wide - 14), foot, {
        key: `read ${i}`,
        stroke: colour.score,
        width: 2,
      });
    pen.circle(x(i), y, read ? 6 : 4, {
      key: `z ${i}`,
      fill: read ? colour.score : "none",
      stroke: read ? colour.score : colour.quiet,
      line: 1.5,
    });
  });
}

// Many tokens stand slanted.
const slant = ({ tokens }) => tokens.length > 11;

function tokens(pen, scene, at) {
  const { colour, data } = scene;
  if (at.small) return;
  const count = data.tokens.length;
  const x = at.column(count, slant(data));
  const size = 14;
  data.tokens.forEach((token, i) => {
    const read = data.read.includes(i);
    const how = { key: `token ${i}`, size, bold: read, fill: read ? colour.score : colour.ink };
    if (slant(data))
      pen.text(x(i), at.words + 4, token, { ...how, anchor: "end", transform: `rotate(-50 ${x(i)} ${at.words + 4})` });
    else pen.text(x(i), at.words + 12, token, { ...how, anchor: "middle" });
  });
}

// --- the curves ------------------------------------------------------------------------------------

function curves(pen, scene, at) {
  const { colour, data, values, hidden } = scene;
  const { left, top, wide, high } = at.curves;
  const scale = curvesBox(data, at.curves);
  for (const share of GRID.filter((each) => each >= scale.low)) {
    pen.line(left, scale.y(share), left + wide, scale.y(share), {
      key: `grid ${share}`,
      stroke: colour.line,
      width: 1,
    });
    pen.text(left - 8, scale.y(share) + 5, formatNumber(share), {
      key: `share ${share}`,
      size: 14,
      anchor: "end",
      fill: colour.quiet,
    });
  }
  const now = Math.round(values("labels"));
  data.counts.forEach((count) => {
    const name = at.small && count >= 1000 ? `${count / 1000}k` : whole(count);
    pen.text(scale.x(count), top + high + 20, name, {
      key: `count ${count}`,
      size: 14,
      anchor: "middle",
      bold: count === now,
      fill: count === now ? colour.ink : colour.quiet,
    });
  });
  if (!at.small)
    pen.text(left + wide / 2, top + high + 40, `labels to learn from; ${data.budget}`, {
      size: 14,
      anchor: "middle",
      fill: colour.quiet,
      room: wide + at.names,
    });
  pen.text(left, top - 8, `“${data.task}”: share of right answers`, {
    size: at.small ? 13 : 15,
    bold: true,
    room: wide + at.names,
  });
  limits(pen, scene, at, scale);
  const shown = ways(scene);
  for (const way of shown) if (!hidden(way.number)) draw(pen, way, data.counts, scale);
  names(
    pen,
    at,
    scale,
    shown.filter(({ number }) => !hidden(number)),
  );
  needle(pen, scene, at, scale);
  grab(pen, scene, at, scale);
}

// The best possible score, from the grammar, with its band on these test texts, and the most frequent answer.
function limits(pen, scene, at, scale) {
  const { colour, data, hidden, values } = scene;
  const { left, wide, top, high } = at.curves;
  const far = scale.x(values("labels")) < left + 0.45 * wide; // away from the numbers at the needle
  const atEnd = at.small && far;
  if (!hidden("best")) {
    if (data.best_high > data.best_low)
      pen.rect(left, scale.y(data.best_high), wide, scale.y(data.best_low) - scale.y(data.best_high), {
        key: "best band",
        fill: colour.ink,
        opacity: 0.1,
      });
    pen.line(left, scale.y(data.best), left + wide, scale.y(data.best), {
      key: "best",
      stroke: colour.ink,
      width: 2,
      dash: "2 3",
    });
    pen.text(
      atEnd ? left + wide - 6 : left + 6,
      scale.y(data.best) + (at.small ? 16 : -6),
      `${data.best_name} ${formatNumber(data.best)}`,
      { key: "best name", size: 13, fill: colour.ink, halo: true, anchor: atEnd ? "end" : "start" },
    );
  }
  pen.line(left, scale.y(data.chance), left + wide, scale.y(data.chance), {
    key: "chance",
    stroke: colour.mask,
    width: 1.5,
    dash: "8 5",
  });
  const name = at.small ? "most frequent answer" : `most frequent answer ${formatNumber(data.chance)}`;
  // Below its line, or above where that is under the axis or, on a phone, at a number or at the other name.
  const taken = at.small
    ? [...readings(scene, scale).map(({ foot }) => foot), hidden("best") ? 0 : scale.y(data.best) + 16]
    : [];
  const free = (y) => y < top + high - 3 && taken.every((foot) => Math.abs(foot - y) > 19);
  const y = [16, -6, 36, -26].map((by) => scale.y(data.chance) + by).find(free) ?? scale.y(data.chance) + 16;
  pen.text(far ? left + wide - 6 : left + 6, y, name, {
    key: "chance name",
    size: 13,
    fill: colour.quiet,
    anchor: far ? "end" : "start",
    halo: true,
  });
}

/** The curves in the order in which they are drawn, the chosen one last. */
function ways({ colour, data, values }) {
  const last = data.depths.length - 1;
  const frozen = Math.min(Math.round(values("frozen")), last);
  const named = [
    { ...data.scratch, name: "from scratch", tint: colour.gradient, dash: "3 5", width: 2.5, number: "scratch" },
    { ...data.depths[last], name: "features", tint: colour.input, dash: "10 5", width: 2, number: "mean", depth: last },
    { ...data.depths[0], name: "fine-tuned", tint: colour.activation, dash: null, width: 2, number: "mean", depth: 0 },
  ];
  const between = {
    ...data.depths[frozen],
    name: `${frozen} frozen`,
    tint: colour.weight,
    dash: "14 4 3 4",
    width: 2,
    number: "mean",
    depth: frozen,
  };
  const all = frozen === 0 || frozen === last ? named : [...named, between];
  return all
    .map((way) => (way.depth === frozen ? { ...way, width: 4.5, chosen: true } : way))
    .sort((a, b) => Number(!!a.chosen) - Number(!!b.chosen));
}

function draw(pen, { name, mean, low, high, tint, dash, width, chosen, number }, counts, { x, y }) {
  const known = Array.from(counts)
    .map((_, i) => i)
    .filter((i) => Number.isFinite(mean[i]));
  if (!known.length) return;
  const at = (values) => known.map((i) => [x(counts[i]), y(values[i])]);
  const band = `${through([...at(low), ...at(high).reverse()])}z`;
  if (chosen || number === "scratch")
    pen.path(band, { key: `band ${name}`, stroke: "none", fill: tint, "fill-opacity": 0.16 });
  pen.path(through(at(mean)), { key: `curve ${name}`, stroke: tint, width, dash });
  for (const [i, [px, py]] of at(mean).entries())
    pen.circle(px, py, 3.5, { key: `point ${name} ${known[i]}`, fill: tint });
}

// Each curve's name at its right end, or on a phone in a row below.
function names(pen, at, scale, shown) {
  const { left, top, wide, high } = at.curves;
  if (at.small) {
    let x = left - 34;
    for (const { name, tint, dash, chosen } of shown) {
      const short = name.replace("from ", "");
      pen.line(x, top + high + 38, x + 14, top + high + 38, { key: `key ${name}`, stroke: tint, width: 3, dash });
      pen.text(x + 18, top + high + 42, short, { key: `name ${name}`, size: 13, bold: chosen, fill: tint });
      x += 18 + textWidth(short, 13, chosen) + 8;
    }
    return;
  }
  const last = ({ mean }) => Array.from(mean).findLast(Number.isFinite);
  const known = shown.filter((way) => last(way) !== undefined);
  const ends = spread(
    known.map((way) => scale.y(last(way))),
    19,
  );
  known.forEach(({ name, tint, chosen }, i) =>
    pen.text(left + wide + 10, ends[i] + 5, name, {
      key: `name ${name}`,
      size: chosen ? 17 : 15,
      bold: true,
      fill: tint,
    }),
  );
}

// The number of labels now, the interval, and both accuracies.
function needle(pen, scene, at, scale) {
  const { colour, values, text } = scene;
  const { top, high } = at.curves;
  const x = scale.x(values("labels"));
  pen.line(x, top, x, top + high, { key: "needle", stroke: colour.ink, width: 1.5 });
  pen.circle(x, top + high, 8, { key: "knob", fill: colour.ink, stroke: colour.background, line: 2 });
  const tint = tintOf(scene);
  for (const { name, y } of readings(scene, scale)) {
    if (name === "mean")
      pen.line(x, scale.y(values("low")), x, scale.y(values("high")), {
        key: "interval",
        stroke: tint[name],
        width: 5,
      });
    pen.circle(x, y, name === "mean" ? 8 : 6, {
      key: `dot ${name}`,
      fill: tint[name],
      stroke: colour.background,
      line: 2,
    });
  }
  const side = x > at.curves.left + 0.7 * at.curves.wide ? -1 : 1;
  for (const { name, foot, size } of readings(scene, scale)) {
    pen.markedText(x + side * 14, foot, text(name), name === "mean", {
      key: `value ${name}`,
      size: at.small ? size - 4 : size,
      bold: true,
      anchor: side > 0 ? "start" : "end",
      fill: tint[name],
      halo: name !== "mean",
    });
  }
}

const tintOf = (scene) => ({ scratch: scene.colour.gradient, mean: ways(scene).at(-1)?.tint });

// The accuracies at the needle: where each has its dot, and where its number stands, apart from the other.
function readings({ hidden, values }, scale) {
  const known = [
    { name: "scratch", size: 18 },
    { name: "mean", size: 26 },
  ].filter(({ name }) => !hidden(name) && Number.isFinite(values(name)));
  const found = known.map((each) => ({ ...each, y: scale.y(values(each.name)) }));
  const ends = spread(
    found.map(({ y }) => y),
    24,
  );
  return found.map((each, i) => ({ ...each, foot: ends[i] + each.size * 0.34 }));
}

function grab(pen, { data, move, values }, at, scale) {
  const { left, top, wide, high } = at.curves;
  const node = pen.rect(left - 10, top - 4, wide + 20, high + 30, {
    key: "grab",
    fill: "transparent",
    style: "cursor:ew-resize;touch-action:pan-y",
  });
  const { mean } = data.depths[Math.round(values("frozen"))];
  const way = Array.from(mean).some(Number.isFinite) ? mean : data.depths[0].mean;
  const known = Array.from(data.counts).filter(
    (_, i) => Number.isFinite(way[i]) && Number.isFinite(data.scratch.mean[i]),
  );
  const nearest = (x) =>
    known.reduce((best, count) => (Math.abs(scale.x(count) - x) < Math.abs(scale.x(best) - x) ? count : best));
  drag(node, {
    down: (x) => ({ at: nearest(x) }),
    start: (began) => move("labels", began.at, false),
    move: (began, x) => move("labels", (began.at = nearest(x)), false),
    up: (began) => move("labels", began.at, true),
  });
}

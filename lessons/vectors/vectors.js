// Words as points on a plane that stays while their vectors are trained: a window slides over the text on the
// left, the nearest words stand below it, and time is a slider.

import { line } from "../../ui/browser/d3.js";
import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";
import { drag } from "../shared/hand.js";
import { labelRoom, markPath } from "../shared/labels.js";
import { mapScale } from "../shared/map_scale.js";
import { flow, placeOfStep, places } from "./layout.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["vectors"]} Data */

const DIM = 0.18;
const GAP = 10; // between a word and its cosine
const PLAYED = 5000; // ms in which the whole training plays

/** @param {Component<Data>} component */
export default function vectors(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    remember(scene);
    const at = places(scene);
    scene.tell(scene.values("@say"), false);
    part(pen, scene, "map", (its) => map(its, scene, at));
    part(pen, scene, "window", (its) => slidingWindow(its, scene, at));
    part(pen, scene, "nearest", (its) => nearest(its, scene, at));
    part(pen, scene, "steps", (its) => steps(its, scene, at));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

// What this script remembers belongs to the data: another word or another run begins anew.
function remember({ data, memory, values }) {
  if (memory.data !== data) {
    Object.assign(memory, { data, exact: null, playing: 0, curves: null });
    if (memory.chosen !== data.words[data.word])
      Object.assign(memory, { text: 0, centre: null, chosen: data.words[data.word] });
    memory.points = new Float32Array(data.points.buffer, data.points.byteOffset, data.points.byteLength / 4);
    memory.text = Math.min(memory.text, Math.max(data.texts.length - 1, 0));
  }
  const last = data.steps.length - 1;
  memory.place = Math.min(Math.max(memory.exact ?? placeOfStep(data.steps, values("step")), 0), last);
  memory.snapshot = Math.round(memory.place);
}

const colourOf = (colour, group) =>
  group < 0 ? colour.quiet : group < 6 ? colour[`series-${group + 1}`] : colour.score;
const digits = (value) => value.toFixed(3).replace("-", "−");

// --- the window over the text ----------------------------------------------------------------------

function slidingWindow(pen, scene, at) {
  const { colour, data, memory, again } = scene;
  const { left, top, wide, high } = at.text;
  const sentence = data.texts[memory.text];
  const word = data.words[data.word];
  if (!sentence)
    return pen.text(left, top + 18, `${word}: no sentence with a second word`, {
      size: 14,
      fill: colour.quiet,
      room: wide,
    });
  const centre = Math.min(memory.centre ?? sentence.at, sentence.words.length - 1);
  const inside = (i) => i !== centre && Math.abs(i - centre) <= data.window;
  const size = at.small ? 14 : 17;
  const titles = [`A window of ±${data.window} words slides over the text`, `A window of ±${data.window} words`];
  const title = at.small ? `Window ±${data.window}` : fitting(titles, wide - 70);
  pen.text(left, at.small ? top + 12 : top, title, { size: at.small ? 13 : 15, bold: true, fill: colour.input });
  turn(pen, scene, at, left + wide);
  const shown = [...sentence.words];
  const rows = flow(shown, wide, size, at.small ? 0 : 2);
  const row = at.small ? 20 : 31;
  const first = top + (at.small ? 20 : 16);
  rows.forEach((its, i) => {
    const [x, y] = [left + its.x, first + its.row * row];
    if (y + row > top + high + 8) return;
    const lit = i === centre || inside(i);
    const node = pen.button(
      `Put the window on ${shown[i]}`,
      () => ((memory.centre = i), again()),
      (chip) => {
        chip.rect(x, y, its.wide, row - 5, {
          r: 6,
          fill: i === centre ? colour.input : lit ? colour.background : "transparent",
          stroke: lit ? colour.input : null,
          line: 2,
        });
        chip.text(x + its.wide / 2, y + (row - 5) / 2 + size * 0.35, shown[i], {
          size,
          bold: lit,
          anchor: "middle",
          fill: i === centre ? colour.background : lit ? colour.input : colour.quiet,
        });
      },
      { key: `word ${i}`, chosen: i === centre, class: "press grab" },
    );
    node.onpointerenter = (event) => event.buttons && memory.centre !== i && ((memory.centre = i), again());
    node.onpointerdown = (event) => node.releasePointerCapture?.(event.pointerId);
  });
  if (at.small) return;
  const below = first + (Math.max(...rows.map((its) => its.row)) + 1) * row + 16;
  const pairs = shown.map((context, i) => ({ context, i })).filter(({ i }) => inside(i));
  if (below + 24 > top + high) return;
  pen.text(left, below, `${pairs.length} pairs, and how often the whole text has them:`, {
    size: 14,
    fill: colour.quiet,
    room: wide,
  });
  const each = 22;
  const fits = Math.max(Math.floor((top + high - below - 6) / each), 1);
  const columns = Math.ceil(pairs.length / fits) > 1 ? 2 : 1;
  pairs.slice(0, fits * columns).forEach(({ context, i }, k) => {
    const x = left + (k % columns) * (wide / columns);
    const y = below + 24 + Math.floor(k / columns) * each;
    const count = String(sentence.counts[centre * shown.length + i]);
    const room = wide / columns - textWidth(count, 15, true) - 22;
    const text = cutText(`${shown[centre]} → ${context}`, room, 15);
    pen.text(x, y, text, { key: `pair ${k}`, size: 15, fill: colour.ink });
    pen.text(x + textWidth(text, 15) + 8, y, count, {
      key: `count ${k}`,
      size: 15,
      bold: true,
      fill: colour.activation,
    });
  });
}

// Buttons for the sentence before and the next one.
function turn(pen, scene, at, right) {
  const { data, memory, colour, again } = scene;
  if (data.texts.length < 2) return;
  const y = at.text.top + (at.small ? 8 : -5);
  [
    [-1, right - 36, "Sentence before"],
    [1, right - 9, "Next sentence"],
  ].forEach(([way, x, label]) => {
    const to = (memory.text + Number(way) + data.texts.length) % data.texts.length;
    pen.button(
      String(label),
      () => (Object.assign(memory, { text: to, centre: null }), again()),
      (its) => {
        its.circle(Number(x), y, 10, { fill: colour.background, stroke: colour.input, line: 1.5 });
        its.path(
          `M${Number(x) - 3 * Number(way)} ${y - 5}L${Number(x) + 4 * Number(way)} ${y}L${Number(x) - 3 * Number(way)} ${y + 5}z`,
          { fill: colour.input, stroke: "none" },
        );
      },
      { key: String(label) },
    );
  });
}

// --- the nearest words -----------------------------------------------------------------------------

const nearOf = ({ data, memory }) => {
  const count = data.near.length / data.steps.length;
  return Array.from(data.near.slice(memory.snapshot * count, (memory.snapshot + 1) * count));
};

const cosineAt = ({ data, memory }, k) => data.cosines[memory.snapshot * (data.near.length / data.steps.length) + k];

// Words are similar by construction if they share a group.
const isPlanted = ({ data }, place) =>
  data.judged && data.groupOf[place] >= 0 && data.groupOf[place] === data.groupOf[data.word];

/** The first of some titles that has room, or the last. */
const fitting = (titles, room) => titles.find((each) => textWidth(each, 15, true) <= room) ?? titles[titles.length - 1];

function nearest(pen, scene, at) {
  const { colour, data, hidden, send } = scene;
  const { left, top, wide, high } = at.list;
  const covered = hidden("c1");
  const near = nearOf(scene);
  const word = data.words[data.word];
  const hits = near.filter((place) => isPlanted(scene, place)).length;
  if (at.small) return nearestInRows(pen, scene, at, near, covered);
  const planted = covered || !data.judged ? "" : `ringed: ${hits} of ${near.length} planted`;
  const room = wide - textWidth(planted, 14, true) - 36; // small letters stand on whole pixels: wider than measured
  const titles = covered ? [`Nearest to ${word}: ?`] : [`Nearest to ${word}, by cosine`, `Nearest to ${word}`];
  pen.text(left, top, fitting(titles, room), { size: 15, bold: true, fill: colour.score, room });
  pen.text(left + wide, top, planted, { size: 14, bold: true, anchor: "end", fill: colour.ink });
  if (covered) return;
  const row = Math.min((high - 10) / near.length, 34);
  const start = left + Math.max(...near.map((place) => Math.min(textWidth(data.words[place], 16, true), 110))) + 40;
  const reach = left + wide - 56 - start;
  near.forEach((place, k) => {
    const y = top + 14 + row * (k + 0.5);
    const value = cosineAt(scene, k);
    const tint = colourOf(colour, data.groupOf[place]);
    pen.button(
      `Choose ${data.words[place]}`,
      () => send({ word: data.words[place] }),
      (its) => {
        its.rect(left, y - row / 2, wide, row, { fill: "transparent" });
        its.path(markPath(data.groupOf[place], left + 11, y, 6), { fill: tint, stroke: "none" });
        if (isPlanted(scene, place)) its.circle(left + 11, y, 10.5, { stroke: colour.ink, line: 2 });
        its.text(left + 28, y + 5, data.words[place], { size: 16, bold: true, room: 112 });
        its.rect(start, y - 6, Math.max(reach * Math.max(value, 0), 1), 12, { r: 3, fill: tint });
        its.markedText(left + wide - 6, y + 5, digits(value), k === 0, { size: 15, bold: true, anchor: "end" });
      },
      { key: `near ${k}` },
    );
  });
}

function nearestInRows(pen, scene, at, near, covered) {
  const { colour, data } = scene;
  const { left, top, wide } = at.list;
  if (covered)
    return pen.text(left, top + 16, `Nearest to ${data.words[data.word]}: ?`, {
      size: 14,
      bold: true,
      fill: colour.score,
    });
  let [x, y] = [left, top + 14];
  near.forEach((place, k) => {
    const [word, value] = [cutText(data.words[place], 90, 14, true), digits(cosineAt(scene, k))];
    const its = textWidth(word, 14, true) + GAP + textWidth(value, 14) + 14;
    if (x > left && x + its + 14 > left + wide) [x, y] = [left, y + 22];
    if (y > top + 40) return;
    pen.path(markPath(data.groupOf[place], x + 6, y - 5, 4.5), {
      key: `mark ${k}`,
      fill: colourOf(colour, data.groupOf[place]),
      stroke: isPlanted(scene, place) ? colour.ink : "none",
      width: 1.5,
    });
    pen.text(x + 15, y, word, { key: `word ${k}`, size: 14, bold: true });
    pen.markedText(x + 15 + textWidth(word, 14, true) + GAP, y, value, k === 0, { size: 14 });
    x += its + 14;
  });
}

// --- the map ---------------------------------------------------------------------------------------

function map(pen, scene, at) {
  const { colour, data, memory, hidden, send } = scene;
  const box = at.map;
  const shape = `${box.left} ${box.top} ${box.wide} ${box.high}`;
  if (memory.shape !== shape || memory.scaled !== data)
    Object.assign(memory, { shape, scaled: data, scale: mapScale(memory.points, box, at.small ? 18 : 30) });
  pen.rect(box.left, box.top, box.wide, box.high, { r: 8, stroke: colour.line, line: 1.5 });
  const spots = pointsAt(scene);
  const near = hidden("c1") ? [] : nearOf(scene);
  const chosen = spots[data.word];
  near.forEach((place, k) => {
    const { x, y } = spots[place];
    pen.line(chosen.x, chosen.y, x, y, {
      key: `line ${k}`,
      stroke: colour.ink,
      width: 1 + 3 * Math.max(cosineAt(scene, k), 0) ** 2,
      "stroke-opacity": 0.5,
    });
  });
  const room = labelRoom(box);
  const important = new Set([data.word, ...near]);
  const radius = at.small ? 4 : 6;
  for (const place of important)
    room.take([spots[place].x - radius, spots[place].y - radius, spots[place].x + radius, spots[place].y + radius]);
  spots.forEach(({ x, y }, place) => {
    const mark = place === data.word;
    const group = data.groupOf[place];
    const hint = mark || near.includes(place);
    pen.button(
      `Choose ${data.words[place]}`,
      () => send({ word: data.words[place] }),
      (its) => {
        if (mark || !hidden("c1")) its.node("title", {}, data.words[place]);
        its.path(markPath(group, x, y, mark ? radius + 3 : hint ? radius + 1 : radius), {
          fill: colourOf(colour, group),
          stroke: mark ? colour.ink : colour.background,
          width: mark ? 2.5 : 1,
          "fill-opacity": group < 0 && !hint ? (data.groups.length ? 0.3 : 0.6) : 1,
        });
        if (near.includes(place) && isPlanted(scene, place))
          its.circle(x, y, radius + 5, { stroke: colour.ink, line: 2 });
      },
      { key: `spot ${place}`, tabindex: hint ? 0 : -1 },
    );
  });
  labels(pen, scene, at, { spots, near, room, radius });
}

// The points between two snapshots, for what moves; a snapshot's own where time rests on it.
function pointsAt({ data, memory }) {
  const count = data.words.length;
  const before = Math.floor(memory.place);
  const after = Math.min(before + 1, data.steps.length - 1);
  const share = memory.place - before;
  const { points, scale } = memory;
  return data.words.map((_, i) => {
    const value = (axis) => {
      const [from, to] = [points[2 * (before * count + i) + axis], points[2 * (after * count + i) + axis]];
      return from + (to - from) * share;
    };
    return { x: scale.x(value(0)), y: scale.y(value(1)) };
  });
}

function labels(pen, scene, at, { spots, near, room, radius }) {
  const { colour, data, memory, hidden } = scene;
  const size = at.small ? 13 : 16;
  const put = (place, text, its, key) => {
    const where = room.place(spots[place].x, spots[place].y, its.r, text, its);
    if (where)
      pen.text(where.x, where.y, text, {
        key,
        size: its.size,
        bold: its.bold,
        anchor: where.anchor,
        fill: its.fill,
        halo: true,
        "pointer-events": "none",
      });
  };
  put(
    data.word,
    data.words[data.word],
    { r: radius + 4, size: at.small ? 15 : 20, bold: true, fill: colour.ink },
    "chosen",
  );
  near.forEach((place) =>
    put(
      place,
      data.words[place],
      { r: radius + 6, size, bold: true, fill: colourOf(colour, data.groupOf[place]) },
      `label ${place}`,
    ),
  );
  data.groups.forEach((name, group) => {
    const members = spots.filter((_, place) => data.groupOf[place] === group);
    if (!members.length) return;
    const mean = (axis) => members.reduce((sum, each) => sum + each[axis], 0) / members.length;
    const middle = members.reduce((best, each) =>
      Math.hypot(each.x - mean("x"), each.y - mean("y")) < Math.hypot(best.x - mean("x"), best.y - mean("y"))
        ? each
        : best,
    );
    const where = memory.snapshot && room.place(middle.x, middle.y, radius + 12, name, { size: 14, bold: true });
    if (where)
      pen.text(where.x, where.y, name, {
        key: `group ${group}`,
        size: 14,
        bold: true,
        anchor: where.anchor,
        fill: colourOf(colour, group),
        halo: true,
        "font-style": "italic",
        "pointer-events": "none",
      });
  });
  // While it moves, only what is spoken of has a name; who stands nearest is not told while it is asked for.
  if (memory.exact !== null || at.small || hidden("c1")) return;
  const others = data.words
    .map((_, place) => place)
    .filter(
      (place) => place !== data.word && !near.includes(place) && (data.groupOf[place] >= 0 || !data.groups.length),
    );
  for (const place of others)
    put(
      place,
      data.words[place],
      {
        r: radius,
        size: 13,
        bold: false,
        far: false,
        fill: data.groupOf[place] < 0 ? colour.quiet : colourOf(colour, data.groupOf[place]),
      },
      `other ${place}`,
    );
}

// --- the steps of training -------------------------------------------------------------------------

function steps(pen, scene, at) {
  const { colour, data, memory, move } = scene;
  const { left, top, wide, high } = at.strip;
  const last = data.steps.length - 1;
  const finite = Array.from(data.losses).filter(Number.isFinite);
  const most = Math.max(...finite) || 1;
  const x = (place) => left + (place / Math.max(last, 1)) * wide;
  const y = (loss) => top + high - (loss / most) * high;
  const share = (value) => top + high - value * high;
  pen.line(left, top + high, left + wide, top + high, { stroke: colour.line, width: 1 });
  pen.text(left - 7, top + 6, formatNumber(most), { size: 13, fill: colour.loss, anchor: "end" });
  pen.text(left - 7, top + high + 4, "0", { size: 13, fill: colour.loss, anchor: "end" });
  ticks(pen, scene, at, x);
  if (!memory.curves || memory.curves.shape !== `${left} ${top} ${wide} ${high}`) {
    const path = (values, scale) =>
      line(
        (_, i) => x(i),
        (value) => scale(value),
      )(Array.from(values)) ?? "";
    memory.curves = {
      shape: `${left} ${top} ${wide} ${high}`,
      loss: path(data.losses, y),
      precision: path(data.precision, share),
    };
  }
  pen.path(memory.curves.loss, { key: "loss", stroke: colour.loss, width: 3 });
  pen.path(memory.curves.precision, { key: "precision", stroke: colour.activation, width: 3, dash: "7 4" });
  const shown = data.precision.length > 0;
  if (!at.small) {
    pen.text(left, top - 10, data.curve, { size: 14, bold: true, fill: colour.loss });
    if (shown) {
      pen.text(left + wide, top - 10, "- - precision@5 of all planted words", {
        size: 14,
        bold: true,
        fill: colour.activation,
        anchor: "end",
      });
      pen.text(left + wide + 7, top + 6, "1", { size: 13, fill: colour.activation });
      pen.text(left + wide + 7, top + high + 4, "0", { size: 13, fill: colour.activation });
    }
  }
  now(pen, scene, at, { x, y, share, last });
  const cover = pen.rect(left - 8, top - 6, wide + 16, high + 12, { key: "cover", fill: "transparent", class: "grab" });
  const to = (across) => Math.min(Math.max((across - left) / wide, 0), 1) * last;
  const put = (place, settled) => {
    memory.exact = settled ? null : place;
    move("step", data.steps[Math.round(place)], settled);
    scene.again();
  };
  drag(cover, {
    down: (across) => ((memory.playing = 0), { place: to(across) }),
    start: (began) => put(began.place, false),
    move: (began, across) => put((began.place = to(across)), false),
    up: (began) => put(began.place, true),
  });
  player(pen, scene, at, last);
}

function ticks(pen, { colour, data }, at, x) {
  const { left, top, wide, high } = at.strip;
  const last = data.steps.length - 1;
  let end = -Infinity;
  const label = (i) => `${data.steps[i]}`;
  const name = data.axis === "step" ? "step" : "dimensions d";
  const stop = left + wide - textWidth(label(last), 13) - 14;
  for (let i = 0; i < last; i++) {
    const half = textWidth(label(i), 13) / 2;
    if (x(i) - half < end + 44 || x(i) + half > stop - textWidth(name, 13) - 12) continue;
    pen.text(x(i), top + high + 18, label(i), {
      key: `tick ${i}`,
      size: 13,
      fill: colour.quiet,
      anchor: i ? "middle" : "start",
    });
    end = x(i) + half;
  }
  pen.text(left + wide, top + high + 18, label(last), { key: "last", size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(stop, top + high + 18, name, { key: "name", size: 13, fill: colour.quiet, anchor: "end" });
}

// The moment that is shown, as a line with a dot on each curve.
function now(pen, { colour, data, memory }, at, { x, y, share, last }) {
  const { left, top, wide, high } = at.strip;
  const across = x(memory.place);
  pen.line(across, top - 4, across, top + high, { key: "now", stroke: colour.ink, width: 2 });
  const loss = data.losses[memory.snapshot];
  pen.circle(across, y(loss), 7, { key: "dot", fill: colour.loss, stroke: colour.background, line: 2 });
  if (data.precision.length)
    pen.circle(across, share(data.precision[memory.snapshot]), 7, {
      key: "hit",
      fill: colour.activation,
      stroke: colour.background,
      line: 2,
    });
  const text = `${data.axis === "step" ? "step" : "d ="} ${data.steps[memory.snapshot]}${data.precision.length && !at.small ? `, precision ${data.precision[memory.snapshot].toFixed(2)}` : ""}`;
  const flip = memory.place > last / 2;
  pen.text(across + (flip ? -11 : 11), top + high / 2 + 6, text, {
    key: "label",
    size: at.small ? 13 : 15,
    bold: true,
    anchor: flip ? "end" : "start",
    halo: true,
    room: flip ? across - left : left + wide - across,
  });
}

function player(pen, scene, at, last) {
  const { colour, memory, data, move, again } = scene;
  const [x, y] = [at.small ? 18 : 26, at.strip.top + at.strip.high / 2];
  const play = () => {
    const running = memory.playing > 0;
    memory.playing = running ? 0 : performance.now();
    if (running) {
      const rest = Math.round(memory.place);
      memory.exact = null;
      return move("step", data.steps[rest], true);
    }
    const from = memory.place >= last ? 0 : memory.place;
    const began = memory.playing;
    const next = (time) => {
      if (memory.playing !== began) return;
      const place = Math.min(from + (Math.max(time - began, 0) / PLAYED) * last, last);
      const done = place >= last || !pen.parent.isConnected;
      memory.exact = done ? null : place;
      if (done) memory.playing = 0;
      move("step", data.steps[Math.round(place)], done);
      again();
      if (!done) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    again();
  };
  pen.button(
    memory.playing ? "Stop" : "Play the training",
    play,
    (its) => {
      its.circle(x, y, at.small ? 13 : 17, { fill: colour.background, stroke: colour.loss, line: 2 });
      if (memory.playing) its.rect(x - 5, y - 5, 10, 10, { r: 1, fill: colour.loss });
      else its.path(`M${x - 4} ${y - 7}L${x + 8} ${y}L${x - 4} ${y + 7}z`, { fill: colour.loss, stroke: colour.loss });
    },
    { key: "player" },
  );
}

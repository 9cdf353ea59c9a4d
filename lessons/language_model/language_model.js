// A sentence under several models: its words in a row, a lane for each model, and under every word a bar of
// its p, from 0 to 1. What is impossible has a cross. At the right the product of the bars, and what follows
// from it. On a phone the words stand one below another, and the models beside one another.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";
import { clippedTo, shortNumber, splitLabel, windowOf } from "./lane_places.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["language_model"]} Data */

const DIM = 0.18;
const FLAT = 58; // in a lower lane the bars lie
const LEAST = 45; // the narrowest column of a word
const NEXT = { shut: 42, open: 164 };
const ENDS = [
  { name: "product", head: "product", below: "of all p", wide: 84 },
  {
    name: "sum",
    head: "Σ log p",
    below: "in nats",
    wide: 78,
    title: "Natural logarithms: one nat is a factor of e = 2.718",
  },
  {
    name: "perplexity",
    head: "perplexity",
    below: "choices a word",
    wide: 106,
    title: "As hard as choosing among so many equally probable words, at every word",
  },
];

/** @param {Component<Data>} component */
export default function language_model(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) =>
    scene.narrow ? tall(pen, scene) : wide(pen, scene),
  );
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

/** The words that fit, from which one on. The window follows the place looked at, and can be turned by hand. */
function shownWords(scene, most) {
  const { memory, data } = scene;
  if (memory.here !== data.here || memory.words !== data.words.length)
    Object.assign(memory, { here: data.here, words: data.words.length, first: null });
  return windowOf(data.words.length, most, data.here, memory.first);
}

// A button that shows other words; `x` is its left edge, or its right one where `anchor` is end.
function turn(pen, scene, x, y, label, name, first, anchor = "start") {
  const width = textWidth(label, 13, true) + 16;
  pen.button(
    name,
    () => {
      scene.memory.first = first;
      scene.again();
    },
    (its) => {
      its.rect(anchor === "end" ? x - width : x, y - 14, width, 19, {
        r: 9,
        fill: scene.colour.background,
        stroke: scene.colour.quiet,
        line: 1,
      });
      its.text((anchor === "end" ? x - width : x) + 8, y, label, { size: 13, bold: true });
    },
    { key: name },
  );
}

function wide(pen, scene) {
  const { width, height, data, colour } = scene;
  const [left, top, foot] = [168, 62, height - 8];
  const ends = width - ENDS.reduce((sum, end) => sum + end.wide, 0) - 12;
  const isNext = data.here === data.words.length;
  const next = isNext ? NEXT.open : NEXT.shut;
  const most = Math.floor((ends - left - next) / LEAST);
  const [first, count] = shownWords(scene, most);
  const column = Math.min((ends - left - next) / count, 130);
  const lane = (foot - top) / data.lanes.length;
  const x = (word) => left + (word - first) * column;
  const at = {
    left,
    top,
    foot,
    ends,
    column,
    lane,
    first,
    count,
    x,
    next: left + count * column,
    nextWide: next,
    isNext,
    after: data.words.length - first - count,
  };
  band(pen, scene, at);
  part(pen, scene, "words", (its) => heads(its, scene, at));
  data.lanes.forEach((each, i) => part(pen, scene, each.name, (its) => laneOf(its, scene, at, each, i)));
  part(pen, scene, "ends", (its) => totals(its, scene, at));
  if (first > 0)
    turn(pen, scene, left - 4, 45, `‹ ${first} more`, `${first} words before`, Math.max(first - count, 0), "end");
  if (at.after > 0)
    turn(
      pen,
      scene,
      at.next + 3,
      45,
      `${at.after} ›`,
      `${at.after} words after`,
      clippedTo(first + count, data.words.length - count),
    );
  pen.line(left, top, ends, top, { key: "rule", stroke: colour.line });
}

// The word looked at has a band down to the last lane.
function band(pen, { data, colour }, at) {
  const shown = data.here >= at.first && data.here < at.first + at.count;
  if (!shown && !at.isNext) return;
  const [x, width] = at.isNext ? [at.next, at.nextWide] : [at.x(data.here), at.column];
  pen.rect(x + 1, 12, width - 2, at.foot - 10, { key: "band", r: 10, fill: colour.ink, "fill-opacity": 0.055 });
}

function heads(pen, scene, at) {
  const { data, colour, send } = scene;
  for (let word = at.first; word < at.first + at.count; word++) {
    const chosen = word === data.here;
    const middle = at.x(word) + at.column / 2;
    pen.button(
      data.words[word],
      () => send([-1, word]),
      (its) => {
        its.rect(at.x(word) + 2, 22, at.column - 4, 36, { r: 8, fill: chosen ? colour.ink : "transparent" });
        its.text(middle, 46, data.words[word], {
          size: at.column < 54 ? 14 : 16,
          bold: true,
          anchor: "middle",
          fill: chosen ? colour.background : colour.ink,
          room: at.column - 2,
        });
      },
      { key: `head${word}`, chosen },
    );
  }
  if (at.after > 0) return;
  pen.button(
    "what comes next",
    () => send([-1, data.words.length]),
    (its) => {
      its.rect(at.next + 2, 22, at.nextWide - 4, 36, {
        r: 8,
        fill: at.isNext ? colour.ink : "transparent",
        stroke: at.isNext ? null : colour.line,
        dash: "3 3",
      });
      its.text(at.next + at.nextWide / 2, 46, at.isNext ? "what comes next?" : "next", {
        size: 14,
        anchor: "middle",
        bold: at.isNext,
        fill: at.isNext ? colour.background : colour.quiet,
      });
    },
    { key: "next", chosen: at.isNext },
  );
}

function laneOf(pen, scene, at, lane, i) {
  const { data, colour, send, values, hidden } = scene;
  const y = at.top + i * at.lane;
  const flat = at.lane < FLAT;
  const foot = flat ? y + at.lane - 7 : y + at.lane - 28;
  const chosen = i === data.chosen;
  const roomy = !flat;
  if (i) pen.line(12, y, scene.width - 12, y, { key: "line", stroke: colour.line });
  pen.button(
    lane.label,
    () => send([i, -1]),
    (its) => {
      its.rect(8, y + 5, at.left - 16, at.lane - 10, { r: 8, fill: colour.ink, "fill-opacity": chosen ? 0.07 : 0 });
      if (chosen) its.rect(8, y + 12, 4, at.lane - 24, { r: 2, fill: colour.ink });
      const [name, more] = splitLabel(lane.label, at.left - 34);
      const middle = y + at.lane / 2 - (roomy ? 8 : more ? 4 : -5) - (roomy && more ? 8 : 0);
      its.text(20, middle, name, { size: 16, bold: true, room: at.left - 32 });
      if (more) its.text(20, middle + 19, more, { size: 15, bold: true, room: at.left - 32 });
      if (roomy)
        its.text(20, middle + (more ? 38 : 20), lane.note, { size: 13, fill: colour.quiet, room: at.left - 30 });
    },
    { key: "label", chosen },
  );
  // The product goes along the lane, and ends at the first 0.
  const slots = data.words.map((_, word) => `${lane.name}.${word + 1}`);
  const asked = slots.findIndex((slot) => hidden(slot));
  const zero = slots.findIndex((slot, word) => values(slot) === 0 && (asked < 0 || word < asked));
  const ends = zero >= 0 ? zero : asked;
  const stop = flat ? at.left + 4 : ends < 0 ? at.next : Math.min(Math.max(at.x(ends), at.left), at.next);
  if (!flat) pen.line(at.left + 4, foot, stop, foot, { key: "base", stroke: colour.activation, width: 2 });
  if (!flat && stop < at.next) pen.line(stop, foot, at.next, foot, { key: "dead", stroke: colour.quiet, dash: "3 4" });
  if (stop > at.left + 4) pen.beads(`M${at.left + 4} ${foot}H${stop}`, colour.activation, { key: "beads" });
  for (let word = at.first; word < at.first + at.count; word++) cell(pen, scene, at, lane, i, word, y, foot);
  if (at.isNext) expected(pen, scene, at, lane, y);
}

function cell(pen, scene, at, lane, i, word, y, foot) {
  const { data, colour, values, hidden, send } = scene;
  const slot = `${lane.name}.${word + 1}`;
  const [p, asked] = [values(slot), hidden(slot)];
  const chosen = i === data.chosen && word === data.here;
  const x = at.x(word);
  const middle = x + at.column / 2;
  const number = asked ? "?" : shortNumber(p);
  const flat = at.lane < FLAT;
  const width = flat ? at.column - 10 : Math.min(62, at.column - 12);
  const high = foot - y - 12;
  const size = at.column < 50 ? 13 : at.column < 58 ? 14 : 16;
  pen.button(
    `${lane.label}, ${data.words[word]}: ${asked ? "?" : formatNumber(p)}`,
    () => send([i, word]),
    (its) => {
      its.node("title", {}, `${lane.label}, ${data.words[word]}: ${asked ? "?" : formatNumber(p)}`);
      its.rect(x + 1, y + 4, at.column - 2, at.lane - 7, {
        r: 8,
        fill: "transparent",
        stroke: chosen ? colour.ink : null,
        line: chosen ? 2 : null,
      });
      const marked = chosen && !asked;
      if (flat) {
        lying(its, middle - width / 2, foot - 6, width, asked ? 0 : p, colour, 6);
        its.markedText(middle, foot - 12, !asked && p === 0 ? "✕ 0" : number, marked, {
          size,
          bold: chosen || p === 0,
          anchor: "middle",
        });
        return;
      }
      its.rect(middle - width / 2, y + 12, width, high, { r: 4, fill: colour.activation, "fill-opacity": 0.07 });
      if (!asked && p > 0) {
        const bar = Math.max(high * p, 2);
        its.rect(middle - width / 2, foot - bar, width, bar, { r: Math.min(4, bar / 2), fill: colour.activation });
      }
      if (asked) its.text(middle, foot - high / 2 + 9, "?", { size: 26, bold: true, anchor: "middle" });
      if (!asked && p === 0) cross(its, middle, foot - high / 2, Math.min(high / 2 - 4, 13), colour.ink);
      its.markedText(middle, foot + 20, number, marked, { size, bold: chosen || p === 0, anchor: "middle" });
    },
    { key: `cell${word}`, tabindex: null },
  );
  if (word < data.words.length - 1 && at.column >= 62 && at.lane >= FLAT && word < at.first + at.count - 1) {
    pen.text(x + at.column, foot + 19, "·", { key: `times${word}`, size: 17, anchor: "middle", fill: colour.quiet });
  }
}

function cross(pen, x, y, size, stroke) {
  pen.path(`M${x - size} ${y - size}L${x + size} ${y + size}M${x - size} ${y + size}L${x + size} ${y - size}`, {
    stroke,
    width: 4,
    "stroke-linecap": "round",
  });
}

// The likeliest next words of a model, a bar each, from left to right.
function expected(pen, scene, at, lane, y) {
  const { colour, values, text, hidden, data } = scene;
  const rows = Math.max(1, Math.min(3, Math.floor((at.lane - 10) / 24)));
  if (!lane.expected.length)
    return pen.text(at.next + at.nextWide / 2, y + at.lane / 2 + 5, "no word: all 0", {
      size: 15,
      anchor: "middle",
      fill: colour.quiet,
    });
  const step = Math.min((at.lane - 10) / rows, 44);
  const top = y + (at.lane - step * rows) / 2;
  lane.expected.slice(0, rows).forEach(({ word, slot }, i) => {
    const middle = top + step * (i + 0.5);
    const room = 62;
    pen.text(at.next + 74, middle + 5, word, { key: `w${i}`, size: 15, bold: i === 0, anchor: "end", room: 66 });
    pen.rect(at.next + 80, middle - 9, room, 18, {
      key: `track${i}`,
      r: 3,
      fill: colour.activation,
      "fill-opacity": 0.07,
    });
    const asked = hidden(slot);
    if (!asked)
      pen.rect(at.next + 80, middle - 9, Math.max(room * values(slot), 2), 18, {
        key: `bar${i}`,
        r: 3,
        fill: colour.activation,
      });
    const chosen = i === 0 && data.lanes[data.chosen] === lane && !asked;
    const number = asked ? text(slot) : shortNumber(values(slot));
    const inside = !asked && values(slot) > 0.62;
    pen.markedText(
      inside && !chosen ? at.next + 86 : Math.min(at.next + 86 + (asked ? 0 : room * values(slot)), at.next + 122),
      middle + 5,
      number,
      chosen,
      { key: `n${i}`, size: 14, bold: i === 0, fill: inside ? colour.background : colour.ink },
    );
  });
}

function totals(pen, scene, at) {
  const { data, colour, values, hidden } = scene;
  let x = at.ends;
  for (const end of ENDS) {
    const middle = x + end.wide / 2;
    pen.group({ key: `head ${end.name}` }, (its) => {
      if (end.title) its.node("title", {}, end.title);
      its.text(middle, 32, end.head, { size: 15, bold: true, anchor: "middle", fill: colour.loss });
      its.text(middle, 50, end.below, { size: 13, anchor: "middle", fill: colour.quiet, room: end.wide - 2 });
    });
    data.lanes.forEach((lane, i) => {
      const slot = `${lane.name}.${end.name}`;
      const y = at.top + (i + 0.5) * at.lane + 6;
      const number = hidden(slot) ? "?" : endNumber(end.name, values(slot));
      const out = !hidden(slot) && (end.name === "product" ? values(slot) === 0 : !Number.isFinite(values(slot)));
      pen.text(middle, y, number, {
        key: `${lane.name} ${end.name}`,
        size: end.name === "perplexity" || out ? 20 : 16,
        bold: out || end.name === "perplexity",
        anchor: "middle",
      });
    });
    x += end.wide;
  }
  pen.line(at.ends, 22, at.ends, at.foot, { key: "side", stroke: colour.line });
}

const endNumber = (name, value) => (name === "product" ? shortNumber(value) : formatNumber(value));

// On a phone: a row for each word, a column for each model; bars lie below their numbers.
function tall(pen, scene) {
  const { width, height, data, colour, send } = scene;
  const isNext = data.here === data.words.length;
  const [left, top, ends] = [80, 40, 50];
  // Four models beside one another where their names fit, else three.
  const least = (width - 86) / 4 - 8;
  const most = data.lanes.every((lane) => splitLabel(lane.label, 0).every((text) => textWidth(text, 13, true) <= least))
    ? 4
    : 3;
  const [firstLane, lanes] = windowOf(data.lanes.length, most, data.chosen, null);
  const column = (width - left - 8) / lanes;
  const foot = height - ends;
  const nextRows = isNext ? 2 : 1;
  const [first, count] = shownWords(scene, Math.floor((foot - top) / 21.5) - nextRows);
  const row = Math.min((foot - top) / (count + nextRows), 44);
  const y = (word) => top + (word - first) * row;
  const after = data.words.length - first - count;
  const bandTop = isNext ? y(first + count) : y(data.here);
  if (isNext || (data.here >= first && data.here < first + count)) {
    pen.rect(4, bandTop, width - 8, row * (isNext ? 2 : 1), {
      key: "band",
      r: 6,
      fill: colour.ink,
      "fill-opacity": 0.06,
    });
  }
  part(pen, scene, "words", (its) => {
    for (let word = first; word < first + count; word++) {
      const chosen = word === data.here;
      its.button(
        data.words[word],
        () => send([-1, word]),
        (each) => {
          each.rect(4, y(word) + 1, left - 8, row - 2, { r: 6, fill: chosen ? colour.ink : "transparent" });
          each.text(10, y(word) + row - 8, data.words[word], {
            size: 14,
            bold: true,
            fill: chosen ? colour.background : colour.ink,
            room: left - 18,
          });
        },
        { key: `head${word}`, chosen },
      );
    }
    const below = y(first + count);
    if (after > 0) return;
    its.button(
      "what comes next",
      () => send([-1, data.words.length]),
      (each) => {
        each.rect(4, below + 1, left - 8, row - 2, { r: 6, fill: isNext ? colour.ink : "transparent" });
        each.text(10, below + row - 8, isNext ? "next?" : "next", {
          size: 13,
          bold: isNext,
          fill: isNext ? colour.background : colour.quiet,
        });
      },
      { key: "next", chosen: isNext },
    );
  });
  data.lanes.slice(firstLane, firstLane + lanes).forEach((lane, j) => {
    part(pen, scene, lane.name, (its) =>
      tallLane(its, scene, {
        lane,
        i: firstLane + j,
        x: left + j * column,
        column,
        row,
        y,
        first,
        count,
        top,
        foot,
        isNext,
      }),
    );
  });
  part(pen, scene, "ends", (its) => {
    its.line(8, foot + 2, width - 8, foot + 2, { stroke: colour.line });
    its.text(10, foot + 20, "product", { size: 13, fill: colour.loss });
    its.text(10, foot + 42, "perplexity", { size: 13, bold: true, fill: colour.loss });
  });
  if (first > 0) turn(pen, scene, 4, 34, `↑ ${first} more`, `${first} words before`, Math.max(first - count, 0));
  if (after > 0)
    turn(
      pen,
      scene,
      4,
      foot - 6,
      `↓ ${after} more`,
      `${after} words after`,
      clippedTo(first + count, data.words.length - count),
    );
  if (lanes < data.lanes.length) {
    const chosen = (firstLane + lanes) % data.lanes.length;
    pen.button(
      "another model",
      () => send([chosen, -1]),
      (its) => {
        const label = `${data.lanes.length - lanes} more ›`;
        its.rect(4, 1, textWidth(label, 13, true) + 16, 19, {
          r: 9,
          fill: colour.background,
          stroke: colour.quiet,
          line: 1,
        });
        its.text(12, 15, label, { size: 13, bold: true });
      },
      { key: "lanes" },
    );
  }
}

function tallLane(pen, scene, at) {
  const { data, colour, values, hidden, send } = scene;
  const { lane, i, x, column, row, foot } = at;
  const chosen = i === data.chosen;
  const inner = column - 9;
  pen.button(
    lane.label,
    () => send([i, -1]),
    (its) => {
      its.rect(x, 2, column - 4, 36, { r: 6, fill: colour.ink, "fill-opacity": chosen ? 0.08 : 0 });
      const [name, more] = splitLabel(lane.label, 0);
      its.text(x + 4, more ? 16 : 24, name, { size: 13, bold: true, room: inner });
      if (more) its.text(x + 4, 33, more, { size: 13, room: inner });
    },
    { key: "label", chosen },
  );
  for (let word = at.first; word < at.first + at.count; word++) {
    const slot = `${lane.name}.${word + 1}`;
    const [p, asked] = [values(slot), hidden(slot)];
    const y = at.y(word);
    const here = chosen && word === data.here;
    pen.button(
      `${lane.label}, ${data.words[word]}: ${asked ? "?" : formatNumber(p)}`,
      () => send([i, word]),
      (its) => {
        its.rect(x, y + 1, column - 2, row - 2, { r: 6, fill: "transparent", stroke: here ? colour.ink : null });
        its.markedText(x + 5, y + row - 8, asked ? "?" : p === 0 ? "✕ 0" : shortNumber(p), here && !asked, {
          size: 13,
          bold: here || p === 0,
        });
        lying(its, x + 4, y + row - 5, inner, asked ? 0 : p, colour);
      },
      { key: `cell${word}`, tabindex: null },
    );
  }
  const next = lane.expected[0];
  if (at.isNext) {
    const y = at.y(at.first + at.count);
    pen.text(x + 5, y + row - 6, next ? next.word : "no word", { key: "next", size: 14, bold: true, room: inner });
    const asked = next && hidden(next.slot);
    pen.markedText(
      x + 5,
      y + 2 * row - 8,
      asked ? "?" : next ? shortNumber(values(next.slot)) : "✕ 0",
      chosen && !asked,
      { key: "next p", size: 13, bold: true },
    );
    lying(pen, x + 4, y + 2 * row - 5, inner, next && !asked ? values(next.slot) : 0, colour);
  }
  pen.text(x + 5, foot + 20, hidden(`${lane.name}.product`) ? "?" : shortNumber(values(`${lane.name}.product`)), {
    key: "product",
    size: 13,
    room: inner + 4,
  });
  pen.text(
    x + 5,
    foot + 43,
    hidden(`${lane.name}.perplexity`) ? "?" : formatNumber(values(`${lane.name}.perplexity`)),
    { key: "perplexity", size: 15, bold: true, room: inner + 4 },
  );
}

function lying(pen, x, y, room, p, colour, high = 4) {
  pen.rect(x, y, room, high, { r: 2, fill: colour.activation, "fill-opacity": 0.15 });
  pen.rect(x, y, p > 0 ? Math.max(room * p, 1.5) : 0, high, { r: 2, fill: colour.activation });
}

// Wide: the words in a row, and under them a lane for each model, from left to right.

import { formatNumber } from "../../drawing/numbers.js";
import { drawCell } from "./lane_cell.js";
import { drawTurn, shownWords, turns } from "./lane_marks.js";
import { shortNumber, splitLabel } from "./lane_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LanePayload } from "../../drawing/types.js" */
/** @import { LaneScene } from "./lane_marks.js" */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: LaneScene, at: Places) => void} Draw */
/**
 * A lane with its place among them, its top, and the base line of its bars.
 *
 * @typedef {{ lane: LanePayload, i: number, y: number, foot: number }} PlacedLane
 */
/** @typedef {(pen: Pen, scene: LaneScene, at: Places, placed: PlacedLane) => void} DrawLane */

const FLAT = 58; // in a lower lane the bars are horizontal
const LEAST = 45; // the narrowest column of a word
const NEXT = { shut: 42, open: 164 };
/** @type {{ name: "product" | "sum" | "perplexity", head: string, below: string, wide: number, title?: string }[]} */
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

/** @param {LaneScene} scene */
function placesOf(scene) {
  const { width, height, data } = scene;
  const [left, top, foot] = [168, 62, height - 8];
  const ends = width - ENDS.reduce((sum, end) => sum + end.wide, 0) - 12;
  const isNext = data.here === data.words.length;
  const nextWide = isNext ? NEXT.open : NEXT.shut;
  const shown = shownWords(scene, Math.floor((ends - left - nextWide) / LEAST));
  const { first, count } = shown;
  const column = Math.min((ends - left - nextWide) / count, 130);
  const lane = (foot - top) / data.lanes.length;
  /** @param {number} word */
  const x = (word) => left + (word - first) * column;
  const next = left + count * column;
  return { left, top, foot, ends, column, lane, flat: lane < FLAT, x, next, nextWide, isNext, ...shown };
}

/** @param {Pen} pen @param {LaneScene} scene */
export function drawRows(pen, scene) {
  const { data, colour } = scene;
  const at = placesOf(scene);
  const { first, after, left, top, ends } = at;
  drawBand(pen, scene, at);
  pen.part(scene, "words", (its) => {
    drawWords(its, scene, at);
    if (!after) drawNextHead(its, scene, at);
  });
  data.lanes.forEach((lane, i) => {
    const y = top + i * at.lane;
    const placed = { lane, i, y, foot: y + at.lane - (at.flat ? 7 : 28) };
    pen.part(scene, lane.name, (its) => drawLane(its, scene, at, placed));
  });
  pen.part(scene, "ends", (its) => drawEnds(its, scene, at));
  const { back, onward } = turns(scene, at);
  const before = { label: `‹ ${first} more`, name: `${first} words before`, first: back };
  if (first > 0) drawTurn(pen, scene, { x: left - 4, y: 45, ...before, anchor: "end" });
  const later = { label: `${after} ›`, name: `${after} words after`, first: onward };
  if (after > 0) drawTurn(pen, scene, { x: at.next + 3, y: 45, ...later });
  pen.line(left, top, ends, top, { key: "rule", stroke: colour.line });
}

/**
 * The band behind the selected word, down to the last lane.
 *
 * @type {Draw}
 */
function drawBand(pen, { data, colour }, at) {
  const shown = data.here >= at.first && data.here < at.first + at.count;
  if (!shown && !at.isNext) return;
  const [x, width] = at.isNext ? [at.next, at.nextWide] : [at.x(data.here), at.column];
  pen.rect(x + 1, 12, width - 2, at.foot - 10, { key: "band", r: 10, fill: colour.ink, "fill-opacity": 0.055 });
}

/** @type {Draw} */
function drawWords(pen, { data, colour, send }, { first, count, x, column }) {
  for (let word = first; word < first + count; word++) {
    const chosen = word === data.here;
    /** @param {Pen} its */
    const draw = (its) => {
      its.rect(x(word) + 2, 22, column - 4, 36, { r: 8, fill: chosen ? colour.ink : "transparent" });
      its.text(x(word) + column / 2, 46, data.words[word], {
        size: column < 54 ? 14 : 16,
        bold: true,
        anchor: "middle",
        fill: chosen ? colour.background : colour.ink,
        room: column - 2,
      });
    };
    pen.button(data.words[word], () => send([-1, word]), draw, { key: `head${word}`, chosen });
  }
}

/**
 * The column of the next word.
 *
 * @type {Draw}
 */
function drawNextHead(pen, { data, colour, send }, { next, nextWide, isNext }) {
  const { ink, line, background, quiet } = colour;
  /** @param {Pen} its */
  const draw = (its) => {
    const look = { r: 8, fill: isNext ? ink : "transparent", stroke: isNext ? null : line, dash: "3 3" };
    its.rect(next + 2, 22, nextWide - 4, 36, look);
    its.text(next + nextWide / 2, 46, isNext ? "what comes next?" : "next", {
      size: 14,
      anchor: "middle",
      bold: isNext,
      fill: isNext ? background : quiet,
    });
  };
  pen.button("what comes next", () => send([-1, data.words.length]), draw, { key: "next", chosen: isNext });
}

/** @type {DrawLane} */
function drawLane(pen, scene, at, placed) {
  const { width, colour } = scene;
  const { i, y } = placed;
  if (i) pen.line(12, y, width - 12, y, { key: "line", stroke: colour.line });
  drawLabel(pen, scene, at, placed);
  drawProductWay(pen, scene, at, placed);
  for (let word = at.first; word < at.first + at.count; word++) drawCell(pen, scene, at, placed, word);
  if (at.isNext) drawExpected(pen, scene, at, placed);
}

/** @type {DrawLane} */
function drawLabel(pen, { data, colour, send }, at, { lane, i, y }) {
  const chosen = i === data.chosen;
  const roomy = !at.flat;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(8, y + 5, at.left - 16, at.lane - 10, { r: 8, fill: colour.ink, "fill-opacity": chosen ? 0.07 : 0 });
    if (chosen) its.rect(8, y + 12, 4, at.lane - 24, { r: 2, fill: colour.ink });
    const [name, more] = splitLabel(lane.label, at.left - 34);
    const middle = y + at.lane / 2 - (roomy ? 8 : more ? 4 : -5) - (roomy && more ? 8 : 0);
    its.text(20, middle, name, { size: 16, bold: true, room: at.left - 32 });
    if (more) its.text(20, middle + 19, more, { size: 15, bold: true, room: at.left - 32 });
    if (roomy) its.text(20, middle + (more ? 38 : 20), lane.note, { size: 13, fill: colour.quiet, room: at.left - 30 });
  };
  pen.button(lane.label, () => send([i, -1]), draw, { key: "label", chosen });
}

/**
 * The line of the product along the lane, which ends at the first 0, or at the first p to be predicted.
 *
 * @type {DrawLane}
 */
function drawProductWay(pen, { data, colour, values, hidden }, at, { lane, foot }) {
  const slots = data.words.map((_, word) => /** @type {const} */ (`${lane.name}.${word + 1}`));
  const asked = slots.findIndex((slot) => hidden(slot));
  const zero = slots.findIndex((slot, word) => values(slot) === 0 && (asked < 0 || word < asked));
  const end = zero >= 0 ? zero : asked;
  const start = at.left + 4;
  const stop = at.flat ? start : end < 0 ? at.next : Math.min(Math.max(at.x(end), at.left), at.next);
  if (!at.flat) pen.line(start, foot, stop, foot, { key: "base", stroke: colour.activation, width: 2 });
  const dead = { key: "dead", stroke: colour.quiet, dash: "3 4" };
  if (!at.flat && stop < at.next) pen.line(stop, foot, at.next, foot, dead);
  if (stop > start) pen.beads(`M${start} ${foot}H${stop}`, colour.activation, { key: "beads" });
}

/**
 * The likeliest next words of a model, a bar each, from left to right.
 *
 * @type {DrawLane}
 */
function drawExpected(pen, scene, at, { lane, y }) {
  const rows = Math.max(1, Math.min(3, Math.floor((at.lane - 10) / 24)));
  if (!lane.expected.length) {
    const look = /** @type {const} */ ({ size: 15, anchor: "middle", fill: scene.colour.quiet });
    pen.text(at.next + at.nextWide / 2, y + at.lane / 2 + 5, "no word: all 0", look);
    return;
  }
  const step = Math.min((at.lane - 10) / rows, 44);
  const top = y + (at.lane - step * rows) / 2;
  for (let i = 0; i < Math.min(rows, lane.expected.length); i++)
    drawExpectedWord(pen, scene, at.next, lane, i, top + step * (i + 0.5));
}

/**
 * @param {Pen} pen
 * @param {LaneScene} scene
 * @param {number} left
 * @param {LanePayload} lane
 * @param {number} i
 * @param {number} middle its height
 */
function drawExpectedWord(pen, { colour, values, text, hidden, data }, left, lane, i, middle) {
  const { word, slot } = lane.expected[i];
  const room = 62;
  const fill = colour.activation;
  const asked = hidden(slot);
  const p = values(slot);
  pen.text(left + 74, middle + 5, word, { key: `w${i}`, size: 15, bold: i === 0, anchor: "end", room: 66 });
  pen.rect(left + 80, middle - 9, room, 18, { key: `track${i}`, r: 3, fill, "fill-opacity": 0.07 });
  if (!asked) pen.rect(left + 80, middle - 9, Math.max(room * p, 2), 18, { key: `bar${i}`, r: 3, fill });
  const chosen = i === 0 && data.lanes[data.chosen] === lane && !asked;
  const inside = !asked && p > 0.62;
  const x = inside && !chosen ? left + 86 : Math.min(left + 86 + (asked ? 0 : room * p), left + 122);
  const look = { key: `n${i}`, size: 14, bold: i === 0, fill: inside ? colour.background : colour.ink };
  pen.markedText(x, middle + 5, asked ? text(slot) : shortNumber(p), chosen, look);
}

/**
 * The product of all p of a lane, and the numbers computed from it.
 *
 * @type {Draw}
 */
function drawEnds(pen, scene, at) {
  const { data, colour, values, hidden } = scene;
  let left = at.ends;
  for (const { name, head, below, wide, title } of ENDS) {
    const middle = left + wide / 2;
    pen.group({ key: `head ${name}` }, (its) => {
      if (title) its.node("title", {}, title);
      its.text(middle, 32, head, { size: 15, bold: true, anchor: "middle", fill: colour.loss });
      its.text(middle, 50, below, { size: 13, anchor: "middle", fill: colour.quiet, room: wide - 2 });
    });
    data.lanes.forEach((lane, i) => {
      const slot = /** @type {const} */ (`${lane.name}.${name}`);
      const [value, asked] = [values(slot), hidden(slot)];
      const number = asked ? "?" : name === "product" ? shortNumber(value) : formatNumber(value);
      const out = !asked && (name === "product" ? value === 0 : !Number.isFinite(value));
      const large = name === "perplexity" || out;
      const look = /** @type {const} */ ({ size: large ? 20 : 16, bold: large, anchor: "middle" });
      pen.text(middle, at.top + (i + 0.5) * at.lane + 6, number, { key: `${lane.name} ${name}`, ...look });
    });
    left += wide;
  }
  pen.line(at.ends, 22, at.ends, at.foot, { key: "side", stroke: colour.line });
}

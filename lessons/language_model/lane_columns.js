// On a phone: a row for each word, a column for each model; bars lie below their numbers.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { drawLyingBar, drawPill, drawTurn, shownWords, turns } from "./lane_marks.js";
import { shortNumber, splitLabel, windowOf } from "./lane_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LanePayload } from "../../drawing/types.js" */
/** @import { LaneScene } from "./lane_marks.js" */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: LaneScene, at: Places) => void} Draw */
/** @typedef {{ lane: LanePayload, i: number, x: number }} PlacedLane a lane, its place among all, and its left edge */
/** @typedef {(pen: Pen, scene: LaneScene, at: Places, placed: PlacedLane) => void} DrawLane */

/** @param {LaneScene} scene */
function placesOf(scene) {
  const { width, height, data } = scene;
  const isNext = data.here === data.words.length;
  const [left, top, foot] = [80, 40, height - 50];
  const [firstLane, lanes] = windowOf(data.lanes.length, mostLanes(scene), data.chosen, null);
  const nextRows = isNext ? 2 : 1;
  const shown = shownWords(scene, Math.floor((foot - top) / 21.5) - nextRows);
  const { first, count } = shown;
  const row = Math.min((foot - top) / (count + nextRows), 44);
  /** @param {number} word */
  const y = (word) => top + (word - first) * row;
  const column = (width - left - 8) / lanes;
  return { left, foot, firstLane, lanes, column, row, y, isNext, next: y(first + count), inner: column - 9, ...shown };
}

/**
 * The number of models side by side: four if their names fit, else three.
 *
 * @param {LaneScene} scene
 */
function mostLanes({ width, data }) {
  const least = (width - 86) / 4 - 8;
  const texts = data.lanes.flatMap((lane) => splitLabel(lane.label, 0));
  return texts.every((text) => textWidth(text, 13, true) <= least) ? 4 : 3;
}

/** @param {Pen} pen @param {LaneScene} scene */
export function drawColumns(pen, scene) {
  const { data } = scene;
  const at = placesOf(scene);
  const { left, foot, firstLane, lanes, column, first, after } = at;
  drawBand(pen, scene, at);
  pen.part(scene, "words", (its) => {
    drawWords(its, scene, at);
    if (!after) drawNextHead(its, scene, at);
  });
  data.lanes.slice(firstLane, firstLane + lanes).forEach((lane, j) => {
    const placed = { lane, i: firstLane + j, x: left + j * column };
    pen.part(scene, lane.name, (its) => drawLane(its, scene, at, placed));
  });
  pen.part(scene, "ends", (its) => drawEndNames(its, scene, at));
  const { back, onward } = turns(scene, at);
  const before = { label: `↑ ${first} more`, name: `${first} words before`, first: back };
  if (first > 0) drawTurn(pen, scene, { x: 4, y: 34, ...before });
  const later = { label: `↓ ${after} more`, name: `${after} words after`, first: onward };
  if (after > 0) drawTurn(pen, scene, { x: 4, y: foot - 6, ...later });
  if (lanes < data.lanes.length) drawOtherLanes(pen, scene, at);
}

/**
 * The band behind the selected word.
 *
 * @type {Draw}
 */
function drawBand(pen, { width, data, colour }, { isNext, first, count, row, y, next }) {
  if (!isNext && (data.here < first || data.here >= first + count)) return;
  const top = isNext ? next : y(data.here);
  const look = { key: "band", r: 6, fill: colour.ink, "fill-opacity": 0.06 };
  pen.rect(4, top, width - 8, row * (isNext ? 2 : 1), look);
}

/** @type {Draw} */
function drawWords(pen, { data, colour, send }, { left, first, count, row, y }) {
  for (let word = first; word < first + count; word++) {
    const chosen = word === data.here;
    /** @param {Pen} its */
    const draw = (its) => {
      its.rect(4, y(word) + 1, left - 8, row - 2, { r: 6, fill: chosen ? colour.ink : "transparent" });
      const fill = chosen ? colour.background : colour.ink;
      its.text(10, y(word) + row - 8, data.words[word], { size: 14, bold: true, fill, room: left - 18 });
    };
    pen.button(data.words[word], () => send([-1, word]), draw, { key: `head${word}`, chosen });
  }
}

/**
 * The row of the next word.
 *
 * @type {Draw}
 */
function drawNextHead(pen, { data, colour, send }, { left, row, next, isNext }) {
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(4, next + 1, left - 8, row - 2, { r: 6, fill: isNext ? colour.ink : "transparent" });
    const fill = isNext ? colour.background : colour.quiet;
    its.text(10, next + row - 8, isNext ? "next?" : "next", { size: 13, bold: isNext, fill });
  };
  pen.button("what comes next", () => send([-1, data.words.length]), draw, { key: "next", chosen: isNext });
}

/** @type {Draw} */
function drawEndNames(pen, { width, colour }, { foot }) {
  pen.line(8, foot + 2, width - 8, foot + 2, { stroke: colour.line });
  pen.text(10, foot + 20, "product", { size: 13, fill: colour.loss });
  pen.text(10, foot + 42, "perplexity", { size: 13, bold: true, fill: colour.loss });
}

/**
 * A button that leads to models for which there is no room.
 *
 * @type {Draw}
 */
function drawOtherLanes(pen, { data, send }, { firstLane, lanes }) {
  const all = data.lanes.length;
  const press = () => send([(firstLane + lanes) % all, -1]);
  pen.button("another model", press, (its) => drawPill(its, 4, 15, `${all - lanes} more ›`), { key: "lanes" });
}

/** @type {DrawLane} */
function drawLane(pen, scene, at, placed) {
  const { colour, data, send } = scene;
  const { lane, i, x } = placed;
  const { column, inner } = at;
  const chosen = i === data.chosen;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(x, 2, column - 4, 36, { r: 6, fill: colour.ink, "fill-opacity": chosen ? 0.08 : 0 });
    const [name, more] = splitLabel(lane.label, 0);
    its.text(x + 4, more ? 16 : 24, name, { size: 13, bold: true, room: inner });
    if (more) its.text(x + 4, 33, more, { size: 13, room: inner });
  };
  pen.button(lane.label, () => send([i, -1]), draw, { key: "label", chosen });
  for (let word = at.first; word < at.first + at.count; word++) drawCell(pen, scene, at, placed, word);
  if (at.isNext) drawExpected(pen, scene, at, placed);
  drawEndNumbers(pen, scene, at, placed);
}

/** @type {DrawLane} */
function drawEndNumbers(pen, { values, hidden }, { inner, foot }, { lane, x }) {
  const [product, perplexity] = /** @type {const} */ ([`${lane.name}.product`, `${lane.name}.perplexity`]);
  const room = inner + 4;
  const multiplied = hidden(product) ? "?" : shortNumber(values(product));
  pen.text(x + 5, foot + 20, multiplied, { key: "product", size: 13, room });
  const choices = hidden(perplexity) ? "?" : formatNumber(values(perplexity));
  pen.text(x + 5, foot + 43, choices, { key: "perplexity", size: 15, bold: true, room });
}

/** @param {Pen} pen @param {LaneScene} scene @param {Places} at @param {PlacedLane} placed @param {number} word */
function drawCell(pen, { data, colour, values, hidden, send }, { column, row, inner, ...at }, { lane, i, x }, word) {
  const slot = /** @type {const} */ (`${lane.name}.${word + 1}`);
  const [p, asked] = [values(slot), hidden(slot)];
  const y = at.y(word);
  const chosen = i === data.chosen && word === data.here;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(x, y + 1, column - 2, row - 2, { r: 6, fill: "transparent", stroke: chosen ? colour.ink : null });
    const number = asked ? "?" : p === 0 ? "✕ 0" : shortNumber(p);
    its.markedText(x + 5, y + row - 8, number, chosen && !asked, { size: 13, bold: chosen || p === 0 });
    drawLyingBar(its, { x: x + 4, y: y + row - 5, room: inner, p: asked ? 0 : p });
  };
  const said = `${lane.label}, ${data.words[word]}: ${asked ? "?" : formatNumber(p)}`;
  pen.button(said, () => send([i, word]), draw, { key: `cell${word}`, tabindex: null });
}

/**
 * The likeliest next word of a model.
 *
 * @type {DrawLane}
 */
function drawExpected(pen, { data, values, hidden }, { row, inner, next: y }, { lane, i, x }) {
  const next = /** @type {LanePayload["expected"][number] | undefined} */ (lane.expected[0]);
  const asked = next !== undefined && hidden(next.slot);
  const p = next && !asked ? values(next.slot) : 0;
  pen.text(x + 5, y + row - 6, next ? next.word : "no word", { key: "next", size: 14, bold: true, room: inner });
  const number = asked ? "?" : next ? shortNumber(p) : "✕ 0";
  const look = { key: "next p", size: 13, bold: true };
  pen.markedText(x + 5, y + 2 * row - 8, number, i === data.chosen && !asked, look);
  drawLyingBar(pen, { x: x + 4, y: y + 2 * row - 5, room: inner, p });
}

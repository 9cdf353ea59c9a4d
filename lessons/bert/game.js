// The cloze game: a text with a gap and words to press; after the answer their paired bars and who chose which.
// Beside it the score of every player.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { drawLegend, drawPairs } from "./bars.js";
import { drawFlow, drawWords, layWords } from "./words.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Box } from "./bars.js" */
/** @typedef {Scene<"game">} GameScene */
/** @typedef {(pen: Pen, scene: GameScene, box: Box) => void} Draw */

/** @param {Component<Scripts["game"]>} component */
export default function game(component) {
  return mainPicture(component, drawGame);
}

/** @param {Pen} pen @param {GameScene} scene */
function drawGame(pen, scene) {
  const { width, height, narrow, data, colour } = scene;
  const edge = narrow ? 8 : 24;
  const side = narrow ? 0 : 236;
  const right = width - edge - side;
  const board = narrow ? 64 : 0;
  const gaps = new Set([data.place]);
  pen.group({ key: "title" }, (its) => drawProgress(its, scene, edge, right));
  const room = { left: edge, right, top: narrow ? 30 : 54, most: height * (narrow ? 0.28 : 0.32) };
  const laid = layWords(data.words, gaps, { ...room, largest: narrow ? 19 : 30 });
  pen.part(scene, "text", (its) => {
    drawFlow(its, laid, data.place);
    drawWords(its, scene, laid, { gaps, blank: "?", filled: data.revealed ? data.words[data.place] : "" });
  });
  const box = { left: edge, right, top: laid.bottom + (narrow ? 14 : 30), foot: height - 8 - board };
  const drawAnswers = data.revealed ? drawBars : drawChoices;
  pen.part(scene, "answers", (its) => drawAnswers(its, scene, box));
  if (data.revealed && data.next) drawNext(pen, scene, box);
  const sidebar = { left: right + 28, right: width - edge, top: 20, foot: height - 16 };
  pen.part(scene, "score", (its) =>
    narrow ? drawScoreRow(its, scene, height - board) : drawScoreBoard(its, scene, sidebar),
  );
  if (!narrow) pen.line(right + 12, 20, right + 12, height - 16, { key: "side", stroke: colour.line });
}

/**
 * The bars of all answers.
 *
 * @type {Draw}
 */
function drawBars(pen, scene, { left, right, top, foot }) {
  const { data, narrow } = scene;
  const end = foot - (data.next ? 44 : 0);
  const tags = new Map(data.options.map(({ word, tag }) => [word, tag]));
  const look = { marked: data.marked, asked: false, tagRoom: narrow ? 100 : 118 };
  pen.group({ key: "pairs" }, (pairs) => {
    const box = { left, right, top, foot: end - 24 };
    drawPairs(pairs, scene, data.options, box, { ...look, tags: (word) => tags.get(word) ?? "" });
  });
  const place = { x: left, y: end - 6, right, asked: false };
  pen.group({ key: "legend" }, (legend) => drawLegend(legend, data.bars, place));
}

/**
 * Which text this is, such as text 3 of 8, and a dot for each.
 *
 * @param {Pen} pen @param {GameScene} scene @param {number} left @param {number} right
 */
function drawProgress(pen, { data, colour, narrow, send }, left, right) {
  pen.text(left, narrow ? 20 : 30, data.title, { size: narrow ? 15 : 18, bold: true });
  const step = narrow ? 20 : 26;
  data.states.forEach((state, n) => {
    const x = right - (data.states.length - n - 0.5) * step;
    const current = n === data.here;
    const name = `Text ${n + 1}${state ? `, ${state === "hit" ? "the hidden word" : "another word"}` : ""}`;
    /** @param {Pen} its */
    const draw = (its) => {
      its.node("title", {}, name);
      its.circle(x, narrow ? 15 : 24, current ? 9 : 7, {
        fill: state === "" ? colour.background : state === "hit" ? colour.activation : colour.quiet,
        stroke: current ? colour.ink : colour.quiet,
        line: current ? 3 : 1.5,
      });
    };
    pen.button(name, () => send(["go", n + 1]), draw, { key: `dot${n}`, disabled: n > data.reach });
  });
}

/**
 * The words to choose from.
 *
 * @type {Draw}
 */
function drawChoices(pen, { data, colour, send, narrow }, { left, right, top, foot }) {
  const [size, most, columns, gap] = narrow ? [17, 64, 2, 8] : [26, 130, 3, 16];
  const rows = Math.ceil(data.choices.length / columns);
  const wide = (right - left - gap * (columns - 1)) / columns;
  const high = Math.min(most, (foot - top - 30 - gap * (rows - 1)) / rows);
  pen.text(left, top + 16, "Which word was here?", { size: narrow ? 15 : 18, bold: true });
  data.choices.forEach((word, n) => {
    const x = left + (n % columns) * (wide + gap);
    const y = top + 30 + Math.floor(n / columns) * (high + gap);
    /** @param {Pen} its */
    const draw = (its) => {
      const fill = colour.input;
      its.rect(x, y, wide, high, { r: 12, fill, "fill-opacity": 0.1, stroke: fill, line: 2 });
      const look = /** @type {const} */ ({ size, bold: true, anchor: "middle", fill, room: wide - 16 });
      its.text(x + wide / 2, y + high / 2 + size * 0.35, word, look);
    };
    pen.button(word, () => send(["say", word]), draw, { key: `choice ${word}` });
  });
}

/**
 * The button to the next text.
 *
 * @type {Draw}
 */
function drawNext(pen, { data, colour, send }, { left, foot }) {
  const wide = textWidth(data.next, 17, true) + 36;
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(left, foot - 38, wide, 36, { r: 18, fill: colour.ink });
    const look = /** @type {const} */ ({ size: 17, bold: true, anchor: "middle", fill: colour.background });
    its.text(left + wide / 2, foot - 14, data.next, look);
  };
  pen.button(data.next, () => send(["go", data.here + 2]), draw, { key: "next" });
}

/** @type {Draw} */
function drawScoreBoard(pen, { data, values, text, colour }, { left, right, top, foot }) {
  const room = right - left;
  pen.text(left, top + 12, "Points", { size: 18, bold: true });
  pen.text(left, top + 34, "p of the chosen word, summed", { size: 13, fill: colour.quiet, room });
  const step = Math.min(92, (foot - top - 52) / data.players.length);
  data.players.forEach(({ name, points, hits }, n) => {
    const y = top + 56 + n * step;
    const share = data.states.length ? values(points) / data.states.length : 0;
    const fill = n === 2 ? colour.weight : colour.activation;
    pen.text(left, y + 18, name, { key: `name${n}`, size: 16, bold: n === 0, room: room - 70 });
    pen.text(right, y + 18, text(points), { key: `points${n}`, size: 20, bold: true, anchor: "end" });
    pen.rect(left, y + 27, room, 14, { key: `track${n}`, r: 4, fill, "fill-opacity": 0.12 });
    pen.rect(left, y + 27, room * share, 14, { key: `bar${n}`, r: 4, fill });
    pen.text(left, y + 60, hits, { key: `hits${n}`, size: 14, fill: colour.quiet, room });
  });
}

/**
 * On a phone the score is in a row.
 *
 * @param {Pen} pen @param {GameScene} scene @param {number} top
 */
function drawScoreRow(pen, { data, text, width, colour }, top) {
  pen.line(8, top + 4, width - 8, top + 4, { key: "rule", stroke: colour.line });
  const each = (width - 16) / data.players.length;
  data.players.forEach(({ name, points }, n) => {
    const x = 8 + n * each;
    pen.text(x, top + 24, name, { key: `name${n}`, size: 13, fill: colour.quiet, room: each - 6 });
    pen.text(x, top + 48, text(points), { key: `points${n}`, size: 18, bold: true, room: each - 6 });
  });
}

// The cloze game: a text with a gap and words to press; after the answer their paired bars and who chose which.
// Beside it the score of every player.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth } from "../../ui/browser/pen.js";
import { drawLegend, drawPairs } from "./bars.js";
import { drawFlow, drawWords, layWords } from "./words.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["game"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function game(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => draw(pen, scene));
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene) {
  const { width, height, narrow, data, colour } = scene;
  const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
  const edge = narrow ? 8 : 24;
  const side = narrow ? 0 : 236;
  const right = width - edge - side;
  const board = narrow ? 64 : 0;
  const gaps = new Set([data.place]);
  pen.group({ key: "title" }, (its) => progress(its, scene, edge, right));
  const laid = layWords(data.words, gaps, {
    left: edge,
    right,
    top: narrow ? 30 : 54,
    most: height * (narrow ? 0.28 : 0.32),
    largest: narrow ? 19 : 30,
  });
  part("text", (its) => {
    drawFlow(its, scene, laid, data.place);
    drawWords(its, scene, laid, { gaps, blank: "?", filled: data.revealed ? data.words[data.place] : "" });
  });
  const box = { left: edge, right, top: laid.bottom + (narrow ? 14 : 30), foot: height - 8 - board };
  if (data.revealed) {
    const turn = data.next ? 44 : 0;
    part("answers", (its) => {
      const tags = new Map(data.options.map(({ word, tag }) => [word, tag]));
      its.group({ key: "pairs" }, (pairs) =>
        drawPairs(
          pairs,
          scene,
          data.options,
          { ...box, foot: box.foot - 24 - turn },
          { marked: data.marked, asked: false, tags: (word) => tags.get(word) ?? "", tagRoom: narrow ? 100 : 118 },
        ),
      );
      its.group({ key: "legend" }, (legend) =>
        drawLegend(legend, scene, data.bars, { x: box.left, y: box.foot - 6 - turn, right, asked: false }),
      );
    });
    if (data.next) next(pen, scene, box);
  } else {
    part("answers", (its) => choices(its, scene, box));
  }
  part("score", (its) =>
    narrow
      ? scoreRow(its, scene, height - board)
      : scoreBoard(its, scene, { left: width - edge - side + 28, right: width - edge, top: 20, foot: height - 16 }),
  );
  if (!narrow)
    pen.line(width - edge - side + 12, 20, width - edge - side + 12, height - 16, { key: "side", stroke: colour.line });
}

// Text 3 of 8, and a dot for each.
function progress(pen, scene, left, right) {
  const { data, colour, narrow } = scene;
  pen.text(left, narrow ? 20 : 30, data.title, { size: narrow ? 15 : 18, bold: true });
  const step = narrow ? 20 : 26;
  data.states.forEach((state, n) => {
    const x = right - (data.states.length - n - 0.5) * step;
    const y = narrow ? 15 : 24;
    const here = n === data.here;
    const dot = (its) =>
      its.circle(x, y, here ? 9 : 7, {
        fill: state === "" ? colour.background : state === "hit" ? colour.activation : colour.quiet,
        stroke: here ? colour.ink : colour.quiet,
        line: here ? 3 : 1.5,
      });
    const name = `Text ${n + 1}${state ? `, ${state === "hit" ? "the hidden word" : "another word"}` : ""}`;
    pen.button(
      name,
      () => scene.send(["go", n + 1]),
      (its) => {
        its.node("title", {}, name);
        dot(its);
      },
      { key: `dot${n}`, disabled: n > data.reach },
    );
  });
}

function choices(pen, scene, { left, right, top, foot }) {
  const { data, colour, send, narrow } = scene;
  const size = narrow ? 17 : 26;
  const high = narrow ? 64 : 130;
  const columns = narrow ? 2 : 3;
  const gap = narrow ? 8 : 16;
  const rows = Math.ceil(data.choices.length / columns);
  const wide = (right - left - gap * (columns - 1)) / columns;
  const space = Math.min(high, (foot - top - 30 - gap * (rows - 1)) / rows);
  pen.text(left, top + 16, "Which word was here?", { size: narrow ? 15 : 18, bold: true });
  data.choices.forEach((word, n) => {
    const x = left + (n % columns) * (wide + gap);
    const y = top + 30 + Math.floor(n / columns) * (space + gap);
    pen.button(
      word,
      () => send(["say", word]),
      (its) => {
        its.rect(x, y, wide, space, { r: 12, fill: colour.input, "fill-opacity": 0.1, stroke: colour.input, line: 2 });
        its.text(x + wide / 2, y + space / 2 + size * 0.35, word, {
          size,
          bold: true,
          anchor: "middle",
          fill: colour.input,
          room: wide - 16,
        });
      },
      { key: `choice ${word}` },
    );
  });
}

function next(pen, { data, colour, send }, { left, foot }) {
  const wide = textWidth(data.next, 17, true) + 36;
  pen.button(
    data.next,
    () => send(["go", data.here + 2]),
    (its) => {
      its.rect(left, foot - 38, wide, 36, { r: 18, fill: colour.ink });
      its.text(left + wide / 2, foot - 14, data.next, {
        size: 17,
        bold: true,
        anchor: "middle",
        fill: colour.background,
      });
    },
    { key: "next" },
  );
}

function scoreBoard(pen, scene, { left, right, top, foot }) {
  const { data, values, text, colour } = scene;
  pen.text(left, top + 12, "Points", { size: 18, bold: true });
  pen.text(left, top + 34, "p of the chosen word, summed", { size: 13, fill: colour.quiet, room: right - left });
  const step = Math.min(92, (foot - top - 52) / data.players.length);
  data.players.forEach(({ name, points, hits }, n) => {
    const y = top + 56 + n * step;
    const share = data.states.length ? values(points) / data.states.length : 0;
    pen.text(left, y + 18, name, { key: `name${n}`, size: 16, bold: n === 0, room: right - left - 70 });
    pen.text(right, y + 18, text(points), { key: `points${n}`, size: 20, bold: true, anchor: "end" });
    pen.rect(left, y + 27, right - left, 14, {
      key: `track${n}`,
      r: 4,
      fill: n === 2 ? colour.weight : colour.activation,
      "fill-opacity": 0.12,
    });
    pen.rect(left, y + 27, (right - left) * share, 14, {
      key: `bar${n}`,
      r: 4,
      fill: n === 2 ? colour.weight : colour.activation,
    });
    pen.text(left, y + 60, hits, { key: `hits${n}`, size: 14, fill: colour.quiet, room: right - left });
  });
}

function scoreRow(pen, scene, top) {
  const { data, text, width, colour } = scene;
  pen.line(8, top + 4, width - 8, top + 4, { key: "rule", stroke: colour.line });
  const each = (width - 16) / data.players.length;
  data.players.forEach(({ name, points }, n) => {
    pen.text(8 + n * each, top + 24, name, { key: `name${n}`, size: 13, fill: colour.quiet, room: each - 6 });
    pen.text(8 + n * each, top + 48, text(points), { key: `points${n}`, size: 18, bold: true, room: each - 6 });
  });
}

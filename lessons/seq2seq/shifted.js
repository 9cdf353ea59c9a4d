// The decoder in training and alone: the target above what is read, shifted by one, and the model's own words below.

import { mainPicture } from "../../drawing/main_picture.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"shifted">} ShiftedScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: ShiftedScene, at: Places) => void} Draw */
/** @typedef {{ words: readonly string[], right: readonly (string | undefined)[], y: number, key: string, fill: string }} Row */

/** @param {Component<Scripts["shifted"]>} component */
export default function shifted(component) {
  return mainPicture(component, (pen, /** @type {ShiftedScene} */ scene) => {
    scene.chooseTexts(scene.values("@say"));
    const at = placesOf(scene);
    drawTraining(pen, scene, at);
    drawAlone(pen, scene, at);
    drawPresses(pen, scene, at);
  });
}

/** @param {ShiftedScene} scene */
function placesOf({ data, width, height, narrow }) {
  const steps = Math.max(data.target.length, data.written.length);
  const left = narrow ? 8 : 130;
  const cell = (width - left - 8) / steps;
  const turned = cell < 52;
  const size = turned ? 14 : Math.max(Math.min(19, cell / 4.4), 16);
  const high = turned ? height * 0.13 : Math.min(40, height * 0.085);
  const y = (/** @type {number} */ share) => height * share;
  const shares = turned ? [0.08, 0.23, 0.43, 0.65, 0.85] : [0.09, 0.27, 0.46, 0.7, 0.89];
  const [chance, target, read, writes, own] = shares.map(y);
  const rows = { chance, target, read, writes, own };
  return { steps, left, cell, size, high, rows, turned };
}

/** Where column i begins, from 0. @param {Places} at @param {number} i */
const columnOf = (at, i) => at.left + i * at.cell;

/** @type {Draw} */
function drawTraining(pen, scene, at) {
  const { colour, data, values, text, narrow } = scene;
  const { rows } = at;
  const read = [data.start, ...data.target.slice(0, -1)];
  drawTitle(pen, scene, at, "in training", narrow ? 18 : rows.target - at.high, colour.ink);
  drawRow(pen, scene, at, {
    words: data.target,
    right: data.target,
    y: rows.target,
    key: "target",
    fill: colour.activation,
  });
  drawRow(pen, scene, at, { words: read, right: read, y: rows.read, key: "read", fill: colour.input });
  drawSide(pen, scene, at, rows.target, "target yᵢ", colour.activation);
  drawSide(pen, scene, at, rows.read, "reads yᵢ₋₁", colour.input);
  drawShifts(pen, scene, at, data.target, rows.target, rows.read);
  const foot = rows.target - at.high / 2 - 8;
  const room = foot - rows.chance;
  data.target.forEach((_, i) => {
    const name = /** @type {const} */ (`p${i + 1}`);
    if (scene.hidden(name)) return;
    const x = columnOf(at, i) + at.cell / 2;
    const high = room * values(name);
    const wide = Math.min(26, at.cell * 0.5);
    pen.rect(x - wide / 2, foot - high, wide, high, { key: `bar ${i}`, fill: colour.activation, r: 2 });
    const named = values("step") === i + 1;
    if (at.turned && !named) return;
    const look = { key: `p ${i}`, size: narrow ? 14 : 16, anchor: /** @type {const} */ ("middle"), bold: named };
    pen.markedText(x, foot - high - 6, text(name), named, look);
  });
}

/** @type {Draw} */
function drawAlone(pen, scene, at) {
  const { colour, data, narrow } = scene;
  const { rows } = at;
  const own = [data.start, ...data.written.slice(0, -1)];
  const read = [data.start, ...data.target.slice(0, -1)];
  drawTitle(pen, scene, at, "alone", rows.writes - at.high / 2 - (narrow ? 10 : 14), colour.ink);
  drawRow(pen, scene, at, {
    words: data.written,
    right: data.target,
    y: rows.writes,
    key: "writes",
    fill: colour.activation,
  });
  drawRow(pen, scene, at, { words: own, right: read, y: rows.own, key: "own", fill: colour.input });
  drawSide(pen, scene, at, rows.writes, "writes", colour.activation);
  drawSide(pen, scene, at, rows.own, "reads", colour.input);
  drawShifts(pen, scene, at, data.written, rows.writes, rows.own);
}

/** @param {Pen} pen @param {ShiftedScene} scene @param {Places} at @param {string} said @param {number} y @param {string} fill */
function drawTitle(pen, { narrow }, { left }, said, y, fill) {
  pen.text(narrow ? 8 : 16, narrow ? y : y - 6, said, {
    key: said,
    size: narrow ? 14 : 18,
    bold: true,
    fill,
    room: narrow ? 0 : left - 20,
  });
}

/** @param {Pen} pen @param {ShiftedScene} scene @param {Places} at @param {number} y @param {string} said @param {string} fill */
function drawSide(pen, { narrow, width }, at, y, said, fill) {
  if (narrow)
    pen.text(width - 10, y + at.high / 2 + 17, said, {
      key: `side ${said}`,
      size: 14,
      fill,
      anchor: "end",
      halo: true,
    });
  else pen.text(16, y + 5, said, { key: `side ${said}`, size: 16, fill });
}

/**
 * A row of words; one that differs from the true one is framed and red.
 *
 * @param {Pen} pen @param {ShiftedScene} scene @param {Places} at @param {Row} row
 */
function drawRow(pen, { colour, values }, at, { words, right, y, key, fill }) {
  words.forEach((word, i) => {
    const x = columnOf(at, i);
    const wrong = word !== right[i];
    const lit = values("step") === i + 1;
    const stroke = wrong ? colour.gradient : fill;
    pen.rect(x + 3, y - at.high / 2, at.cell - 6, at.high, {
      key: `${key} box ${i}`,
      r: 6,
      stroke,
      line: lit ? 3.5 : 1.5,
    });
    const look = { key: `${key} ${i}`, size: at.size, bold: lit || wrong, fill: wrong ? colour.gradient : colour.ink };
    if (!at.turned)
      return pen.text(x + at.cell / 2, y + at.size * 0.35, word, { ...look, anchor: "middle", room: at.cell - 10 });
    const transform = `translate(${x + at.cell / 2 + at.size * 0.35} ${y + at.high / 2 - 3}) rotate(-90)`;
    return pen.text(0, 0, word, { ...look, transform, room: at.high - 4 });
  });
}

/**
 * A line from each word to where it is read, one step later.
 *
 * @param {Pen} pen @param {ShiftedScene} scene @param {Places} at @param {readonly string[]} words @param {number} from @param {number} to
 */
function drawShifts(pen, { colour, values }, at, words, from, to) {
  words.slice(0, -1).forEach((_, i) => {
    const lit = values("step") === i + 2;
    const [x, y] = [columnOf(at, i) + at.cell / 2, from + at.high / 2];
    const [x2, y2] = [x + at.cell, to - at.high / 2];
    const stroke = lit ? colour.ink : colour.quiet;
    pen.path(`M${x} ${y}C${x} ${(y + y2) / 2} ${x2} ${(y + y2) / 2} ${x2} ${y2 - 6}`, {
      key: `shift ${from} ${i}`,
      stroke,
      width: lit ? 3 : 1.5,
    });
    pen.head(x2, y2 - 1, 90, stroke);
  });
}

/**
 * A press on a column frames its step.
 *
 * @type {Draw}
 */
function drawPresses(pen, { data, values, move }, at) {
  const top = at.rows.chance - 20;
  data.target.forEach((word, i) => {
    pen.button(
      `Step ${i + 1}, ${word}`,
      () => move("step", i + 1, true),
      (its) =>
        its.rect(columnOf(at, i), top, at.cell, at.rows.own + at.high / 2 - top, {
          key: "column",
          fill: "transparent",
        }),
      { key: `step ${i}`, chosen: values("step") === i + 1 },
    );
  });
}

// The loop that computes the chain, as lines of code. The line of the current quantity is highlighted; a press on a
// line goes to its quantity. Below are the buttons that step and play.

import { textWidth } from "../../drawing/pen.js";
import { onTwoRows } from "./chain.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { CodeLine } from "../../drawing/types.js" */
/** @import { Place, WalkScene } from "./column.js" */
/** @typedef {{ phase: string, rows: string[] }} Code the lines that compute a quantity */
/**
 * @typedef {Code & {
 *   x: number, top: number, wide: number, pad: number, lit: boolean, press: () => void
 * }} Chip
 */

const LETTER = 7.83; // the width of a letter of code
const CODE = { size: 13, "font-family": '"Source Code Pro", monospace', "xml:space": "preserve" };
/** @type {Record<string, string>} */
const NAMES = {
  x: "read the word",
  e: "look up its embedding",
  h: "compute the new hidden state",
  y: "predict",
  J: "compute the loss",
};
/** @type {Record<string, string>} */
const ROLE = { x: "input", e: "input", h: "activation", y: "activation", J: "loss" };

/**
 * @param {Pen} pen
 * @param {WalkScene} scene
 * @param {Place} place
 * @param {number} top
 * @param {(phase: number) => void} press
 */
export function drawLoop(pen, scene, place, top, press) {
  const { data, width, narrow } = scene;
  const chips = data.phases.map((phase) => ({ phase, rows: codeOf(data.code, phase) }));
  pen.part(scene, "code", (its) => {
    if (narrow) return drawLitChip(its, scene, chips[place.phase], top);
    const letters = chips.map(({ rows }) => Math.max(...rows.map((row) => row.length)));
    const sum = letters.reduce((a, b) => a + b, 0) * LETTER;
    const gap = Math.min(Math.max((width - 20 - sum) / chips.length - 14, 4), 12);
    const pad = Math.min((width - 20 - sum - gap * (chips.length - 1)) / chips.length / 2, 12);
    let x = 10;
    chips.forEach((code, i) => {
      const wide = letters[i] * LETTER + 2 * pad;
      drawChip(its, { ...code, x, top, wide, pad, lit: i === place.phase, press: () => press(i) });
      x += wide + gap;
    });
  });
}

/** @param {readonly CodeLine[]} code @param {string} phase */
function codeOf(code, phase) {
  const lines = code.filter((line) => line.phase === phase).map((line) => line.text.trim());
  return lines.length === 1 && lines[0].length > 12 ? onTwoRows(lines[0]) : lines;
}

/** @param {Pen} pen @param {Chip} chip */
function drawChip(pen, { phase, rows, x, top, wide, pad, lit, press }) {
  const { mark, background, line, onMark, ink, ...colour } = pen.colour;
  /** @param {Pen} its */
  const draw = (its) => {
    const [fill, stroke] = lit ? [mark, colour[ROLE[phase]]] : [background, line];
    its.rect(x, top, wide, 46, { r: 6, fill, stroke, line: lit ? 2 : 1 });
    const first = top + (rows.length === 1 ? 28 : 19);
    rows.forEach((row, i) => its.text(x + pad, first + 18 * i, row, { ...CODE, fill: lit ? onMark : ink }));
  };
  pen.button(`Go to: ${NAMES[phase]}`, press, draw, { key: phase, chosen: lit, "data-lit": lit || undefined });
}

/**
 * The lines of the current quantity; a phone has no room for the others.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Code} code @param {number} top
 */
function drawLitChip(pen, { width, colour }, { phase, rows }, top) {
  const fits = rows.length === 2 && rows.join(" ").length * LETTER < width - 24;
  const lit = fits ? [rows.join(phase === "h" ? "; " : " ")] : rows;
  const look = { r: 6, fill: colour.mark, stroke: colour[ROLE[phase]], line: 1.5, "data-lit": true };
  pen.rect(6, top, width - 12, 36, look);
  const first = top + (lit.length === 1 ? 23 : 15);
  lit.forEach((row, i) => pen.text(14, first + 16 * i, row, { ...CODE, fill: colour.onMark }));
}

/**
 * What the buttons do; `back` or `onward` is null at that end of the walk.
 *
 * @typedef {{ back: (() => void) | null, onward: (() => void) | null, play: () => void, playing: boolean }} Buttons
 */
/** @typedef {{ key: string, label: string, name: string, press: (() => void) | null }} Button */

/**
 * The buttons Back, Step and Play, and the weights that all steps share.
 *
 * @param {Pen} pen @param {WalkScene} scene @param {Buttons} buttons
 */
export function drawButtons(pen, { width, height, narrow, colour, data }, { back, onward, play, playing }) {
  const [top, high] = [height - (narrow ? 40 : 46), narrow ? 34 : 36];
  let x = narrow ? 6 : 10;
  /** @type {Button[]} */
  const buttons = [
    { key: "back", label: "‹ Back", name: "Back: one quantity", press: back },
    { key: "onward", label: "Step ›", name: "Step: the next quantity, and on to the next word", press: onward },
    {
      key: "play",
      label: playing ? "Pause" : "Play",
      name: playing ? "Pause" : "Play: read on, word by word",
      press: play,
    },
  ];
  for (const button of buttons) {
    const wide = textWidth(button.label, 15, true) + (narrow ? 20 : 28);
    drawButton(pen, button, { left: x, top, wide, high });
    x += wide + 8;
  }
  if (narrow) return;
  pen.text(Math.min(x + 10, width), top + high / 2 + 5, `The same at every step: ${data.same.join(", ")}`, {
    key: "same",
    size: 15,
    bold: true,
    fill: colour.weight,
    room: width - x - 20,
  });
}

/** @param {Pen} pen @param {Button} button @param {{ left: number, top: number, wide: number, high: number }} box */
function drawButton(pen, { key, label, name, press }, { left, top, wide, high }) {
  const { ink, background, quiet } = pen.colour;
  const full = key === "onward";
  /** @param {Pen} its */
  const draw = (its) => {
    const look = { r: 8, fill: full ? ink : background, stroke: full ? ink : quiet, line: 1.2 };
    its.rect(left, top, wide, high, look);
    const fill = full ? background : ink;
    its.text(left + wide / 2, top + high / 2 + 5, label, { size: 15, bold: true, anchor: "middle", fill });
  };
  pen.button(name, press ?? (() => {}), draw, { key, disabled: !press });
}

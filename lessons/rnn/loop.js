// The loop that computes the chain, as the lines that run: the one of the present quantity is lit, and each is
// pressed to go to its quantity. Below it the buttons that step and play.

import { textWidth } from "../../ui/browser/pen.js";
import { onTwoRows } from "./chain.js";

/** @import { CodeLine, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["unrolled"]} Data */

const LETTER = 7.83; // the width of a letter of code
const CODE = { size: 13, "font-family": '"Source Code Pro", monospace', "xml:space": "preserve" };
const NAMES = {
  x: "read the word",
  e: "look up its embedding",
  h: "compute the new hidden state",
  y: "predict",
  J: "compute the loss",
};
const ROLE = { x: "input", e: "input", h: "activation", y: "activation", J: "loss" };

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
export function drawLoop(pen, scene, place, top, press) {
  const data = /** @type {Data} */ (scene.data);
  const chips = data.phases.map((phase) => ({ phase, rows: codeOf(data.code, phase) }));
  pen.group({ key: "code", opacity: scene.dim("code") ? 0.18 : null }, (its) => {
    if (scene.narrow) return oneChip(its, scene, chips[place.phase], top);
    const letters = chips.map(({ rows }) => Math.max(...rows.map((row) => row.length)));
    const sum = letters.reduce((a, b) => a + b, 0) * LETTER;
    const gap = Math.min(Math.max((scene.width - 20 - sum) / chips.length - 14, 4), 12);
    const pad = Math.min((scene.width - 20 - sum - gap * (chips.length - 1)) / chips.length / 2, 12);
    let x = 10;
    chips.forEach(({ phase, rows }, i) => {
      const wide = letters[i] * LETTER + 2 * pad;
      chip(its, scene, { phase, rows, x, top, wide, pad, lit: i === place.phase, press: () => press(i) });
      x += wide + gap;
    });
  });
}

/** @param {readonly CodeLine[]} code */
function codeOf(code, phase) {
  const lines = code.filter((line) => line.phase === phase).map((line) => line.text.trim());
  return lines.length === 1 && lines[0].length > 12 ? onTwoRows(lines[0]) : lines;
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function chip(pen, { colour }, { phase, rows, x, top, wide, pad, lit, press }) {
  const role = colour[ROLE[phase]];
  pen.button(
    `Go to: ${NAMES[phase]}`,
    press,
    (its) => {
      its.rect(x, top, wide, 46, {
        r: 6,
        fill: lit ? colour.mark : colour.background,
        stroke: lit ? role : colour.line,
        line: lit ? 2 : 1,
      });
      const first = top + (rows.length === 1 ? 28 : 19);
      rows.forEach((row, i) =>
        its.text(x + pad, first + 18 * i, row, { ...CODE, fill: lit ? colour.onMark : colour.ink }),
      );
    },
    { key: phase, chosen: lit, "data-lit": lit || undefined },
  );
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function oneChip(pen, { width, colour }, { phase, rows }, top) {
  const lit =
    rows.length === 2 && rows.join(" ").length * LETTER < width - 24 ? [rows.join(phase === "h" ? "; " : " ")] : rows;
  pen.rect(6, top, width - 12, 36, {
    r: 6,
    fill: colour.mark,
    stroke: colour[ROLE[phase]],
    line: 1.5,
    "data-lit": true,
  });
  lit.forEach((row, i) =>
    pen.text(14, top + (lit.length === 1 ? 23 : 15) + 16 * i, row, { ...CODE, fill: colour.onMark }),
  );
}

/**
 * Back, Step and Play, and what is the same at every step.
 *
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
export function drawButtons(pen, scene, { back, onward, play, playing }) {
  const { width, height, narrow, colour, data } = scene;
  const [top, high] = [height - (narrow ? 40 : 46), narrow ? 34 : 36];
  let x = narrow ? 6 : 10;
  const button = (key, label, name, press, disabled) => {
    const wide = textWidth(label, 15, true) + (narrow ? 20 : 28);
    const left = x;
    pen.button(
      name,
      press,
      (its) => {
        its.rect(left, top, wide, high, {
          r: 8,
          fill: key === "onward" ? colour.ink : colour.background,
          stroke: key === "onward" ? colour.ink : colour.quiet,
          line: 1.2,
        });
        its.text(left + wide / 2, top + high / 2 + 5, label, {
          size: 15,
          bold: true,
          anchor: "middle",
          fill: key === "onward" ? colour.background : colour.ink,
        });
      },
      { key, disabled },
    );
    x += wide + 8;
  };
  button("back", "‹ Back", "Back: one quantity", back, !back);
  button("onward", "Step ›", "Step: the next quantity, and on to the next word", onward, !onward);
  button("play", playing ? "Pause" : "Play", playing ? "Pause" : "Play: read on, word by word", play, false);
  const same = narrow ? "" : `The same at every step: ${data.same.join(", ")}`;
  if (same)
    pen.text(Math.min(x + 10, width), top + high / 2 + 5, same, {
      key: "same",
      size: 15,
      bold: true,
      fill: colour.weight,
      room: width - x - 20,
    });
}

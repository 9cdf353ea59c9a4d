// The formula of a unit: in symbols, below each symbol its number, below that the terms laid end to end, whose length is
// z; on the right the curve that bends z to y.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawBar } from "./formula_bar.js";
import { drawBend } from "./formula_bend.js";
import { columnAt, inOrder, LEAST, placesOf } from "./formula_places.js";
import { pieces } from "./formula_pieces.js";

/** @import { Component, Scripts, TermPayload } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw, FormulaPlaces, FormulaScene } from "./formula_places.js" */
/** @import { Piece } from "./formula_pieces.js" */

/** @param {Component<Scripts["formula"]>} component */
export default function formula(component) {
  return mainPicture(component, (pen, /** @type {FormulaScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "sum", (its) => {
      panel(its, at.sum, its.colour.score);
      drawSymbols(its, scene, at);
      drawBar(its, scene, at);
    });
    pen.part(scene, "bend", (its) => {
      panel(its, at.bend, its.colour.activation);
      drawBend(its, scene, at);
    });
  });
}

/** @param {Pen} pen @param {FormulaPlaces["sum"]} box @param {string} fill */
function panel(pen, { left, top, right, foot }, fill) {
  pen.rect(left, top, right - left, foot - top, { key: "panel", r: 14, fill, "fill-opacity": 0.05 });
}

/** @type {Draw} */
function drawSymbols(pen, scene, at) {
  const { data, colour } = scene;
  const { rows, sum, first, size } = at;
  const general = at.narrow ? 26 : 46;
  /** @type {Piece[]} */
  const whole = [
    ["z = ", colour.score],
    ["b", colour.weight],
    [" + Σ ", colour.quiet],
    ["wᵢ", colour.weight],
    ["xᵢ", colour.input],
  ];
  pieces(pen, (sum.left + sum.right) / 2, rows.general, whole, general, "general");
  const equals = { size, bold: true, fill: colour.score, anchor: /** @type {const} */ ("end") };
  pen.text(first - 4, rows.symbols, "=", { key: "equals", ...equals });
  const terms = inOrder(scene);
  terms.slice(0, at.shown).forEach((term, i) => {
    const x = columnAt(at, i);
    pieces(pen, x, rows.symbols, symbolsOf(term, pen), size, `symbols ${i}`);
    if (i) pen.text(x - at.column / 2, rows.symbols, "+", { key: `plus ${i}`, ...plus(pen, size) });
  });
  if (at.shown < terms.length)
    pen.text(columnAt(at, at.shown), rows.symbols, "+ …", { key: "more", ...plus(pen, size) });
  if (data.to !== "symbols") drawNumbers(pen, scene, at);
}

/** @param {Pen} pen @param {number} size */
const plus = (pen, size) => ({
  size: Math.max(size * 0.8, LEAST),
  fill: pen.colour.quiet,
  anchor: /** @type {const} */ ("middle"),
});

/**
 * @param {TermPayload} term
 * @param {Pen} pen
 * @returns {Piece[]}
 */
const symbolsOf = ({ weightLabel, input }, { colour }) => [
  [weightLabel, colour.weight],
  [input, colour.input],
];

/**
 * A number after a sign: in parentheses if it is negative.
 *
 * @param {string} number
 */
const enclosed = (number) => (number.startsWith("−") ? `(${number})` : number);

/**
 * Each number exactly below its symbol. A weight, an input and the bias can be dragged there.
 *
 * @type {Draw}
 */
function drawNumbers(pen, scene, at) {
  const { colour } = scene;
  const { rows, first, size, column, stacked } = at;
  const fits = Math.max(Math.min(size * 0.85, (column - 8) / 4), LEAST);
  pen.text(first - 4, rows.numbers, "=", { key: "equal", size: fits, bold: true, fill: colour.score, anchor: "end" });
  inOrder(scene)
    .slice(0, at.shown)
    .forEach((term, i) => {
      const x = columnAt(at, i);
      pen.line(x, rows.symbols + size * 0.35, x, rows.numbers - fits * 0.95, { key: `link ${i}`, stroke: colour.line });
      if (i) pen.text(x - column / 2, rows.numbers, "+", { key: `and ${i}`, ...plus(pen, fits) });
      const [weight, input] = numbersOf(scene, term);
      if (stacked) {
        pieces(pen, x, rows.numbers, [weight], fits, `numbers ${i}`, column - 8);
        if (input.length) pieces(pen, x, rows.numbers + fits * 1.35, input, fits, `input ${i}`, column - 4);
      } else pieces(pen, x, rows.numbers, [weight, ...input], fits, `numbers ${i}`, column - 16);
    });
}

/**
 * The weight of a term, and what it is multiplied by; nothing for the bias.
 *
 * @param {FormulaScene} scene
 * @param {TermPayload} term
 * @returns {[weight: Piece, input: Piece[]]}
 */
function numbersOf({ colour, text }, { weight, input, input_slot }) {
  const times = input_slot === undefined ? (input ? "1" : "") : text(input_slot);
  /** @type {Piece} */
  const its = [enclosed(times), colour.input, input_slot];
  return [[enclosed(text(weight)), colour.weight, weight], times ? [[" · ", colour.quiet], its] : []];
}

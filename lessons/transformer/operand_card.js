// One number and its operands, on a card over the model.

import { cutText, textWidth } from "../../drawing/pen.js";
import { cellsOf } from "./transformer_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Data, View } from "./transformer_view.js" */

/** @typedef {NonNullable<Data["number"]>} OpenNumber */

const WIDE = 330;
const ROW = 22;
const HEAD = 58; // height of the title and the rule
const HEADINGS = 24; // height of the row above the terms, where there are any
const FOOT = 34; // height of the result
const DISTINCT = 16; // minimum width of a cell that can be distinguished from its neighbours, in units

/**
 * The tile of the open number, and the number's cell; null if none is open, or its numbers were not sent.
 *
 * @param {View} view
 */
export function openCell(view) {
  const { data, opened } = view.model;
  const cells = opened && cellsOf(view, opened);
  if (!data.number || !cells) return null;
  const { row, column } = data.number;
  return { number: data.number, tile: opened, cells, cell: { row, column: column - opened.first } };
}

/**
 * Where the card of the open number is drawn: beside its cell, or over the full width on a phone. Null if no number is
 * open, or its cell is off screen or too small to be distinguished from its neighbours.
 *
 * @param {View} view
 */
export function cardOf(view) {
  const open = openCell(view);
  if (!open || open.cells.wide < DISTINCT) return null;
  const { plot, scene } = view;
  const cell = open.cells.place(open.cell);
  if (cell.left + cell.width <= plot.left || cell.left >= plot.left + plot.width) return null;
  const width = Math.min(WIDE, scene.width - 20);
  const height = heightOfCard(open.number);
  const beside = cell.left > plot.left + plot.width / 2 ? plot.left + 8 : plot.left + plot.width - width - 8;
  const top = Math.max(Math.min(plot.top + 6, plot.top + plot.height - height), plot.top - 6);
  return { left: scene.narrow ? 10 : beside, top, width, height };
}

/** @param {OpenNumber} number */
function heightOfCard({ terms, rest, further }) {
  const rows = terms.length + (rest ? 1 : 0) + further.length;
  return HEAD + (terms.length ? HEADINGS : 0) + rows * ROW + FOOT;
}

/** @param {Pen} pen @param {View} view @param {Box} card */
export function drawCard(pen, { model, scene }, card) {
  const { number } = model.data;
  if (!number) return;
  pen.group({ key: "card", role: "group", "aria-label": `${number.title}: ${number.text}` }, (its) => {
    drawTitle(its, number, card);
    drawClose(its, card, () => scene.send({ at: "" }));
    const under = drawTerms(its, number, card);
    drawResult(its, number, card, drawFurther(its, number, card, under));
  });
}

/**
 * The ground, the title and the rule.
 *
 * @param {Pen} pen @param {OpenNumber} number @param {Box} card
 */
function drawTitle(pen, { title, rule }, { left, top, width, height }) {
  const { background, ink, quiet } = pen.colour;
  pen.rect(left, top, width, height, { fill: background, stroke: ink, line: 1.5, r: 10, "fill-opacity": 0.97 });
  const shown = cutText(title, (width - 56) / 1.06, 14, true);
  pen.text(left + 14, top + 24, shown, { size: 14, bold: true });
  drawRaised(pen, [left + 14, top + 46], rule, { size: 14, fill: quiet });
}

/**
 * The button that closes the number.
 *
 * @param {Pen} pen @param {Box} card @param {() => void} close
 */
function drawClose(pen, { left, top, width }, close) {
  const draw = (/** @type {Pen} */ button) => {
    button.rect(left + width - 32, top + 6, 26, 26, { fill: "transparent" });
    button.text(left + width - 19, top + 25, "×", { size: 20, anchor: "middle" });
  };
  pen.button("Close the number", close, draw, { key: "close" });
}

/**
 * The terms under their headings, each with a bar for its share.
 *
 * @param {Pen} pen
 * @param {OpenNumber} number
 * @param {Box} card
 * @returns {number} the base line of the last of them
 */
function drawTerms(pen, { heads, terms }, { left, top, width }) {
  const { input, gradient, quiet } = pen.colour;
  const head = top + HEAD;
  if (!terms.length) return head;
  const ends = [left + width * 0.46, left + width * 0.66, left + width - 14]; // of left, right and product
  heads.forEach((title, n) => {
    if (title) pen.text(ends[n], head + 14, title, { key: `head ${n}`, size: 13, anchor: "end", fill: quiet });
  });
  const first = head + 20;
  terms.forEach((term, n) => {
    const y = first + (n + 1) * ROW;
    const bar = { key: `bar ${n}`, fill: term.share < 0 ? input : gradient, "fill-opacity": 0.16, r: 2 };
    pen.rect(left + 14, y - 16, Math.abs(term.share) * (width - 28), 20, bar);
    pen.text(left + 14, y, cutText(term.label, width * 0.26, 14), { key: `term ${n}`, size: 14 });
    [term.left, term.right, term.product].forEach((text, i) => {
      if (text) pen.text(ends[i], y, text, { key: `n ${n} ${i}`, size: 14, anchor: "end", bold: i === 2 });
    });
  });
  return first + terms.length * ROW;
}

/**
 * How many terms are not shown, and the other numbers of the rule.
 *
 * @param {Pen} pen
 * @param {OpenNumber} number
 * @param {Box} card
 * @param {number} y the base line above them
 * @returns {number} the base line of the last of them
 */
function drawFurther(pen, { rest, further }, { left, width }, y) {
  const right = left + width - 14;
  const look = /** @type {const} */ ({ size: 14, anchor: "end" });
  if (rest) pen.text(right, (y += ROW), rest, { key: "rest", fill: pen.colour.quiet, ...look });
  for (const text of further) pen.text(right, (y += ROW), text, { key: `also ${text}`, ...look });
  return y;
}

/**
 * @param {Pen} pen
 * @param {OpenNumber} number
 * @param {Box} card
 * @param {number} above the base line above it
 */
function drawResult(pen, { text }, { left, width }, above) {
  const y = above + 26;
  pen.line(left + 14, y - 19, left + width - 14, y - 19, { key: "rule", stroke: pen.colour.line });
  pen.markedText(left + width - 16, y, text, true, { size: 16, bold: true, anchor: "end" });
  pen.text(left + width - 30 - textWidth(text, 16, true), y, "= ", { size: 16, anchor: "end" });
}

/**
 * A rule in which a letter after ^ is a superscript, as in “W^Q”.
 *
 * @param {Pen} pen
 * @param {[x: number, y: number]} point
 * @param {string} text
 * @param {{ size: number, fill: string }} look
 */
function drawRaised(pen, [x, y], text, { size, fill }) {
  pen.group({ tag: "text", key: "rule text", x, y, "font-size": size, fill }, (line) => {
    text.split(/\^(\w)/).forEach((piece, n) => {
      if (!piece) return;
      const raised = n % 2 === 1; // the odd parts are the letters after ^
      if (raised) line.node("tspan", { dy: -0.35 * size, "font-size": 0.95 * 13 }, piece);
      else line.node("tspan", { dy: n ? 0.35 * size : 0 }, piece);
    });
  });
}

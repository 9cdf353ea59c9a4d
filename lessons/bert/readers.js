// One gap, five readers: what each of them reads, and how probable it finds the word that was there.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { shortNumber } from "./bars.js";
import { drawWords, layWords } from "./words.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, ReaderPayload, Scripts } from "../../drawing/types.js" */
/** @typedef {Scene<"readers">} ReaderScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {{ reader: ReaderPayload, y: number }} PlacedReader y: the top of its row */

/** @param {Component<Scripts["readers"]>} component */
export default function readers(component) {
  return mainPicture(component, drawReaders);
}

/** @param {ReaderScene} scene */
function placesOf({ width, height, narrow, data }) {
  const edge = narrow ? 8 : 24;
  const room = { left: edge, right: width - edge, top: narrow ? 8 : 18 };
  const gaps = new Set([data.place]);
  const laid = layWords(data.words, gaps, { ...room, most: height * 0.27, largest: narrow ? 18 : 28 });
  const heads = laid.bottom + (narrow ? 18 : 34);
  const [top, foot] = [heads + 8, height - 8];
  const start = edge + 196;
  const strip = narrow
    ? { left: width * 0.46, right: width - edge }
    : { left: start, right: start + Math.min(250, width * 0.24) };
  const bars = narrow ? { left: edge, right: width - 96 } : { left: strip.right + 28, right: width - 190 };
  return { edge, gaps, laid, heads, top, row: (foot - top) / data.rows.length, strip, bars };
}

/** @param {Pen} pen @param {ReaderScene} scene */
function drawReaders(pen, scene) {
  const { data, hidden, send } = scene;
  const at = placesOf(scene);
  const asked = hidden("own");
  pen.part(scene, "text", (its) =>
    drawWords(its, scene, at.laid, {
      gaps: at.gaps,
      blank: "?",
      pressable: new Set(data.pressable),
      filled: asked ? "" : data.words[data.place],
      press: (i) => send(i),
      name: (i) => `Word ${i}${asked && i === data.place ? "" : `, ${data.words[i]}`}`,
    }),
  );
  drawHeads(pen, scene, at);
  data.rows.forEach((reader, n) =>
    pen.part(scene, reader.part, (its) => {
      its.group({ key: reader.label }, (each) => drawReader(each, scene, at, { reader, y: at.top + n * at.row }));
    }),
  );
}

/**
 * The heads of the columns.
 *
 * @param {Pen} pen @param {ReaderScene} scene @param {Places} at
 */
function drawHeads(pen, { width, narrow, data, colour, hidden }, { edge, heads, strip, bars }) {
  const fill = colour.quiet;
  if (narrow) {
    const look = { key: "head bars", size: 13, fill, room: width - 16 };
    pen.text(edge, heads - 2, "p of the covered word, and the first guess", look);
    return;
  }
  pen.text(strip.left, heads - 4, "what it reads", { key: "head strip", size: 14, fill });
  const word = hidden("own") ? "the covered word" : `“${data.words[data.place]}”`;
  const look = { key: "head bars", size: 14, fill, room: bars.right - bars.left };
  pen.text(bars.left, heads - 4, `its p of ${word}`, look);
  pen.text(width - edge, heads - 4, "its first guess", { key: "head guess", size: 14, fill, anchor: "end" });
}

/**
 * A reader: its name, the words that it reads, its p of the covered word, and its first guess.
 *
 * @param {Pen} pen @param {ReaderScene} scene @param {Places} at @param {PlacedReader} placed
 */
function drawReader(pen, scene, at, { reader, y }) {
  const { hidden, colour, narrow, width } = scene;
  const { edge, strip, row } = at;
  const middle = y + row / 2;
  pen.line(edge, y, width - edge, y, { key: "rule", stroke: colour.line });
  const above = narrow ? y + Math.min(17, row * 0.42) : middle + 6;
  const look = { key: "label", size: narrow ? 14 : 17, bold: true, room: strip.left - edge - 8 };
  pen.text(edge, above, reader.label, look);
  const cells = narrow
    ? { top: above - 12, high: 12 }
    : { top: middle - Math.min(11, row / 2 - 3), high: Math.min(22, row - 6) };
  drawCells(pen, scene, at, reader, cells);
  const high = narrow ? Math.min(15, row - 25) : Math.min(24, row - 8);
  const top = narrow ? above + 7 : middle - high / 2;
  drawChance(pen, scene, at, reader, { top, high });
  if (!hidden(reader.q)) drawGuess(pen, scene, at, reader, narrow ? top + high / 2 + 5 : middle + 6);
}

/**
 * How probable the reader finds the covered word.
 *
 * @param {Pen} pen
 * @param {ReaderScene} scene
 * @param {Places} at
 * @param {ReaderPayload} reader
 * @param {{ top: number, high: number }} lane
 */
function drawChance(pen, { data, values, hidden, colour, narrow }, { bars }, { q, exact }, { top, high }) {
  const { left, right } = bars;
  const blind = hidden(q);
  const p = values(q);
  const fill = exact ? colour.weight : colour.activation;
  const wide = right - left;
  pen.rect(left, top, wide, high, { key: "track", r: 4, fill, "fill-opacity": 0.1 });
  if (!blind) pen.rect(left, top, Math.max(wide * p, 2), high, { key: "bar", r: 4, fill });
  const number = blind ? "?" : shortNumber(p);
  const size = narrow ? 14 : 17;
  const needs = textWidth(number, size, true) + 12;
  const filled = blind ? 0 : wide * p;
  const marked = data.marked === q && !blind;
  const inside = !blind && filled > needs + 8 && !marked && filled + needs > wide;
  const x = inside ? left + filled - 8 : Math.min(left + filled + 8, right - needs + 10);
  pen.markedText(x, top + high / 2 + size * 0.36, number, marked, {
    key: "number",
    size,
    bold: true,
    anchor: inside ? "end" : "start",
    fill: inside ? colour.background : fill,
    halo: !marked && !inside,
  });
}

/**
 * The reader's first guess, and whether it is right.
 *
 * @param {Pen} pen @param {ReaderScene} scene @param {Places} at @param {ReaderPayload} reader @param {number} y
 */
function drawGuess(pen, { values, colour, narrow, width }, { edge }, { right, guess, best }, y) {
  const said = `${right ? "✓" : "✕"} ${guess}`;
  pen.text(width - edge, y, right || narrow ? said : `${said} ${shortNumber(values(best))}`, {
    key: "guess",
    size: narrow ? 14 : 16,
    bold: true,
    anchor: "end",
    fill: right ? colour.ink : colour.gradient,
    room: narrow ? 84 : 158,
  });
}

/**
 * One cell per word, full if the reader reads it; a reader that ignores their order has round cells.
 *
 * @param {Pen} pen
 * @param {ReaderScene} scene
 * @param {Places} at
 * @param {ReaderPayload} reader
 * @param {{ top: number, high: number }} lane
 */
function drawCells(pen, { data, colour }, { strip }, { sees, ordered }, { top, high }) {
  const each = (strip.right - strip.left) / data.words.length;
  const wide = Math.max(each - (each > 6 ? 2 : 1), 1);
  const side = Math.min(wide, high);
  data.words.forEach((_, i) => {
    const x = strip.left + i * each;
    if (i === data.place) {
      pen.rect(x, top, wide, high, { key: `cell${i}`, r: 2, stroke: colour.ink, dash: "3 2", line: 1.4 });
      return;
    }
    const read = sees.includes(i);
    const look = { key: `cell${i}`, fill: read ? colour.input : colour.quiet, "fill-opacity": read ? 0.85 : 0.13 };
    if (ordered) pen.rect(x, top, wide, high, { ...look, r: 2 });
    else pen.rect(x, top + (high - side) / 2, wide, side, { ...look, r: side / 2 });
  });
}

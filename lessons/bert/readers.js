// One gap, five readers: what each of them reads, and how probable it finds the word that was there.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth } from "../../ui/browser/pen.js";
import { shortNumber } from "./bars.js";
import { drawWords, layWords } from "./words.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["readers"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function readers(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => draw(pen, scene));
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function draw(pen, scene) {
  const { width, height, narrow, data, colour, hidden, send } = scene;
  const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
  const edge = narrow ? 8 : 24;
  const gaps = new Set([data.place]);
  const laid = layWords(data.words, gaps, {
    left: edge,
    right: width - edge,
    top: narrow ? 8 : 18,
    most: height * (narrow ? 0.27 : 0.27),
    largest: narrow ? 18 : 28,
  });
  part("text", (its) =>
    drawWords(its, scene, laid, {
      gaps,
      blank: "?",
      pressable: new Set(data.pressable),
      filled: hidden("own") ? "" : data.words[data.place],
      press: (i) => send(i),
      name: (i) => `Word ${i}${hidden("own") && i === data.place ? "" : `, ${data.words[i]}`}`,
    }),
  );
  const heads = laid.bottom + (narrow ? 18 : 34);
  const [top, foot] = [heads + 8, height - 8];
  const row = (foot - top) / data.rows.length;
  const strip = narrow
    ? { left: width * 0.46, right: width - edge }
    : { left: edge + 196, right: edge + 196 + Math.min(250, width * 0.24) };
  const bars = narrow ? { left: edge, right: width - 96 } : { left: strip.right + 28, right: width - 190 };
  if (!narrow) {
    pen.text(strip.left, heads - 4, "what it reads", { key: "head strip", size: 14, fill: colour.quiet });
    const word = hidden("own") ? "the covered word" : `“${data.words[data.place]}”`;
    pen.text(bars.left, heads - 4, `its p of ${word}`, {
      key: "head bars",
      size: 14,
      fill: colour.quiet,
      room: bars.right - bars.left,
    });
    pen.text(width - edge, heads - 4, "its first guess", {
      key: "head guess",
      size: 14,
      fill: colour.quiet,
      anchor: "end",
    });
  } else
    pen.text(edge, heads - 2, "p of the covered word, and the first guess", {
      key: "head bars",
      size: 13,
      fill: colour.quiet,
      room: width - 16,
    });
  data.rows.forEach((reader, n) =>
    part(reader.part, (its) =>
      its.group({ key: reader.label }, (each) =>
        readerRow(each, scene, reader, { edge, strip, bars, y: top + n * row, row }),
      ),
    ),
  );
}

function readerRow(pen, scene, reader, { edge, strip, bars, y, row }) {
  const { data, values, hidden, colour, narrow, width } = scene;
  const blind = hidden(reader.q);
  const fill = reader.exact ? colour.weight : colour.activation;
  const middle = y + row / 2;
  pen.line(edge, y, width - edge, y, { key: "rule", stroke: colour.line });
  const above = narrow ? y + Math.min(17, row * 0.42) : middle + 6;
  pen.text(edge, above, reader.label, {
    key: "label",
    size: narrow ? 14 : 17,
    bold: true,
    room: strip.left - edge - 8,
  });
  cells(
    pen,
    scene,
    reader,
    strip,
    narrow ? above - 12 : middle - Math.min(11, row / 2 - 3),
    narrow ? 12 : Math.min(22, row - 6),
  );
  const high = narrow ? Math.min(15, row - 25) : Math.min(24, row - 8);
  const top = narrow ? above + 7 : middle - high / 2;
  const wide = bars.right - bars.left;
  pen.rect(bars.left, top, wide, high, { key: "track", r: 4, fill, "fill-opacity": 0.1 });
  if (!blind) pen.rect(bars.left, top, Math.max(wide * values(reader.q), 2), high, { key: "bar", r: 4, fill });
  const number = blind ? "?" : shortNumber(values(reader.q));
  const size = narrow ? 14 : 17;
  const needs = textWidth(number, size, true) + 12;
  const filled = blind ? 0 : wide * values(reader.q);
  const marked = data.marked === reader.q && !blind;
  const inside = !blind && filled > needs + 8 && !marked && filled + needs > wide;
  pen.markedText(
    inside ? bars.left + filled - 8 : Math.min(bars.left + filled + 8, bars.right - needs + 10),
    top + high / 2 + size * 0.36,
    number,
    marked,
    {
      key: "number",
      size,
      bold: true,
      anchor: inside ? "end" : "start",
      fill: inside ? colour.background : fill,
      halo: !marked && !inside,
    },
  );
  if (blind) return;
  const guess = `${reader.right ? "✓" : "✕"} ${reader.guess}`;
  pen.text(
    width - edge,
    narrow ? top + high / 2 + 5 : middle + 6,
    reader.right || narrow ? guess : `${guess} ${shortNumber(values(reader.best))}`,
    {
      key: "guess",
      size: narrow ? 14 : 16,
      bold: true,
      anchor: "end",
      fill: reader.right ? colour.ink : colour.gradient,
      room: narrow ? 84 : 158,
    },
  );
}

// A cell a word: full where the reader reads it; one that ignores their order has round ones.
function cells(pen, { data, colour }, reader, { left, right }, top, high) {
  const each = (right - left) / data.words.length;
  data.words.forEach((_, i) => {
    const seen = reader.sees.includes(i);
    const x = left + i * each;
    const wide = Math.max(each - (each > 6 ? 2 : 1), 1);
    if (i === data.place)
      return pen.rect(x, top, wide, high, { key: `cell${i}`, r: 2, stroke: colour.ink, dash: "3 2", line: 1.4 });
    const round = reader.ordered ? 2 : Math.min(wide, high) / 2;
    pen.rect(
      x,
      reader.ordered ? top : top + (high - Math.min(wide, high)) / 2,
      wide,
      reader.ordered ? high : Math.min(wide, high),
      { key: `cell${i}`, r: round, fill: seen ? colour.input : colour.quiet, "fill-opacity": seen ? 0.85 : 0.13 },
    );
  });
}

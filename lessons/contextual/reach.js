// ELMo, GPT and BERT side by side: the words of a sentence in each column, and lines from those on which the
// vector of the chosen word depends.

import { drawSvg, html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { Pen } from "../../drawing/pen.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts } from "../../drawing/types.js" */
/** @typedef {Scripts["reach"]} Data */
/** @typedef {{ svg: SVGSVGElement, pen: Pen, key?: string, at: number }} Remembered at: the word that is chosen */
/**
 * A vector of a column: its name, the words on which it depends, its colour, and its height from the middle.
 *
 * @typedef {[name: string, matrix: Float64Array, tint: string, off: number]} Vector
 */
/**
 * A column as it is drawn: `n` is its place, `at` the word that is chosen.
 *
 * @typedef {{ n: number, at: number, height: number, vectors: Vector[], choose: (at: number) => void }} Column
 */

const NARROW = 600; // below this width the columns are stacked
const COLUMN = 320;
const TOP = 74;
const ROW = 28;
const WORDS = 104; // the right end of the words in a column
const NODE = 200; // the middle of the vectors

/** @param {Component<Data>} component */
export default function reach({ data, parentElement }) {
  /** @type {[Picture<Data, Remembered>, boolean]} */
  const [picture, fresh] = stage(parentElement, `reach ${data.words.length}`);
  const colour = colours(parentElement);
  const height = TOP + ROW * Math.max(data.words.length, 5) + 16;
  const narrow = picture.element.clientWidth < NARROW;
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["three-models", [[picture.svg]]]);
  }
  const key = `${data.words.join(" ")} ${data.at}`;
  if (picture.key !== key) Object.assign(picture, { key, at: data.at });
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", narrow ? `0 0 ${COLUMN} ${3 * height}` : `0 0 ${3 * COLUMN} ${height}`);
  /** @param {number} at */
  const choose = (at) => {
    picture.at = at;
    draw();
  };
  const draw = () =>
    picture.pen.draw((pen) =>
      data.models.forEach((_, n) => {
        const transform = narrow ? `translate(0 ${n * height})` : `translate(${n * COLUMN} 0)`;
        const column = { n, at: picture.at, height, vectors: vectorsOf(pen, data)[n], choose };
        pen.group({ key: `column ${n}`, transform }, (its) => drawColumn(its, data, column));
      }),
    );
  return follow(picture.element, data, draw);
}

/**
 * The vectors of each column.
 *
 * @param {Pen} pen @param {Data} data @returns {Vector[][]}
 */
const vectorsOf = ({ colour }, data) => [
  [
    ["→h", data.left, colour["series-1"], -44],
    ["←h", data.right, colour["series-2"], 44],
  ],
  [["h", data.gpt, colour["series-1"], 0]],
  [["h", data.bert, colour.score, 0]],
];

/** @param {number} i */
const rowAt = (i) => TOP + ROW * (i + 0.5);

/** @param {Pen} pen @param {Data} data @param {Column} column */
function drawColumn(pen, data, column) {
  const { n, height } = column;
  const { line, quiet, ink } = pen.colour;
  if (n) pen.line(0, 20, 0, height - 10, { stroke: line, width: 1 });
  pen.text(COLUMN / 2, 26, data.models[n], { size: 20, bold: true, anchor: "middle" });
  pen.text(COLUMN / 2, 48, data.hows[n], { size: 14, fill: quiet, anchor: "middle" });
  const middle = (TOP + height - 16) / 2;
  drawLines(pen, data, column, middle);
  data.words.forEach((_, i) => drawWord(pen, data, column, i));
  drawVectors(pen, column, middle);
  if (n) return;
  pen.path(`M${NODE + 32} ${middle - 60}h14v120h-14`, { key: "bracket", stroke: ink, width: 2 });
  pen.text(NODE + 52, middle + 5, "end to end", { key: "joined", size: 14, fill: ink, room: 70 });
}

/**
 * Lines from the words on which the chosen word's vector depends.
 *
 * @param {Pen} pen @param {Data} data @param {Column} column @param {number} middle
 */
function drawLines(pen, { words }, { at, vectors }, middle) {
  for (const [name, matrix, stroke, off] of vectors) {
    const end = middle + off;
    words.forEach((_, i) => {
      if (!matrix[at * words.length + i]) return;
      const y = rowAt(i);
      const look = { stroke, width: i === at ? 4 : 2, dash: name === "←h" ? "7 4" : null };
      const d = `M${WORDS + 8} ${y}C${WORDS + 60} ${y} ${NODE - 70} ${end} ${NODE - 26} ${end}`;
      pen.path(d, { key: `line ${name} ${i}`, ...look });
    });
  }
}

/** @param {Pen} pen @param {Data} data @param {Column} column @param {number} i */
function drawWord(pen, { words }, { at, vectors, choose }, i) {
  const { mark, onMark, ink, quiet } = pen.colour;
  const used = vectors.some(([, matrix]) => matrix[at * words.length + i]);
  const chosen = i === at;
  const y = rowAt(i);
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(4, y - ROW / 2 + 2, WORDS, ROW - 4, { r: 6, fill: chosen ? mark : "transparent" });
    its.text(WORDS - 2, y + 5, words[i], {
      size: 16,
      bold: chosen,
      anchor: "end",
      fill: chosen ? onMark : used ? ink : quiet,
      opacity: used || chosen ? 1 : 0.7,
      room: WORDS - 8,
    });
  };
  pen.button(`The vector of ${words[i]}`, () => choose(i), draw, { key: `word ${i}`, chosen });
}

/** @param {Pen} pen @param {Column} column @param {number} middle */
function drawVectors(pen, { vectors }, middle) {
  for (const [name, , tint, off] of vectors) {
    const y = middle + off;
    const look = { key: `node ${name}`, r: 10, fill: pen.colour.background, stroke: tint, line: 3 };
    pen.rect(NODE - 26, y - 22, 52, 44, look);
    pen.text(NODE, y + 6, name, { key: `name ${name}`, size: 18, bold: true, anchor: "middle", fill: tint });
  }
}

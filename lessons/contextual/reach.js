// ELMo, GPT and BERT side by side: the words of a sentence in each column, and lines from those on which the
// vector of the chosen word depends.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { Pen } from "../../ui/browser/pen.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["reach"]} Data */

const NARROW = 600; // below it the columns stand under one another
const COLUMN = 320;
const TOP = 74;
const ROW = 28;
const WORDS = 104; // the right end of the words in a column
const NODE = 200; // the middle of the vectors

/** @param {Component<Data>} component */
export default function reach({ data, parentElement }) {
  /** @type {[Picture<Data, any>, boolean]} */
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
  const draw = () =>
    picture.pen.draw((pen) => {
      const choose = (at) => ((picture.at = at), draw());
      data.models.forEach((_, n) =>
        pen.group(
          { key: `column ${n}`, transform: narrow ? `translate(0 ${n * height})` : `translate(${n * COLUMN} 0)` },
          (its) => column(its, data, n, picture.at, height, colour, choose),
        ),
      );
    });
  return follow(picture.element, data, draw);
}

function column(pen, data, n, at, height, colour, choose) {
  const nodes = [
    [
      ["→h", data.left, colour["series-1"], -44],
      ["←h", data.right, colour["series-2"], 44],
    ],
    [["h", data.gpt, colour["series-1"], 0]],
    [["h", data.bert, colour.score, 0]],
  ][n];
  if (n) pen.line(0, 20, 0, height - 10, { stroke: colour.line, width: 1 });
  pen.text(COLUMN / 2, 26, data.models[n], { size: 20, bold: true, anchor: "middle" });
  pen.text(COLUMN / 2, 48, data.hows[n], { size: 14, fill: colour.quiet, anchor: "middle" });
  const middle = (TOP + height - 16) / 2;
  const y = (i) => TOP + ROW * (i + 0.5);
  for (const [name, matrix, tint, off] of nodes) {
    data.words.forEach((_, i) => {
      if (!matrix[at * data.words.length + i]) return;
      pen.path(
        `M${WORDS + 8} ${y(i)}C${WORDS + 60} ${y(i)} ${NODE - 70} ${middle + off} ${NODE - 26} ${middle + off}`,
        { key: `line ${name} ${i}`, stroke: tint, width: i === at ? 4 : 2, dash: name === "←h" ? "7 4" : null },
      );
    });
  }
  data.words.forEach((word, i) => {
    const seen = nodes.some(([, matrix]) => matrix[at * data.words.length + i]);
    pen.button(
      `The vector of ${word}`,
      () => choose(i),
      (its) => {
        its.rect(4, y(i) - ROW / 2 + 2, WORDS, ROW - 4, { r: 6, fill: i === at ? colour.mark : "transparent" });
        its.text(WORDS - 2, y(i) + 5, word, {
          size: 16,
          bold: i === at,
          anchor: "end",
          fill: i === at ? colour.onMark : seen ? colour.ink : colour.quiet,
          opacity: seen || i === at ? 1 : 0.7,
          room: WORDS - 8,
        });
      },
      { key: `word ${i}`, chosen: i === at },
    );
  });
  for (const [name, , tint, off] of nodes) {
    pen.rect(NODE - 26, middle + off - 22, 52, 44, {
      key: `node ${name}`,
      r: 10,
      fill: colour.background,
      stroke: tint,
      line: 3,
    });
    pen.text(NODE, middle + off + 6, name, { key: `name ${name}`, size: 18, bold: true, anchor: "middle", fill: tint });
  }
  if (n) return;
  pen.path(`M${NODE + 32} ${middle - 60}h14v120h-14`, { key: "bracket", stroke: colour.ink, width: 2 });
  pen.text(NODE + 52, middle + 5, "end to end", { key: "joined", size: 14, fill: colour.ink, room: 70 });
}

// The slide's tree: all texts there are, each edge as thick as its probability, with the ways of greedy and
// beam search; in line with each text a bar of its p, and the share of it among those that were drawn.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { textWidth } from "../../ui/browser/pen.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["slidetree"]} Data */

const DIM = 0.18;
const PULL = 160; // how far a hand moves an edge's number for a change of 1
const WAYS = [
  { name: "@greedy", role: "gradient", dash: "9 5", by: -4 },
  { name: "@beam", role: "input", dash: null, by: 4 },
];

/** @param {Component<Data>} component */
export default function slidetree(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = placesIn(scene);
    pen.group({ key: "tree", opacity: scene.dim("tree") ? DIM : null }, (pen) => tree(pen, scene, at));
    pen.group({ key: "texts", opacity: scene.dim("texts") ? DIM : null }, (pen) => texts(pen, scene, at));
  });
}

/** @param {Scene<any, any>} scene */
function placesIn({ width, height, narrow, data }) {
  const [top, foot] = [44, height - (narrow ? 8 : 34)];
  const row = (foot - top) / data.texts.length;
  const [left, last] = narrow ? [24, width - 128] : [48, width * 0.55];
  const column = (depth) => left + (depth * (last - left)) / 3;
  return {
    narrow,
    top,
    foot,
    row,
    column,
    y: (each) => top + (each + 0.5) * row,
    bars: narrow ? width - 96 : width * 0.55 + 128,
    end: width - (narrow ? 52 : 118),
    size: narrow ? 14 : 17,
  };
}

// Every edge: the name of its number (none: it is certain), from, to, what it leads to, and its texts.
function edgesOf(data) {
  const [yes, ok, end] = data.words;
  const root = { depth: 0, row: 3 };
  const first = [
    { depth: 1, row: 1 },
    { depth: 1, row: 4 },
  ];
  /** @type {{ name?: string, from: { depth: number, row: number }, to: { depth: number, row: number }, word: string, texts: number[] }[]} */
  const edges = [
    { name: "e00", from: root, to: first[0], word: yes, texts: [0, 1, 2] },
    { name: "e01", from: root, to: first[1], word: ok, texts: [3, 4, 5] },
    { name: "e02", from: root, to: { depth: 1, row: 6 }, word: end, texts: [6] },
  ];
  first.forEach((node, w) => {
    data.words.forEach((word, i) => {
      const to = { depth: 2, row: 3 * w + i };
      edges.push({ name: `e${w + 1}${i}`, from: node, to, word, texts: [to.row] });
      if (word !== end) edges.push({ from: to, to: { depth: 3, row: to.row }, word: end, texts: [to.row] });
    });
  });
  return edges;
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function tree(pen, scene, at) {
  const { data, colour, values, hidden } = scene;
  const edges = edgesOf(data);
  /** @returns {[number, number, number, number]} */
  const ends = (edge) => [at.column(edge.from.depth), at.y(edge.from.row), at.column(edge.to.depth), at.y(edge.to.row)];
  for (const edge of edges) {
    const [x1, y1, x2, y2] = ends(edge);
    const p = edge.name ? values(edge.name) : 1;
    pen.line(x1, y1, x2, y2, {
      stroke: colour.activation,
      width: 1 + (at.narrow ? 10 : 18) * p,
      "stroke-opacity": p ? 0.2 : 0.08,
    });
  }
  for (const way of WAYS) {
    if (hidden(way.name)) continue;
    for (const edge of edges.filter((each) => each.texts.includes(values(way.name)))) {
      const [x1, y1, x2, y2] = ends(edge);
      pen.line(x1, y1 + way.by, x2, y2 + way.by, {
        stroke: colour[way.role],
        width: at.narrow ? 3 : 4.5,
        dash: way.dash,
      });
    }
  }
  let x = at.narrow ? 10 : 20;
  for (const way of WAYS) {
    const label = way.name === "@greedy" ? "greedy" : `beam of ${data.width}`;
    pen.line(x, 18, x + 30, 18, { stroke: colour[way.role], width: 4.5, dash: way.dash });
    pen.text(x + 37, 23, label, { size: 15, bold: true, fill: colour[way.role] });
    x += 54 + textWidth(label, 15, true);
  }
  const nodes = [{ to: { depth: 0, row: 3 }, word: data.start }, ...edges];
  for (const { to, word } of nodes) {
    const half = textWidth(word, at.size) / 2 + (at.narrow ? 5 : 10);
    const [cx, cy] = [at.column(to.depth), at.y(to.row)];
    pen.rect(cx - half, cy - at.size * 0.9, 2 * half, at.size * 1.8, {
      r: 8,
      fill: colour.background,
      stroke: colour.quiet,
    });
    pen.text(cx, cy + at.size * 0.34, word, { size: at.size, anchor: "middle" });
  }
  edges.forEach((edge) => edge.name && handle(pen, scene, at, edge.name, ends(edge)));
}

// The number of an edge; a hand moves it up and down.
function handle(pen, { colour, values, moved }, at, name, [x1, y1, x2, y2]) {
  const share = at.narrow ? 0.5 : 0.52;
  const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
  const label = formatNumber(Number(values(name).toPrecision(2)));
  const size = at.narrow ? 13 : 17;
  const half = textWidth(label, size, true) / 2 + 7;
  pen.group({ key: name, "data-n": name, "data-per": PULL, "data-way": "y" }, (pen) => {
    pen.node("title", {}, "Drag it up or down; the other edges of this node follow");
    const on = moved === name;
    pen.rect(x - half, y - size * 0.8, 2 * half, size * 1.6, {
      r: 7,
      fill: on ? colour.mark : colour.background,
      stroke: colour.activation,
      line: 1.2,
    });
    pen.text(x, y + size * 0.34, label, { size, bold: true, anchor: "middle", fill: on ? colour.onMark : colour.ink });
  });
}

// A row a text: its p as a bar, below it two standard errors about p, and the share that was drawn.
function texts(pen, scene, at) {
  const { data, colour, values, text, hidden } = scene;
  const whole = at.end - at.bars;
  const x = (value) => at.bars + whole * Math.min(Math.max(value, 0), 1);
  if (!at.narrow) {
    pen.text(at.bars, 23, "p of the text", { size: 15, bold: true, fill: colour.activation });
    pen.text(at.bars + 104, 23, `● share of ${Math.round(values("n")).toLocaleString("en")} drawn, ─ p ± 2 errors`, {
      size: 14,
      fill: colour.score,
      room: at.end + 110 - at.bars - 104,
    });
    for (const share of [0, 0.5, 1]) {
      pen.line(x(share), at.top, x(share), at.foot, { stroke: colour.line, width: 1 });
      pen.text(x(share), at.foot + 18, `${share}`, { size: 13, fill: colour.quiet, anchor: "middle" });
    }
  }
  const best = values("@best");
  data.texts.forEach((label, i) => {
    const [y, p] = [at.y(i), values(`p${i}`)];
    const here = i === values("@beam") && !hidden("@beam");
    const asked = hidden(`p${i}`);
    pen.group({ key: `text${i}` }, (pen) => {
      if (at.narrow) {
        pen.markedText(at.bars, y + 1, asked ? text(`p${i}`) : formatNumber(Number(p.toPrecision(2))), here, {
          size: 16,
          bold: i === best,
        });
        pen.rect(at.bars, y + 8, 84, 5, { r: 2, fill: colour.activation, "fill-opacity": 0.12 });
        if (!asked) pen.rect(at.bars, y + 8, Math.max(84 * p, 1), 5, { r: 2, fill: colour.activation });
        return;
      }
      pen.text(at.bars - 14, y + 2, label, { size: 17, bold: i === best, anchor: "end" });
      const bar = Math.min(20, at.row * 0.36);
      if (!asked) pen.rect(at.bars, y - bar + 4, Math.max(whole * p, 1), bar, { r: 3, fill: colour.activation });
      pen.markedText(x(asked ? 0 : p) + 9, y - bar / 2 + 9, asked ? text(`p${i}`) : formatNumber(p), here, {
        size: 17,
        bold: true,
      });
      const names = [i === best && "most probable"].filter(Boolean).join(", ");
      if (names)
        pen.text(x(asked ? 0 : p) + 22 + textWidth(formatNumber(p), 17, true), y - bar / 2 + 9, `← ${names}`, {
          size: 14,
          fill: colour.quiet,
        });
      const low = y + bar * 0.5 + 4;
      const error = values(`s${i}`);
      if (asked) return;
      pen.line(x(p - 2 * error), low, x(p + 2 * error), low, { stroke: colour.score, width: 2.5 });
      pen.circle(x(values(`f${i}`)), low, 5, { fill: colour.score });
    });
  });
}

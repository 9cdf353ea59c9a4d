// The slide's tree: all possible texts, each edge as thick as its probability, with the paths of greedy and beam
// search; in line with each text a bar of its p, and its share of the texts drawn.

import { mainPicture } from "../../drawing/main_picture.js";
import { placesOf } from "./slide_tree_places.js";
import { drawTexts } from "./slide_tree_texts.js";
import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./slide_tree_places.js" */

/** @typedef {Scene<"slidetree">} SlideTreeScene */
/** @typedef {(pen: Pen, scene: SlideTreeScene, at: Places) => void} Draw */
/** @typedef {{ depth: number, row: number }} Node a node's column, and the text in whose row it is */
/**
 * An edge: the name of its number, which a certain edge lacks; its nodes, its word, and the texts that contain it.
 *
 * @typedef {{ name?: `e${number}${number}`, from: Node, to: Node, word: string, texts: number[] }} Edge
 */
/** @typedef {(pen: Pen, scene: SlideTreeScene, at: Places, edges: Edge[]) => void} DrawEdges */

const PULL = 160; // how far an edge's number is dragged for a change of 1
const WAYS = /** @type {const} */ ([
  { name: "@greedy", role: "gradient", dash: "9 5", by: -4 },
  { name: "@beam", role: "input", dash: null, by: 4 },
]);

/** @param {Component<Scripts["slidetree"]>} component */
export default function slidetree(component) {
  return mainPicture(component, drawSlideTree);
}

/** @param {Pen} pen @param {SlideTreeScene} scene */
function drawSlideTree(pen, scene) {
  const at = placesOf(scene);
  pen.part(scene, "tree", (its) => drawTree(its, scene, at));
  pen.part(scene, "texts", (its) => drawTexts(its, scene, at));
}

/** @type {Draw} */
function drawTree(pen, scene, at) {
  const edges = edgesOf(scene.data.words);
  drawEdges(pen, scene, at, edges);
  drawWays(pen, scene, at, edges);
  drawLegend(pen, scene, at);
  drawNodes(pen, scene, at, edges);
  for (const edge of edges) if (edge.name) drawNumber(pen, scene, at, edge.name, endsOf(edge, at));
}

/**
 * Every edge of the tree: any word may follow the first word, only the end follows two words.
 *
 * @param {string[]} words yes, ok and the end
 */
function edgesOf(words) {
  const [yes, ok, end] = words;
  const root = { depth: 0, row: 3 };
  const first = [
    { depth: 1, row: 1 },
    { depth: 1, row: 4 },
  ];
  /** @type {Edge[]} */
  const edges = [
    { name: "e00", from: root, to: first[0], word: yes, texts: [0, 1, 2] },
    { name: "e01", from: root, to: first[1], word: ok, texts: [3, 4, 5] },
    { name: "e02", from: root, to: { depth: 1, row: 6 }, word: end, texts: [6] },
  ];
  first.forEach((node, w) => {
    words.forEach((word, i) => {
      const to = { depth: 2, row: 3 * w + i };
      edges.push({ name: `e${w + 1}${i}`, from: node, to, word, texts: [to.row] });
      if (word !== end) edges.push({ from: to, to: { depth: 3, row: to.row }, word: end, texts: [to.row] });
    });
  });
  return edges;
}

/**
 * Where an edge begins and ends.
 *
 * @param {Edge} edge @param {Places} at @returns {[x1: number, y1: number, x2: number, y2: number]}
 */
const endsOf = ({ from, to }, at) => [at.column(from.depth), at.y(from.row), at.column(to.depth), at.y(to.row)];

/**
 * Each edge as thick as its probability.
 *
 * @type {DrawEdges}
 */
function drawEdges(pen, { colour, values }, at, edges) {
  for (const edge of edges) {
    const p = edge.name ? values(edge.name) : 1;
    const width = 1 + (at.narrow ? 10 : 18) * p;
    pen.line(...endsOf(edge, at), { stroke: colour.activation, width, "stroke-opacity": p ? 0.2 : 0.08 });
  }
}

/**
 * The path of each search to the text that it finds.
 *
 * @type {DrawEdges}
 */
function drawWays(pen, { colour, values, hidden }, at, edges) {
  for (const { name, role, dash, by } of WAYS) {
    if (hidden(name)) continue;
    for (const edge of edges.filter((each) => each.texts.includes(values(name)))) {
      const [x1, y1, x2, y2] = endsOf(edge, at);
      pen.line(x1, y1 + by, x2, y2 + by, { stroke: colour[role], width: at.narrow ? 3 : 4.5, dash });
    }
  }
}

/**
 * What the lines of both searches look like.
 *
 * @type {Draw}
 */
function drawLegend(pen, { data, colour }, at) {
  let x = at.narrow ? 10 : 20;
  for (const { name, role, dash } of WAYS) {
    const label = name === "@greedy" ? "greedy" : `beam of ${data.width}`;
    pen.line(x, 18, x + 30, 18, { stroke: colour[role], width: 4.5, dash });
    pen.text(x + 37, 23, label, { size: 15, bold: true, fill: colour[role] });
    x += 54 + textWidth(label, 15, true);
  }
}

/** @type {DrawEdges} */
function drawNodes(pen, { data, colour }, at, edges) {
  const nodes = [{ to: { depth: 0, row: 3 }, word: data.start }, ...edges];
  for (const { to, word } of nodes) {
    const half = textWidth(word, at.size) / 2 + (at.narrow ? 5 : 10);
    const [x, y] = [at.column(to.depth), at.y(to.row)];
    const frame = { r: 8, fill: colour.background, stroke: colour.quiet };
    pen.rect(x - half, y - at.size * 0.9, 2 * half, at.size * 1.8, frame);
    pen.text(x, y + at.size * 0.34, word, { size: at.size, anchor: "middle" });
  }
}

/**
 * The number of an edge; it is dragged up and down.
 *
 * @param {Pen} pen
 * @param {SlideTreeScene} scene
 * @param {Places} at
 * @param {`e${number}${number}`} name
 * @param {[x1: number, y1: number, x2: number, y2: number]} ends
 */
function drawNumber(pen, { colour, values, moved }, at, name, [x1, y1, x2, y2]) {
  const share = at.narrow ? 0.5 : 0.52; // of the edge
  const [x, y] = [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
  const label = formatNumber(Number(values(name).toPrecision(2)));
  const size = at.narrow ? 13 : 17;
  const half = textWidth(label, size, true) / 2 + 7;
  const on = moved === name;
  pen.group({ key: name, "data-n": name, "data-per": PULL, "data-way": "y" }, (its) => {
    its.node("title", {}, "Drag it up or down; the other edges of this node follow");
    const frame = { r: 7, fill: on ? colour.mark : colour.background, stroke: colour.activation, line: 1.2 };
    its.rect(x - half, y - size * 0.8, 2 * half, size * 1.6, frame);
    const look = { size, bold: true, fill: on ? colour.onMark : colour.ink };
    its.text(x, y + size * 0.34, label, { anchor: "middle", ...look });
  });
}

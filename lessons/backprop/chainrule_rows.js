// Several chains of slopes below each other: each ends at the result, and its product is the gradient of its leaf.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { arrow, band, chip, signed } from "./chainrule_marks.js";
import { columnsOf, heightsOf } from "./chainrule_places.js";

/** @import { ChainWay } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ChainScene } from "./chainrule_places.js" */
/** @typedef {{ x: number[], top: number, zero: number, foot: number, half: number, per: number }} Row */
/** @typedef {(pen: Pen, scene: ChainScene, row: Row, way: ChainWay) => void} Draw */

/** @param {Pen} pen @param {ChainScene} scene */
export function drawRows(pen, scene) {
  const { data } = scene;
  const most = Math.max(...data.ways.map(({ links }) => links.length));
  drawHeadings(pen, scene, most);
  data.ways.forEach((way, i) => {
    const row = rowOf(scene, most, way, i);
    pen.group({ key: `row ${way.leaf}` }, (its) => {
      its.rect(4, row.top, scene.width - 8, row.foot - row.top, { r: 12, stroke: scene.colour.line, line: 1.5 });
      drawBand(its, scene, row, way);
      drawLeaf(its, scene, row, way);
      drawSlopes(its, scene, row, way);
      drawEnd(its, scene, row, way, i === 0);
    });
  });
}

/** @param {ChainScene} scene @param {number} most @param {ChainWay} way @param {number} i @returns {Row} */
function rowOf(scene, most, way, i) {
  const { height, narrow, data, values } = scene;
  const head = narrow ? 26 : 34;
  const tall = (height - head) / data.ways.length;
  const [top, foot] = [head + i * tall, head + (i + 1) * tall - 8];
  const half = (foot - top) / 2 - (narrow ? 8 : 10);
  const x = columnsOf(scene, most, way.links.length);
  return { x, top, foot, zero: (top + foot) / 2, half, per: half / (values("reach") || 1) };
}

/**
 * The name of a node above its column, if all chains have the same one there.
 *
 * @param {Pen} pen @param {ChainScene} scene @param {number} most
 */
function drawHeadings(pen, scene, most) {
  const { data, colour, narrow, width } = scene;
  const size = narrow ? 13 : 19;
  const columns = columnsOf(scene, most);
  const pitch = columns[1] - columns[0];
  columns.slice(1).forEach((x, i) => {
    const back = most - 1 - i;
    const there = data.ways.flatMap(({ nodes }) => (nodes.length - 1 > back ? [nodes[nodes.length - 1 - back]] : []));
    const [{ letters, name, role }] = there;
    if (there.some((node) => node.name !== name)) return;
    const said = !narrow && textWidth(letters, size, true) < pitch - 8 ? letters : name;
    pen.text(x, narrow ? 17 : 22, said, { key: `head${i}`, size, bold: true, anchor: "middle", fill: colour[role] });
  });
  const of = narrow ? "slope" : "gradient";
  const look = /** @type {const} */ ({ key: "head", size, bold: true, anchor: "end", fill: colour.gradient });
  pen.text(width - (narrow ? 6 : 26), narrow ? 17 : 22, of, look);
}

/** @type {Draw} */
function drawBand(pen, scene, row, way) {
  const { colour } = scene;
  const heights = heightsOf(scene, row, way);
  const last = way.nodes.length - 1;
  const dash = { key: "zero", stroke: colour.quiet, width: 1.5, dash: "2 6" };
  pen.line(row.x[0] - 8, row.zero, row.x[last] + 12, row.zero, dash);
  way.nodes.forEach(({ move }, i) => {
    if (scene.hidden(move)) return;
    if (i) band(pen, scene, `band${i}`, [row.x[i - 1], row.x[i]], row.zero, heights.slice(i - 1, i + 1));
  });
  way.nodes.forEach(({ move }, i) => {
    if (!scene.hidden(move)) pen.group({ key: `move${i}` }, (its) => arrow(its, scene, row.x[i], row.zero, heights[i]));
  });
}

/** @type {Draw} */
function drawLeaf(pen, scene, { x: [x], zero, per, foot }, { leaf, start, nodes: [node] }) {
  const { colour, narrow, values, moved } = scene;
  const said = `${leaf} = ${formatNumber(values(start))}`;
  const size = narrow ? 13 : 20;
  const wide = textWidth(said, size, true) + (narrow ? 8 : 18);
  const left = narrow ? Math.max(x - wide / 2, 6) : x - 14 - wide;
  const y = narrow ? foot - 22 : zero - size * 0.8;
  const moves = node.value ? { "data-n": node.value, "data-per": 60, "data-way": "x" } : {};
  pen.group({ key: "leaf", ...moves }, (its) => {
    const line = moved && moved === node.value ? 4 : 2.5;
    its.rect(left, y, wide, size * 1.6, { r: 8, fill: colour.background, stroke: colour.input, line });
    its.text(left + wide / 2, y + size * 1.15, said, { size, bold: true, anchor: "middle", fill: colour.input });
  });
  if (narrow) return;
  const nudge = { "data-n": "nudge", "data-per": per, "data-way": "y", style: "cursor: ns-resize" };
  pen.group({ key: "nudge", ...nudge }, (its) => {
    const look = /** @type {const} */ ({ size: 17, bold: true, anchor: "end", fill: colour.gradient });
    its.text(x - 14, zero + size * 1.7, signed(values("nudge")), look);
  });
}

/**
 * The slopes between the nodes, on the side to which the move before them does not go.
 *
 * @type {Draw}
 */
function drawSlopes(pen, scene, row, { links, nodes }) {
  const size = scene.narrow ? 13 : 19;
  links.forEach((link, i) => {
    const side = scene.values(nodes[i].move) < 0 ? -1 : 1;
    const x = row.x[i] + (row.x[i + 1] - row.x[i]) * 0.46;
    chip(pen, scene, link, i, { x, y: row.zero + side * size * 1.15, size });
  });
}

/**
 * How far the result moves, and the product of the slopes.
 *
 * @param {Pen} pen @param {ChainScene} scene @param {Row} row @param {ChainWay} way @param {boolean} first
 */
function drawEnd(pen, scene, row, { nodes, gradient, links }, first) {
  const { width, narrow, colour, values, hidden, text, moved } = scene;
  const { move } = nodes[links.length];
  const size = narrow ? 20 : 46;
  const asked = hidden(gradient);
  const fill = asked ? colour.gradient : colour.ink;
  const look = /** @type {const} */ ({ key: "gradient", size, bold: true, anchor: "end", fill });
  const right = width - (narrow ? 12 : 30);
  const y = row.zero + size * 0.35;
  if (asked && scene.data.seen >= 0) {
    const show = () => scene.send(-1);
    pen.button("Show the products", show, (its) => its.text(right, y, "?", look), { key: "closed" });
  } else pen.markedText(right, y, text(gradient), first && !asked && !moved, look);
  if (narrow || hidden(move)) return;
  const height = values(move) * row.per;
  const beside = row.zero - Math.max(-row.half, Math.min(height * 0.6, row.half)) + 8;
  pen.text(row.x[links.length] + 16, beside, signed(values(move)), {
    key: "end",
    size: 22,
    bold: true,
    fill: colour.gradient,
  });
}

// The chain rule as a chain of local slopes: a nudge of a leaf is stretched, kept or turned round at each link on its
// way to the result. One chain fills the stage, or several are below each other, at the same places.

import { mainPicture } from "../../drawing/main_picture.js";
import { fill } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { arrow, band, chip, isOpen, signed } from "./chainrule_marks.js";
import { heightsOf, placesOf } from "./chainrule_places.js";
import { drawRows } from "./chainrule_rows.js";

/** @import { ChainNode, ChainWay, Component, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ChainPlaces, ChainScene } from "./chainrule_places.js" */
/** @typedef {(pen: Pen, scene: ChainScene, at: ChainPlaces, way: ChainWay) => void} Draw */

/** @param {Component<Scripts["chainrule"]>} component */
export default function chainrule(component) {
  return mainPicture(component, (pen, /** @type {ChainScene} */ scene) => {
    const { data } = scene;
    if (data.each) return drawRows(pen, scene);
    const [way] = data.ways;
    const at = placesOf(scene, way);
    drawField(pen, scene, at, way);
    drawNodes(pen, scene, at, way);
    drawLinks(pen, scene, at, way);
    drawMoves(pen, scene, at, way);
    drawGradient(pen, scene, at, way);
  });
}

/**
 * The line of no change, a ruler below each node, and the band of what has moved.
 *
 * @type {Draw}
 */
function drawField(pen, scene, at, way) {
  const { colour, width, narrow } = scene;
  for (const [i, x] of at.x.entries())
    pen.line(x, at.boxFoot, x, at.foot, { key: `ruler${i}`, stroke: colour.line, width: 2 });
  const heights = heightsOf(scene, at, way);
  way.nodes.slice(1).forEach(({ move }, i) => {
    if (!scene.hidden(move)) band(pen, scene, `band${i}`, [at.x[i], at.x[i + 1]], at.zero, heights.slice(i, i + 2));
  });
  pen.line(6, at.zero, width - 6, at.zero, { key: "zero", stroke: colour.quiet, width: 1.5, dash: "2 6" });
  pen.text(6, at.zero + (narrow ? 14 : 20), "no change", {
    key: "still",
    size: narrow ? 13 : 15,
    fill: colour.quiet,
    halo: true,
  });
}

/** @type {Draw} */
function drawNodes(pen, scene, at, way) {
  way.nodes.forEach((node, i) => {
    const moves = node.value ? { "data-n": node.value, "data-per": 60, "data-way": "x" } : {};
    pen.group({ key: `node${i}`, ...moves }, (its) => drawNode(its, scene, at, node, at.x[i]));
  });
}

/**
 * A node: its formula, and below it the numbers in it.
 *
 * @param {Pen} pen @param {ChainScene} scene @param {ChainPlaces} at @param {ChainNode} node @param {number} x
 */
function drawNode(pen, { colour, values, moved, narrow }, at, { name, letters, numbers, value, role }, x) {
  const { boxTop: top, boxFoot: foot, box } = at;
  const stroke = colour[role];
  const look = { r: 10, fill: colour.background, stroke, line: moved && moved === value ? 4 : 2.5 };
  pen.rect(x - box / 2, top, box, foot - top, look);
  const size = narrow ? 13 : 18;
  const fits = (/** @type {string} */ text) => textWidth(text, size, true) <= box - 8;
  const middle = (top + foot) / 2;
  pen.text(x, middle - 6, fits(letters) ? letters : name, { size, anchor: "middle", fill: stroke });
  const filled = fill(numbers, values);
  const said = fits(filled) ? filled : filled.slice(filled.lastIndexOf("= ") + 2);
  pen.text(x, middle + (narrow ? 13 : 18), said, { size, bold: true, anchor: "middle" });
  if (!value || narrow) return;
  const arrows = `M${x - box / 2 + 12} ${middle - 5}l-4 5l4 5M${x + box / 2 - 12} ${middle - 5}l4 5l-4 5`;
  pen.path(arrows, { stroke, "stroke-opacity": 0.7 });
}

/**
 * Between two nodes, the local derivative: in letters, and as what it does to a nudge. A closed one can be pressed.
 *
 * @type {Draw}
 */
function drawLinks(pen, scene, at, { links }) {
  const { colour, narrow } = scene;
  links.forEach((link, i) => {
    const x = (at.x[i] + at.x[i + 1]) / 2;
    const open = isOpen(scene, link);
    const said = open && link.letters && !narrow ? `${link.said} = ${link.letters}` : link.said;
    const size = narrow ? 13 : 17;
    const room = at.x[i + 1] - at.x[i] - (at.chipsBelow ? 6 : at.box + 6);
    pen.text(x, at.linkY - (narrow ? 17 : 25), textWidth(said, size) <= room ? said : link.said, {
      key: `slope${i}`,
      size,
      anchor: "middle",
      fill: colour.gradient,
    });
    chip(pen, scene, link, i, { x, y: at.linkY, size: narrow ? 14 : 23 });
  });
}

/**
 * How far each node moves: an arrow from the line of no change, and its number. The first one is dragged.
 *
 * @type {Draw}
 */
function drawMoves(pen, scene, at, way) {
  const { colour, narrow } = scene;
  const heights = heightsOf(scene, at, way);
  const last = way.nodes.length - 1;
  way.nodes.forEach(({ move }, i) => {
    const asked = scene.hidden(move);
    const size = (i === last ? 34 : 26) * (narrow ? 0.56 : 1);
    const [x, height] = [at.x[i], asked ? 0 : heights[i]];
    const y = at.zero - (asked ? 14 : placeOf(height, size));
    if (i) pen.group({ key: `move${i}` }, (its) => void (asked || arrow(its, scene, x, at.zero, height)));
    else drawHandle(pen, scene, at, height);
    const said = asked ? "?" : signed(scene.values(move));
    const fill = asked ? colour.gradient : colour.ink;
    const marked = i === last && !scene.moved && !asked;
    const look = /** @type {const} */ ({ key: `by${i}`, size, bold: true, fill, halo: !marked });
    pen.markedText(x + (narrow ? 7 : 14), y, said, marked, look);
  });
}

/**
 * Where the number of an arrow is: beside its shaft, or where that is short beyond its tip.
 *
 * @param {number} height @param {number} size
 */
const placeOf = (height, size) =>
  Math.abs(height) > 1.4 * size ? height * 0.6 - size * 0.35 : height < 0 ? height - size : height + size * 0.3;

/** @param {Pen} pen @param {ChainScene} scene @param {ChainPlaces} at @param {number} height of the nudge */
function drawHandle(pen, scene, at, height) {
  const { colour, narrow } = scene;
  const [x, tip] = [at.x[0], at.zero - height];
  const moves = { "data-n": "nudge", "data-per": at.per, "data-way": "y", style: "cursor: ns-resize" };
  pen.group({ key: "handle", ...moves }, (its) => {
    arrow(its, scene, x, at.zero, height);
    const beyond = height < 0 ? 15 : -15;
    its.circle(x, tip + beyond, narrow ? 7 : 9, { fill: colour.background, stroke: colour.gradient, line: 3 });
    const said = { size: narrow ? 13 : 15, anchor: /** @type {const} */ ("end"), fill: colour.quiet };
    its.text(x - (narrow ? 10 : 15), tip + beyond + 5, "drag", said);
  });
}

/**
 * The product of the slopes, at the end of their row.
 *
 * @type {Draw}
 */
function drawGradient(pen, scene, at, { gradient }) {
  const { width, colour, narrow, text } = scene;
  const fill = colour.gradient;
  if (narrow) {
    const look = /** @type {const} */ ({ key: "product", size: 15, bold: true, anchor: "end", fill });
    pen.text(width - 6, at.foot + 16, `${gradient} = ${text(gradient)}`, look);
    return;
  }
  const x = (at.x[at.x.length - 1] + at.box / 2 + width) / 2;
  pen.text(x, at.linkY - 25, gradient, { key: "of", size: 17, anchor: "middle", fill });
  pen.text(x, at.linkY + 9, `= ${text(gradient)}`, { key: "product", size: 26, bold: true, anchor: "middle", fill });
}

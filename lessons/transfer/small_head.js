// One small head on a kept network. The network is a slab above its tokens; the head reads one vector of it, or that of
// each word, and at the scale of the slab it is a speck.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { whole } from "./network_parts.js";
import { drawFreezing } from "./small_head_freeze.js";
import { placesOf } from "./small_head_places.js";
import { drawLabels } from "./small_head_labels.js";
import { drawTags } from "./small_head_tags.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { HeadPlaces, HeadScene } from "./small_head_places.js" */
/** @typedef {(pen: Pen, scene: HeadScene, at: HeadPlaces) => void} Draw */

/** @param {Component<Scripts["small_head"]>} component */
export default function small_head(component) {
  return mainPicture(component, (pen, /** @type {HeadScene} */ scene) => {
    const at = placesOf(scene);
    const { shown, reads } = scene.data;
    drawTokens(pen, scene, at);
    if (shown === "freeze") return drawFreezing(pen, scene, at);
    drawSlab(pen, scene, at);
    drawVectors(pen, scene, at);
    if (reads === "tags" || reads === "span") drawTags(pen, scene, at);
    else drawLabels(pen, scene, at);
  });
}

/** @type {Draw} */
function drawTokens(pen, { data, colour }, { x, words, slanted, column }) {
  const sizes = slanted ? [14] : [22, 20, 18, 16, 14];
  const fits = (/** @type {number} */ size) => data.tokens.every((token) => textWidth(token, size, true) <= column - 4);
  const size = sizes.find(fits) ?? 14;
  data.tokens.forEach((token, i) => {
    const read = data.read.includes(i);
    const look = { key: `token ${i}`, size, bold: read, fill: read ? colour.ink : colour.quiet };
    const turned = slanted || size * 1 > column;
    if (!turned) return pen.text(x(i), words, token, { ...look, anchor: "middle", room: column });
    const turn = `rotate(-50 ${x(i).toFixed(1)} ${words})`;
    return pen.text(x(i) + 4, words, token, { ...look, anchor: "end", transform: turn });
  });
}

/**
 * The network as one slab, with the head as large as it is at this scale.
 *
 * @type {Draw}
 */
function drawSlab(pen, scene, { slab, narrow, x }) {
  const { data, colour, values } = scene;
  const [wide, high] = [slab.right - slab.left, slab.foot - slab.top];
  data.tokens.forEach((_, i) => {
    pen.line(x(i), slab.foot + (narrow ? 4 : 6), x(i), slab.foot + 1, { key: `in ${i}`, stroke: colour.mask });
  });
  pen.rect(slab.left, slab.top, wide, high, { key: "slab", r: 8, fill: colour.mask, "fill-opacity": 0.16 });
  pen.rect(slab.left, slab.top, wide, high, { key: "slab line", r: 8, stroke: colour.mask, line: 2 });
  const middle = slab.left + (narrow ? 12 : wide / 2);
  const anchor = narrow ? "start" : "middle";
  const kept = `${narrow ? "kept" : "kept as pre-trained"}: ${whole(values("kept"))} weights`;
  const y = slab.top + high / 2;
  pen.text(middle, y - (narrow ? 2 : 3), kept, { key: "kept", size: narrow ? 16 : 26, bold: true, anchor });
  const parts = `${data.name}: ${data.parts.map(({ name }) => name).join(", ")}`;
  pen.text(middle, y + (narrow ? 18 : 24), parts, { key: "parts", size: narrow ? 13 : 16, fill: colour.quiet, anchor });
  drawSpeck(pen, scene, { right: slab.right - 14, y, area: (wide * high) / values("kept") });
}

/**
 * The head at the scale of the slab: `area` is that of one weight.
 *
 * @param {Pen} pen @param {HeadScene} scene @param {{ right: number, y: number, area: number }} at
 */
function drawSpeck(pen, { data, colour, hidden, narrow }, { right, y, area }) {
  if (hidden("learn")) return;
  const side = Math.sqrt(data.head * area);
  pen.rect(right - side, y - side / 2, side, side, { key: "speck", r: 0, fill: colour.weight });
  pen.circle(right - side / 2, y, side / 2 + 6, { key: "speck ring", stroke: colour.weight, line: 1.5 });
  if (narrow) return;
  const look = /** @type {const} */ ({ size: 16, fill: colour.weight, anchor: "end" });
  pen.text(right - side - 14, y - 4, "the head,", { key: "speck is", ...look, bold: true });
  pen.text(right - side - 14, y + 16, "at this scale", { key: "speck scale", ...look });
}

/**
 * A vector above each token; those that the head reads are filled.
 *
 * @type {Draw}
 */
function drawVectors(pen, { data, colour }, { slab, vectors, x, column }) {
  const wide = Math.min(column - 6, 40);
  data.tokens.forEach((_, i) => {
    const read = data.read.includes(i);
    const look = read ? { fill: colour.activation } : { fill: colour.background, stroke: colour.line, line: 1.5 };
    pen.line(x(i), slab.top - 1, x(i), vectors + 6, {
      key: `out ${i}`,
      stroke: read ? colour.activation : colour.line,
    });
    pen.rect(x(i) - wide / 2, vectors - 5, wide, 10, { key: `z ${i}`, r: 3, ...look });
  });
}

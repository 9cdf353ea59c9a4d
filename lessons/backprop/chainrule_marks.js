// The marks of a chain of slopes: the arrow of a move, the band between two of them, and a link’s slope.

import { formatNumber, operand } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { ChainLink } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ChainScene } from "./chainrule_places.js" */

/** @param {number} move */
export const signed = (move) => `${move > 0 ? "+" : ""}${formatNumber(move)}`;

/** @param {ChainScene} scene @param {ChainLink} link */
export const isOpen = (scene, { slope }) => !scene.hidden(slope);

/** @param {ChainScene} scene @param {ChainLink} link */
const factor = (scene, link) => (isOpen(scene, link) ? `× ${operand(scene.values(link.slope))}` : "× ?");

/** @param {ChainScene} scene @param {ChainLink} link @param {number} size */
export const chipWidth = (scene, link, size) => textWidth(factor(scene, link), size, true) + 1.1 * size;

/**
 * What lies between two moves; it is tied where the sign turns.
 *
 * @param {Pen} pen
 * @param {ChainScene} scene
 * @param {string} key
 * @param {[number, number]} ends
 * @param {number} zero
 * @param {number[]} heights
 */
export function band(pen, { colour }, key, [x1, x2], zero, [h1, h2]) {
  const d = `M${x1} ${zero}L${x2} ${zero}L${x2} ${zero - h2}L${x1} ${zero - h1}Z`;
  pen.path(d, { key, stroke: null, fill: colour.gradient, "fill-opacity": 0.22 });
}

/** @param {Pen} pen @param {ChainScene} scene @param {number} x @param {number} zero @param {number} height */
export function arrow(pen, { colour, narrow }, x, zero, height) {
  const fill = colour.gradient;
  const size = Math.min(narrow ? 10 : 16, Math.abs(height) * 0.6);
  const way = height < 0 ? 1 : -1;
  pen.line(x, zero, x, zero - height - way * size * 0.8, { stroke: fill, width: narrow ? 4 : 8 });
  pen.head(x, zero - height, 90 * way, fill, size * 1.25);
}

/**
 * The slope of a link, as what it multiplies a move by. A slope that is a leaf is dragged, a closed one is pressed.
 *
 * @param {Pen} pen
 * @param {ChainScene} scene
 * @param {ChainLink} link
 * @param {number} i its place in the chain
 * @param {{ x: number, y: number, size: number, key?: string }} place
 */
export function chip(pen, scene, link, i, { x, y, size, key = `chip${i}` }) {
  const open = isOpen(scene, link);
  /** @param {Pen} its */
  const draw = (its) => {
    const { colour, moved } = scene;
    const wide = chipWidth(scene, link, size);
    const line = moved && moved === link.handle ? 4 : 2.5;
    const frame = { r: size * 0.75, fill: colour.background, stroke: colour.gradient, line };
    its.rect(x - wide / 2, y - size * 0.75, wide, size * 1.5, frame);
    const look = /** @type {const} */ ({ size, bold: true, anchor: "middle", fill: colour.gradient });
    its.text(x, y + size * 0.35, factor(scene, link), look);
  };
  if (!open && scene.data.seen >= 0) {
    pen.button(`Show ${link.said}`, () => scene.send(i + 1 === scene.data.ways[0].links.length ? -1 : i + 1), draw, {
      key,
    });
    return;
  }
  const moves = link.handle ? { "data-n": link.handle, "data-per": 60, "data-way": "x" } : {};
  pen.group({ key: `${key} open`, ...moves }, draw);
}

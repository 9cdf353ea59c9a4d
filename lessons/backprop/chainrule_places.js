// Where a chain of slopes is drawn.

import { chipWidth } from "./chainrule_marks.js";

/** @import { ChainWay } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"chainrule">} ChainScene */
/**
 * The places of nodes from the first to the result; the row of boxes and links; the field with its line of no change,
 * and the units of the picture per 1 of a move.
 *
 * @typedef {object} ChainPlaces
 * @property {number[]} x
 * @property {number} box the width of a node
 * @property {number} boxTop
 * @property {number} boxFoot
 * @property {number} linkY
 * @property {boolean} chipsBelow
 * @property {number} zero
 * @property {number} foot
 * @property {number} half the height of the field above and below its line
 * @property {number} per
 */

/**
 * The places of the nodes of a chain: the result is always at the same one, and so is each node before it.
 *
 * @param {ChainScene} scene @param {number} most the links of the longest chain @param {number} links of this one
 */
export function columnsOf({ width, narrow }, most, links = most) {
  const [left, right] = narrow ? [42, width - 54] : [96, width - 196];
  const pitch = (right - left) / most;
  return Array.from({ length: links + 1 }, (_, i) => right - (links - i) * pitch);
}

/** @param {ChainScene} scene @param {ChainWay} way @returns {ChainPlaces} */
export function placesOf(scene, way) {
  const { height, narrow, values } = scene;
  const x = columnsOf(scene, way.links.length);
  const pitch = x[1] - x[0];
  const chips = Math.max(...way.links.map((link) => chipWidth(scene, link, 23)));
  const box = narrow ? Math.min(pitch - 8, 78) : Math.min(156, Math.max(pitch - chips - 16, 96));
  const chipsBelow = pitch - box < chips + 8;
  const boxTop = 6;
  const boxFoot = narrow ? 48 : 66;
  const linkY = chipsBelow ? boxFoot + (narrow ? 38 : 48) : (boxTop + boxFoot) / 2 + 12;
  const top = chipsBelow ? linkY + 20 : boxFoot + 8;
  const foot = height - (narrow ? 26 : 10);
  const half = (foot - top) / 2 - (narrow ? 16 : 24);
  const zero = (top + foot) / 2;
  return { x, box, boxTop, boxFoot, linkY, chipsBelow, zero, foot, half, per: half / (values("reach") || 1) };
}

/**
 * How high each node of a chain moves on the field; what is too far ends at its edge.
 *
 * @param {ChainScene} scene @param {{ half: number, per: number }} at @param {ChainWay} way
 */
export function heightsOf({ values }, { half, per }, { nodes }) {
  const most = half + 12;
  return nodes.map(({ move }) => Math.max(-most, Math.min(values(move) * per, most)));
}

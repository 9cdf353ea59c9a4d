// What can be dragged of the last tower: its roof, its wall, and the upper edge of its ground floor.

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places, TowersScene } from "./towers_places.js" */

/** @param {Pen} pen @param {TowersScene} scene @param {Places} at */
export function drawHandles(pen, scene, at) {
  const { x, wide, low: narrowed, top, floor, ground } = at.towers[at.towers.length - 1];
  const low = at.foot - ground * at.row;
  const roof = { key: "roof", "data-n": "N", "data-per": floor * at.row, "data-way": "y", style: "cursor: ns-resize" };
  const edge = { key: "edge", "data-n": "V", "data-per": at.row, "data-way": "y", style: "cursor: ns-resize" };
  const wall = { key: "wall", "data-n": "d", "data-per": at.unit, "data-way": "x", style: "cursor: ew-resize" };
  pen.group(roof, (its) => drawGrip(its, scene, x + wide / 2, top, wide, true));
  if (wide > 120) pen.group(edge, (its) => drawGrip(its, scene, x + 0.84 * wide, low, 0.3 * wide, true));
  if (narrowed < wide) {
    const inner = { key: "inner", "data-n": "e", "data-per": at.unit, "data-way": "x", style: "cursor: ew-resize" };
    pen.group(inner, (its) => drawGrip(its, scene, x + narrowed, (at.foot + low) / 2, at.foot - low, false));
  }
  pen.group(wall, (its) => drawGrip(its, scene, x + wide, (low + top) / 2 + 0.22 * (low - top), low - top, false));
}

/**
 * A grip around a point of an edge, which can be held all along.
 *
 * @param {Pen} pen
 * @param {TowersScene} scene
 * @param {number} x
 * @param {number} y
 * @param {number} long
 * @param {boolean} lies
 */
function drawGrip(pen, { colour }, x, y, long, lies) {
  const [wide, high] = lies ? [long, 14] : [14, 0.5 * long];
  pen.rect(x - wide / 2, y - high / 2, wide, high, { fill: "transparent" });
  const look = { fill: colour.background, stroke: colour.ink, line: 2, r: 5 };
  if (lies) pen.rect(x - 20, y - 5, 40, 10, look);
  else pen.rect(x - 5, y - 20, 10, 40, look);
}

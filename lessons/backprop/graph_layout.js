// Where the nodes of a computation graph stand and how its edges run, in pixels.

import { curveBumpX, curveBumpY, line } from "../../ui/browser/d3.js";

/** @import { GraphEdge, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["graph"]} Data */

const GAP = { layer: 48, row: 14 };
/** @param {Data} data */
export const boxOf = (data) => ({ width: data.nodes.some((node) => node.shape) ? 172 : 122, height: 66 });

/** @param {Data} data */
export function needs(data, upright) {
  const layers = 1 + Math.max(...data.nodes.map((node) => node.place[0]));
  const rows = 1 + Math.max(...data.nodes.map((node) => node.place[1]), ...data.edges.flatMap((e) => e.bends.map((b) => b[1])));
  const [across, along] = upright ? [rows, layers] : [layers, rows];
  const gap = upright ? [GAP.row, GAP.layer] : [GAP.layer, GAP.row + 8];
  const box = boxOf(data);
  return { width: across * (box.width + gap[0]) - gap[0] + 8, height: along * (box.height + gap[1]) - gap[1] + 8 };
}

/** @returns {[number, number]} */
export function centre([layer, row], upright, box) {
  const [across, down] = upright ? [row, layer] : [layer, row];
  const gap = upright ? [GAP.row, GAP.layer] : [GAP.layer, GAP.row + 8];
  return [4 + box.width / 2 + across * (box.width + gap[0]), 4 + box.height / 2 + down * (box.height + gap[1])];
}

/** @param {GraphEdge} edge */
export function route(edge, places, upright, box) {
  const [half, flat] = [box.width / 2, box.height / 2];
  const from = centre(places.get(edge.from), upright, box);
  const to = centre(places.get(edge.to), upright, box);
  const shift = edge.twin ? (edge.position ? 14 : -14) : 0;
  /** @type {[number, number]} */
  const start = upright ? [from[0] + shift, from[1] + flat] : [from[0] + half, from[1] + shift];
  /** @type {[number, number]} */
  const end = upright ? [to[0] + shift, to[1] - flat - 5] : [to[0] - half - 5, to[1] + shift];
  const points = [start, ...edge.bends.map((bend) => centre(bend, upright, box)), end];
  const bend = line().curve(upright ? curveBumpY : curveBumpX);
  return { path: bend(points), label: near(points[points.length - 2], end, upright) };
}

// A point past the middle of the last bend, where edges that cross have parted again.
function near(from, to, upright) {
  const t = 0.68;
  const ease = 3 * t * t - 2 * t * t * t;
  const middle = (a, b) => a + (b - a) * (1.5 * t * (1 - t) + t * t * t);
  const bend = (a, b) => a + (b - a) * ease;
  const [across, down] = upright ? [bend, middle] : [middle, bend];
  return [across(from[0], to[0]), down(from[1], to[1])];
}

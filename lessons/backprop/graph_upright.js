// A graph that is upright: its layers one below the other, in one band.

import { curveBumpY, line } from "../../drawing/d3.js";
import { pastMiddle, planOf } from "./graph_routes.js";
import { between, BOX, SIDE, sizeAt, TIP } from "./graph_sizes.js";

/** @import { GraphEdge } from "../../drawing/types.js" */
/** @import { Layer, Way } from "./graph_layout.js" */
/** @import { Ends, Grid } from "./graph_routes.js" */
/** @import { GraphData, Point, Room, Route } from "./graph_sizes.js" */

const GAP = { layer: 30, row: 10 };

/** @param {GraphData} data @param {Layer[]} layers @param {Room} room @returns {Way} */
export function upright(data, layers, room) {
  const wide = Math.max(...layers.map((layer) => layer.width));
  const rows = layers.flatMap((layer) => layer.rows);
  const low = Math.min(...rows);
  const count = 1 + Math.max(...rows) - low;
  const across = (room.width - 2 * SIDE) / (count * (wide + GAP.row) - GAP.row);
  const down = (room.height - 2 * SIDE) / (layers.length * (BOX.height + GAP.layer) - GAP.layer);
  const scale = Math.min(across, down);
  const place = () => {
    const grid = gridOf(layers, room, { s: sizeAt(scale), wide, low, count });
    return planOf(data, grid, (edge, ends) => routeOf(edge, ends, grid));
  };
  return { scale, across, place };
}

/**
 * @param {Layer[]} layers
 * @param {Room} room
 * @param {{ s: number, wide: number, low: number, count: number }} sizes `wide`: the least width of a node; rows go
 *   from `low` on, `count` of them
 * @returns {Grid}
 */
function gridOf(layers, room, { s, wide, low, count }) {
  const [height, half] = [BOX.height * s, (wide * s) / 2];
  const links = Math.max(layers.length - 1, 1);
  const pitch = height + between((room.height - 2 * SIDE - layers.length * height) / links, GAP.layer * s, 90 * s);
  const spare = (room.width - 2 * SIDE - count * 2 * half) / Math.max(count - 1, 1);
  const row = 2 * half + between(spare, GAP.row * s, 60 * s);
  const left = Math.max((room.width - ((count - 1) * row + 2 * half)) / 2, SIDE) + half;
  const top = Math.max((room.height - ((layers.length - 1) * pitch + height)) / 2, SIDE) + height / 2;
  return {
    s,
    upright: true,
    height,
    widthOf: () => half * 2,
    centre: ([layer, at]) => [
      left + (at - low - layers[Math.round(layer)].shift) * row,
      top + Math.round(layer) * pitch,
    ],
    arrives: half * 2,
    size: {
      width: Math.max(room.width, left + (count - 1) * row + half + SIDE),
      height: Math.max(room.height, top + (layers.length - 1) * pitch + height / 2 + SIDE),
    },
  };
}

/** @param {GraphEdge} edge @param {Ends} ends @param {Grid} grid @returns {Route} */
function routeOf(edge, { from, to, port }, { centre }) {
  /** @type {Point} */
  const start = [from.x + (edge.twin ? port : 0), from.foot];
  /** @type {Point} */
  const end = [to.x + port, to.top - TIP];
  const points = [start, ...edge.bends.map(centre), end];
  const path = line().curve(curveBumpY)(points) ?? "";
  return { path, label: pastMiddle(points[points.length - 2], end, true), start, end, angle: 90 };
}

// A plan of a graph from a grid of layers and rows: the boxes of the nodes, and where edges arrive at them.

import { boxOf } from "./graph_sizes.js";

/** @import { GraphEdge, GraphNode } from "../../drawing/types.js" */
/** @import { Box, GraphData, Plan, Point, Route } from "./graph_sizes.js" */
/** @typedef {GraphNode["place"]} Place a layer and a row */
/**
 * @typedef {object} Grid
 * @property {number} s how many times its least size a node is
 * @property {boolean} upright whether the layers are one below the other
 * @property {number} height of a node
 * @property {(node: GraphNode) => number} widthOf a node
 * @property {(place: Place) => Point} centre
 * @property {number} arrives the length of the side of a node at which edges arrive
 * @property {{ width: number, height: number }} size of the whole graph
 */
/**
 * What an edge joins.
 *
 * @typedef {object} Ends
 * @property {Box} from
 * @property {Box} to
 * @property {number} port how far from the middle of its side it arrives
 * @property {[from: number, to: number]} layers
 */

/**
 * @param {GraphData} data
 * @param {Grid} grid
 * @param {(edge: GraphEdge, ends: Ends) => Route} routeOf
 * @returns {Plan}
 */
export function planOf(data, grid, routeOf) {
  const boxes = new Map(
    data.nodes.map((node) => [node.id, boxAt(grid.centre(node.place), grid.widthOf(node), grid.height)]),
  );
  const places = new Map(data.nodes.map((node) => [node.id, node.place]));
  /** @param {number} id */
  const placeOf = (id) => /** @type {Place} */ (places.get(id));
  const ports = portsOf(data, grid, placeOf);
  const routes = data.edges.map((edge, i) => {
    const [from, to] = [boxOf({ boxes }, edge.from), boxOf({ boxes }, edge.to)];
    const layers = /** @type {Ends["layers"]} */ ([edge.from, edge.to].map((id) => Math.round(placeOf(id)[0])));
    return routeOf(edge, { from, to, port: ports[i], layers });
  });
  return { s: grid.s, upright: grid.upright, ...grid.size, boxes, routes };
}

/** @param {Point} centre @param {number} width @param {number} height @returns {Box} */
const boxAt = ([x, y], width, height) => ({
  x,
  y,
  width,
  height,
  left: x - width / 2,
  right: x + width / 2,
  top: y - height / 2,
  foot: y + height / 2,
});

/**
 * Where edges arrive: those of one node side by side, in the order in which they come.
 *
 * @param {GraphData} data @param {Grid} grid @param {(id: number) => Place} placeOf
 */
function portsOf({ edges }, { centre, upright, arrives }, placeOf) {
  /** @type {Map<number, { i: number, along: number }[]>} */
  const arriving = new Map();
  edges.forEach((edge, i) => {
    const last = centre(edge.bends.at(-1) ?? placeOf(edge.from));
    const along = last[upright ? 0 : 1] + edge.position * 0.01;
    arriving.set(edge.to, [...(arriving.get(edge.to) ?? []), { i, along }]);
  });
  /** @type {number[]} */
  const ports = [];
  for (const all of arriving.values()) {
    all.sort((one, other) => one.along - other.along);
    const apart = Math.min(arrives / (all.length + 1), 26);
    all.forEach(({ i }, k) => (ports[i] = (k - (all.length - 1) / 2) * apart));
  }
  return ports;
}

/**
 * A point past the middle of the last bend of an edge, where edges that cross have parted again.
 *
 * @param {Point} from @param {Point} to @param {boolean} upright @returns {Point}
 */
export function pastMiddle(from, to, upright) {
  const t = 0.62;
  const ease = 3 * t * t - 2 * t * t * t;
  /** @type {(a: number, b: number) => number} */
  const middle = (a, b) => a + (b - a) * (1.5 * t * (1 - t) + t * t * t);
  /** @type {(a: number, b: number) => number} */
  const bend = (a, b) => a + (b - a) * ease;
  const [across, down] = upright ? [bend, middle] : [middle, bend];
  return [across(from[0], to[0]), down(from[1], to[1])];
}

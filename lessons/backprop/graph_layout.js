// Where the nodes of a computation graph are drawn and how its edges run, in units of the picture.
//
// Layers go to the right. A graph that is too wide for its room continues in a further band below, as a text continues
// on the next line; on a phone it may be upright instead. A graph that still does not fit is larger than its room.

import { inBands } from "./graph_bands.js";
import { BOX, leastWidth, MOST } from "./graph_sizes.js";
import { upright } from "./graph_upright.js";

/** @import { GraphData, Plan, Room } from "./graph_sizes.js" */
/**
 * A layer: its width, and the rows of its nodes and bends, measured from `shift`.
 *
 * @typedef {object} Layer
 * @property {number} width
 * @property {number} shift
 * @property {number[]} rows of nodes and bends
 * @property {number[]} nodes the rows of the nodes alone
 */
/**
 * A way to arrange a graph.
 *
 * @typedef {object} Way
 * @property {number} scale how many times its least size a node could become in the room
 * @property {number} across the same, if the room were high enough
 * @property {() => Plan} place
 */

const LARGE = 1.3; // nodes of this size need no further band
const WORTH = 1.25; // a further band must make smaller nodes larger by this factor
const BANDS = 24; // the most bands

/**
 * The places of all nodes and the routes of all edges, at the size that suits the room best.
 *
 * @param {GraphData} data @param {Room} room
 */
export function arrange(data, room) {
  const ways = [false, true].flatMap((level) => waysOf(data, layersOf(data, level), room));
  /** @param {Way} way */
  const fits = (way) => Math.min(way.scale, MOST);
  /** @type {(other: number, one: number) => boolean} */
  const better = (other, one) => (one < 1 ? other > one : one < LARGE && other > one * WORTH);
  const best = ways.reduce((one, other) => (better(fits(other), fits(one)) ? other : one));
  const within = ways.filter((way) => way.across >= 1);
  if (best.scale >= 1 || !within.length) return best.place();
  return within.reduce((one, other) => (other.scale > one.scale ? other : one)).place();
}

/** @param {GraphData} data @param {Layer[]} layers @param {Room} room @returns {Way[]} */
function waysOf(data, layers, room) {
  const count = Math.min(layers.length, BANDS);
  const bands = Array.from({ length: count }, (_, i) => inBands(data, layers, i + 1, room));
  return room.narrow ? [upright(data, layers, room), ...bands] : bands;
}

/**
 * The layers. The rows of a layer keep their distances; with `level`, the middles of all layers are on one level.
 *
 * @param {GraphData} data @param {boolean} level
 */
function layersOf({ nodes, edges }, level) {
  const count = 1 + Math.max(...nodes.map((node) => Math.round(node.place[0])));
  /** @type {Layer[]} */
  const layers = Array.from({ length: count }, () => ({ width: 0, shift: 0, rows: [], nodes: [] }));
  for (const node of nodes) {
    const layer = layers[Math.round(node.place[0])];
    layer.width = Math.max(layer.width, leastWidth(node));
    layer.rows.push(node.place[1]);
    layer.nodes.push(node.place[1]);
  }
  for (const { bends } of edges) for (const [at, row] of bends) layers[Math.round(at)].rows.push(row);
  return layers.map(({ width, rows, nodes: own }) => {
    const shift = level ? (Math.min(...rows) + Math.max(...rows)) / 2 : 0;
    /** @param {number[]} from */
    const shifted = (from) => from.map((row) => row - shift);
    return { width: width || BOX.scalar, shift, rows: shifted(rows), nodes: shifted(own) };
  });
}

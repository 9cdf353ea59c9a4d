// The routes of edges in bands: to the right, and from the end of one band to the beginning of the next.

import { curveBumpX, line } from "../../drawing/d3.js";
import { bent } from "../../drawing/pen.js";
import { pastMiddle } from "./graph_routes.js";
import { TIP } from "./graph_sizes.js";

/** @import { GraphEdge } from "../../drawing/types.js" */
/** @import { BandGrid, PlacedBand } from "./graph_bands.js" */
/** @import { Ends } from "./graph_routes.js" */
/** @import { Point, Route } from "./graph_sizes.js" */
/** @typedef {{ points: Point[], band: PlacedBand }} Halt of an edge: at either end, and at each bend */

const LANES = 4; // side by side for edges that continue in the next band
const LANE = 5; // from one to the next

/**
 * @param {GraphEdge} edge
 * @param {Ends} ends
 * @param {BandGrid} grid
 * @param {Map<PlacedBand, number>} turned how many edges have gone on from each band
 * @returns {Route}
 */
export function routeAcross(edge, { from, to, port, layers }, grid, turned) {
  /** @type {Point} */
  const start = [from.right, from.y + (edge.twin ? port : 0)];
  /** @type {Point} */
  const end = [to.left - TIP, to.y + port];
  /** @type {(point: Point, layer: number) => Halt} */
  const halt = (point, layer) => ({ points: [point], band: grid.columns[layer].band });
  const halts = [halt(start, layers[0]), ...edge.bends.map((bend) => bendOf(bend, grid)), halt(end, layers[1])];
  return { ...alongHalts(halts, grid.s, turned), start, end, angle: 0 };
}

/**
 * A bend is crossed straight, so that the edge touches no box of its column.
 *
 * @param {GraphEdge["bends"][number]} bend @param {BandGrid} grid @returns {Halt}
 */
function bendOf(bend, { centre, columns }) {
  const [x, y] = centre(bend);
  const { half, band } = columns[Math.round(bend[0])];
  return {
    points: [
      [x - half, y],
      [x + half, y],
    ],
    band,
  };
}

/**
 * The path from halt to halt, and the point of its label.
 *
 * @param {Halt[]} halts
 * @param {number} s
 * @param {Map<PlacedBand, number>} turned
 * @returns {{ path: string, label: Point }}
 */
function alongHalts(halts, s, turned) {
  let run = [...halts[0].points];
  let label = run[0];
  let path = "";
  /** @param {string} part */
  const add = (part) => (path += path ? part.replace("M", "L") : part);
  for (let k = 1; k < halts.length; k++) {
    const { band } = halts[k - 1];
    const [first] = halts[k].points;
    const last = run[run.length - 1];
    if (band === halts[k].band) {
      if (k === halts.length - 1) label = pastMiddle(last, first, false);
    } else {
      const turn = turned.get(band) ?? 0;
      turned.set(band, turn + 1);
      const { points, level } = turnOf(band, turn % LANES, last, first);
      add(smooth(run));
      add(bent(points, 9));
      label = [Math.max(90 * s, 60) + 76 * (turn % LANES), level];
      run = [];
    }
    run.push(...halts[k].points);
  }
  if (run.length > 1) add(smooth(run));
  return { path, label };
}

/** @param {Point[]} run */
const smooth = (run) => (run.length > 1 ? (line().curve(curveBumpX)(run) ?? "") : `M${run[0].join(",")}`);

/**
 * From the end of a band to the beginning of the next one, between both; `level` is its height there.
 *
 * @param {PlacedBand} band @param {number} lane @param {Point} from @param {Point} to
 */
function turnOf({ right: end, foot, below }, lane, [x, y], to) {
  const level = foot + below / 2 + lane * LANE - 2;
  const [left, right] = [8 + LANE * lane, end + 12 + LANE * lane];
  /** @type {Point[]} */
  const points = [[x, y], [right, y], [right, level], [left, level], [left, to[1]], to];
  return { points, level };
}

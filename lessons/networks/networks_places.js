// Where the parts of the picture are drawn: columns of units, the plane, and the loss over the steps.

const FOOT = 116;
const MOST = 104;

/** @typedef {{ left: number, top: number, wide: number, high: number }} Box */
/** @typedef {{ x: number, y: number, size: number }} Unit */
/** @typedef {ReturnType<typeof widePlaces>} Places */
/** @typedef {ReturnType<typeof planeScale>} PlaneScale */

/**
 * @param {{ width: number, height: number, narrow: boolean }} room
 * @param {readonly number[]} sizes inputs, then the units of each layer
 */
export function places({ width, height, narrow }, sizes) {
  return narrow ? narrowPlaces(width, height, sizes) : widePlaces(width, height, sizes);
}

/** @param {number} width @param {number} height @param {readonly number[]} sizes */
function widePlaces(width, height, sizes) {
  const foot = Math.min(FOOT, 0.24 * height);
  const high = height - foot;
  const side = Math.min(high - 40, 0.42 * width);
  const plane = { left: width - side - 14, top: 30 + (high - 40 - side) / 2, wide: side, high: side };
  const graph = { left: 14, top: 34, wide: plane.left - 14 - 40, high: high - 44 };
  const strip = { left: 92, top: high + 26, wide: width - 92 - 18, high: foot - 52 };
  return { plane, strip, graph, head: 22, small: false, ...columns(graph, sizes, MOST) };
}

/** @param {number} width @param {number} height @param {readonly number[]} sizes @returns {Places} */
function narrowPlaces(width, height, sizes) {
  const foot = 86;
  const side = Math.min((height - foot) * 0.52, width - 120);
  const graph = { left: 6, top: 20, wide: width - 44, high: height - foot - side - 44 };
  const plane = { left: (width - side) / 2, top: height - foot - side - 2, wide: side, high: side };
  const strip = { left: 44, top: height - foot + 20, wide: width - 54, high: foot - 44 };
  return { plane, strip, graph, head: 14, small: true, ...columns(graph, sizes, 54) };
}

/**
 * The places of the inputs, of the hidden units and of the outputs, column by column.
 *
 * @param {Box} graph
 * @param {readonly number[]} sizes
 * @param {number} most the largest size of a unit
 */
function columns(graph, sizes, most) {
  const hidden = sizes.slice(1, -1);
  const count = hidden.length + 2;
  const across = (/** @type {number} */ column) => graph.left + (graph.wide * (column + 0.5)) / count;
  const middle = graph.top + graph.high / 2;
  /** @type {(i: number, units: number, room: number) => number} */
  const row = (i, units, room) => middle + (i - (units - 1) / 2) * room;
  const between = (/** @type {number} */ units) => (most < MOST ? 3 : units > 4 ? 6 : 32); // below a unit: its bias
  const gap = Math.min(graph.high / sizes[0], 150);
  const inputs = Array.from({ length: sizes[0] }, (_, i) => ({
    x: Math.max(across(0), graph.left + 26),
    y: row(i, sizes[0], gap),
    size: 52,
  }));
  const layers = hidden.map((units, layer) => {
    const room = Math.min(graph.high / units, 1.55 * most);
    const size = Math.min(most, room - between(units), (graph.wide / count) * 0.8);
    return Array.from({ length: units }, (_, i) => ({ x: across(layer + 1), y: row(i, units, room), size }));
  });
  const outputs = sizes[sizes.length - 1];
  const last = Array.from({ length: outputs }, (_, i) => ({
    x: across(count - 1),
    y: row(i, outputs, Math.min(graph.high / outputs, 96)),
    size: 46,
  }));
  return { inputs, layers, outputs: last, column: graph.wide / count };
}

const LABEL = { wide: 76, high: 26 };

/**
 * The position of the numbers along the edges between two columns, as a share of the edge, at which no number covers
 * another one or a unit; null if there is none.
 *
 * @param {Unit[]} from @param {Unit[]} to
 */
export function labelPlace(from, to) {
  const gap = to[0].x - to[0].size / 2 - from[0].x - from[0].size / 2;
  const apart = (/** @type {number} */ t) => {
    const heights = from.flatMap((a) => to.map((b) => a.y + (b.y - a.y) * t)).sort((a, b) => a - b);
    return heights.slice(1).every((y, i) => y - heights[i] >= LABEL.high);
  };
  const fits = (/** @type {number} */ t) => Math.min(t, 1 - t) * gap >= LABEL.wide / 2;
  return [0.7, 0.64, 0.58, 0.52, 0.46, 0.4, 0.76].find((t) => fits(t) && apart(t)) ?? null;
}

/**
 * The scales from the plane to the drawing, and back.
 *
 * @param {Box} box @param {{ low: number, high: number }} window
 */
export function planeScale({ left, top, wide, high }, { low, high: most }) {
  const reach = most - low;
  return {
    x: (/** @type {number} */ value) => left + ((value - low) / reach) * wide,
    y: (/** @type {number} */ value) => top + high - ((value - low) / reach) * high,
    /** @type {(x: number, y: number) => [x1: number, x2: number]} */
    back: (x, y) => [low + ((x - left) / wide) * reach, low + ((top + high - y) / high) * reach],
  };
}

// A graph in bands, one below the other: in each, layers go to the right.

import { planOf } from "./graph_routes.js";
import { between, BOX, leastWidth, SIDE, sizeAt, total } from "./graph_sizes.js";
import { routeAcross } from "./graph_turns.js";

/** @import { Layer, Way } from "./graph_layout.js" */
/** @import { Grid } from "./graph_routes.js" */
/** @import { GraphData, Room } from "./graph_sizes.js" */

/**
 * @typedef {object} Band
 * @property {Layer[]} inside
 * @property {(row: number) => number} squeeze where a row is drawn: edges alone need less room than nodes
 * @property {number} low the first row, squeezed
 * @property {number} rows how many there is room for
 * @property {number} boxes the least width of its nodes
 */
/**
 * A band with its place.
 *
 * @typedef {Band & { right: number, foot: number, below: number }} PlacedBand `below`: the room to the next one
 */
/**
 * The place of a layer.
 *
 * @typedef {object} Column
 * @property {number} x its middle
 * @property {number} half the half of its width
 * @property {number} shift
 * @property {number} top the middle of the first row
 * @property {PlacedBand} band
 */
/** @typedef {Grid & { columns: Column[] }} BandGrid */
/**
 * The sizes of what is in the bands.
 *
 * @typedef {object} Sizes
 * @property {number} s how many times its least size a node is
 * @property {number} height of a node
 * @property {number} row from one to the next
 * @property {number} gap between layers
 * @property {number} below a band
 * @property {number} top of the first band
 * @property {number} side beside the bands
 */

const GAP = { layer: 54, row: 8, band: 24 };
const GUTTER = 26; // beside the bands, for the edges that continue in the next one
const CLOSE = 0.3; // the room of a row without a node

/**
 * The graph in at most `many` bands.
 *
 * @param {GraphData} data @param {Layer[]} layers @param {number} many @param {Room} room @returns {Way}
 */
export function inBands(data, layers, many, room) {
  const bands = split(layers, many).map(bandOf);
  const links = bands.length - 1;
  const width = Math.max(...bands.map((band) => band.boxes + GAP.layer * (band.inside.length - 1)));
  const height = total(bands.map((band) => band.rows * (BOX.height + GAP.row) - GAP.row)) + GAP.band * links;
  const across = (room.width - 2 * sideOf(bands)) / width;
  const scale = Math.min(across, (room.height - 2 * SIDE) / height);
  const place = () => {
    const grid = gridOf(bands, room, sizeAt(scale));
    /** @type {Map<PlacedBand, number>} */
    const turned = new Map();
    return planOf(data, grid, (edge, ends) => routeAcross(edge, ends, grid, turned));
  };
  return { scale, across, place };
}

/** @param {Band[]} bands */
const sideOf = (bands) => (bands.length > 1 ? GUTTER : SIDE);

/**
 * The layers in at most `many` runs, the widest of which is as narrow as possible.
 *
 * @param {Layer[]} layers @param {number} many
 */
function split(layers, many) {
  /** @param {Layer[]} run */
  const width = (run) => total(run.map((layer) => layer.width + GAP.layer));
  /** @param {number} most */
  const fill = (most) => {
    /** @type {Layer[][]} */
    const runs = [];
    for (const layer of layers) {
      const last = runs.at(-1);
      if (last && width([...last, layer]) <= most) last.push(layer);
      else runs.push([layer]);
    }
    return runs;
  };
  const widths = layers.flatMap((_, i) => layers.slice(i).map((_, j) => width(layers.slice(i, i + j + 1))));
  return fill(widths.sort((one, other) => one - other).find((most) => fill(most).length <= many) ?? Infinity);
}

/** @param {Layer[]} inside @returns {Band} */
function bandOf(inside) {
  const rows = inside.flatMap((layer) => layer.rows);
  const squeeze = squeezed(inside.flatMap((layer) => layer.nodes));
  const low = squeeze(Math.min(...rows));
  return {
    inside,
    squeeze,
    low,
    rows: 1 + squeeze(Math.max(...rows)) - low,
    boxes: total(inside.map((layer) => layer.width)),
  };
}

/**
 * The heights of rows; those without a node, which only edges cross, are closer together.
 *
 * @param {number[]} nodes the rows of the nodes
 * @returns {(row: number) => number}
 */
function squeezed(nodes) {
  const stands = nodes.map((row) => [row - 0.5, row + 0.5]).sort((one, other) => one[0] - other[0]);
  return (row) => {
    let [at, sum] = [-1e3, 0];
    for (const [from, to] of stands) {
      const [start, end] = [Math.min(Math.max(from, at), row), Math.min(Math.max(to, at), row)];
      sum += CLOSE * (start - at) + (end - start);
      at = end;
    }
    return sum + CLOSE * (row - at);
  };
}

/** @param {Band[]} bands @param {Room} room @param {number} s @returns {BandGrid} */
function gridOf(bands, room, s) {
  const sizes = sizesOf(bands, room, s);
  const { height, row, below, side } = sizes;
  /** @type {Column[]} */
  const columns = [];
  let { top } = sizes;
  for (const band of bands) {
    const placed = columnsOf(band, top, room, sizes, bands.length > 1);
    columns.push(...placed);
    top = placed[0].band.foot + below;
  }
  const placed = columns.map(({ band }) => band);
  return {
    s,
    upright: false,
    columns,
    height,
    widthOf: (node) => leastWidth(node) * s,
    centre: ([layer, at]) => {
      const { x, top: first, shift, band } = columns[Math.round(layer)];
      return [x, first + (band.squeeze(at - shift) - band.low) * row];
    },
    arrives: height,
    size: {
      width: Math.max(room.width, ...placed.map((band) => band.right + side)),
      height: Math.max(room.height, placed[placed.length - 1].foot + SIDE),
    },
  };
}

/**
 * Rows and bands share the height that is left, layers the width.
 *
 * @param {Band[]} bands @param {Room} room @param {number} s @returns {Sizes}
 */
function sizesOf(bands, room, s) {
  const height = BOX.height * s;
  const links = bands.length - 1;
  const free = room.height - 2 * SIDE;
  const count = total(bands.map((band) => band.rows));
  const spare = free - count * height - GAP.band * s * links;
  const row = height + between(spare / Math.max(count - bands.length, 1), GAP.row * s, height * 0.8);
  const heights = total(bands.map((band) => (band.rows - 1) * row + height));
  const below = links ? between((free - heights) / links, GAP.band * s, height * 1.1) : 0;
  const top = Math.max((room.height - (heights + below * links)) / 2, SIDE);
  const side = sideOf(bands);
  const gaps = bands
    .filter((band) => band.inside.length > 1)
    .map((band) => (room.width - 2 * side - band.boxes * s) / (band.inside.length - 1));
  const [least, most] = [GAP.layer * s, GAP.layer * s * 3];
  const gap = between(Math.min(...gaps, most), least, most);
  return { s, height, row, gap, below, top, side };
}

/**
 * The places of a band's layers; one band alone is in the middle.
 *
 * @param {Band} band
 * @param {number} top
 * @param {Room} room
 * @param {Sizes} sizes
 * @param {boolean} several whether there are more bands
 * @returns {Column[]}
 */
function columnsOf(band, top, room, { s, height, row, gap, below, side }, several) {
  const free = room.width - (band.boxes * s + gap * (band.inside.length - 1));
  let x = several ? side : Math.max(free / 2, SIDE);
  const columns = band.inside.map(({ width, shift }) => {
    const half = (width * s) / 2;
    const column = { x: x + half, half, shift, top: top + height / 2 };
    x += width * s + gap;
    return column;
  });
  const placed = { ...band, right: x - gap, foot: top + (band.rows - 1) * row + height, below };
  return columns.map((column) => ({ ...column, band: placed }));
}

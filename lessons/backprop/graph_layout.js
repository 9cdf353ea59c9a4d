// Where the nodes of a computation graph stand and how its edges run, in units of the picture.
//
// Layers go to the right. A graph that is too wide for its room goes on in a further band below, as a text goes
// on in a further line; on a phone it may stand upright instead. What still does not fit is larger than its room.

import { curveBumpX, curveBumpY, line } from "../../ui/browser/d3.js";
import { bent } from "../../ui/browser/pen.js";

/** @import { GraphEdge, GraphNode } from "../../ui/browser/types.js" */

const BOX = { scalar: 92, tensor: 150, height: 58 };
const GAP = { layer: 54, row: 8, band: 24 };
const UPRIGHT = { layer: 30, row: 10 };
const SIDE = 12;
const GUTTER = 26; // beside the bands, for the edges that go on in the next one
const CLOSE = 0.3;
const MOST = 1.9; // how many times its least size a node becomes
const LARGE = 1.3; // nodes of this size need no further band
const WORTH = 1.25; // and one must make smaller nodes so much larger
const TIP = 5;

/**
 * The places of all nodes and the routes of all edges, at the size that suits the room best.
 *
 * @param {{ nodes: GraphNode[], edges: GraphEdge[] }} data
 * @param {{ width: number, height: number, narrow: boolean }} room
 */
export function arrange(data, room) {
  const ways = [false, true].flatMap((level) => {
    const layers = layersOf(data, level);
    const bands = Array.from({ length: Math.min(layers.length, 24) }, (_, i) => sideways(data, layers, i + 1, room));
    return room.narrow ? [standing(data, layers, room), ...bands] : bands;
  });
  const fits = (way) => Math.min(way.scale, MOST);
  const better = (other, one) => (one < 1 ? other > one : one < LARGE && other > one * WORTH);
  const best = ways.reduce((one, other) => (better(fits(other), fits(one)) ? other : one));
  const within = ways.filter((way) => way.across >= 1);
  const chosen =
    best.scale >= 1 || !within.length ? best : within.reduce((one, other) => (other.scale > one.scale ? other : one));
  return chosen.place();
}

// The columns: of each layer its width, and the rows of the nodes and bends that stand in it. The rows of a
// layer keep their distances; where all are to be on a level, their middles are.
function layersOf({ nodes, edges }, level) {
  const count = 1 + Math.max(...nodes.map((node) => Math.round(node.place[0])));
  const layers = Array.from({ length: count }, () => ({
    width: 0,
    shift: 0,
    rows: /** @type {number[]} */ ([]),
    nodes: /** @type {number[]} */ ([]),
  }));
  for (const node of nodes) {
    const layer = layers[Math.round(node.place[0])];
    layer.width = Math.max(layer.width, node.shape ? BOX.tensor : BOX.scalar);
    layer.rows.push(node.place[1]);
    layer.nodes.push(node.place[1]);
  }
  for (const { bends } of edges) for (const [at, row] of bends) layers[Math.round(at)].rows.push(row);
  for (const layer of layers) {
    layer.width ||= BOX.scalar;
    if (level) layer.shift = (Math.min(...layer.rows) + Math.max(...layer.rows)) / 2;
    for (const name of ["rows", "nodes"]) layer[name] = layer[name].map((row) => row - layer.shift);
  }
  return layers;
}

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

// The layers in `many` runs, the widest of which is as narrow as can be.
function split(layers, many) {
  const width = (run) => total(run.map((layer) => layer.width + GAP.layer));
  const fill = (most) =>
    layers.reduce((runs, layer) => {
      const last = runs.at(-1);
      if (last && width([...last, layer]) <= most) last.push(layer);
      else runs.push([layer]);
      return runs;
    }, /** @type {(typeof layers)[]} */ ([]));
  const ends = layers.flatMap((_, i) => layers.slice(i).map((_, j) => width(layers.slice(i, i + j + 1))));
  return fill(ends.sort((one, other) => one - other).find((most) => fill(most).length <= many));
}

// Where no node stands, edges pass each other closer.
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

// In so many bands, one below the other.
function sideways(data, layers, many, room) {
  const bands = split(layers, many).map((inside) => {
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
  });
  const side = bands.length > 1 ? GUTTER : SIDE;
  const width = Math.max(...bands.map((band) => band.boxes + GAP.layer * (band.inside.length - 1)));
  const height =
    total(bands.map((band) => band.rows * (BOX.height + GAP.row) - GAP.row)) + GAP.band * (bands.length - 1);
  const across = (room.width - 2 * side) / width;
  const scale = Math.min(across, (room.height - 2 * SIDE) / height);
  const place = () => {
    const s = Math.min(Math.max(scale, 1), MOST);
    const box = BOX.height * s;
    const count = total(bands.map((band) => band.rows));
    const spare = room.height - 2 * SIDE - count * box - GAP.band * s * (bands.length - 1);
    const row = box + Math.min(Math.max(spare / Math.max(count - bands.length, 1), GAP.row * s), box * 0.8);
    const rest = room.height - 2 * SIDE - total(bands.map((band) => (band.rows - 1) * row + box));
    const between = bands.length > 1 ? Math.min(Math.max(rest / (bands.length - 1), GAP.band * s), box * 1.1) : 0;
    const whole = total(bands.map((band) => (band.rows - 1) * row + box)) + between * (bands.length - 1);
    let top = Math.max((room.height - whole) / 2, SIDE);
    const places = [];
    const gaps = bands
      .filter((band) => band.inside.length > 1)
      .map((band) => (room.width - 2 * side - band.boxes * s) / (band.inside.length - 1));
    const gap = Math.min(Math.max(Math.min(...gaps, GAP.layer * s * 3), GAP.layer * s), GAP.layer * s * 3);
    for (const band of bands) {
      const links = band.inside.length - 1;
      const free = room.width - (band.boxes * s + gap * links);
      let x = bands.length > 1 ? side : Math.max(free / 2, SIDE);
      for (const layer of band.inside) {
        places.push({
          x: x + (layer.width * s) / 2,
          half: (layer.width * s) / 2,
          shift: layer.shift,
          top: top + box / 2,
          band,
        });
        x += layer.width * s + gap;
      }
      Object.assign(band, { right: x - gap, foot: top + (band.rows - 1) * row + box, between });
      top = band.foot + between;
    }
    const centre = ([layer, at]) => {
      const { x, top, shift, band } = places[Math.round(layer)];
      return [x, top + (band.squeeze(at - shift) - band.low) * row];
    };
    const size = {
      width: Math.max(room.width, ...bands.map((band) => band.right + side)),
      height: Math.max(room.height, bands.at(-1).foot + SIDE),
    };
    return finish(data, { s, centre, places, upright: false, size, box });
  };
  return { scale, across, place };
}

// Layers one below the other, in one band.
function standing(data, layers, room) {
  const wide = Math.max(...layers.map((layer) => layer.width));
  const rows = layers.flatMap((layer) => layer.rows);
  const low = Math.min(...rows);
  const count = 1 + Math.max(...rows) - low;
  const across = (room.width - 2 * SIDE) / (count * (wide + UPRIGHT.row) - UPRIGHT.row);
  const scale = Math.min(
    across,
    (room.height - 2 * SIDE) / (layers.length * (BOX.height + UPRIGHT.layer) - UPRIGHT.layer),
  );
  const place = () => {
    const s = Math.min(Math.max(scale, 1), MOST);
    const [box, half] = [BOX.height * s, (wide * s) / 2];
    const links = Math.max(layers.length - 1, 1);
    const pitch =
      box + Math.min(Math.max((room.height - 2 * SIDE - layers.length * box) / links, UPRIGHT.layer * s), 90 * s);
    const row =
      2 * half +
      Math.min(Math.max((room.width - 2 * SIDE - count * 2 * half) / Math.max(count - 1, 1), UPRIGHT.row * s), 60 * s);
    const left = Math.max((room.width - ((count - 1) * row + 2 * half)) / 2, SIDE) + half;
    const top = Math.max((room.height - ((layers.length - 1) * pitch + box)) / 2, SIDE) + box / 2;
    const centre = ([layer, at]) => [
      left + (at - low - layers[Math.round(layer)].shift) * row,
      top + Math.round(layer) * pitch,
    ];
    const places = layers.map(() => ({ half, band: null }));
    const size = {
      width: Math.max(room.width, left + (count - 1) * row + half + SIDE),
      height: Math.max(room.height, top + (layers.length - 1) * pitch + box / 2 + SIDE),
    };
    return finish(data, { s, centre, places, upright: true, size, box });
  };
  return { scale, across, place };
}

function finish(data, its) {
  const boxes = new Map(
    data.nodes.map((node) => {
      const [x, y] = its.centre(node.place);
      const wide = its.upright ? its.places[0].half * 2 : (node.shape ? BOX.tensor : BOX.scalar) * its.s;
      return [
        node.id,
        {
          x,
          y,
          width: wide,
          height: its.box,
          left: x - wide / 2,
          right: x + wide / 2,
          top: y - its.box / 2,
          foot: y + its.box / 2,
        },
      ];
    }),
  );
  const nodes = new Map(data.nodes.map((node) => [node.id, node]));
  const ports = portsOf(data, nodes, its);
  const turned = new Map(); // how many edges have gone on in the next band
  const routes = data.edges.map((edge, i) => route(edge, i, { ...its, nodes, boxes, ports, turned }));
  return { s: its.s, upright: its.upright, ...its.size, boxes, routes };
}

// Edges that arrive at one node arrive side by side, in the order in which they come.
function portsOf(data, nodes, { centre, upright, box, places }) {
  const arriving = new Map();
  data.edges.forEach((edge, i) => {
    const last = centre(edge.bends.at(-1) ?? nodes.get(edge.from).place);
    const all = arriving.get(edge.to) ?? [];
    arriving.set(edge.to, [...all, { i, along: last[upright ? 0 : 1] + edge.position * 0.01 }]);
  });
  const ports = new Map();
  const room = upright ? places[0].half * 2 : box;
  for (const all of arriving.values()) {
    all.sort((one, other) => one.along - other.along);
    const apart = Math.min(room / (all.length + 1), 26);
    all.forEach(({ i }, k) => ports.set(i, (k - (all.length - 1) / 2) * apart));
  }
  return ports;
}

function route(edge, i, { nodes, boxes, ports, turned, centre, places, upright, s }) {
  const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
  const port = ports.get(i);
  const shift = edge.twin ? port : 0;
  /** @type {[number, number]} */
  const start = upright ? [from.x + shift, from.foot] : [from.right, from.y + shift];
  /** @type {[number, number]} */
  const end = upright ? [to.x + port, to.top - TIP] : [to.left - TIP, to.y + port];
  if (upright) {
    const points = /** @type {[number, number][]} */ ([start, ...edge.bends.map(centre), end]);
    return { path: line().curve(curveBumpY)(points), label: along(points.at(-2), end, true), start, end, angle: 90 };
  }
  // A bend is crossed straight, so that the edge touches no box of its column.
  const stops = [{ points: [start], at: Math.round(nodes.get(edge.from).place[0]) }];
  for (const bend of edge.bends) {
    const [x, y] = centre(bend);
    const { half } = places[Math.round(bend[0])];
    stops.push({
      points: [
        [x - half, y],
        [x + half, y],
      ],
      at: Math.round(bend[0]),
    });
  }
  stops.push({ points: [end], at: Math.round(nodes.get(edge.to).place[0]) });
  let run = /** @type {[number, number][]} */ ([...stops[0].points]);
  let path = "";
  const flush = () => {
    const part = run.length > 1 ? line().curve(curveBumpX)(run) : `M${run[0].join(",")}`;
    path += path ? part.replace("M", "L") : part;
  };
  let label = null;
  for (let k = 1; k < stops.length; k++) {
    const [before, after] = [places[stops[k - 1].at].band, places[stops[k].at].band];
    const first = stops[k].points[0];
    if (before === after) {
      if (k === stops.length - 1) label = along(run.at(-1), first, false);
    } else {
      flush();
      const turn = turned.get(before) ?? 0;
      turned.set(before, turn + 1);
      const [x, y] = run.at(-1);
      const step = 5 * (turn % 4);
      const level = before.foot + before.between / 2 + (turn % 4) * 5 - 2;
      const right = before.right + 12 + step;
      path += bent([[x, y], [right, y], [right, level], [8 + step, level], [8 + step, first[1]], first], 9).replace(
        "M",
        "L",
      );
      label = [Math.max(90 * s, 60) + 76 * (turn % 4), level];
      run = [];
    }
    run.push(...stops[k].points);
  }
  if (run.length > 1) flush();
  return { path, label, start, end, angle: 0 };
}

// A point past the middle of the last bend, where edges that cross have parted again.
function along(from, to, upright) {
  const t = 0.62;
  const ease = 3 * t * t - 2 * t * t * t;
  const middle = (a, b) => a + (b - a) * (1.5 * t * (1 - t) + t * t * t);
  const bend = (a, b) => a + (b - a) * ease;
  const [across, down] = upright ? [bend, middle] : [middle, bend];
  return [across(from[0], to[0]), down(from[1], to[1])];
}

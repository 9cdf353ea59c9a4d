// The plane that the network divides: the decision boundary, the points, and the input. The input and the visitor's
// own points can be dragged.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { crossings } from "../../drawing/crossings.js";
import { drag } from "../../drawing/hand.js";
import { classOf, judge, lastSum } from "./forward.js";
import { show, SIDE } from "./networks_scene.js";
import { planeScale } from "./networks_places.js";

/** @import { Pen, ShapeLook } from "../../drawing/pen.js" */
/** @import { Points } from "./forward.js" */
/** @import { Draw, NetworksScene, State } from "./networks_scene.js" */
/** @import { Box, Places, PlaneScale } from "./networks_places.js" */

/** @typedef {[x1: number, x2: number, label: number]} Point */

/** @type {Draw} */
export function drawPlane(pen, scene, net, at) {
  const { colour } = scene;
  const { left, top, wide, high } = at.plane;
  const scale = planeScale(at.plane, net.window);
  if (!at.small) drawHeading(pen, scene, net, at);
  if (!scene.hidden("map")) drawBorder(pen, scene, net, at.plane);
  pen.rect(left, top, wide, high, { r: 3, stroke: colour.activation, line: 2, key: "frame" });
  const look = { size: 14, bold: true, fill: colour.input, halo: true };
  pen.text(left + wide - 4, top + high - 6, "x₁", { anchor: "end", ...look });
  pen.text(left + 6, top + 17, "x₂", look);
  const cover = pen.rect(left, top, wide, high, { key: "cover", fill: "transparent", class: "grab" });
  grabPlane(cover, scene, net, scale);
  drawPoints(pen, scene, net, scale, at);
  const [x, y] = [scale.x(net.x[0]), scale.y(net.x[1])];
  pen.group({ key: "input", "pointer-events": "none" }, (mark) => {
    const cross = `M${x - 15} ${y}h30M${x} ${y - 15}v30`;
    mark.path(cross, { stroke: colour.background, width: 6 });
    mark.path(cross, { stroke: colour.ink, width: 2.5 });
    mark.circle(x, y, 8, { stroke: colour.ink, line: 2.5 });
  });
}

/** @type {Draw} */
function drawHeading(pen, { colour, values }, net, { plane: { left, top, wide } }) {
  const { labels, held } = net.points;
  const count = labels.length - Array.from(held).reduce((sum, each) => sum + Number(each), 0);
  const apart = judge(net, net.parameters, net.points, 1);
  const heldOut = apart.count ? `, ${apart.wrong} of ${apart.count} held out` : "";
  const title = `${formatNumber(values("wrong"))} of ${count} wrong${heldOut}`;
  const heading = "What the network computes";
  const fits = textWidth(heading, 15, true) + textWidth(title, 15, true) + 20 < wide;
  pen.text(left, top - 9, fits ? heading : "ŷ", { size: 15, bold: true, fill: colour.activation });
  pen.markedText(left + wide, top - 9, title, true, { size: 15, bold: true, anchor: "end" });
}

/**
 * The decision boundary: where the predicted class changes.
 *
 * @param {Pen} pen @param {NetworksScene} scene @param {State} net @param {Box} box
 */
function drawBorder(pen, { colour }, net, { left, top, wide, high }) {
  const maps = net.maps[net.maps.length - 1];
  const [cell, row] = [wide / SIDE, high / SIDE];
  /** @type {(map: ArrayLike<number>, level: number) => string} */
  const along = (map, level) =>
    crossings(map, SIDE, level)
      .map(([x1, y1, x2, y2]) => {
        const [from, to] = [top + (y1 + 0.5) * row, top + (y2 + 0.5) * row];
        return `M${left + (x1 + 0.5) * cell} ${from}L${left + (x2 + 0.5) * cell} ${to}`;
      })
      .join("");
  // The margin by which a class exceeds all others: 0 on its boundary.
  const leads = () =>
    maps.map((map, k) => {
      const others = maps.filter((_, j) => j !== k);
      return map.map((p, i) => p - Math.max(...others.map((other) => other[i])));
    });
  const d =
    maps.length === 1
      ? along(maps[0], 0.5)
      : leads()
          .map((lead) => along(lead, 0))
          .join("");
  pen.path(d, { key: "border halo", stroke: colour.background, width: 5, "pointer-events": "none" });
  pen.path(d, { key: "border", stroke: colour.ink, width: 2.5, "pointer-events": "none" });
}

/** @param {Pen} pen @param {NetworksScene} scene @param {State} net @param {PlaneScale} scale @param {Places} at */
function drawPoints(pen, scene, net, scale, { small, plane: { left, top, wide, high } }) {
  const { labels } = net.points;
  pen.group({ tag: "clipPath", key: "clip", id: "networks-plane" }, (clip) =>
    clip.rect(left, top, wide, high, { r: 3 }),
  );
  pen.group({ key: "points", "clip-path": "url(#networks-plane)" }, (points) => {
    for (let i = 0; i < labels.length; i++) {
      const node = points.group({ key: `point ${i}`, class: "grab" }, (its) =>
        drawPoint(its, scene, net, scale, i, small),
      );
      grabPoint(node, scene, net, scale, i);
    }
  });
}

/**
 * A point: its shape is its class; one on the wrong side has a ring.
 *
 * @param {Pen} pen
 * @param {NetworksScene} scene
 * @param {State} net
 * @param {PlaneScale} scale
 * @param {number} i
 * @param {boolean} small
 */
function drawPoint(pen, { colour }, net, scale, i, small) {
  const { x, labels, held } = net.points;
  const few = labels.length <= 12;
  const radius = few ? (small ? 9 : 13) : small ? 3.5 : 5;
  const [x1, x2] = [x[2 * i], x[2 * i + 1]];
  const [across, down] = [scale.x(x1), scale.y(x2)];
  const wrong = classOf(lastSum(net, net.parameters, [x1, x2])) !== labels[i];
  drawShape(pen, labels[i], across, down, radius, {
    fill: held[i] || few ? colour.background : colour.ink,
    stroke: wrong ? colour.gradient : few || held[i] ? colour.ink : colour.background,
    line: wrong ? (few ? 5 : 3) : few ? 2 : 1.2,
  });
  const look = /** @type {const} */ ({ size: small ? 13 : 15, bold: true, anchor: "middle" });
  if (few) pen.text(across, down + 5, `${labels[i]}`, look);
}

/**
 * @param {Pen} pen
 * @param {number} label
 * @param {number} x
 * @param {number} y
 * @param {number} r
 * @param {ShapeLook & { line: number }} how
 */
function drawShape(pen, label, x, y, r, how) {
  const { fill, stroke, line: width } = how;
  if (label === 0) pen.circle(x, y, r, how);
  else if (label === 1) pen.rect(x - r, y - r, 2 * r, 2 * r, { ...how, r: 2 });
  else pen.path(`M${x} ${y - 1.2 * r}L${x + 1.1 * r} ${y + 0.8 * r}H${x - 1.1 * r}z`, { fill, stroke, width });
}

/**
 * The position of the pointer as a point, clamped to the window.
 *
 * @param {State} net @param {PlaneScale} scale @param {number} x @param {number} y @returns {[x1: number, x2: number]}
 */
function pointUnder({ window: { low, high } }, scale, x, y) {
  const [x1, x2] = scale.back(x, y);
  const within = (/** @type {number} */ value) => Math.min(Math.max(Math.round(value * 100) / 100, low), high);
  return [within(x1), within(x2)];
}

/**
 * Let a press on the plane move the input there, or add a point of the visitor's own.
 *
 * @param {SVGElement} node @param {NetworksScene} scene @param {State} net @param {PlaneScale} scale
 */
function grabPlane(node, scene, net, scale) {
  const { data, send } = scene;
  const moves = data.brush === "input" || data.data !== "own";
  const put = (/** @type {[x1: number, x2: number]} */ [x1, x2]) => {
    if (moves) show(scene, "x1", "the input", { x1, x2 });
  };
  drag(node, {
    down: (x, y) => ({ at: pointUnder(net, scale, x, y) }),
    start: (began) => put(began.at),
    move: (began, x, y) => {
      if (!moves) return;
      began.at = pointUnder(net, scale, x, y);
      put(began.at);
    },
    up: (began) => {
      if (moves) return send({ x: began.at });
      if (data.brush === "erase") return;
      send({ points: [...listOf(net.points), [...began.at, Number(data.brush.slice(-1))]] });
    },
  });
}

/** @param {Points} points @returns {Point[]} */
const listOf = ({ x, labels }) => Array.from(labels, (label, i) => [x[2 * i], x[2 * i + 1], label]);

/**
 * Let a drag move a point of the visitor's own, and a press erase it; a press on any other point moves the input there.
 *
 * @param {SVGElement} node @param {NetworksScene} scene @param {State} net @param {PlaneScale} scale @param {number} i
 */
function grabPoint(node, scene, net, scale, i) {
  const { data, memory, send } = scene;
  const own = data.data === "own" || net.points.labels.length <= 12;
  drag(node, {
    down: () => /** @type {{ all?: Point[] }} */ ({}),
    move: (began, x, y) => {
      if (!own) return;
      const all = listOf(net.points);
      all[i] = [...pointUnder(net, scale, x, y), all[i][2]];
      memory.points = {
        x: all.flatMap(([a, b]) => [a, b]),
        labels: all.map((each) => each[2]),
        held: all.map(() => 0),
      };
      show(scene, "x1", "a point", {}, true);
      began.all = all;
    },
    up: (began, moved) => {
      if (moved && own && began.all) return send({ points: began.all });
      if (data.brush === "erase" && data.data === "own")
        return send({ points: listOf(net.points).filter((_, j) => j !== i) });
      const { x } = net.points;
      send({ x: [x[2 * i], x[2 * i + 1]] });
    },
  });
}

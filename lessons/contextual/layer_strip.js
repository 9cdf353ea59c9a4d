// The layers as a strip: the cosines and the accuracy of each, and a needle at the current layer, which can be dragged.

import { line } from "../../drawing/d3.js";
import { drag } from "../../drawing/hand.js";
import { spread } from "../../drawing/labels.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./contextual_places.js" */
/** @import { CloudScene, Draw, View } from "./view.js" */
/** @typedef {{ x: (layer: number) => number, y: (share: number) => number, last: number }} Scales */

/** @type {Draw} */
export function drawStrip(pen, scene, at, view) {
  const { colour, data } = scene;
  const { left, top, wide, high } = at.strip;
  const last = data.within.length - 1;
  /** @type {Scales} */
  const scales = {
    x: (layer) => left + (layer / Math.max(last, 1)) * wide,
    y: (share) => top + high - Math.max(share, 0) * high,
    last,
  };
  drawAxes(pen, scene, at, view, scales);
  drawCurves(pen, scene, at, view, scales);
  const x = scales.x(view.place);
  pen.line(x, top - 6, x, top + high + 4, { key: "now", stroke: colour.ink, width: 2 });
  pen.circle(x, top - 8, 8, { key: "knob", fill: colour.ink, stroke: colour.background, line: 2 });
  drawGrip(pen, scene, at, view, last);
}

/** @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {View} view @param {Scales} scales */
function drawAxes(pen, { colour }, at, { layer }, { x, last }) {
  const { left, top, wide, high } = at.strip;
  const foot = top + high;
  pen.line(left, foot, left + wide, foot, { stroke: colour.line, width: 1 });
  const end = /** @type {const} */ ({ size: 13, fill: colour.quiet, anchor: "end" });
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "cosine, accuracy" }, (axis) => {
    axis.text(left - 8, top + 6, "1", end);
    axis.text(left - 8, foot + 4, "0", end);
  });
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "layer" }, (axis) => {
    for (let i = 0; i <= last; i++) {
      axis.line(x(i), top, x(i), foot, { key: `rule ${i}`, stroke: colour.line, width: 1 });
      const name = i ? `${i}` : at.narrow ? "0" : "layer 0";
      const look = { size: 14, bold: i === layer, fill: i === layer ? colour.ink : colour.quiet };
      axis.text(x(i), foot + 18, name, { key: `tick ${i}`, anchor: "middle", ...look });
    }
  });
}

/** @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {View} view @param {Scales} scales */
function drawCurves(pen, { colour, data, hidden }, at, { place }, { x, y, last }) {
  const { left, wide } = at.strip;
  const curves = /** @type {const} */ ([
    ["accuracy", data.accuracy, colour.ink, "2 5", "nearest centroid"],
    ["within", data.within, colour.activation, null, "within a sense"],
    ["between", data.between, colour.score, "9 5", "between senses"],
  ]);
  const along = line(
    (/** @type {number} */ _, i) => x(i),
    (share) => y(share),
  );
  const heights = curves.map(([, shares]) => y(shares[last]));
  const ends = spread(heights, 16);
  curves.forEach(([name, shares, tint, dash, title], k) => {
    if (hidden(name)) return;
    pen.path(along(Array.from(shares)) ?? "", { key: `curve ${name}`, stroke: tint, width: 3, dash });
    const look = { key: `name ${name}`, size: 14, bold: true, fill: tint };
    if (!at.narrow) pen.text(left + wide + 12, ends[k] + 4, title, look);
    const dot = { key: `dot ${name}`, fill: tint, stroke: colour.background, line: 2 };
    pen.circle(x(place), y(between(shares, place)), 6, dot);
  });
}

/**
 * A value interpolated between those of two layers.
 *
 * @param {Float64Array} shares @param {number} place
 */
function between(shares, place) {
  const before = Math.floor(place);
  const after = Math.min(before + 1, shares.length - 1);
  return shares[before] + (shares[after] - shares[before]) * (place - before);
}

/**
 * The handle that moves the layer.
 *
 * @param {Pen} pen @param {CloudScene} scene @param {Places} at @param {View} view @param {number} last
 */
function drawGrip(pen, { again, move }, at, view, last) {
  const { left, top, wide, high } = at.strip;
  const look = { key: "cover", fill: "transparent", class: "grab" };
  const cover = pen.rect(left - 12, top - 18, wide + 24, high + 42, look);
  /** @param {number} across */
  const to = (across) => Math.min(Math.max((across - left) / wide, 0), 1) * last;
  /** @type {(place: number, settled: boolean) => void} */
  const put = (place, settled) => {
    view.exact = settled ? null : place;
    move("layer", Math.round(place), settled);
    again();
  };
  drag(cover, {
    down: (across) => ({ place: to(across) }),
    start: (began) => put(began.place, false),
    move: (began, across) => put((began.place = to(across)), false),
    up: (began) => put(began.place, true),
  });
}

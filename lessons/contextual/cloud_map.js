// The occurrences as points on the plane of a layer, with a cloud around each sense.

import { markPath } from "../../drawing/labels.js";
import { mapScale } from "../../drawing/map_scale.js";
import { drawLabels } from "./cloud_labels.js";
import { hull, joined } from "./contextual_places.js";
import { colourOf, kindOf, nearest } from "./view.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Places, Spot } from "./contextual_places.js" */
/** @import { CloudScene, Draw, View } from "./view.js" */

/** @type {Draw} */
export function drawMap(pen, scene, at, view) {
  const { colour, data, hidden } = scene;
  const { left, top, wide, high } = at.map;
  pen.rect(left, top, wide, high, { r: 8, stroke: colour.line, line: 1.5 });
  const spots = spotsOf(view, at.map, at.narrow ? 26 : 44);
  if (hidden("accuracy") && view.layer > 0) {
    const look = /** @type {const} */ ({ size: 60, bold: true, anchor: "middle", fill: colour.quiet });
    pen.text(left + wide / 2, top + high / 2, "?", look);
    return;
  }
  drawClouds(pen, view, spots);
  const { picked } = view;
  for (const place of view.layer ? nearest(view, picked) : []) {
    const [from, to] = [spots[picked], spots[place]];
    const look = { key: `near ${place}`, stroke: colour.ink, width: 2, "stroke-opacity": 0.55 };
    pen.line(from.x, from.y, to.x, to.y, look);
  }
  const order = data.texts.map((_, i) => i).sort((a, b) => Number(a === picked) - Number(b === picked));
  for (const place of order) drawSpot(pen, scene, at, view, place, spots[place]);
  drawLabels(pen, scene, at, view, spots);
}

/**
 * Where the occurrences are drawn: between the points of two layers during a move, at a layer's own points at rest.
 *
 * @param {View} view @param {Box} box @param {number} margin @returns {Spot[]}
 */
function spotsOf(view, box, margin) {
  const scale = scaleOf(view, box, margin);
  const { data, points, count } = view;
  const before = Math.floor(view.place);
  const after = Math.min(before + 1, data.within.length - 1);
  const share = view.place - before;
  return data.texts.map((_, i) => {
    /** @param {0 | 1} axis */
    const value = (axis) => {
      const [from, to] = [points[2 * (before * count + i) + axis], points[2 * (after * count + i) + axis]];
      return from + (to - from) * share;
    };
    return { x: scale.x(value(0)), y: scale.y(value(1)) };
  });
}

/**
 * The scale of the map, made once for a box and the data.
 *
 * @param {View} view @param {Box} box @param {number} margin
 */
function scaleOf(view, box, margin) {
  const shape = `${box.left} ${box.top} ${box.wide} ${box.high}`;
  if (view.scale && view.shape === shape && view.scaled === view.data) return view.scale;
  const scale = mapScale(view.points, box, margin);
  Object.assign(view, { shape, scaled: view.data, scale });
  return scale;
}

/**
 * An occurrence, which can be pressed to pick it.
 *
 * @param {Pen} pen
 * @param {CloudScene} scene
 * @param {Places} at
 * @param {View} view
 * @param {number} place
 * @param {Spot} spot
 */
function drawSpot(pen, { colour, data, again }, { narrow }, view, place, { x, y }) {
  const { sense, words } = data.texts[place];
  const radius = narrow ? 6 : 8;
  const picked = place === view.picked;
  /** @param {Pen} its */
  const draw = (its) => {
    its.circle(x, y, radius + 8, { fill: "transparent" });
    its.path(markPath(kindOf(sense), x, y, picked ? radius + 3 : radius), {
      fill: colourOf(colour, sense),
      stroke: picked ? colour.ink : colour.background,
      width: picked ? 3 : 1.5,
    });
  };
  const press = () => {
    Object.assign(view, { picked: place, pointed: null });
    again();
  };
  const node = pen.button(joined(words), press, draw, { key: `spot ${place}`, chosen: picked });
  /** @param {number | null} to */
  const point = (to) => {
    view.pointed = to;
    again();
  };
  node.onpointerenter = node.onfocus = () => point(place);
  node.onpointerleave = node.onblur = () => point(null);
}

/**
 * A tinted outline around the occurrences of each sense.
 *
 * @param {Pen} pen @param {View} view @param {Spot[]} spots
 */
function drawClouds(pen, { data }, spots) {
  for (const sense of [0, 1]) {
    const corners = hull(spots.filter((_, i) => data.texts[i].sense === sense));
    const d = corners.map(({ x, y }, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("") + "z";
    const tint = colourOf(pen.colour, sense);
    const look = { stroke: tint, fill: tint, width: 38, "stroke-linejoin": "round", opacity: 0.13 };
    pen.path(d, { key: `cloud ${sense}`, ...look });
  }
}

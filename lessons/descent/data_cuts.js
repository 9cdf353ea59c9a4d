// Two cuts through a surface that has no points: L along each parameter, with the other one fixed.

import { formatNumber } from "../../drawing/numbers.js";
import { through } from "../../drawing/pen.js";
import { drawHeading } from "./data_axes.js";
import { saddle } from "./dragged_runs.js";
import { between } from "./model.js";
import { dataScale } from "./descent_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw, State } from "./model.js" */
/** @import { Box, DataScale, Places } from "./descent_places.js" */
/** @typedef {{ axis: 0 | 1, box: Box, scale: DataScale, theta: State }} Cut `axis`: the parameter it goes along */

const REACH = 2.5; // how far a cut goes to both sides
const PIECES = 80; // of its curve

/** @type {Draw} */
export function drawCuts(pen, scene, model, at) {
  const { colour } = scene;
  const theta = between(scene, model, 0);
  const { top, ...whole } = at.data;
  drawHeading(pen, at, at.narrow ? "L = x² − y² + ¼y⁴" : "L(x, y) = x² − y² + y⁴/4", colour.loss);
  const high = (whole.high - 34) / 2;
  for (const axis of /** @type {const} */ ([0, 1])) {
    const box = { ...whole, top: top + axis * (high + 34), high };
    const cut = { axis, box, theta, scale: dataScale(box, [-REACH, REACH, -2, 7]) };
    drawCurve(pen, cut);
    nameCut(pen, scene, at, cut);
    const frame = { r: 3, stroke: colour.quiet, line: 1, key: "first frame" };
    if (axis === 0) pen.rect(box.left, box.top, box.wide, box.high, frame);
  }
}

/**
 * L along a parameter, with the run on it.
 *
 * @param {Pen} pen @param {Cut} cut
 */
function drawCurve(pen, { axis, box: { left, top, wide, high }, scale, theta }) {
  const { colour } = pen;
  /** @param {number} value of the parameter */
  const place = (value) => {
    const loss = saddle.loss(axis ? [theta[0], value] : [value, theta[1]]);
    return /** @type {const} */ ([scale.x(value), scale.y(loss)]);
  };
  const along = Array.from({ length: PIECES + 1 }, (_, i) => -REACH + (2 * REACH * i) / PIECES);
  const clip = `descent-cut-${axis}`;
  pen.group({ tag: "clipPath", key: `cut clip ${axis}`, id: clip }, (its) => its.rect(left, top, wide, high, { r: 3 }));
  pen.line(left, scale.y(0), left + wide, scale.y(0), { stroke: colour.line, width: 1 });
  pen.text(left - 7, scale.y(0) + 5, "0", { size: 13, fill: colour.quiet, anchor: "end" });
  pen.text(left - 7, top + 13, "L", { size: 15, bold: true, fill: colour.loss, anchor: "end" });
  pen.group({ key: `cut ${axis}`, "clip-path": `url(#${clip})` }, (inside) => {
    inside.path(through(along.map(place)), { stroke: colour.loss, width: 3.5 });
    inside.circle(...place(theta[axis]), 8, { fill: colour["series-1"], stroke: colour.background, line: 2.5 });
  });
}

/**
 * The parameter that a cut goes along, and the other one.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Places} at @param {Cut} cut
 */
function nameCut(pen, { data, colour }, { narrow }, { axis, box: { left, top, wide, high }, theta }) {
  const [name, other] = [data.axes[axis], data.axes[1 - axis]];
  const held = narrow ? "" : `, at ${other} = ${formatNumber(theta[axis ? 0 : 1])}`;
  const look = /** @type {const} */ ({ size: narrow ? 13 : 15, bold: true, anchor: "middle", halo: true });
  pen.text(left + wide / 2, top + 20, `along ${name}${held}`, look);
  const title = /** @type {const} */ ({ size: 15, bold: true, fill: colour.weight, anchor: "end" });
  pen.text(left + wide, top + high + 17, name, title);
}

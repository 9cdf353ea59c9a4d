// The curve of one σ unit, and how far it is from its points.

import { formatNumber } from "../../drawing/numbers.js";
import { through } from "../../drawing/pen.js";
import { drawAxes, drawHeading, sumText } from "./data_axes.js";
import { sigmoid } from "./dragged_runs.js";
import { between } from "./model.js";
import { dataScale } from "./descent_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Draw } from "./model.js" */
/** @import { Places } from "./descent_places.js" */

const PIECES = 120; // of the curve

/** @type {Draw} */
export function drawUnit(pen, scene, model, at) {
  const { colour, data } = scene;
  const scale = dataScale(at.data, data.window);
  const [w, b] = between(scene, model, 0);
  /** @param {number} x */
  const output = (x) => scale.y(sigmoid(w * x + b));
  drawHeading(pen, at, `ŷ = σ(${sumText(`${formatNumber(w)} x`, b)})`, colour.activation);
  drawAxes(pen, at, data.window, scale);
  pen.group({ key: "curve", "clip-path": "url(#descent-data)" }, (inside) => {
    const [x0, x1] = data.window;
    const along = Array.from({ length: PIECES + 1 }, (_, i) => x0 + ((x1 - x0) * i) / PIECES);
    const errors = Array.from(data.x, (x, i) => `M${scale.x(x)} ${scale.y(data.y[i])}V${output(x)}`);
    inside.path(errors.join(""), { key: "errors", stroke: colour.gradient, width: 2.5 });
    const d = through(along.map((x) => [scale.x(x), output(x)]));
    inside.path(d, { key: "now", stroke: colour.activation, width: 4 });
  });
  data.x.forEach((x, i) => drawPoint(pen, at, scale.x(x), scale.y(data.y[i]), data.y[i], i > 0));
}

/**
 * @param {Pen} pen
 * @param {Places} at
 * @param {number} x
 * @param {number} y
 * @param {number} wanted its y as a number
 * @param {boolean} before whether that is before the point
 */
function drawPoint(pen, at, x, y, wanted, before) {
  const { input, background } = pen.colour;
  pen.circle(x, y, at.narrow ? 7 : 10, { fill: input, stroke: background, line: 2.5 });
  if (at.narrow) return;
  const look = { size: 15, halo: true };
  const label = `y = ${formatNumber(wanted)}`;
  pen.text(x + (before ? -16 : 16), y + 5, label, { anchor: before ? "end" : "start", ...look });
}

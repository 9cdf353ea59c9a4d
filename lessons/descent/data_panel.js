// The left side: what a pair of parameters stands for. The line and the points of a regression, the curve of a
// unit, the plane of a network, or two cuts through a surface.

import { drawCuts } from "./data_cuts.js";
import { drawRegression } from "./data_line.js";
import { drawPlane } from "./data_plane.js";
import { drawUnit } from "./data_unit.js";

/** @import { Draw } from "./model.js" */
/** @import { Box } from "./descent_places.js" */

const KINDS = { regression: drawRegression, unit: drawUnit, network: drawPlane, saddle: drawCuts };

/** @type {Draw} */
export function drawData(pen, scene, model, at) {
  const { left, top, wide, high } = at.data;
  const { surface } = scene.data;
  pen.group({ tag: "clipPath", key: "clip", id: "descent-data" }, (clip) => clip.rect(left, top, wide, high, { r: 3 }));
  const box = surface === "network" ? squareIn(at.data) : at.data;
  KINDS[surface](pen, scene, model, { ...at, data: box });
  const frame = { r: 3, stroke: scene.colour.quiet, line: 1.5, key: "frame", "pointer-events": "none" };
  pen.rect(box.left, box.top, box.wide, box.high, frame);
}

/** @param {Box} box */
function squareIn({ left, top, wide, high }) {
  const side = Math.min(wide, high);
  return { left: left + (wide - side) / 2, top: top + (high - side) / 2, wide: side, high: side };
}

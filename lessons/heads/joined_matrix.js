// Every entry of W^O; its bands are the rows of the heads.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { headColour } from "./joined_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { JoinedScene, Places } from "./joined_places.js" */
/** @typedef {(pen: Pen, scene: JoinedScene, at: Places) => void} Draw */

/** @type {Draw} */
export function drawMatrix(pen, scene, at) {
  drawName(pen, scene, at);
  drawEntries(pen, scene, at);
  for (let h = 0; h < at.heads; h++) drawBand(pen, scene, at, h);
}

/** @type {Draw} */
function drawName(pen, { data, colour, narrow }, { heads, matrix, tall, words }) {
  const rows = heads * data.wide;
  const label = /** @type {const} */ ({ fill: colour.weight, anchor: "end" });
  const y = matrix + tall / 2;
  pen.text(words - 6, y + (narrow ? 5 : 0), "× Wᴼ", { ...label, bold: true, size: narrow ? 14 : 20 });
  if (!narrow) pen.text(words - 6, y + 20, `${rows} × ${data.matrix.length / rows}`, { ...label, size: 15 });
}

/** @type {Draw} */
function drawEntries(pen, { data }, { heads, matrix, tall, span }) {
  const columns = data.matrix.length / (heads * data.wide);
  const place = { left: span.left, top: matrix, width: span.right - span.left, height: tall };
  const stamp = `${columns} ${data.matrix.length} ${data.signed[0]} ${data.matrix.slice(0, 64).join(" ")}`;
  const svg = /** @type {Element} */ (pen.node("g", { key: "anchor" }));
  canvasIn(pen, { key: "matrix", ...place, sharp: sharpness(svg), stamp }, (brush) => {
    const [wide, high] = [place.width / columns, (tall * columns) / data.matrix.length];
    data.matrix.forEach((level, n) => {
      brush.fillStyle = data.signed[Math.round((level / 255) * (data.signed.length - 1))];
      brush.fillRect((n % columns) * wide, Math.floor(n / columns) * high, wide + 0.3, high + 0.3);
    });
  });
}

/**
 * The colour of a head beside its rows, which are pale if the head is cut.
 *
 * @param {Pen} pen @param {JoinedScene} scene @param {Places} at @param {number} h
 */
function drawBand(pen, scene, { band, span }, h) {
  const { colour, data } = scene;
  const { top, high } = band(h);
  const look = { fill: colour.background, "fill-opacity": 0.8, r: 0 };
  if (data.cut.includes(h)) pen.rect(span.left, top, span.right - span.left, high, { key: `veil${h}`, ...look });
  if (h) pen.line(span.left, top, span.right, top, { key: `edge${h}`, stroke: colour.background, width: 2.5 });
  pen.rect(span.left - 10, top + 1, 7, high - 2, { key: `band${h}`, fill: headColour(scene, h), r: 0 });
}

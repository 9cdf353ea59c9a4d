// The cosines of a layer: their means, those of every two occurrences, and the verdict of the nearest centroid.

import { formatNumber } from "../../drawing/numbers.js";
import { colourOf, cosine, digits } from "./view.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box } from "./contextual_places.js" */
/** @import { CloudScene, Draw, View } from "./view.js" */

const SHADES = 12; // of a cosine in the matrix

/** @type {Draw} */
export function drawCosines(pen, scene, { bars, matrix }, view) {
  if (!bars || !matrix) return; // on a phone
  drawMeans(pen, scene, bars);
  drawMatrix(pen, scene, matrix, view);
  const left = matrix.left + matrix.wide + 26;
  drawVerdict(pen, scene, { left, top: matrix.top, wide: bars.left + bars.wide - left });
}

/** @param {Pen} pen @param {CloudScene} scene @param {Box} box */
function drawMeans(pen, { colour, hidden, values }, { left, top, wide }) {
  pen.text(left, top + 4, "Mean cosine of two occurrences", { size: 15, bold: true });
  const start = left + 116;
  const reach = wide - 116 - 64;
  /** @type {const} */ ([
    ["within a sense", "within", colour.activation, false],
    ["between senses", "between", colour.score, true],
  ]).forEach(([title, name, fill, marked], row) => {
    const y = top + 28 + 28 * row;
    const [value, asked] = [values(name), hidden(name)];
    pen.text(left, y + 5, title, { size: 15, fill });
    pen.rect(start, y - 8, reach, 16, { r: 3, fill: colour.line, opacity: 0.5 });
    if (!asked) pen.rect(start, y - 8, reach * Math.max(value, 0), 16, { r: 3, fill });
    const look = /** @type {const} */ ({ size: 17, bold: true, anchor: "end", fill });
    pen.markedText(left + wide, y + 6, asked ? "?" : formatNumber(value), marked, look);
  });
}

/**
 * A cell for every two occurrences: the darker, the nearer.
 *
 * @param {Pen} pen @param {CloudScene} scene @param {Box} box @param {View} view
 */
function drawMatrix(pen, { colour, data, hidden }, box, view) {
  const { left, top, wide } = box;
  const cell = (wide - 10) / data.texts.length;
  pen.rect(left + 10, top + 10, wide - 10, wide - 10, { r: 0, stroke: colour.line, line: 1 });
  if (hidden("between")) return;
  shadesOf(view, box).forEach((d, shade) => {
    const opacity = ((shade + 0.5) / SHADES) ** 1.6;
    pen.path(d, { key: `shade ${shade}`, stroke: "none", fill: colour.score, "fill-opacity": opacity });
  });
  data.texts.forEach(({ sense }, i) => {
    const fill = colourOf(colour, sense);
    pen.rect(left + 10 + i * cell, top, cell, 7, { key: `column ${i}`, r: 0, fill });
    pen.rect(left, top + 10 + i * cell, 7, cell, { key: `row ${i}`, r: 0, fill });
  });
  const y = top + 10 + view.picked * cell;
  pen.rect(left + 10, y, wide - 10, cell, { key: "picked", r: 0, stroke: colour.ink, line: 2 });
}

/**
 * The cells of the matrix as one path for each shade, made once for a layer.
 *
 * @param {View} view @param {Box} box
 */
function shadesOf(view, { left, top, wide }) {
  const key = `${view.layer} ${left} ${top} ${wide}`;
  if (view.shades?.key === key) return view.shades.drawn;
  const { count } = view;
  const cell = (wide - 10) / count;
  const drawn = Array.from({ length: SHADES }, () => "");
  const low = Math.min(...view.cosines);
  const square = `h${cell.toFixed(2)}v${cell.toFixed(2)}h${(-cell).toFixed(2)}z`;
  for (let i = 0; i < count; i++)
    for (let j = 0; j < count; j++) {
      const level = (cosine(view, i, j) - low) / (1 - low || 1);
      const shade = Math.min(Math.floor(level * SHADES), SHADES - 1);
      drawn[shade] += `M${(left + 10 + j * cell).toFixed(2)} ${(top + 10 + i * cell).toFixed(2)}${square}`;
    }
  view.shades = { key, drawn };
  return drawn;
}

/**
 * The verdict of the nearest centroid on every occurrence, with that occurrence left out.
 *
 * @param {Pen} pen @param {CloudScene} scene @param {{ left: number, top: number, wide: number }} box
 */
function drawVerdict(pen, { colour, hidden, values }, { left, top, wide }) {
  const asked = hidden("accuracy");
  pen.text(left, top + 14, "Nearest centroid", { size: 15, bold: true, room: wide });
  pen.text(left, top + 58, asked ? "?" : digits(values("accuracy")), { size: 40, bold: true, fill: colour.ink });
  const right = asked ? "?" : formatNumber(values("right"));
  pen.text(left, top + 82, `${right} of ${formatNumber(values("count"))} right`, { size: 15, room: wide });
  pen.text(left, top + 104, "itself left out", { size: 14, fill: colour.quiet, room: wide });
  pen.text(left, top + 126, "½ is chance", { size: 14, fill: colour.quiet, room: wide });
}

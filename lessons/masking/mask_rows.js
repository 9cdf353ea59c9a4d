// Between the grids the softmax of each row, at their end its sum, and around the chosen row a frame.

import { formatNumber } from "../../drawing/numbers.js";
import { queryOf } from "./mask_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./mask_places.js" */
/** @import { MaskScene } from "./mask_scene.js" */
/** @typedef {(pen: Pen, scene: MaskScene, at: Places) => void} DrawRows */

/**
 * From each row of scores to its row of weights.
 *
 * @type {DrawRows}
 */
export function drawSoftmaxes(pen, scene, at) {
  const { colour } = scene;
  const [left, right] = at.between;
  pen.text((left + right) / 2, at.top - 7, "softmax", { size: 14, fill: colour.activation, anchor: "middle" });
  scene.data.queries.forEach((_, i) => {
    const y = at.top + at.row * (i + 0.5);
    const chosen = i === queryOf(scene);
    const stroke = chosen ? colour.activation : colour.line;
    pen.line(left + 4, y, right - 10, y, { key: `way${i}`, stroke, width: chosen ? 2.5 : 1.5 });
    if (chosen) pen.beads(`M${left + 4} ${y}H${right - 10}`, colour.activation, { key: "beads" });
    pen.head(right - 4, y, 0, stroke, 8);
  });
}

/**
 * At the end of each row its sum, divided between the watched keys and the others, and the watched share.
 *
 * @type {DrawRows}
 */
export function drawSums(pen, scene, at) {
  const { data, colour, memory } = scene;
  const { left, right } = at.sums;
  const words = data.shareTitle.split(" ");
  const short = words.at(data.shareTitle.endsWith("words") ? -2 : -1) ?? "";
  pen.text(right, at.title, at.narrow ? short : data.shareTitle, {
    size: at.narrow ? 13 : 14,
    bold: true,
    fill: data.compares ? colour.mask : colour.gradient,
    anchor: "end",
    room: right - left + 24,
  });
  data.queries.forEach((_, i) =>
    pen.group({ key: `sum${i}`, opacity: memory.touched?.has(i) ? 0.35 : null }, (its) => {
      drawSum(its, scene, at, i);
      drawShare(its, scene, at, i);
    }),
  );
}

/**
 * A row's sum as a bar.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {number} i
 */
function drawSum(pen, { data, values, hidden, colour }, at, i) {
  const { left, bar } = at.sums;
  const name = /** @type {const} */ (`${data.share}${i + 1}`);
  if (bar <= 0 || hidden(name)) return;
  const high = Math.min(18, at.row - 6);
  const y = at.top + at.row * (i + 0.5) - high / 2;
  const watched = values(name);
  const others = values(`sees${i + 1}`) > 0.5 ? 1 - watched : 0;
  const past = data.share === "ahead" ? values(`past${i + 1}`) : others;
  const edge = { stroke: colour.quiet, line: 1, dash: past + watched > 0.5 ? null : "3 3" };
  pen.rect(left, y, bar, high, { r: 3, ...edge });
  pen.rect(left, y, past * bar, high, { r: 3, fill: colour.activation, "fill-opacity": 0.75 });
  const fill = data.compares ? "url(#cut)" : colour.gradient;
  const stroke = data.compares && watched > 0 ? colour.mask : null;
  pen.rect(left + past * bar, y, watched * bar, high, { r: 3, fill, stroke });
}

/**
 * The watched share as a number; under cross-attention, where nothing is watched, the whole sum.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at @param {number} i
 */
function drawShare(pen, scene, at, i) {
  const { data, values, hidden, text, colour } = scene;
  const name = /** @type {const} */ (`${data.share}${i + 1}`);
  const share = values(name);
  /** @type {string} */
  const named = data.marks[queryOf(scene)];
  const marked = named === name;
  const sum = () => formatNumber(Number((values(`past${i + 1}`) + share).toFixed(4)));
  const printed = () => (hidden(name) ? "?" : marked ? text(name) : share === 0 ? "0" : share.toFixed(2));
  pen.markedText(
    at.sums.right - 4,
    at.top + at.row * (i + 0.5) + 5,
    data.name === "cross" ? sum() : printed(),
    marked,
    { size: 15, bold: marked, fill: share > 0 && !data.compares ? colour.gradient : colour.ink, anchor: "end" },
  );
}

/**
 * The row of the chosen query, framed through both grids.
 *
 * @type {DrawRows}
 */
export function frameRow(pen, scene, at) {
  const y = at.top + queryOf(scene) * at.row;
  const look = { r: 6, stroke: scene.colour.ink, line: 2.5, "pointer-events": "none" };
  at.grids.forEach(({ left, cell, count }, n) =>
    pen.rect(left - 2, y - 1, count * cell + 4, at.row + 2, { key: `frame${n}`, ...look }),
  );
}

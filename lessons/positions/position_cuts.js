// The cuts through the waves at the word's two positions: the values along a cut, from top to bottom, are the vector
// of its position.

import { textWidth } from "../../drawing/pen.js";
import { middle, sides, swingOf, two, whole } from "./position_sides.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { At, Draw, OrderScene, Side } from "./position_sides.js" */
/** @typedef {{ label: string, x: number, wide: number, left: number }} Flag */

/** @type {Draw} */
export function drawCuts(pen, scene, at) {
  const { values, before, colour } = scene;
  const end = at.score ? at.score.foot : at.waves.foot;
  const both = sides(scene, at);
  if (before && before("pos") !== values("pos")) {
    const x = at.across(before("pos"));
    pen.line(x, at.waves.top, x, end, { key: "old", stroke: colour.quiet, width: 1.2, dash: "4 3" });
  }
  const flags = flagPlaces(scene, at, both);
  const per = at.across(1) - at.across(0);
  both.forEach((side, n) => {
    const moves = { key: side.name, "data-n": "pos", "data-per": per, "data-way": "x" };
    pen.group(moves, (handle) => drawHandle(handle, at, side, flags[n], end));
    drawReadings(pen, scene, at, side);
  });
}

/**
 * A cut with its flag; both can be dragged.
 *
 * @param {Pen} pen
 * @param {At} at
 * @param {Side} side
 * @param {Flag} flag
 * @param {number} end of the cut
 */
function drawHandle(pen, at, { x, fill, dash }, { left, wide, label }, end) {
  const { background } = pen.colour;
  const { top } = at.waves;
  const y = at.pill;
  pen.rect(x - 10, top - 6, 20, end - top + 6, { fill: background, "fill-opacity": 0 });
  pen.line(x, y, x, end, { stroke: fill, width: 2.4, dash });
  pen.rect(left, y - 12, wide, 24, { r: 12, fill });
  pen.text(left + wide / 2, y + 5, label, { size: 15, bold: true, fill: background, anchor: "middle" });
  if (at.narrow) return;
  const arrows = `M${left + 9} ${y - 4}l-4 4l4 4M${left + wide - 9} ${y - 4}l4 4l-4 4`;
  pen.path(arrows, { stroke: background, width: 1.6 });
}

/**
 * Where a cut meets the waves.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {Side} side
 */
function drawReadings(pen, { values, colour }, at, { name, suffix, fill, x }) {
  const { background } = colour;
  for (let row = 0; row < at.rows; row++) {
    const y = middle(at, row);
    for (const turn of /** @type {const} */ (["cos", "sin"])) {
      const height = y - swingOf(at) * values(`${turn}${suffix}${row}`);
      const look =
        turn === "sin" ? { fill, stroke: background, line: 1.5 } : { fill: background, stroke: fill, line: 2.2 };
      pen.circle(x, height, at.narrow ? 4 : 5.5, { key: `${name}${turn}${row}`, ...look });
    }
  }
}

/**
 * The flags of the cuts, side by side: the left one ends at its cut, the right one begins there.
 *
 * @param {OrderScene} scene @param {At} at @param {readonly Side[]} both
 */
function flagPlaces(scene, at, both) {
  const air = at.narrow ? 12 : 28;
  /** @type {Flag[]} */
  const flags = both.map(({ name, x }) => {
    const label = `${whole(scene, name)}`;
    return { label, x, wide: textWidth(label, 15, true) + air, left: 0 };
  });
  const [one, other] = [...flags].sort((a, b) => a.x - b.x);
  const least = at.narrow ? at.waves.left - 6 : at.label;
  one.left = Math.max(least, other ? one.x - one.wide + 2 : one.x - one.wide / 2);
  if (other) other.left = Math.max(other.x - 2, one.left + one.wide + 2);
  return flags;
}

/** @type {Draw} */
export function drawVectors(pen, scene, at) {
  const { left, column } = at.vectors;
  sides(scene, at).forEach((side, n) => {
    const { name, fill, dash } = side;
    const x = left + n * (column + (at.narrow ? 4 : 6));
    pen.text(x + column / 2, at.head + (at.narrow ? 0 : 22), `PE(${whole(scene, name)})`, {
      key: name,
      size: at.narrow ? 13 : 15,
      bold: true,
      fill,
      anchor: "middle",
    });
    for (let row = 0; row < at.rows; row++) drawPair(pen, scene, at, side, x, row);
    if (!at.narrow) drawRoute(pen, at, x + column / 2, n, fill, dash);
  });
}

/**
 * Sine and cosine of a pair, as two components of the vector.
 *
 * @param {Pen} pen @param {OrderScene} scene @param {At} at @param {Side} side @param {number} x @param {number} row
 */
function drawPair(pen, scene, at, { name, suffix, fill, dash }, x, row) {
  const { column } = at.vectors;
  const high = Math.min(30, at.row / 2 - (at.narrow ? 1 : 4));
  const y = middle(at, row);
  /** @type {const} */ (["sin", "cos"]).forEach((turn, c) => {
    const top = y + (c - 1) * high + (c ? 1 : -1);
    const look = { r: 5, fill: scene.colour.background, stroke: fill, line: 1.5, dash: dash && "4 3" };
    pen.rect(x, top, column, high - 1, { key: `${name}${turn}${row}`, ...look });
    pen.text(x + column / 2, top + high / 2 + 4.5, two(scene, `${turn}${suffix}${row}`), {
      key: `${name}${turn}n${row}`,
      size: at.narrow ? 13 : Math.min(16, high * 0.62),
      bold: true,
      anchor: "middle",
    });
  });
}

/**
 * The line from a vector to the outputs with positions.
 *
 * @param {Pen} pen
 * @param {At} at
 * @param {number} x
 * @param {number} n
 * @param {string} stroke
 * @param {string | null} dash
 */
function drawRoute(pen, at, x, n, stroke, dash) {
  const { left, top, foot } = at.lanes[1];
  const start = at.waves.foot;
  const y = Math.min(Math.max(start + 16 + 16 * (1 - n), top + 14), foot - 14);
  const d = `M${x} ${start + 2}V${y}H${left - 7}`;
  pen.path(d, { key: `route${n}`, stroke, width: 2.4, dash, "stroke-linejoin": "round" });
  pen.beads(d, stroke, { key: `beads${n}` });
  pen.head(left - 1, y, 0, stroke, 10);
}

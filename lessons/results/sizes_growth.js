// Circles that stand on the line of time, each with its name and its size.

import { textWidth } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { SizesPlaces, SizesScene } from "./sizes.js" */
/** @typedef {{ x: number, y: number, wide: number, inside: boolean }} Label its middle and first line */
/** @typedef {(pen: Pen, scene: SizesScene, at: SizesPlaces, shown: number) => void} Draw */

const HIGH = 56; // of a label: two lines, and room above it
const HEAD = 52; // of the text at the top, which labels keep free

/** @param {Pen} pen @param {SizesScene} scene @param {SizesPlaces} at */
export function drawGrowth(pen, scene, at) {
  const shown = Math.round(scene.values("shown"));
  drawTimes(pen, scene, at, shown);
  drawCircles(pen, scene, at, shown);
  drawLabels(pen, scene, at, shown);
}

/**
 * How many times as large the last circle is as the first, and after how many months.
 *
 * @type {Draw}
 */
function drawTimes(pen, { text, narrow, colour }, { top }, shown) {
  if (shown < 2) return;
  const size = narrow ? 22 : 38;
  pen.text(16, top + size * 0.4, `${text("times")} times`, { key: "times", size, bold: true, fill: colour.input });
  const said = `in ${text("months")} months`;
  pen.text(16, top + size * 0.4 + (narrow ? 22 : 32), said, { key: "months", size: narrow ? 16 : 22 });
}

/** @type {Draw} */
function drawCircles(pen, { data, colour, move }, { x, y, radii }, shown) {
  for (let i = shown - 1; i >= 0; i--) {
    const look = { fill: colour.input, "fill-opacity": i === shown - 1 ? 1 : 0.7 };
    const name = `${data.models[i]}, ${data.released[i]}, ${data.printed[i]} parameters. Show up to here`;
    pen.button(
      name,
      () => move("shown", i + 1, true),
      (its) => its.circle(x[i], y[i], Math.max(radii[i], 2.5), look),
      { key: `circle ${i}` },
    );
  }
}

/**
 * Names and sizes: in a circle that has room, else above the circles with a line down to its own.
 *
 * @type {Draw}
 */
function drawLabels(pen, scene, at, shown) {
  const { data, colour, narrow } = scene;
  const size = narrow ? 15 : 22;
  labelsOf(scene, at, shown, size).forEach(({ x, y, inside }, i) => {
    const last = i === shown - 1;
    const foot = at.y[i] - at.radii[i];
    if (!inside && foot - y - size * 1.5 > 6)
      pen.line(at.x[i], y + size * 1.55, at.x[i], foot - 2, { key: `lead ${i}`, stroke: colour.input, width: 1.5 });
    const fill = inside ? colour.background : colour.ink;
    const look = { anchor: /** @type {const} */ ("middle"), size, bold: true, fill, halo: !inside };
    pen.text(x, y, data.models[i], { key: `name ${i}`, ...look });
    const own = { key: `size ${i}`, ...look, bold: last, fill: inside ? fill : colour.input };
    pen.text(x, y + size * 1.2, data.printed[i], own);
  });
}

/**
 * Where the labels are, each clear of the ones before and of all circles.
 *
 * @param {SizesScene} scene @param {SizesPlaces} at @param {number} shown @param {number} size
 */
function labelsOf({ data, width }, at, shown, size) {
  /** @type {Label[]} */
  const placed = [];
  for (let i = 0; i < shown; i++) {
    const wide = Math.max(...[data.models[i], data.printed[i]].map((each) => textWidth(each, size, true))) + 12;
    const r = at.radii[i];
    if (2 * r > wide * 1.15) {
      placed.push({ x: at.x[i], y: at.y[i] - size * 0.2, wide, inside: true });
      continue;
    }
    const x = Math.min(Math.max(at.x[i], wide / 2 + 4), width - wide / 2 - 4);
    let y = at.y[i] - r - size * 1.9;
    const meets = (/** @type {Label} */ its) =>
      Math.abs(its.x - x) < (its.wide + wide) / 2 && Math.abs(its.y - y) < HIGH;
    const covers = (/** @type {number} */ j) =>
      j < shown && j !== i && Math.hypot(nearest(x, wide, at.x[j]) - at.x[j], y + size - at.y[j]) < at.radii[j] + size;
    while (y > at.top + HEAD && (placed.some(meets) || at.x.some((_, j) => covers(j)))) y -= 8;
    placed.push({ x, y, wide, inside: false });
  }
  return placed;
}

/**
 * The point of a label’s width that is nearest to `to`.
 *
 * @param {number} x @param {number} wide @param {number} to
 */
const nearest = (x, wide, to) => Math.min(Math.max(to, x - wide / 2), x + wide / 2);

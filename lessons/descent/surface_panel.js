// The loss over both parameters, as shades and contours, with every run on it.

import { formatNumber } from "../../drawing/numbers.js";
import { evenTicks } from "../../drawing/scales.js";
import { between } from "./model.js";
import { isInside, surfaceScale } from "./descent_places.js";
import { nameRuns, runColour, runsInOrder } from "./run_marks.js";
import { drawContours, paintShades } from "./surface_map.js";
import { drawPath, drawPresent } from "./surface_runs.js";
import { drawStart } from "./surface_start.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Draw, Model } from "./model.js" */
/** @import { Places, SurfaceScale } from "./descent_places.js" */
/** @typedef {(pen: Pen, scene: DescentScene, model: Model, at: Places, scale: SurfaceScale) => void} DrawOnSurface */

/** @type {Draw} */
export function drawSurface(pen, scene, model, at) {
  const { colour, data } = scene;
  const { left, top, wide, high } = at.surface;
  const scale = surfaceScale(at.surface, data);
  paintShades(pen, scene, model, at, scale);
  drawAxes(pen, scene, at, scale);
  drawTitle(pen, scene, at);
  const clip = "descent-surface";
  pen.group({ tag: "clipPath", key: "clip", id: clip }, (its) => its.rect(left, top, wide, high, { r: 3 }));
  pen.group({ key: "inside", "clip-path": `url(#${clip})` }, (inside) => {
    drawContours(inside, scene, model, at, scale);
    for (const run of runsInOrder(scene)) drawPath(inside, scene, model, at, scale, run);
    drawBest(inside, scene, model, at, scale);
    drawStart(inside, scene, model, at, scale);
    for (const run of runsInOrder(scene)) drawPresent(inside, scene, model, at, scale, run);
  });
  drawOutside(pen, scene, model, at, scale);
  pen.rect(left, top, wide, high, { r: 3, stroke: colour.loss, line: 2, key: "frame", "pointer-events": "none" });
}

/**
 * The axes of both parameters, without the numbers that would be under their names.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Places} at @param {SurfaceScale} scale
 */
function drawAxes(pen, { colour, data }, { narrow, surface: { left, top, wide, high } }, scale) {
  const [x0, x1, y0, y1] = scale.ends;
  const [right, foot] = [left + wide, top + high];
  const across = evenTicks(x0, x1, narrow ? 3 : 6).filter((x) => scale.x(x) >= left + 12 && scale.x(x) <= right - 26);
  const up = evenTicks(y0, y1, narrow ? 3 : 5).filter((y) => scale.y(y) >= top + 22 && scale.y(y) <= foot - 6);
  const look = { stroke: colour.quiet };
  const [first, second] = data.axes;
  pen.axis("x", scale.x, { at: foot + 17, ticks: across, lines: [foot, foot + 4], look, title: first });
  pen.axis("y", scale.y, { at: left - 7, ticks: up, lines: [left - 4, left], look, title: second });
  const named = /** @type {const} */ ({ size: narrow ? 14 : 16, bold: true, fill: colour.weight, anchor: "end" });
  pen.text(right, foot + 17, first, named);
  pen.text(left - 7, top + 13, second, named);
}

/** @param {Pen} pen @param {DescentScene} scene @param {Places} at */
function drawTitle(pen, scene, { narrow, surface: { left, top, wide } }) {
  const { colour, data } = scene;
  const y = top - 10;
  if (!narrow) pen.text(left, y, `Loss L(${data.axes.join(", ")})`, { size: 15, bold: true, fill: colour.loss });
  if (!narrow || data.labels.length < 2) nameRuns(pen, scene, left + wide, y, narrow ? 13 : 15);
}

/**
 * The closed form of a regression, as a cross.
 *
 * @type {DrawOnSurface}
 */
function drawBest(pen, { colour, hidden }, { best, start }, at, scale) {
  if (!best || hidden("s0")) return;
  const [x, y] = [scale.x(best[0]), scale.y(best[1])];
  const cross = `M${x - 9} ${y - 9}l18 18M${x + 9} ${y - 9}l-18 18`;
  const still = { "pointer-events": "none" };
  pen.path(cross, { key: "best halo", stroke: colour.background, width: 7, ...still });
  pen.path(cross, { key: "best", stroke: colour.ink, width: 3, ...still });
  const away = scale.x(start[0]) >= x ? -1 : 1; // from the start of the run
  const look = { key: "best name", size: at.narrow ? 13 : 15, bold: true, halo: true, ...still };
  pen.text(x + 16 * away, y + 5, "β*", { anchor: away < 0 ? "end" : "start", ...look });
}

/**
 * Where runs have left the picture: an arrow head at its edge for each, and the first of them in words.
 *
 * @type {DrawOnSurface}
 */
function drawOutside(pen, scene, model, at, scale) {
  const { colour, data } = scene;
  const { left, top } = at.surface;
  const places = data.rules.map((_, run) => between(scene, model, run));
  const outside = places.map(([a, b]) => !isInside(at.surface, scale.x(a), scale.y(b), 10));
  places.forEach(([a, b], run) => {
    if (outside[run]) drawEdgeMark(pen, at, [scale.x(a), scale.y(b)], runColour(colour, run));
    if (run !== outside.indexOf(true)) return;
    const place = `(${formatNumber(a)}, ${formatNumber(b)})`;
    const text = at.narrow ? "outside" : `${data.labels[run]} is outside the picture: ${place}`;
    const look = { size: 15, bold: true, fill: runColour(colour, run), halo: true, key: "beyond" };
    pen.markedText(left + 12, top + 22, text, false, look);
  });
}

/**
 * An arrow head at the edge, from the middle towards a point; to the top right for one that is not a number.
 *
 * @param {Pen} pen @param {Places} at @param {[x: number, y: number]} point @param {string} fill
 */
function drawEdgeMark(pen, { surface: { left, top, wide, high } }, [x, y], fill) {
  const middle = [left + wide / 2, top + high / 2];
  const [dx, dy] = Number.isFinite(x + y) ? [x - middle[0], y - middle[1]] : [1, -1];
  const share = Math.min((wide / 2 - 8) / Math.abs(dx || 1e-9), (high / 2 - 8) / Math.abs(dy || 1e-9));
  const angle = (Math.atan2(dy, dx) * 180) / Math.PI;
  pen.head(middle[0] + dx * share, middle[1] + dy * share, angle, fill, 18);
}

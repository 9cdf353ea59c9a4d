// The runs on the surface: their paths, done and to come, and where they are.

import { through } from "../../drawing/pen.js";
import { between, stateOf } from "./model.js";
import { isInside } from "./descent_places.js";
import { dashOf, drawMark, runColour } from "./run_marks.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { DescentScene, Model } from "./model.js" */
/** @import { Places, SurfaceScale } from "./descent_places.js" */
/**
 * @typedef {(
 *   pen: Pen, scene: DescentScene, model: Model, at: Places, scale: SurfaceScale, run: number,
 * ) => void} DrawRun
 */
/** @typedef {[x: number, y: number]} Point */

const FAR = 1e5; // parameters from which on a run is no longer drawn
const STILL = { "pointer-events": "none" };

/** @type {DrawRun} */
export function drawPath(pen, scene, model, at, scale, run) {
  const { colour, hidden } = scene;
  const now = Math.floor(model.step);
  const points = pointsOf(scene, model, scale, run);
  const [done, rest] = [points.slice(0, now + 1), points.slice(now)];
  const left = rest.findIndex(([x, y]) => !isInside(at.surface, x, y, at.surface.high));
  const ahead = left < 0 ? rest : rest.slice(0, left + 1);
  const stroke = runColour(colour, run);
  const faint = { stroke, width: 1.5, dash: "2 4", "stroke-opacity": 0.6, ...STILL };
  if (ahead.length > 1) pen.path(through(ahead), { key: `ahead ${run}`, ...faint });
  if (done.length > 1) {
    const halo = { stroke: colour.background, width: 5, "stroke-opacity": 0.8, ...STILL };
    pen.path(through(done), { key: `halo ${run}`, ...halo });
    pen.path(through(done), { key: `done ${run}`, stroke, width: 2.5, dash: dashOf(run), ...STILL });
  }
  drawSteps(pen, scene, done, now, run);
  if (run === 0 && !hidden("n1") && model.step === now && points[now + 1]) drawNext(pen, points[now], points[now + 1]);
}

/**
 * The states of a run, as far as they are near enough to be drawn.
 *
 * @param {DescentScene} scene @param {Model} model @param {SurfaceScale} scale @param {number} run @returns {Point[]}
 */
function pointsOf(scene, model, scale, run) {
  const steps = Array.from({ length: scene.data.steps + 1 }, (_, step) => step);
  const states = steps.map((step) => stateOf(scene, model, model.rate, run, step));
  const gone = states.findIndex(([a, b]) => !(Math.abs(a) < FAR && Math.abs(b) < FAR));
  return (gone < 0 ? states : states.slice(0, gone)).map(([a, b]) => [scale.x(a), scale.y(b)]);
}

/**
 * A dot for each step, the larger the later.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {Point[]} done @param {number} now @param {number} run
 */
function drawSteps(pen, { colour, data }, done, now, run) {
  const most = data.steps > 60 ? 3 : 4.5;
  const dots = done.map(([x, y], step) => disc(x, y, 1.8 + (most - 1.8) * (step / Math.max(now, 1))));
  const look = { stroke: colour.background, width: 1, fill: runColour(colour, run), ...STILL };
  pen.path(dots.join(""), { key: `dots ${run}`, ...look });
}

/** @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/**
 * The next step, against the gradient.
 *
 * @param {Pen} pen @param {Point} from @param {Point} to
 */
function drawNext(pen, [x1, y1], [x2, y2]) {
  const { gradient } = pen.colour;
  const long = Math.hypot(x2 - x1, y2 - y1);
  if (long < 8) return;
  pen.line(x1, y1, x2, y2, { key: "next", stroke: gradient, width: 3.5, ...STILL });
  pen.head(x2, y2, (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI, gradient, Math.min(13, long * 0.6));
}

/** @type {DrawRun} */
export function drawPresent(pen, scene, model, at, scale, run) {
  const { colour } = scene;
  const [a, b] = between(scene, model, run);
  const [x, y] = [scale.x(a), scale.y(b)];
  if (!isInside(at.surface, x, y, 10)) return;
  const look = { key: `now ${run}`, fill: runColour(colour, run), stroke: colour.background, line: 2.5, ...STILL };
  drawMark(pen, run, x, y, 8, look);
}

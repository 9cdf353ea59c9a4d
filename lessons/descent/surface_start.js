// Where the runs start: a ring that can be dragged.

import { drag } from "../../drawing/hand.js";
import { follows, modelOf, stateOf, take } from "./model.js";

/** @import { Pair } from "./dragged_runs.js" */
/** @import { DescentScene } from "./model.js" */
/** @import { SurfaceScale } from "./descent_places.js" */
/** @import { DrawOnSurface } from "./surface_panel.js" */

/** @type {DrawOnSurface} */
export function drawStart(pen, scene, model, at, scale) {
  const { colour, memory } = scene;
  const [a, b] = memory.ring ?? model.start;
  const [x, y] = [scale.x(a), scale.y(b)];
  const first = stateOf(scene, model, model.rate, 0, 1);
  const [across, up] = [first[0] > a ? -1 : 1, first[1] > b ? 1 : -1]; // away from the first step
  const ring = pen.group({ key: "start", class: "grab", "data-start": "" }, (its) => {
    its.circle(x, y, 11, { fill: "transparent", stroke: colour.background, line: 6 });
    its.circle(x, y, 11, { fill: "transparent", stroke: colour.ink, line: 2.5 });
    const look = /** @type {const} */ ({ size: 14, halo: true, anchor: across < 0 ? "end" : "start" });
    if (!at.narrow) its.text(x + 14 * across, y + 5 + 13 * up, "start", look);
  });
  grabStart(ring, scene, scale);
}

/** @param {SVGElement} node @param {DescentScene} scene @param {SurfaceScale} scale */
function grabStart(node, scene, scale) {
  const { data, memory, send, again } = scene;
  const [x0, x1, y0, y1] = scale.ends;
  const step = 10 ** Math.floor(Math.log10(data.half / 100)); // to which a dragged start is rounded
  /** @type {(value: number, low: number, high: number) => number} */
  const rounded = (value, low, high) =>
    Math.min(Math.max(Number((Math.round(value / step) * step).toPrecision(6)), low), high);
  drag(node, {
    down: () => /** @type {{ at: Pair | null }} */ ({ at: null }),
    move: (held, x, y) => {
      const [a, b] = scale.back(x, y);
      held.at = memory.ring = [rounded(a, x0, x1), rounded(b, y0, y1)];
      const points = modelOf(scene);
      if (follows(data)) take(scene, { x: points.x, y: points.y, start: held.at }, "start", "the start");
      else again();
    },
    up: ({ at }, moved) => {
      if (moved && at) send({ start: at });
    },
  });
}

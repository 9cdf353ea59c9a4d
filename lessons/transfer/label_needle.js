// The needle over the curves of transfer: the number of labels now, the interval, and both accuracies.

import { spread } from "../../drawing/labels.js";
import { waysOf } from "./label_ways.js";

/** @import { Draw, Scales } from "./label_curves.js" */
/** @import { TransferScene } from "./network_parts.js" */

/** @type {Draw} */
export function drawNeedle(pen, scene, at, scale) {
  const { colour, values, text } = scene;
  const { left, top, wide, high } = at.curves;
  const x = scale.x(values("labels"));
  pen.line(x, top, x, top + high, { key: "needle", stroke: colour.ink, width: 1.5 });
  pen.circle(x, top + high, 8, { key: "knob", fill: colour.ink, stroke: colour.background, line: 2 });
  const tint = { scratch: colour.gradient, mean: waysOf(scene).at(-1)?.tint };
  const shown = readings(scene, scale);
  for (const { name, y } of shown) {
    const interval = { key: "interval", stroke: tint[name], width: 5 };
    if (name === "mean") pen.line(x, scale.y(values("low")), x, scale.y(values("high")), interval);
    const look = { key: `dot ${name}`, fill: tint[name], stroke: colour.background, line: 2 };
    pen.circle(x, y, name === "mean" ? 8 : 6, look);
  }
  const side = x > left + 0.7 * wide ? -1 : 1;
  for (const { name, foot, size } of shown) {
    pen.markedText(x + side * 14, foot, text(name), name === "mean", {
      key: `value ${name}`,
      size: at.narrow ? size - 4 : size,
      bold: true,
      anchor: side > 0 ? "start" : "end",
      fill: tint[name],
      halo: name !== "mean",
    });
  }
}

/**
 * The accuracies at the needle: the place of each dot, and the places of their numbers, which do not overlap.
 *
 * @param {TransferScene} scene @param {Scales} scale
 */
export function readings({ hidden, values }, scale) {
  const both = /** @type {const} */ ([
    { name: "scratch", size: 18 },
    { name: "mean", size: 26 },
  ]);
  const known = both.filter(({ name }) => !hidden(name) && Number.isFinite(values(name)));
  const heights = known.map(({ name }) => scale.y(values(name)));
  const ends = spread(heights, 24);
  return known.map((each, i) => ({ ...each, y: heights[i], foot: ends[i] + each.size * 0.34 }));
}

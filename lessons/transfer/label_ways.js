// The ways to use a network, each with its curve.

import { through } from "../../drawing/pen.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { CurveData } from "../../drawing/types.js" */
/** @import { Scales } from "./label_curves.js" */
/** @import { TransferScene } from "./network_parts.js" */
/**
 * A curve with its look. `number` names its accuracy at the needle; `depth` is the number of frozen parts.
 *
 * @typedef {CurveData & {
 *   tint: string, dash: string | null, width: number, number: "scratch" | "mean", depth?: number, chosen?: boolean
 * }} Way
 */

/**
 * The curves in the order in which they are drawn, the chosen one last.
 *
 * @param {TransferScene} scene
 */
export function waysOf({ colour, data, values }) {
  const last = data.depths.length - 1;
  const frozen = Math.min(Math.round(values("frozen")), last);
  /** @type {(depth: number, name: string, tint: string, dash: string | null) => Way} */
  const pretrained = (depth, name, tint, dash) => {
    const chosen = depth === frozen;
    return { ...data.depths[depth], name, tint, dash, width: chosen ? 4.5 : 2, number: "mean", depth, chosen };
  };
  /** @type {Way} */
  const scratch = {
    ...data.scratch,
    name: "from scratch",
    tint: colour.gradient,
    dash: "3 5",
    width: 2.5,
    number: "scratch",
  };
  const ways = [
    scratch,
    pretrained(last, "features", colour.input, "10 5"),
    pretrained(0, "fine-tuned", colour.activation, null),
  ];
  if (frozen !== 0 && frozen !== last) ways.push(pretrained(frozen, `${frozen} frozen`, colour.weight, "14 4 3 4"));
  return ways.sort((a, b) => Number(!!a.chosen) - Number(!!b.chosen));
}

/**
 * A curve; the curve of the chosen way and the one from scratch have a band for their intervals.
 *
 * @param {Pen} pen @param {Way} way @param {Float64Array} counts @param {Scales} scale
 */
export function drawWay(pen, { name, mean, low, high, tint, dash, width, chosen, number }, counts, { x, y }) {
  const known = Array.from(counts)
    .map((_, i) => i)
    .filter((i) => Number.isFinite(mean[i]));
  if (!known.length) return;
  /** @param {Float64Array} shares */
  const points = (shares) => known.map((i) => [x(counts[i]), y(shares[i])]);
  const band = `${through([...points(low), ...points(high).reverse()])}z`;
  if (chosen || number === "scratch")
    pen.path(band, { key: `band ${name}`, stroke: "none", fill: tint, "fill-opacity": 0.16 });
  pen.path(through(points(mean)), { key: `curve ${name}`, stroke: tint, width, dash });
  for (const [i, [px, py]] of points(mean).entries())
    pen.circle(px, py, 3.5, { key: `point ${name} ${known[i]}`, fill: tint });
}

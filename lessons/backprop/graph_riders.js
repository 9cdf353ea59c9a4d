// Numbers on their way along the edges of a step.

import { cutText, textWidth } from "../../drawing/pen.js";
import { isInside, keyOf } from "./graph_scene.js";

/** @import { GraphEdge } from "../../drawing/types.js" */
/** @import { DrawEdge, GraphScene, Moment } from "./graph_scene.js" */

/** @type {DrawEdge} */
export function drawRider(pen, scene, now, edge, i) {
  const { colour } = scene;
  const key = keyOf(edge);
  if (!now.active.has(key)) return;
  const back = now.step?.kind === "backward";
  const way = /** @type {SVGPathElement} */ (pen.nodes.get(`path:e${key}`));
  const eased = now.part * now.part * (3 - 2 * now.part);
  const { x, y } = way.getPointAtLength(way.getTotalLength() * (back ? 1 - eased : eased));
  const size = Math.min(15 * now.plan.s, 20);
  const text = cutText(riderText(scene, now, edge, eased), 130, size, true);
  const width = textWidth(text, size, true) + 18;
  if (!isInside(now, x - width / 2, y - size, width, size * 2)) return;
  const fill = back ? colour.gradient : colour.activation;
  pen.rect(x - width / 2, y - size * 0.85, width, size * 1.7, { key: `ride${i}`, r: size * 0.85, fill });
  const look = /** @type {const} */ ({ size, bold: true, fill: colour.background, anchor: "middle" });
  pen.text(x, y + size * 0.36, text, { key: `rider${i}`, ...look });
}

/**
 * The number that rides: forward, the operand; backward, first what arrives from above, then, past the local
 * derivative, what is passed down.
 *
 * @param {GraphScene} scene
 * @param {Moment} now
 * @param {GraphEdge} edge
 * @param {number} eased how far it has come, from 0 to 1
 */
function riderText({ data }, { step, texts }, edge, eased) {
  if (step?.kind === "backward") return texts.now(eased < 0.45 ? edge.upstream : edge.passed);
  return texts.now(data.nodes.find((node) => node.id === edge.from)?.value ?? "");
}

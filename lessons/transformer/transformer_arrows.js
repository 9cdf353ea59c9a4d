// The lines around parts of the model: from the encoder's m to the decoder's blocks, and of the stream around a part.

import { boxOf, heightOf, isInSight, laneOf } from "./transformer_places.js";
import { findPart } from "./transformer_tree.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Draw, View } from "./transformer_view.js" */

/**
 * The x coordinate of the centre of a part, clamped to the plot.
 *
 * @param {View} view @param {Part} part
 */
function middleOf(view, part) {
  const { plot } = view;
  const { left, width } = boxOf(view, part);
  return Math.min(Math.max(left + width / 2, plot.left), plot.left + plot.width);
}

/**
 * Arrows from the encoder's output m to the cross-attention of every decoder block.
 *
 * @type {Draw}
 */
export function drawMemory(pen, drawing) {
  const { parts, strips, scene } = drawing;
  if (strips.length < 2 || !isInSight(drawing, 0) || !isInSight(drawing, 1)) return;
  const crosses = [...parts.drawn, ...parts.open].filter((part) => part.id.endsWith(".cross"));
  const m = parts.drawn.find((part) => part.id === "m" || part.id === "m.end");
  if (!m || !crosses.length) return;
  const look = { stroke: scene.colour.input, width: 2.5 };
  const y = heightOf(drawing, m).bottom + 7;
  const ends = crosses.map((part) => middleOf(drawing, part));
  pen.path(`M${middleOf(drawing, m)} ${y - 6}V${y}H${Math.min(...ends)}`, { key: "bus", ...look });
  const end = laneOf(drawing, 1, 0).top - (parts.open.some((part) => part.strip === 1) ? 30 : 28);
  ends.forEach((x, n) => {
    pen.line(x, y, x, end, { key: `bus ${n}`, ...look });
    pen.head(x, end + 3, 90, scene.colour.input, 8);
  });
}

/**
 * The stream as a line around each attention and each MLP, to the sum after it.
 *
 * @type {Draw}
 */
export function drawBypasses(pen, drawing) {
  for (const part of drawing.parts.drawn) if (part.sum) drawBypass(pen, drawing, part);
}

/**
 * @param {Pen} pen
 * @param {View} view
 * @param {Part} part the sum behind what is gone around
 */
function drawBypass(pen, view, part) {
  const { plot, model, scene } = view;
  const around = findPart(model.root, part.sum);
  if (!around?.parent) return;
  const { activation } = scene.colour;
  const siblings = around.parent.children;
  const before = siblings[siblings.indexOf(around) - 1];
  const start = before ? boxOf(view, before).left + boxOf(view, before).width / 2 : boxOf(view, around).left - 4;
  const { left, width } = boxOf(view, part);
  const to = left + width / 2;
  const y = Math.max(heightOf(view, part).top, plot.top) - 10;
  const [from, end] = [Math.max(start, plot.left), Math.min(to, plot.left + plot.width)];
  if (end - from < 24) return;
  const d = `M${from} ${y + 8}V${y}H${end}V${y + 7}`;
  pen.path(d, { key: `around ${part.id}`, stroke: activation, width: 2 });
  if (to <= plot.left + plot.width) pen.head(to, y + 9, 90, activation, 7);
}

// One weight on a line: where it was, and the step against its gradient.

/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { StepPlaces, StepsScene } from "./wordbyword.js" */

/** Half of the line is at least so much of the weight. */
const LEAST = 0.1;

/**
 * @param {Pen} pen @param {StepsScene} scene @param {StepPlaces} at
 */
export function drawStep(pen, scene, { line, last }) {
  const { data, values, text, hidden, colour, width, narrow } = scene;
  const [middle, half] = [width / 2, narrow ? width * 0.2 : width * 0.3];
  const change = values("change");
  const asked = hidden("next");
  const end = middle + (change / Math.max(LEAST, data.rate)) * half;
  const way = Math.sign(change) || 1;
  const size = narrow ? 13 : 16;
  const title = narrow ? "one weight θ" : `one weight θ, ${data.steps[last].weight}`;
  pen.text(narrow ? 4 : 12, line - (narrow ? 26 : 28), title, { key: "title", size, bold: true, fill: colour.weight });
  pen.line(12, line, width - 12, line, { key: "line", stroke: colour.line, width: 2 });
  pen.circle(middle, line, narrow ? 7 : 9, { key: "was", fill: colour.background, stroke: colour.weight, line: 3 });
  const label = { size: narrow ? 14 : 18, bold: true, fill: colour.weight };
  /** @type {Anchor[]} */
  const [before, after] = way > 0 ? ["end", "start"] : ["start", "end"];
  const low = line + (narrow ? 24 : 28);
  const old = narrow ? text("theta") : `θ⁽ˢ⁾ = ${text("theta")}`;
  pen.text(middle - way * (narrow ? 0 : 4), low, old, { key: "theta", ...label, anchor: before });
  if (asked) return;
  drawArrow(pen, middle, end, line, narrow ? 4 : 6);
  const next = narrow ? text("next") : `θ⁽ˢ⁺¹⁾ = ${text("next")}`;
  const far = middle + way * Math.max(Math.abs(end - middle), 20);
  pen.text(far, low, next, { key: "next", ...label, anchor: after });
  const step = narrow ? `−η ∂L/∂θ = ${text("change")}` : `a step against its gradient: −η ∂L/∂θ = ${text("change")}`;
  const look = { key: "change", size: narrow ? 14 : 18, bold: true, fill: colour.gradient };
  pen.text(width - (narrow ? 4 : 12), line - (narrow ? 26 : 28), step, { ...look, anchor: "end" });
}

/**
 * The step as an arrow; one that is too short for a head is a line.
 *
 * @param {Pen} pen @param {number} from @param {number} to @param {number} y @param {number} width
 */
function drawArrow(pen, from, to, y, width) {
  const { gradient } = pen.colour;
  const way = Math.sign(to - from);
  const long = Math.abs(to - from) > 6 * width;
  pen.line(from, y, long ? to - way * 2 * width : to, y, { key: "step", stroke: gradient, width });
  if (long) pen.head(to, y, way > 0 ? 0 : 180, gradient, 3 * width);
  else pen.circle(to, y, width * 0.8, { key: "tip", fill: gradient });
}

// The line from 0 to 1 on which u falls: each token has a part of it with the length of its p.

import { drawSvg, magnified } from "../../drawing/dom.js";
import { formatNumber } from "../../drawing/numbers.js";
import { saveButtons } from "../../drawing/saving.js";

/** @import { Palette, StepPayload } from "../../drawing/types.js" */
/** @typedef {{ svg: SVGSVGElement, step: StepPayload, colour: Palette, width: number }} Line */

const WIDEST = 760;
const HEIGHT = 66;
const TOP = 26; // of the bar
const BAR = 24; // its height

/** @param {HTMLElement} parent @param {StepPayload} step @param {Palette} colour @param {number} room */
export function drawLine(parent, step, colour, room) {
  parent.replaceChildren();
  if (step.uniform === null || step.chosen < 0) return;
  const width = Math.min(WIDEST, (room || WIDEST) / magnified() - 16);
  const name = `The line from 0 to 1: u = ${formatNumber(step.uniform)} falls on ${step.labels[step.free]}`;
  const look = { width: "100%", role: "img", "aria-label": name, "font-size": 12, fill: colour.ink };
  const svg = drawSvg("svg", { viewBox: `-8 0 ${width + 16} ${HEIGHT}`, ...look }, parent);
  svg.style.maxWidth = `${magnified() * (width + 16)}px`;
  drawSvg("rect", { x: 0, y: TOP, width, height: BAR, fill: "none", stroke: colour.quiet }, svg);
  const line = { svg, step, colour, width };
  step.labels.forEach((_, row) => drawPart(line, row));
  drawDraw(line, step.uniform);
  drawEnds(line);
  saveButtons(parent, () => ["draw", [[svg]]]);
}

/**
 * The part of a token, with its text if there is room.
 *
 * @param {Line} line @param {number} row
 */
function drawPart({ svg, step, colour, width }, row) {
  const label = step.labels[row];
  const left = width * step.low[row];
  const wide = width * step.high[row] - left;
  if (wide <= 0) return;
  const chosen = row === step.free;
  const look = {
    fill: colour.activation,
    "fill-opacity": chosen ? 0.85 : 0.22,
    stroke: colour.background,
    "stroke-width": 1,
  };
  const part = drawSvg("rect", { x: left, y: TOP, width: wide, height: BAR, ...look }, svg);
  drawSvg("title", {}, part, `${label}: ${formatNumber(step.low[row])} to ${formatNumber(step.high[row])}`);
  if (wide < 7 * label.length + 8) return;
  const middle = { x: (left + width * step.high[row]) / 2, y: TOP + BAR / 2 };
  const ink = { fill: chosen ? colour.background : colour.ink };
  drawSvg("text", { ...middle, ...ink, "text-anchor": "middle", "dominant-baseline": "central" }, svg, label);
}

/**
 * The random number u, as an arrow on the line.
 *
 * @param {Line} line @param {number} uniform
 */
function drawDraw({ svg, colour, width }, uniform) {
  const u = width * uniform;
  const d = `M${u} ${TOP - 2}l-6 -9h12z M${u} ${TOP}V${TOP + BAR}`;
  drawSvg("path", { d, fill: colour.gradient, stroke: colour.gradient, "stroke-width": 2 }, svg);
  const anchor = uniform < 0.1 ? "start" : uniform > 0.9 ? "end" : "middle";
  const look = { fill: colour.gradient, "font-weight": 600, "text-anchor": anchor };
  drawSvg("text", { x: u, y: 11, ...look }, svg, `u = ${formatNumber(uniform)}`);
}

/**
 * The ends of the line, and what its length is.
 *
 * @param {Line} line
 */
function drawEnds({ svg, colour, width }) {
  const texts = /** @type {const} */ ([
    [0, "start", "0"],
    [width, "end", "1"],
    [width / 2, "middle", "p after all filters, summed in the order of the ids"],
  ]);
  for (const [x, anchor, text] of texts)
    drawSvg("text", { x, y: HEIGHT - 3, "text-anchor": anchor, fill: colour.quiet }, svg, text);
}

// How much of a gradient arrives after 0, 1, 2 … steps: curves on a logarithmic scale, which move
// while ρ or f does.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { fill, formatNumber } from "../../ui/browser/numbers.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours, isDark } from "../../ui/browser/theme.js";
import { PLOT, apart, scalesOf } from "./vanish_scales.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["vanish"]} Data */

// Room for the names at the ends of the curves.
const NAMES = 80;

/** @param {Component<Data>} component */
export default function vanish({ data, parentElement }) {
  const { host } = parentElement;
  const right = host.clientWidth > 0 && host.clientWidth < 520 ? 300 : 560;
  const shape = [data.curves, data.references, right, isDark(parentElement)];
  const [picture, fresh] = stage(parentElement, JSON.stringify(shape));
  const scales = scalesOf(data, right);
  if (fresh) picture.parts = build(picture, data, scales, colours(parentElement));
  const { svg, paths, ends, lines } = picture.parts;
  return follow(picture, data, (values) => {
    const heights = data.curves.map((curve, i) => {
      const at = Array.from({ length: data.steps + 1 }, (_, n) => values(`${curve.name}${n}`));
      paths[i].setAttribute("d", scales.along(at));
      return scales.y(at[data.steps]);
    });
    apart(heights).forEach((y, i) => ends[i].setAttribute("y", y));
    lines.forEach((line, i) => (line.textContent = fill(data.lines[i].text, values)));
    svg.setAttribute("aria-label", fill(data.alt, values));
  });
}

/**
 * @param {Picture<Data>} picture
 * @param {Data} data
 */
function build(picture, data, scales, colour) {
  const frame = html("div", { class: "pictures" }, picture.element);
  const svg = drawSvg(
    "svg",
    { viewBox: `0 0 ${scales.right + NAMES} ${PLOT.bottom + 52}`, role: "img", "font-size": 15, fill: colour.ink, style: "width: 100%; max-width: 860px" },
    frame,
  );
  axes(svg, data, scales, colour);
  for (const [factor, steps] of data.references) mark(svg, scales, factor, steps, colour);
  const paths = data.curves.map((curve) =>
    drawSvg("path", { fill: "none", stroke: colour[curve.role], "stroke-width": curve.thin ? 1.5 : 3, "stroke-dasharray": curve.dash }, svg),
  );
  const ends = data.curves.map((curve) =>
    drawSvg("text", { x: scales.right + 6, fill: colour[curve.role], "font-weight": 600 }, svg, curve.label),
  );
  const list = html("div", { class: "lines" }, picture.element);
  const lines = data.lines.map((line) => html("div", { class: `line ${line.role}` }, list));
  saveButtons(picture.element, () => ["vanishing", [[svg]]]);
  return { svg, paths, ends, lines };
}

/**
 * @param {any} svg
 * @param {Data} data
 */
function axes(svg, data, { x, y, right }, colour) {
  for (let power = data.low; power <= data.high; power += 3) {
    const at = y(10 ** power);
    drawSvg("path", { d: `M${PLOT.left} ${at}H${right}`, stroke: colour.quiet, "stroke-opacity": power ? 0.22 : 0.8 }, svg);
    drawSvg("text", { x: PLOT.left - 6, y: at + 5, "text-anchor": "end", fill: colour.quiet, "font-size": 14 }, svg, power ? `10${raised(power)}` : "1");
  }
  for (const n of x.ticks(5)) {
    drawSvg("text", { x: x(n), y: PLOT.bottom + 20, "text-anchor": "middle", fill: colour.quiet, "font-size": 14 }, svg, n);
  }
  drawSvg("text", { x: (PLOT.left + right) / 2, y: PLOT.bottom + 42, "text-anchor": "middle", fill: colour.quiet }, svg, data.xTitle);
  const middle = (PLOT.top + PLOT.bottom) / 2;
  drawSvg("text", { x: 14, y: middle, "text-anchor": "middle", fill: colour.gradient, transform: `rotate(-90 14 ${middle})` }, svg, data.yTitle);
}

const raised = (power) => String(power).replace(/[-0-9]/g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]);

// A number to hold the curves against.
function mark(svg, scales, factor, steps, colour) {
  const [x, y] = [scales.x(steps), scales.y(factor ** steps)];
  drawSvg("path", { d: `M${x - 5} ${y - 5}l10 10m0 -10l-10 10`, stroke: colour.ink, "stroke-width": 1.5 }, svg);
  drawSvg("text", { x: x - 9, y: y - 7, "text-anchor": "end", "font-size": 14 }, svg, `${formatNumber(factor)}${raised(steps)}`);
}

// A recurrent unit: folded it is one unit with an edge back to itself; pressed, it unrolls into one copy for
// each step, all with the same two weights.

import { drawSvg, html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { formatNumber } from "../../drawing/numbers.js";
import { Pen } from "../../drawing/pen.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts, Values } from "../../drawing/types.js" */
/** @typedef {Scripts["elman"]} Data */
/** @typedef {Picture<Data, { svg: SVGSVGElement, pen: Pen, open: boolean }>} Its open: unrolled */
/** @typedef {[x: number, y: number]} Point */

const WIDTH = 960;
const HEIGHT = 300;
const R = 34;
const [TOP, FOOT] = [96, 236]; // the heights of the units and of their inputs

/** @param {Component<Data>} component */
export default function elman({ data, parentElement }) {
  /** @type {[Its, boolean]} */
  const [picture, fresh] = stage(parentElement, "elman");
  const colour = colours(parentElement);
  if (fresh) {
    const look = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", role: "group" };
    picture.svg = drawSvg("svg", look, html("div", {}, picture.element));
    picture.pen = new Pen(picture.svg, colour);
    picture.open = true;
    saveButtons(picture.element, () => ["elman", [[picture.svg]]]);
  }
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  return follow(picture.element, data, (values) => draw(picture, data, values));
}

/** @param {Its} picture @param {Data} data @param {Values} values */
function draw(picture, data, values) {
  const turn = () => {
    picture.open = !picture.open;
    draw(picture, data, values);
  };
  picture.pen.draw((pen) => {
    if (picture.open) drawUnrolled(pen, data, values, turn);
    else drawFolded(pen, values, turn);
  });
}

/**
 * A copy for each step.
 *
 * @param {Pen} pen @param {Data} data @param {Values} values @param {() => void} turn
 */
function drawUnrolled(pen, { steps }, values, turn) {
  const gap = Math.min(WIDTH / (steps + 1), 200);
  const first = (WIDTH - gap * (steps - 1)) / 2;
  for (let t = 0; t < steps; t++) {
    const x = first + t * gap;
    const sub = "₁₂₃₄₅₆₇₈"[t];
    if (t) drawEdge(pen, [x - gap + R, TOP], [x - R - 4, TOP], `wₕ ${formatNumber(values("wh"))}`);
    drawEdge(pen, [x, FOOT - R], [x, TOP + R + 4], `wₓ ${formatNumber(values("wx"))}`);
    drawNode(pen, x, FOOT, `x${sub}`, formatNumber(values(`x${t + 1}`)), pen.colour.input);
    const number = formatNumber(values(`h${t + 1}`));
    pen.button("Fold the network", turn, (its) => drawNode(its, x, TOP, `h${sub}`, number, pen.colour.activation), {
      key: `unit ${t} true`,
      chosen: true,
    });
  }
  explain(pen, "Unrolled: the same two weights at every step. Press a unit to fold it.");
}

/**
 * One unit with an edge back to itself.
 *
 * @param {Pen} pen @param {Values} values @param {() => void} turn
 */
function drawFolded(pen, values, turn) {
  const fill = pen.colour.weight;
  const x = WIDTH / 2;
  drawEdge(pen, [x, FOOT - R], [x, TOP + R + 4], `wₓ ${formatNumber(values("wx"))}`);
  drawNode(pen, x, FOOT, "xₜ", "", pen.colour.input);
  pen.button("Unroll the network", turn, (its) => drawNode(its, x, TOP, "hₜ", "", pen.colour.activation), {
    key: "unit 0 false",
    chosen: false,
  });
  const loop = `M${x + R - 4} ${TOP - 18}C${x + 130} ${TOP - 90} ${x + 130} ${TOP + 90} ${x + R + 2} ${TOP + 16}`;
  pen.path(loop, { stroke: fill, width: 3 });
  pen.head(x + R, TOP + 14, 205, fill, 11);
  const label = `wₕ ${formatNumber(values("wh"))}: from the step before`;
  pen.text(x + 112, TOP + 5, label, { size: 16, bold: true, fill });
  explain(pen, "Folded: the unit reads its own output. Press it to unroll it.");
}

/** @param {Pen} pen @param {string} text */
function explain(pen, text) {
  pen.text(WIDTH / 2, HEIGHT - 8, text, { size: 16, anchor: "middle", fill: pen.colour.quiet });
}

/** @param {Pen} pen @param {Point} from @param {Point} to @param {string} label */
function drawEdge(pen, [x1, y1], [x2, y2], label) {
  const fill = pen.colour.weight;
  pen.line(x1, y1, x2, y2, { stroke: fill, width: 3 });
  pen.head(x2, y2, (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI, fill, 10);
  const flat = y1 === y2;
  const [x, y] = flat ? [(x1 + x2) / 2, y1 - 8] : [x1 + 8, (y1 + y2) / 2 + 5];
  pen.text(x, y, label, { size: 15, bold: true, fill, anchor: flat ? "middle" : "start", halo: true });
}

/**
 * @param {Pen} pen
 * @param {number} x
 * @param {number} y
 * @param {string} name
 * @param {string} number
 * @param {string} role
 */
function drawNode(pen, x, y, name, number, role) {
  pen.circle(x, y, R, { fill: pen.colour.background, stroke: role, line: 3 });
  pen.text(x, number ? y - 5 : y + 6, name, { size: 17, bold: true, anchor: "middle", fill: role });
  if (number) pen.text(x, y + 17, number, { size: 15, bold: true, anchor: "middle" });
}

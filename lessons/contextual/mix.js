// Three layers to mix: a triangle of all shares with the accuracy of a probe at each, and one word's vector
// in every layer, whose weighted sum follows the sliders.

import { drawSvg, html } from "../../drawing/dom.js";
import { follow } from "../../drawing/frames.js";
import { formatNumber } from "../../drawing/numbers.js";
import { Pen } from "../../drawing/pen.js";
import { saveButtons } from "../../drawing/saving.js";
import { stage } from "../../drawing/stage.js";
import { colours } from "../../drawing/theme.js";

/** @import { Component, Picture, Scripts, Values } from "../../drawing/types.js" */
/** @typedef {Scripts["mix"]} Data */
/** @typedef {(pen: Pen, data: Data, values: Values) => void} Draw */

const WIDTH = 960;
const HEIGHT = 400;
const NARROW = 600; // below this width the vectors are under the triangle
const CORNERS = [
  [84, 338],
  [404, 338],
  [244, 60],
]; // where layers 0, 1 and 2 have all of the weight
const DOT = 14;
const ACCURACY = 410; // the middle of the number of the accuracy
const STRIP = { left: 610, top: 74, wide: 334, high: 26, row: 62 };
const SUBSCRIPTS = "₀₁₂";

/** @param {Component<Data>} component */
export default function mix({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, { svg: SVGSVGElement, pen: Pen }>, boolean]} */
  const [picture, fresh] = stage(parentElement, "mix");
  const colour = colours(parentElement);
  const narrow = picture.element.clientWidth < NARROW;
  if (fresh) {
    picture.svg = drawSvg("svg", { width: "100%", role: "group" }, html("div", {}, picture.element));
    picture.pen = new Pen(picture.svg, colour);
    saveButtons(picture.element, () => ["mix", [[picture.svg]]]);
  }
  picture.pen.colour = colour;
  picture.svg.setAttribute("aria-label", data.alt);
  picture.svg.setAttribute("viewBox", narrow ? `0 0 ${WIDTH / 2} ${2 * HEIGHT}` : `0 0 ${WIDTH} ${HEIGHT}`);
  /** @param {number[]} shares */
  const send = (shares) => setTriggerValue("event", { shares });
  return follow(picture.element, data, (values) =>
    picture.pen.draw((pen) => {
      pen.group({ key: "triangle" }, (its) => {
        drawMixtures(its, data, send);
        drawLearned(its, data, values);
        drawMixture(its, data, values);
      });
      const transform = narrow ? `translate(${-WIDTH / 2} ${HEIGHT})` : null;
      pen.group({ key: "vectors", transform }, (its) => drawVectors(its, data, values));
    }),
  );
}

/**
 * Where a mixture is drawn in the triangle.
 *
 * @param {ArrayLike<number>} shares of layers 0, 1 and 2
 */
function spot(shares) {
  const of = Array.from(shares);
  return [0, 1].map((axis) => of.reduce((sum, share, j) => sum + share * CORNERS[j][axis], 0));
}

/**
 * Every mixture as a disc: the darker, the more a probe gets right. A press chooses that mixture.
 *
 * @param {Pen} pen @param {Data} data @param {(shares: number[]) => void} send
 */
function drawMixtures(pen, { accuracies, shares: all }, send) {
  const { background, activation } = pen.colour;
  // Layer 0 alone is far below all others: with it as the palest, they would all be dark.
  const [, low] = [...accuracies].sort((a, b) => a - b);
  const high = Math.max(...accuracies);
  accuracies.forEach((accuracy, i) => {
    const shares = [0, 1, 2].map((j) => all[3 * i + j]);
    const [x, y] = spot(shares);
    const level = Math.max((accuracy - low) / (high - low || 1), 0);
    const name = `s = ${shares.map((share) => formatNumber(share)).join(", ")}: ${formatNumber(accuracy)}`;
    /** @param {Pen} its */
    const draw = (its) => {
      its.node("title", {}, name);
      its.circle(x, y, DOT, { fill: background });
      its.circle(x, y, DOT, { fill: activation, "fill-opacity": 0.08 + 0.82 * level });
    };
    pen.button(name, () => send(shares), draw, { key: `point ${i}`, tabindex: -1 });
  });
}

/**
 * The accuracy of each layer alone, and the mixture that was learned.
 *
 * @type {Draw}
 */
function drawLearned(pen, { accuracies, shares, learned }) {
  CORNERS.forEach(([x, y], j) => {
    const i = accuracies.findIndex((_, k) => shares[3 * k + j] === 1);
    const said = `layer ${j} alone: ${formatNumber(accuracies[i])}`;
    pen.text(x, j === 2 ? y - 24 : y + 34, said, { key: `corner ${j}`, size: 15, bold: true, anchor: "middle" });
  });
  const [x, y] = spot(learned);
  pen.path(`M${x - 9} ${y}h18M${x} ${y - 9}v18`, { key: "learned", stroke: pen.colour.gradient, width: 4 });
  pen.text(x + (x > 300 ? 14 : -14), y - 18, "learned", {
    key: "learned name",
    size: 15,
    bold: true,
    fill: pen.colour.gradient,
    halo: true,
    anchor: x > 300 ? "start" : "end",
  });
}

/**
 * The mixture of the sliders, and its accuracy.
 *
 * @type {Draw}
 */
function drawMixture(pen, data, values) {
  const { ink, quiet } = pen.colour;
  const [x, y] = spot([0, 1, 2].map((j) => values(`s${j}`)));
  pen.circle(x, y, DOT + 4, { key: "here", stroke: ink, line: 3 });
  pen.text(ACCURACY, 70, "accuracy", { key: "title", size: 15, bold: true, anchor: "middle" });
  const look = /** @type {const} */ ({ key: "accuracy", size: 28, bold: true, anchor: "middle" });
  pen.markedText(ACCURACY, 108, formatNumber(values("accuracy")), true, look);
  const tested = `${data.words} words tested`;
  pen.text(ACCURACY, 134, tested, { key: "words", size: 14, fill: quiet, anchor: "middle" });
}

/**
 * One word's vector in every layer, and their weighted sum.
 *
 * @type {Draw}
 */
function drawVectors(pen, data, values) {
  const { weight, quiet } = pen.colour;
  const { left, top, wide, row, high } = STRIP;
  pen.text(left, 24, `LN(h) of “${data.word}” in each layer, first ${data.cells} numbers`, { size: 15, bold: true });
  const most = Math.max(...data.layers.map(Math.abs));
  const before = /** @type {const} */ ({ size: 17, bold: true, anchor: "end", fill: weight });
  for (let j = 0; j < 3; j++) {
    const y = top + row * j;
    const share = values(`s${j}`);
    pen.text(left - 14, y + 19, `s${SUBSCRIPTS[j]} = ${share.toFixed(3)}`, { key: `share ${j}`, ...before });
    pen.text(left, y - 6, `layer ${j}`, { key: `layer ${j}`, size: 14, fill: quiet });
    drawCells(pen, data, (i) => data.layers[j * data.cells + i] / most, y, `row ${j}`);
    pen.rect(left, y + high + 3, wide * share, 5, { key: `bar ${j}`, r: 2, fill: weight });
  }
  const y = top + row * 3 + 26;
  pen.text(left - 14, y + 19, `γ = ${formatNumber(values("gamma"))}`, { key: "gamma", ...before });
  pen.text(left, y - 6, "ELMo: γ times the weighted sum", { key: "sum", size: 15, bold: true });
  drawCells(pen, data, (i) => values(`m${i}`) / most, y, "sum row");
}

/**
 * One cell a number, on the diverging scale.
 *
 * @param {Pen} pen
 * @param {Data} data
 * @param {(i: number) => number} level from −1 to 1
 * @param {number} y
 * @param {string} key
 */
function drawCells(pen, { cells, colours: scale }, level, y, key) {
  const { left, wide, high } = STRIP;
  for (let i = 0; i < cells; i++) {
    const share = (Math.max(-1, Math.min(1, level(i))) + 1) / 2;
    const fill = scale[Math.round(share * (scale.length - 1))];
    pen.rect(left + (i * wide) / cells, y, wide / cells + 0.3, high, { key: `${key} ${i}`, r: 0, fill });
  }
}

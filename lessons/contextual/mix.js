// Three layers mixed by hand: a triangle of all shares with the accuracy of a probe at each, and one word's vector
// in every layer, whose weighted sum follows the sliders.

import { drawSvg, html } from "../../ui/browser/dom.js";
import { follow } from "../../ui/browser/frames.js";
import { formatNumber } from "../../ui/browser/numbers.js";
import { Pen } from "../../ui/browser/pen.js";
import { saveButtons } from "../../ui/browser/saving.js";
import { stage } from "../../ui/browser/stage.js";
import { colours } from "../../ui/browser/theme.js";

/** @import { Component, Picture, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["mix"]} Data */

const WIDTH = 960;
const HEIGHT = 400;
const NARROW = 600; // below it the vectors stand under the triangle
const CORNERS = [
  [84, 338],
  [404, 338],
  [244, 60],
]; // where layers 0, 1 and 2 have all of the weight
const DOT = 14;
const ACCURACY = 410; // the middle of its number
const STRIP = { left: 610, top: 74, wide: 334, high: 26, row: 62 };
const SUBSCRIPTS = "₀₁₂";

/** @param {Component<Data>} component */
export default function mix({ data, parentElement, setTriggerValue }) {
  /** @type {[Picture<Data, any>, boolean]} */
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
  const draw = (values) =>
    picture.pen.draw((pen) => {
      pen.group({ key: "triangle" }, (its) =>
        triangle(its, data, values, colour, (shares) => setTriggerValue("event", { shares })),
      );
      pen.group({ key: "vectors", transform: narrow ? `translate(${-WIDTH / 2} ${HEIGHT})` : null }, (its) =>
        vectors(its, data, values, colour),
      );
    });
  return follow(picture.element, data, draw);
}

const spot = (shares) => [0, 1].map((axis) => shares.reduce((sum, share, j) => sum + share * CORNERS[j][axis], 0));
const three = (values, i) => [0, 1, 2].map((j) => values[3 * i + j]);

function triangle(pen, data, values, colour, send) {
  // Layer 0 alone is far below all others: with it as the palest, they would all be dark.
  const [, low] = [...data.accuracies].sort((a, b) => a - b);
  const high = Math.max(...data.accuracies);
  data.accuracies.forEach((accuracy, i) => {
    const shares = three(data.shares, i);
    const [x, y] = spot(shares);
    const level = Math.max((accuracy - low) / (high - low || 1), 0);
    const name = `s = ${shares.map((share) => formatNumber(share)).join(", ")}: ${formatNumber(accuracy)}`;
    pen.button(
      name,
      () => send(shares),
      (its) => {
        its.node("title", {}, name);
        its.circle(x, y, DOT, { fill: colour.background });
        its.circle(x, y, DOT, { fill: colour.activation, "fill-opacity": 0.08 + 0.82 * level });
      },
      { key: `point ${i}`, tabindex: -1 },
    );
  });
  CORNERS.forEach(([x, y], j) => {
    const i = data.accuracies.findIndex((_, k) => data.shares[3 * k + j] === 1);
    pen.text(x, j === 2 ? y - 24 : y + 34, `layer ${j} alone: ${formatNumber(data.accuracies[i])}`, {
      key: `corner ${j}`,
      size: 15,
      bold: true,
      anchor: "middle",
    });
  });
  const [lx, ly] = spot(data.learned);
  pen.path(`M${lx - 9} ${ly}h18M${lx} ${ly - 9}v18`, { key: "learned", stroke: colour.gradient, width: 4 });
  pen.text(lx + (lx > 300 ? 14 : -14), ly - 18, "learned", {
    key: "learned name",
    size: 15,
    bold: true,
    fill: colour.gradient,
    halo: true,
    anchor: lx > 300 ? "start" : "end",
  });
  const [x, y] = spot([0, 1, 2].map((j) => values(`s${j}`)));
  pen.circle(x, y, DOT + 4, { key: "here", stroke: colour.ink, line: 3 });
  pen.text(ACCURACY, 70, "accuracy", { key: "title", size: 15, bold: true, anchor: "middle" });
  pen.markedText(ACCURACY, 108, formatNumber(values("accuracy")), true, {
    key: "accuracy",
    size: 28,
    bold: true,
    anchor: "middle",
  });
  pen.text(ACCURACY, 134, `${data.words} words tested`, {
    key: "words",
    size: 14,
    fill: colour.quiet,
    anchor: "middle",
  });
}

function vectors(pen, data, values, colour) {
  const { left, top, wide, row } = STRIP;
  pen.text(left, 24, `LN(h) of “${data.word}” in each layer, first ${data.cells} numbers`, { size: 15, bold: true });
  const most = Math.max(...data.layers.map(Math.abs));
  for (let j = 0; j < 3; j++) {
    const y = top + row * j;
    const share = values(`s${j}`);
    pen.text(left - 14, y + 19, `s${SUBSCRIPTS[j]} = ${share.toFixed(3)}`, {
      key: `share ${j}`,
      size: 17,
      bold: true,
      anchor: "end",
      fill: colour.weight,
    });
    pen.text(left, y - 6, `layer ${j}`, { key: `layer ${j}`, size: 14, fill: colour.quiet });
    strip(pen, data, (i) => data.layers[j * data.cells + i], y, most, `row ${j}`);
    pen.rect(left, y + STRIP.high + 3, wide * share, 5, { key: `bar ${j}`, r: 2, fill: colour.weight });
  }
  const y = top + row * 3 + 26;
  pen.text(left - 14, y + 19, `γ = ${formatNumber(values("gamma"))}`, {
    key: "gamma",
    size: 17,
    bold: true,
    anchor: "end",
    fill: colour.weight,
  });
  pen.text(left, y - 6, "ELMo: γ times the weighted sum", { key: "sum", size: 15, bold: true });
  strip(pen, data, (i) => values(`m${i}`), y, most, "sum row");
}

// One cell a number, on the diverging scale.
function strip(pen, { cells, colours: scale }, number, y, most, key) {
  const { left, wide, high } = STRIP;
  for (let i = 0; i < cells; i++) {
    const level = Math.max(-1, Math.min(1, number(i) / most));
    pen.rect(left + (i * wide) / cells, y, wide / cells + 0.3, high, {
      key: `${key} ${i}`,
      r: 0,
      fill: scale[Math.round(((level + 1) / 2) * (scale.length - 1))],
    });
  }
}

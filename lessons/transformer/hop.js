// A far word, recalled: attention reaches it in one hop over the row of symbols; below the row an RNN passes it on from
// word to word, in a chain as strong as the share that it recalls. The question can be dragged along the row.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"hop">} HopScene */
/** @typedef {ReturnType<typeof placesOf>} At */
/** @typedef {(pen: Pen, scene: HopScene, at: At) => void} Draw */

/** @param {Component<Scripts["hop"]>} component */
export default function hop(component) {
  return mainPicture(component, (pen, /** @type {HopScene} */ scene) => {
    const at = placesOf(scene);
    drawChain(pen, scene, at);
    drawBars(pen, scene, at);
    drawArc(pen, scene, at);
    drawRow(pen, scene, at);
  });
}

/**
 * Where the symbols and bars are: `x` is the middle of a symbol, 0 the first one.
 *
 * @param {HopScene} scene
 */
function placesOf({ width, height, narrow, values, data }) {
  const most = data.distances[data.distances.length - 1];
  const side = narrow ? 18 : 40;
  const x = scaleLinear([0, most + 1], [side, width - side]);
  const pitch = x(1) - x(0);
  const tile = Math.min(0.8 * pitch, 40);
  const foot = height - 46;
  const row = 0.45 * height;
  const bars = foot - (narrow ? 0.2 : 0.24) * height;
  const question = values("distance") + 1;
  return { x, pitch, tile, row, narrow, question, end: x(question), y: scaleLinear([0, 100], [foot, bars]) };
}

/**
 * The share that the RNN recalls at a distance: between measured ones, on the line from one to the next.
 *
 * @param {HopScene} scene @param {number} far
 */
function shareAt({ data, values }, far) {
  const { distances } = data;
  const shares = distances.map((each) => values(/** @type {const} */ (`rnn ${each}`)));
  return scaleLinear(distances, shares)(Math.max(far, distances[0]));
}

/**
 * The links from word to word.
 *
 * @type {Draw}
 */
function drawChain(pen, scene, { x, pitch, tile, row, question, narrow }) {
  const { colour, hidden } = scene;
  const [top, drop] = [row + tile / 2 + 5, narrow ? 20 : 34];
  const most = narrow ? 4 : 7;
  for (let i = 0; i < question - 0.5; i++) {
    const share = hidden("rnn") ? 30 : shareAt(scene, i);
    const [from, to] = [x(i), x(i + 1)];
    const bend = 0.12 * pitch;
    const d = `M${from} ${top}C${from + bend} ${top + drop} ${to - bend} ${top + drop} ${to} ${top}`;
    const look = { stroke: colour.weight, width: Math.max((most * share) / 100, 1), "stroke-linecap": "round" };
    pen.path(d, { key: `link${i}`, "stroke-opacity": 0.35 + (0.65 * share) / 100, ...look });
  }
}

/**
 * The share that the RNN recalls at each distance, under the place of the question at that distance.
 *
 * @type {Draw}
 */
function drawBars(pen, scene, { x, y, pitch, question, narrow }) {
  const { data, values, text, hidden, colour } = scene;
  const last = x(data.distances[data.distances.length - 1] + 1);
  const size = narrow ? 13 : 15;
  const wide = Math.min(0.72 * pitch, 34);
  pen.group({ key: "axis y", "data-axis": "y", "data-title": "share that the RNN recalls" }, (axis) => {
    axis.line(x(0) - wide / 2, y(0), last + wide / 2, y(0), { stroke: colour.quiet, width: 1.5 });
    axis.line(x(0) - wide / 2, y(values("chance")), last + wide / 2, y(values("chance")), {
      stroke: colour.ink,
      dash: "4 4",
    });
  });
  const guess = `${narrow ? "guess" : "guessing"} ${text("chance")} %`;
  pen.text(x(narrow ? 6.6 : 12.8), y(values("chance")) - 6, guess, { size, fill: colour.ink, halo: true });
  const alone = (/** @type {number} */ far) => !data.distances.some((each) => Math.abs(each - far) === 1);
  for (const far of data.distances) {
    const name = /** @type {const} */ (`rnn ${far}`);
    const now = Math.abs(question - far - 1) < 0.5;
    const middle = x(far + 1);
    const top = y(values(name));
    const fill = colour.weight;
    if (!hidden(name)) {
      pen.rect(middle - wide / 2, top, wide, y(0) - top, { key: name, fill, "fill-opacity": now ? 1 : 0.35, r: 2 });
    }
    const look = /** @type {const} */ ({ key: `share ${far}`, anchor: "middle", bold: now, fill, halo: true });
    const above = hidden(name) ? y(values("chance")) - 10 : top - 7;
    if (now || !narrow)
      pen.text(middle, above, `${text(name)} %`, { ...look, size: now && alone(far) && !narrow ? 24 : size });
  }
  drawDistances(pen, scene, { x, y, size, question });
}

/**
 * The axis of distances.
 *
 * @param {Pen} pen
 * @param {HopScene} scene
 * @param {Pick<At, "x" | "y" | "question"> & { size: number }} at
 */
function drawDistances(pen, { data, colour, narrow }, { x, y, size, question }) {
  pen.group({ key: "axis x", "data-axis": "x", "data-title": "words between" }, (axis) => {
    for (const far of data.distances) {
      if (narrow && far === 2) continue; // too near to 1
      const bold = Math.abs(question - far - 1) < 0.5;
      axis.text(x(far + 1), y(0) + 19, `${far}`, { key: far, size, bold, fill: colour.quiet, anchor: "middle" });
    }
    const title = { size, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
    axis.text(x(narrow ? 11 : 13.5), y(0) + (narrow ? 38 : 19), "words between", title);
  });
}

/**
 * The hop of attention, and what both networks recall.
 *
 * @type {Draw}
 */
function drawArc(pen, scene, { x, y, tile, row, end, narrow }) {
  const { colour, data, text } = scene;
  const [from, edge] = [x(0), row - tile / 2 - 6];
  const high = Math.min(edge - (narrow ? 40 : 46), 0.55 * (end - from));
  const top = edge - (4 / 3) * high;
  const d = `M${end} ${edge}C${end} ${top} ${from} ${top} ${from} ${edge - 8}`;
  pen.path(d, { key: "arc", stroke: colour.activation, width: narrow ? 4 : 6 });
  pen.beads(d, colour.background, { key: "beads", width: narrow ? 1.8 : 2.6 });
  pen.head(from, edge + 2, 90, colour.activation, narrow ? 11 : 16);
  const inside = end - from > (narrow ? 260 : 420);
  const place = inside ? (from + end) / 2 : end + 46;
  const anchor = inside ? /** @type {const} */ ("middle") : /** @type {const} */ ("start");
  const look = { anchor, fill: colour.activation, bold: true };
  const size = narrow ? 15 : 22;
  const middle = inside ? edge - high + (narrow ? 34 : 54) : edge - (narrow ? 60 : 100);
  pen.text(place, inside ? edge - high - 12 : middle - size - 26, "attention: one hop", { ...look, size });
  const share = narrow ? 26 : 44;
  pen.markedText(place, middle + 8, `${text("attention")} %`, true, { ...look, size: share });
  const after = narrow ? `${text("block")} products` : `recalled after ${data.steps} training steps`;
  pen.text(place, middle + (narrow ? 32 : 40), after, { anchor, size: narrow ? 13 : 16, fill: colour.quiet });
  if (!narrow) pen.text(place, middle + 62, `${text("block")} products`, { anchor, size: 16, fill: colour.quiet });
  drawPassing(pen, scene, { x, y, row, tile, narrow });
}

/**
 * How often the RNN passes the word on.
 *
 * @param {Pen} pen @param {HopScene} scene @param {Pick<At, "x" | "y" | "row" | "tile" | "narrow">} at
 */
function drawPassing(pen, { colour, data, text }, { x, row, tile, narrow }) {
  const y = row + tile / 2 + (narrow ? 44 : 62);
  const hops = text("hops");
  const said = `RNN: ${hops} hop${hops === "1" ? "" : "s"}`;
  const after = `${text("products")} products; recalled after ${data.rnnSteps.toLocaleString("en")} training steps:`;
  const size = narrow ? 15 : 22;
  pen.text(x(narrow ? 0 : 7), y, said, { size, bold: true, fill: colour.weight, halo: true, key: "passing" });
  const short = `${text("products")} products`;
  const look = { size: narrow ? 13 : 16, fill: colour.quiet, halo: true, key: "after" };
  pen.text(narrow ? x(9) : x(10.6), y, narrow ? short : after, look);
}

/**
 * The symbols: the first one, those between, and the question, which can be dragged.
 *
 * @type {Draw}
 */
function drawRow(pen, scene, { x, pitch, tile, row, question, end, narrow }) {
  const { data, colour } = scene;
  const size = narrow ? 13 : 18;
  const middle = /** @type {const} */ ({ anchor: "middle", size });
  for (let i = 1; i < question - 0.5; i++) {
    pen.rect(x(i) - tile / 2, row - tile / 2, tile, tile, {
      key: `tile${i}`,
      fill: colour.background,
      stroke: colour.line,
      line: 2,
      r: narrow ? 3 : 5,
    });
    if (!narrow) pen.text(x(i), row + 6, data.letters[i], { ...middle, key: `symbol${i}`, fill: colour.quiet });
  }
  const whole = Math.max(tile, 20);
  const corner = { r: narrow ? 3 : 6 };
  const blue = { fill: colour.background, stroke: colour.input, line: 3, ...corner };
  pen.rect(x(0) - whole / 2, row - whole / 2, whole, whole, { key: "first", ...blue });
  pen.text(x(0), row + 0.35 * size, data.letters[0], { ...middle, key: "letter", bold: true, fill: colour.input });
  const moves = { key: "question", class: "handle", "data-n": "distance", "data-per": pitch, "data-way": "x" };
  pen.group({ ...moves, style: "cursor: ew-resize; touch-action: none" }, (its) => {
    its.rect(end - whole / 2 - 6, row - whole / 2 - 6, whole + 12, whole + 12, { fill: "transparent" });
    its.rect(end - whole / 2, row - whole / 2, whole, whole, { fill: colour.ink, ...corner });
    its.text(end, row + 0.35 * size, "?", { ...middle, bold: true, fill: colour.background });
  });
}

// Two texts that go through [CLS] into one verdict: does the second continue the first?

import { mainPicture } from "../../drawing/main_picture.js";
import { bent, textWidth } from "../../drawing/pen.js";
import { shortNumber } from "./bars.js";
import { layWords } from "./words.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Box } from "./bars.js" */
/** @typedef {Scene<"pair">} PairScene */
/** @typedef {{ x: number, y: number }} Spot */

/** @param {Component<Scripts["pair"]>} component */
export default function pair(component) {
  return mainPicture(component, (pen, /** @type {PairScene} */ scene) =>
    scene.narrow ? drawTall(pen, scene) : drawWide(pen, scene),
  );
}

/** @param {Pen} pen @param {PairScene} scene */
function drawWide(pen, scene) {
  const { width, height } = scene;
  const right = width * 0.56;
  const high = (height - 16 - 16 - 24) / 2;
  pen.part(scene, "texts", (its) => {
    drawText(its, scene, 0, { left: 20, right, top: 16, foot: 16 + high });
    drawText(its, scene, 1, { left: 20, right, top: 16 + high + 24, foot: height - 16 });
  });
  const cls = { x: right + 86, y: height / 2 };
  pen.part(scene, "verdict", (its) => {
    drawMeeting(its, right, [16 + high / 2, height - 16 - high / 2], cls);
    drawColumns(its, scene, { left: cls.x + 66, right: width - 28, top: 46, foot: height - 66 }, cls);
  });
}

/**
 * On a phone the texts are above the verdict.
 *
 * @param {Pen} pen @param {PairScene} scene
 */
function drawTall(pen, scene) {
  const { width, height } = scene;
  const high = (height * 0.6 - 8 - 10) / 2;
  pen.part(scene, "texts", (its) => {
    drawText(its, scene, 0, { left: 8, right: width - 8, top: 8, foot: 8 + high });
    drawText(its, scene, 1, { left: 8, right: width - 8, top: 18 + high, foot: 18 + 2 * high });
  });
  const box = { left: 8, right: width - 8, top: 30 + 2 * high, foot: height - 8 };
  pen.part(scene, "verdict", (its) => drawRows(its, scene, box));
}

/** @param {Pen} pen @param {PairScene} scene @param {0 | 1} n @param {Box} box */
function drawText(pen, { data, colour }, n, { left, right, top, foot }) {
  const fill = n ? colour.value : colour.input;
  const words = n ? data.second : data.first;
  const small = foot - top < 150;
  pen.group({ key: `text${n}` }, (its) => {
    its.rect(left, top, right - left, foot - top, { r: 12, fill, "fill-opacity": 0.09, stroke: fill, line: 2 });
    const title = { key: "title", size: small ? 14 : 17, bold: true, fill };
    its.text(left + 16, top + (small ? 20 : 28), data.titles[n], title);
    const room = { left: left + 14, right: right - 10, top: top + (small ? 28 : 44) };
    const most = foot - top - (small ? 34 : 56);
    const { items, size } = layWords(words, new Set(), { ...room, most, largest: small ? 18 : 30 });
    for (const { i, text: word, x, y, width } of items) {
      const ink = word.startsWith("[") ? colour.quiet : colour.ink;
      its.text(x + width / 2, y, word, { key: `word${i}`, size, bold: true, anchor: "middle", fill: ink });
    }
  });
}

/**
 * Both texts flow into the vector of [CLS].
 *
 * @param {Pen} pen
 * @param {number} left
 * @param {[number, number]} heights where they begin
 * @param {Spot} cls
 */
function drawMeeting(pen, left, heights, { x, y }) {
  const { quiet, value, input, background, ink } = pen.colour;
  heights.forEach((start, n) => {
    const corners = [
      [left, start],
      [x, start],
      [x, y + (n ? 30 : -30)],
    ];
    const d = bent(corners, 26);
    pen.path(d, { key: `edge${n}`, stroke: quiet, width: 2, "stroke-opacity": 0.5 });
    pen.beads(d, n ? value : input, { key: `beads${n}` });
  });
  pen.rect(x - 42, y - 28, 84, 56, { key: "cls", r: 12, fill: background, stroke: ink, line: 2 });
  pen.text(x, y + 7, "[CLS]", { key: "cls", size: 20, bold: true, anchor: "middle" });
}

/**
 * The two answers as columns, with a line for a coin toss at half of their height.
 *
 * @param {Pen} pen @param {PairScene} scene @param {Box} box @param {Spot} cls
 */
function drawColumns(pen, scene, box, cls) {
  const { data, colour } = scene;
  const { left, right, top, foot } = box;
  const d = `M${cls.x + 42} ${cls.y}H${left - 8}`;
  pen.path(d, { key: "edge", stroke: colour.activation, width: 2, "stroke-opacity": 0.4 });
  pen.beads(d, colour.activation, { key: "beads" });
  data.labels.forEach((_, n) => drawColumn(pen, scene, box, n));
  const half = top + (foot - top) / 2;
  pen.line(left, half, right, half, { key: "half", stroke: colour.ink, dash: "5 5" });
  pen.text(right, half - 7, "coin toss 0.5", { key: "half", size: 14, anchor: "end", halo: true });
  const look = /** @type {const} */ ({ key: "truth", size: 16, bold: true, anchor: "middle", room: right - left });
  if (data.truth) pen.text((left + right) / 2, top - 16, data.truth, look);
}

/** @param {Pen} pen @param {PairScene} scene @param {Box} box @param {number} n */
function drawColumn(pen, { data, values, hidden, colour }, { left, right, top, foot }, n) {
  const each = (right - left) / 2;
  const high = foot - top;
  const name = /** @type {const} */ (`p${n}`);
  const x = left + n * each + 17;
  const asked = hidden(name);
  const tall = asked ? 0 : Math.max(high * values(name), 2);
  const wide = each - 34;
  const fill = colour.activation;
  pen.rect(x, top, wide, high, { key: `track${n}`, r: 8, fill, "fill-opacity": 0.1 });
  if (!asked) pen.rect(x, foot - tall, wide, tall, { key: `bar${n}`, r: Math.min(8, tall / 2), fill });
  const marked = data.marked === name;
  const inside = tall > 50 && !marked;
  const y = inside ? foot - tall + 38 : Math.max(foot - tall - 12, top + 26);
  pen.markedText(x + wide / 2, y, asked ? "?" : shortNumber(values(name)), marked && !asked, {
    key: `number${n}`,
    size: 30,
    bold: true,
    anchor: "middle",
    fill: inside ? colour.background : colour.ink,
    halo: !inside && !marked,
  });
  const middle = /** @type {const} */ ({ anchor: "middle" });
  pen.text(x + wide / 2, foot + 26, data.labels[n], { key: `label${n}`, size: 20, bold: true, ...middle });
  const says = { key: `says${n}`, size: 14, fill: colour.quiet, room: each - 4, ...middle };
  pen.text(x + wide / 2, foot + 48, data.says[n], says);
}

/**
 * The two answers as horizontal bars.
 *
 * @param {Pen} pen @param {PairScene} scene @param {Box} box
 */
function drawRows(pen, scene, { left, right, top, foot }) {
  const { data, colour } = scene;
  const row = (foot - top - 20) / 2;
  const from = left + textWidth("NotNext", 16, true) + 12;
  data.labels.forEach((label, n) => {
    const y = top + n * row;
    pen.text(left, y + row / 2 + 5, label, { key: `label${n}`, size: 16, bold: true });
    drawRow(pen, scene, n, { left: from, right, top: y, foot: y + row });
  });
  const half = (from + right) / 2;
  pen.line(half, top, half, foot - 18, { key: "half", stroke: colour.ink, dash: "5 5" });
  const look = /** @type {const} */ ({ key: "half", size: 13, anchor: "middle", bold: Boolean(data.truth) });
  pen.text(half, foot - 3, data.truth || "coin toss 0.5", look);
}

/** @param {Pen} pen @param {PairScene} scene @param {number} n @param {Box} box */
function drawRow(pen, { data, values, hidden, colour }, n, { left, right, top, foot }) {
  const name = /** @type {const} */ (`p${n}`);
  const asked = hidden(name);
  const [wide, high] = [right - left, foot - top];
  const fill = colour.activation;
  pen.rect(left, top + 4, wide, high - 10, { key: `track${n}`, r: 6, fill, "fill-opacity": 0.1 });
  const filled = asked ? 0 : Math.max(wide * values(name), 2);
  if (!asked) pen.rect(left, top + 4, filled, high - 10, { key: `bar${n}`, r: 6, fill });
  const marked = data.marked === name;
  const inside = filled > 90 && !marked;
  const x = inside ? left + filled - 12 : Math.min(left + filled + 10, right - 60);
  pen.markedText(x, top + high / 2 + 6, asked ? "?" : shortNumber(values(name)), marked && !asked, {
    key: `number${n}`,
    size: 20,
    bold: true,
    anchor: inside ? "end" : "start",
    fill: inside ? colour.background : colour.ink,
  });
}

// Two texts that go through [CLS] into one verdict: does the second continue the first?

import { mainPicture } from "../../ui/browser/main_picture.js";
import { bent, textWidth } from "../../ui/browser/pen.js";
import { shortNumber } from "./bars.js";
import { layWords } from "./words.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["pair"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function pair(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) =>
    scene.narrow ? tall(pen, scene) : wide(pen, scene),
  );
}

const part = (pen, scene, name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function wide(pen, scene) {
  const { width, height } = scene;
  const right = width * 0.56;
  const high = (height - 16 - 16 - 24) / 2;
  part(pen, scene, "texts", (its) => {
    text(its, scene, 0, { left: 20, right, top: 16, foot: 16 + high });
    text(its, scene, 1, { left: 20, right, top: 16 + high + 24, foot: height - 16 });
  });
  const cls = { x: right + 86, y: height / 2 };
  part(pen, scene, "verdict", (its) => {
    meeting(
      its,
      scene,
      [
        [right, 16 + high / 2],
        [right, height - 16 - high / 2],
      ],
      cls,
    );
    columns(its, scene, { left: cls.x + 66, right: width - 28, top: 46, foot: height - 66 }, cls);
  });
}

function tall(pen, scene) {
  const { width, height } = scene;
  const high = (height * 0.6 - 8 - 10) / 2;
  part(pen, scene, "texts", (its) => {
    text(its, scene, 0, { left: 8, right: width - 8, top: 8, foot: 8 + high });
    text(its, scene, 1, { left: 8, right: width - 8, top: 18 + high, foot: 18 + 2 * high });
  });
  const top = 30 + 2 * high;
  part(pen, scene, "verdict", (its) => lying(its, scene, { left: 8, right: width - 8, top, foot: height - 8 }));
}

function text(pen, { data, colour }, n, { left, right, top, foot }) {
  const fill = n ? colour.value : colour.input;
  const words = n ? data.second : data.first;
  const small = foot - top < 150;
  pen.group({ key: `text${n}` }, (its) => {
    its.rect(left, top, right - left, foot - top, { r: 12, fill, "fill-opacity": 0.09, stroke: fill, line: 2 });
    its.text(left + 16, top + (small ? 20 : 28), data.titles[n], {
      key: "title",
      size: small ? 14 : 17,
      bold: true,
      fill,
    });
    const laid = layWords(words, new Set(), {
      left: left + 14,
      right: right - 10,
      top: top + (small ? 28 : 44),
      most: foot - top - (small ? 34 : 56),
      largest: small ? 18 : 30,
    });
    for (const { i, text: word, x, y, width } of laid.items) {
      its.text(x + width / 2, y, word, {
        key: `word${i}`,
        size: laid.size,
        bold: true,
        anchor: "middle",
        fill: word.startsWith("[") ? colour.quiet : colour.ink,
      });
    }
  });
}

// Both texts flow into the vector of [CLS].
function meeting(pen, { colour }, starts, { x, y }) {
  starts.forEach(([from, at], n) => {
    const d = bent(
      [
        [from, at],
        [x, at],
        [x, y + (n ? 30 : -30)],
      ],
      26,
    );
    pen.path(d, { key: `edge${n}`, stroke: colour.quiet, width: 2, "stroke-opacity": 0.5 });
    pen.beads(d, n ? colour.value : colour.input, { key: `beads${n}` });
  });
  pen.rect(x - 42, y - 28, 84, 56, { key: "cls", r: 12, fill: colour.background, stroke: colour.ink, line: 2 });
  pen.text(x, y + 7, "[CLS]", { key: "cls", size: 20, bold: true, anchor: "middle" });
}

function columns(pen, scene, { left, right, top, foot }, cls) {
  const { data, values, hidden, colour } = scene;
  const each = (right - left) / 2;
  const high = foot - top;
  pen.path(`M${cls.x + 42} ${cls.y}H${left - 8}`, {
    key: "edge",
    stroke: colour.activation,
    width: 2,
    "stroke-opacity": 0.4,
  });
  pen.beads(`M${cls.x + 42} ${cls.y}H${left - 8}`, colour.activation, { key: "beads" });
  data.labels.forEach((label, n) => {
    const [name, x] = [`p${n}`, left + n * each];
    const asked = hidden(name);
    const tall = asked ? 0 : Math.max(high * values(name), 2);
    const wide = each - 34;
    pen.rect(x + 17, top, wide, high, { key: `track${n}`, r: 8, fill: colour.activation, "fill-opacity": 0.1 });
    if (!asked)
      pen.rect(x + 17, foot - tall, wide, tall, { key: `bar${n}`, r: Math.min(8, tall / 2), fill: colour.activation });
    const number = asked ? "?" : shortNumber(values(name));
    const inside = tall > 50 && data.marked !== name;
    pen.markedText(
      x + 17 + wide / 2,
      inside ? foot - tall + 38 : Math.max(foot - tall - 12, top + 26),
      number,
      data.marked === name && !asked,
      {
        key: `number${n}`,
        size: 30,
        bold: true,
        anchor: "middle",
        fill: inside ? colour.background : colour.ink,
        halo: !inside && data.marked !== name,
      },
    );
    pen.text(x + 17 + wide / 2, foot + 26, label, { key: `label${n}`, size: 20, bold: true, anchor: "middle" });
    pen.text(x + 17 + wide / 2, foot + 48, data.says[n], {
      key: `says${n}`,
      size: 14,
      anchor: "middle",
      fill: colour.quiet,
      room: each - 4,
    });
  });
  const half = top + high / 2;
  pen.line(left, half, right, half, { key: "half", stroke: colour.ink, dash: "5 5" });
  pen.text(right, half - 7, "coin toss 0.5", { key: "half", size: 14, anchor: "end", halo: true });
  if (data.truth)
    pen.text((left + right) / 2, top - 16, data.truth, {
      key: "truth",
      size: 16,
      bold: true,
      anchor: "middle",
      room: right - left,
    });
}

function lying(pen, scene, { left, right, top, foot }) {
  const { data, values, hidden, colour } = scene;
  const row = (foot - top - 20) / 2;
  const from = left + textWidth("NotNext", 16, true) + 12;
  const wide = right - from;
  data.labels.forEach((label, n) => {
    const name = `p${n}`;
    const asked = hidden(name);
    const y = top + n * row;
    pen.text(left, y + row / 2 + 5, label, { key: `label${n}`, size: 16, bold: true });
    pen.rect(from, y + 4, wide, row - 10, { key: `track${n}`, r: 6, fill: colour.activation, "fill-opacity": 0.1 });
    const filled = asked ? 0 : Math.max(wide * values(name), 2);
    if (!asked) pen.rect(from, y + 4, filled, row - 10, { key: `bar${n}`, r: 6, fill: colour.activation });
    const inside = filled > 90 && data.marked !== name;
    pen.markedText(
      inside ? from + filled - 12 : Math.min(from + filled + 10, right - 60),
      y + row / 2 + 6,
      asked ? "?" : shortNumber(values(name)),
      data.marked === name && !asked,
      {
        key: `number${n}`,
        size: 20,
        bold: true,
        anchor: inside ? "end" : "start",
        fill: inside ? colour.background : colour.ink,
      },
    );
  });
  pen.line(from + wide / 2, top, from + wide / 2, foot - 18, { key: "half", stroke: colour.ink, dash: "5 5" });
  pen.text(from + wide / 2, foot - 3, data.truth || "coin toss 0.5", {
    key: "half",
    size: 13,
    anchor: "middle",
    bold: Boolean(data.truth),
  });
}

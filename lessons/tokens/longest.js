// Greedy longest match: every lookup of a word, a row each, from the longest piece down; below, the pieces that
// were found. Two buttons take the lookups one at a time.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { cutText, textWidth } from "../../ui/browser/pen.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["longest"]} Data */

const DIM = 0.18;
const ALL = 999;
const UNKNOWN = "[UNK]";
const ROW = { least: 18, most: 46 };

/** @param {Component<Data>} component */
export default function longest(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const at = places(scene);
    const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
    part("word", (its) => word(its, scene, at));
    part("lookups", (its) => lookups(its, scene, at));
    part("pieces", (its) => result(its, scene, at));
  });
}

function places({ width, height, narrow, data, values, hidden, memory }) {
  const [tries, pieces] = data.matches[Math.round(values("@say"))];
  const shape = `${data.word.join("")} ${data.at}`;
  if (memory.shape !== shape) Object.assign(memory, { shape, seen: data.at });
  const seen = hidden("tries") ? 0 : Math.min(memory.seen, tries.length);
  const [left, said] = narrow ? [34, 76] : [84, 150];
  const cell = Math.min((width - left - said - 12) / data.word.length, narrow ? 40 : 120);
  const top = narrow ? 46 : 74;
  const foot = height - (narrow ? 90 : 112);
  const row = Math.min(Math.max((foot - top) / Math.max(tries.length, 1), ROW.least), ROW.most);
  const fits = Math.max(1, Math.floor((foot - top) / row));
  const from = Math.max(0, seen - fits);
  return {
    width,
    height,
    narrow,
    tries,
    pieces,
    seen,
    left,
    cell,
    top,
    foot,
    row,
    from,
    right: left + cell * data.word.length + 14,
  };
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function word(pen, { data, colour }, at) {
  const size = at.narrow ? 17 : 26;
  data.word.forEach((letter, i) => {
    const x = at.left + i * at.cell;
    pen.rect(x + 2, at.top - (at.narrow ? 36 : 56), at.cell - 4, at.narrow ? 30 : 46, {
      r: 8,
      fill: colour.input,
      "fill-opacity": 0.13,
      stroke: colour.input,
    });
    pen.text(x + at.cell / 2, at.top - (at.narrow ? 14 : 24), letter, {
      size: Math.min(size, Math.max(13, at.cell * 0.8)),
      bold: true,
      anchor: "middle",
    });
  });
  if (at.cell > 26)
    pen.text(at.left - 12, at.top - (at.narrow ? 15 : 26), at.narrow ? "" : "the word", {
      size: 14,
      fill: colour.quiet,
      anchor: "end",
    });
}

function lookups(pen, scene, at) {
  const { data, colour } = scene;
  at.tries.forEach(([start, end, id], i) => {
    if (i < at.from || i >= Math.max(at.seen, at.from + 1)) return;
    const shown = i < at.seen;
    if (!shown) return;
    const y = at.top + (i - at.from) * at.row;
    const found = id >= 0;
    const last = i === at.seen - 1;
    const tall = at.row - Math.min(6, at.row * 0.2);
    const size = Math.min(20, Math.max(13, at.row * 0.55));
    const [x, wide] = [at.left + start * at.cell, (end - start) * at.cell];
    if (i === at.from && at.from)
      pen.text(at.left - 12, y + at.row * 0.7, `… ${i + 1}`, {
        key: `n${i}`,
        size: 13,
        fill: colour.quiet,
        anchor: "end",
      });
    else
      pen.text(at.left - 12, y + tall / 2 + 5, `${i + 1}`, {
        key: `n${i}`,
        size: at.narrow ? 13 : 15,
        fill: colour.quiet,
        anchor: "end",
      });
    pen.rect(x + 2, y, wide - 4, tall, {
      key: `bar${i}`,
      r: 6,
      fill: found ? colour.activation : "none",
      stroke: found ? colour.activation : colour.mask,
      line: last ? 2.6 : 1.4,
      dash: found ? null : "5 4",
    });
    data.word
      .slice(start, end)
      .forEach((letter, j) =>
        pen.text(x + (j + 0.5) * at.cell, y + tall / 2 + size * 0.35, letter, {
          key: `${i} ${j}`,
          size: Math.min(size, Math.max(13, at.cell * 0.8)),
          bold: found,
          anchor: "middle",
          fill: found ? colour.background : colour.mask,
        }),
      );
    pen.text(at.right, y + tall / 2 + 5, found ? `✓ id ${id}` : at.narrow ? "✕" : "✕ not in V", {
      key: `said${i}`,
      size: at.narrow ? 13 : 15,
      bold: found,
      fill: found ? colour.activation : colour.mask,
    });
  });
}

// The pieces found so far, below their letters; the number of lookups, and the two buttons.
function result(pen, scene, at) {
  const { data, colour, hidden, text } = scene;
  const [top, tall] = [at.height - (at.narrow ? 80 : 100), at.narrow ? 42 : 60];
  const whole = at.seen === at.tries.length && !hidden("tries");
  const found = at.tries.slice(0, at.seen).filter(([, , id]) => id >= 0);
  const lost = whole && at.pieces[0] === UNKNOWN;
  const pieces = lost ? [[0, data.word.length, -1]] : found;
  pen.text(at.left - 12, top + tall / 2 + 5, at.narrow ? "" : "pieces", {
    size: 14,
    fill: colour.quiet,
    anchor: "end",
  });
  for (const [start, end] of pieces) {
    const piece = lost ? UNKNOWN : (start ? "##" : "") + data.word.slice(start, end).join("");
    const [x, wide] = [at.left + start * at.cell, (end - start) * at.cell];
    let size = at.narrow ? 20 : 30;
    while (size > 13 && textWidth(piece, size, true) > wide - 10) size--;
    pen.rect(x + 2, top, wide - 4, tall, {
      key: `piece${start}`,
      r: 10,
      fill: lost ? colour.background : colour.activation,
      "fill-opacity": lost ? 1 : 0.16,
      stroke: lost ? colour.gradient : colour.activation,
      line: 2,
      dash: lost ? "6 4" : null,
    });
    pen.text(x + wide / 2, top + tall / 2 + size * 0.35, cutText(piece, wide - 6, size, true), {
      key: `piece${start}`,
      size,
      bold: true,
      anchor: "middle",
      fill: lost ? colour.gradient : colour.ink,
    });
  }
  const y = at.height - 14;
  const go = (to) => () => {
    scene.memory.seen = to;
    scene.again();
    scene.send(to >= at.tries.length ? ALL : to);
  };
  const said = hidden("tries")
    ? "? lookups"
    : whole
      ? `${text("tries")} ${at.tries.length === 1 ? "lookup" : "lookups"}`
      : `lookup ${at.seen} of ${at.tries.length}`;
  const middle = at.narrow ? at.width / 2 : at.left + 120;
  pen.markedText(middle, y, said, whole, { key: "count", size: 16, bold: true, anchor: "middle" });
  if (hidden("tries")) return;
  for (const [way, to, sign, name] of [
    [-1, at.seen - 1, "‹", "One lookup fewer"],
    [1, at.seen + 1, "›", "One lookup more"],
  ]) {
    const off = Number(to) < 0 || Number(to) > at.tries.length;
    pen.button(
      String(name),
      go(Number(to)),
      (its) => {
        its.circle(middle + Number(way) * 92, y - 5, 15, { fill: colour.background, stroke: colour.ink, line: 1.5 });
        its.text(middle + Number(way) * 92, y + 2, String(sign), { size: 21, bold: true, anchor: "middle" });
      },
      { key: String(name), disabled: off },
    );
  }
}

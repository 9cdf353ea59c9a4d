// A text as pairs: a row for each next word, with the words before it, those that are forgotten faint, and the counts.

import { mainPicture } from "../../drawing/main_picture.js";
import { DIM, textWidth } from "../../drawing/pen.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"textpairs">} PairsScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: PairsScene, at: Places, t: number) => void} DrawRow */

/** @param {Component<Scripts["textpairs"]>} component */
export default function textpairs(component) {
  return mainPicture(component, (pen, /** @type {PairsScene} */ scene) => {
    scene.chooseTexts(scene.values("@say"));
    const at = placesOf(scene);
    drawHeads(pen, scene, at);
    for (let t = 1; t < scene.data.tokens.length; t++) drawRow(pen, scene, at, t);
  });
}

/** @param {PairsScene} scene */
function placesOf({ data, width, height, narrow }) {
  const rows = data.tokens.length - 1;
  const [left, top, right] = narrow ? [8, 34, 8] : [24, 40, 24];
  const row = (height - top - 10) / rows;
  const counts = narrow ? 0 : 210;
  const cell = (width - left - right - counts) / data.tokens.length;
  const size = narrow ? 15 : Math.min(26, row * 0.46, cell / 5.2);
  return { left, top, row, cell, size, end: width - right };
}

/** What the columns are. @param {Pen} pen @param {PairsScene} scene @param {Places} at */
function drawHeads(pen, { colour, narrow }, { left, end }) {
  const look = { size: narrow ? 14 : 16 };
  pen.text(left, 20, narrow ? "words before → next word" : "the words before", {
    ...look,
    fill: colour.input,
    bold: true,
  });
  if (!narrow) pen.text(left + 170, 20, "→ the next word", { ...look, fill: colour.activation, bold: true });
  pen.text(end, 20, narrow ? "counted" : "counted with the next word / in all", {
    ...look,
    fill: colour.quiet,
    anchor: "end",
  });
}

/** @type {DrawRow} */
function drawRow(pen, scene, at, t) {
  const { colour, data, values, send, narrow } = scene;
  const chosen = values("row") === t;
  const y = at.top + (t - 1) * at.row;
  pen.button(
    `${data.tokens[t]}, the next word of row ${t}`,
    () => send({ row: t }),
    (its) => {
      const frame = { fill: "transparent", stroke: chosen ? colour.ink : null, line: 2 };
      its.rect(at.left - 6, y + 2, at.end - at.left + 12, at.row - 4, { key: "row", r: 8, ...frame });
      (narrow ? drawShort : drawCells)(its, scene, at, t);
    },
    { key: `row ${t}`, chosen },
  );
}

/**
 * Each word in the column of its place in the text, and the counts at the end.
 *
 * @type {DrawRow}
 */
function drawCells(pen, scene, at, t) {
  const { colour, data, values } = scene;
  const middle = at.top + (t - 0.5) * at.row;
  const from = Math.max(t - values("order") + 1, 0);
  const high = Math.min(at.row - 14, at.size * 1.9);
  for (let i = 0; i <= t; i++) {
    const kept = i >= from;
    const fill = i === t ? colour.activation : colour.input;
    const x = at.left + i * at.cell;
    pen.group({ key: `word ${i}`, opacity: kept || i === t ? null : DIM }, (its) => {
      const box = { r: 6, fill: i === t ? fill : "none", stroke: fill, line: 2 };
      its.rect(x + 4, middle - high / 2, at.cell - 8, high, { key: "box", ...box });
      const ink = i === t ? colour.background : colour.ink;
      const look = { size: at.size, bold: i === t, anchor: /** @type {const} */ ("middle"), fill: ink };
      its.text(x + at.cell / 2, middle + at.size * 0.34, data.tokens[i], { key: "text", room: at.cell - 14, ...look });
    });
  }
  drawCounts(pen, scene, at, t, at.end, middle + at.size * 0.34);
}

/**
 * On a phone, the kept words in a line, and the counts below.
 *
 * @type {DrawRow}
 */
function drawShort(pen, scene, at, t) {
  const { colour, data, values } = scene;
  const from = Math.max(t - values("order") + 1, 0);
  const middle = at.top + (t - 0.5) * at.row;
  const kept = `${from > 0 ? "… " : ""}${data.tokens.slice(from, t).join(" ")}`;
  const target = data.tokens[t];
  const room = at.end - at.left - textWidth(` → ${target}`, at.size, true) - 96;
  const foot = middle + 5;
  const cut = endOf(kept, room, at.size);
  pen.text(at.left, foot, cut, { key: "kept", size: at.size, fill: colour.input });
  const x = at.left + textWidth(`${cut} `, at.size, true);
  pen.text(x, foot, `→ ${target}`, { key: "target", size: at.size, bold: true, fill: colour.activation });
  drawCounts(pen, scene, at, t, at.end, foot);
}

/** The end of a text that fits into some room. @param {string} text @param {number} room @param {number} size */
function endOf(text, room, size) {
  const words = text.split(" ");
  while (words.length > 1 && textWidth(`… ${words.join(" ")}`, size, true) > room)
    words.splice(0, words[0] === "…" ? 2 : 1);
  return words.join(" ") === text ? text : `… ${words.join(" ")}`;
}

/**
 * How often the context was counted with the word behind it, and in all; marked in the chosen row.
 *
 * @param {Pen} pen @param {PairsScene} scene @param {Places} at @param {number} t @param {number} end @param {number} foot
 */
function drawCounts(pen, { colour, text, values }, at, t, end, foot) {
  const chosen = values("row") === t;
  const one = values("order") === 1;
  const size = Math.max(14, Math.min(at.size, 22));
  const [all, both] = [text(`c${t}`), text(`f${t}`)];
  const anchor = /** @type {const} */ ("end");
  pen.markedText(end - 4, foot, all, chosen && !one, { key: "all", size, anchor, bold: chosen });
  const x = end - textWidth(all, size, chosen) - 14;
  pen.text(x, foot, "/", { key: "of", size, anchor, fill: colour.quiet });
  pen.markedText(x - 12, foot, both, chosen && one, { key: "both", size, anchor, bold: chosen });
}

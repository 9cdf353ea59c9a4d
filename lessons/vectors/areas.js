// One training example of the network of 2003, and one of skip-gram of 2013: every product is a square of one size, so
// the areas are the costs. The right edge of U can be dragged: a larger vocabulary.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { areaPlaces } from "./areas_places.js";
import { drawSkipGram } from "./areas_pair.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { AreasScene, Box, Places } from "./areas_places.js" */
/** @typedef {(pen: Pen, scene: AreasScene, at: Places) => void} Draw */

/** @param {Component<Scripts["areas"]>} component */
export default function areas(component) {
  return mainPicture(component, (pen, /** @type {AreasScene} */ scene) => {
    const at = areaPlaces(scene);
    pen.part(scene, "2003", (its) => {
      drawTitle(its, scene);
      drawInputs(its, scene, at);
      drawHidden(its, scene, at);
      drawScores(its, scene, at);
      drawTicks(its, scene, at);
      drawTotal(its, scene, "nnlm", at.foot + (scene.narrow ? 54 : 66));
    });
    pen.part(scene, "2013", (its) => {
      const { y, high } = at.v;
      drawSkipGram(its, scene, at);
      drawTotal(its, scene, "skip", scene.narrow ? y + high + 50 : y + high / 2 + 16);
    });
  });
}

/**
 * A whole number with commas, or "?" if it is asked for.
 *
 * @param {AreasScene} scene @param {NameOf<"areas">} name
 */
export const whole = ({ final, hidden }, name) =>
  hidden(name) ? "?" : Math.round(final(name)).toLocaleString("en-US");

/** @param {Pen} pen @param {AreasScene} scene */
function drawTitle(pen, { narrow }) {
  const size = narrow ? 16 : 24;
  const x = narrow ? 8 : 14;
  pen.text(x, narrow ? 20 : 26, "2003", { size, bold: true });
  pen.text(x + textWidth("2003 ", size, true), narrow ? 20 : 26, "NNLM: score every word", { size });
}

/**
 * The words before, each with its numbers under the columns of W that read them.
 *
 * @type {Draw}
 */
function drawInputs(pen, { data, colour, narrow, width }, { w, foot }) {
  const { before, word } = data;
  if (narrow) {
    pen.text(w.x, foot + 20, `${before.join(" ")} → ${word}`, { size: 14, fill: colour.input, room: width - 16 });
    return;
  }
  const wide = w.wide / before.length;
  before.forEach((each, n) => {
    const middle = w.x + (n + 0.5) * wide;
    pen.line(middle, foot + 24, middle, foot + 10, { stroke: colour.input, width: 2.5 });
    pen.head(middle, foot + 6, -90, colour.input, 9);
    const box = { fill: colour.input, "fill-opacity": 0.12, stroke: colour.input, line: 2, r: 6 };
    pen.rect(w.x + n * wide + 2, foot + 26, wide - 4, 30, box);
    const size = 17;
    pen.text(middle, foot + 47, each, { size, fill: colour.input, anchor: "middle", room: wide - 8 });
  });
  const said = `before “${word}”, ${data.dimensions} numbers each`;
  pen.text(w.x + w.wide + 14, foot + 48, said, { size: 17, fill: colour.quiet });
}

/**
 * An area with its sides and its products, where they have room.
 *
 * @param {Pen} pen @param {Box} box @param {string} sides @param {string} products @param {number} most the type
 */
function drawArea(pen, { x, y, wide, high }, sides, products, most) {
  pen.rect(x, y, wide, high, { fill: pen.colour.weight, r: 0 });
  const size = Math.min(
    most,
    high * 0.3,
    (wide - 8) / Math.max(textWidth(sides, 1, true), textWidth(products, 1, true)),
  );
  if (size < 13) return;
  const look = /** @type {const} */ ({ size, bold: true, fill: pen.colour.background, anchor: "middle" });
  pen.text(x + wide / 2, y + high / 2 - size * 0.2, sides, { ...look, bold: false });
  pen.text(x + wide / 2, y + high / 2 + size, products, look);
}

/** @type {Draw} */
function drawHidden(pen, scene, { w, between, foot }) {
  const { data, colour, narrow } = scene;
  drawArea(pen, w, `${data.units} × ${data.before.length * data.dimensions}`, whole(scene, "hidden"), 26);
  const wide = narrow ? 6 : 16;
  pen.rect(w.x + w.wide + (between - wide) / 2, w.y, wide, w.high, { fill: colour.score, r: 3 });
  if (narrow) return;
  const look = /** @type {const} */ ({ size: 17, bold: true, fill: colour.score });
  pen.text(w.x + w.wide + 14, foot + 24, `tanh: H = ${data.units}`, look);
}

/**
 * U: a row of H products for every word; where it does not fit, it goes on beyond the screen.
 *
 * @type {Draw}
 */
function drawScores(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { u, cut, screens } = at;
  const sides = `${whole(scene, "types")} × ${data.units}`;
  const named = cut && !narrow ? { ...u, wide: Math.min(u.wide, 300) } : u;
  if (cut && !narrow) pen.rect(u.x, u.y, u.wide, u.high, { fill: colour.weight, r: 0 });
  drawArea(pen, named, sides, whole(scene, "scores"), 38);
  if (cut) return drawBeyond(pen, scene, at, Math.max(Math.round(screens), 2));
  drawEdge(pen, scene, at);
}

/**
 * That U goes on, and how far.
 *
 * @param {Pen} pen @param {AreasScene} scene @param {Places} at @param {number} screens
 */
function drawBeyond(pen, { colour, narrow, width }, { u }, screens) {
  const fill = colour.background;
  const y = narrow ? u.y + u.high + 20 : u.y + u.high / 2 + 8;
  const size = narrow ? 14 : 24;
  const end = narrow ? width - 26 : width - 74;
  const said = narrow ? `${screens} screens wide` : `and on, for ${screens} screens`;
  const ink = narrow ? colour.weight : fill;
  pen.text(end, y, said, { key: "beyond", size, bold: true, fill: ink, anchor: "end" });
  pen.line(end + 8, y - size * 0.33, width - 12, y - size * 0.33, { key: "on", stroke: ink, width: narrow ? 2 : 5 });
  pen.head(width - 4, y - size * 0.33, 0, ink, narrow ? 9 : 16);
}

/**
 * The right edge of U, which can be dragged.
 *
 * @type {Draw}
 */
function drawEdge(pen, { colour, narrow }, { u, unit }) {
  const x = u.x + u.wide;
  const handle = { "data-n": "types", "data-per": unit, "data-way": "x", style: "cursor: ew-resize" };
  pen.group({ key: "edge", ...handle }, (its) => {
    its.rect(x - 14, u.y, 24, u.high, { fill: "transparent" });
    const [y, high] = [u.y + u.high / 2, Math.min(u.high, 44)];
    its.rect(x - 5, y - high / 2, narrow ? 6 : 9, high, {
      fill: colour.background,
      stroke: colour.weight,
      line: 2,
      r: 4,
    });
  });
}

/**
 * A tick over U for every word that gets a score.
 *
 * @type {Draw}
 */
function drawTicks(pen, scene, { u, unit, cut }) {
  const { colour, narrow, width } = scene;
  const y = u.y - (narrow ? 8 : 13);
  const dash = `${unit * 0.62} ${unit * 0.38}`;
  pen.line(u.x, y, u.x + u.wide, y, { key: "ticks", stroke: colour.activation, width: narrow ? 8 : 14, dash });
  const size = narrow ? 14 : 19;
  const said = `${whole(scene, "types")} words are scored`;
  const x = narrow ? width - 8 : Math.max(u.x, u.x + (cut ? 0 : u.wide) - textWidth(said, size, true));
  const look = { key: "scored", size, bold: true, fill: colour.activation };
  pen.text(x, y - (narrow ? 10 : 15), said, { ...look, anchor: narrow ? "end" : "start" });
}

/**
 * All products of an example, large.
 *
 * @param {Pen} pen @param {AreasScene} scene @param {"nnlm" | "skip"} name @param {number} y
 */
function drawTotal(pen, scene, name, y) {
  const { colour, narrow, width, moved } = scene;
  const after = narrow ? " products" : " products an example";
  const [large, small] = narrow ? [30, 15] : [50, 20];
  const wide = textWidth(after, small);
  pen.text(width - 14, y, after, { key: `unit ${name}`, size: small, fill: colour.quiet, anchor: "end" });
  const look = /** @type {const} */ ({ key: `total ${name}`, size: large, bold: true, anchor: "end" });
  pen.markedText(width - 20 - wide, y, whole(scene, name), name === "skip" && !moved, look);
}

// A gap that reads to both sides: arcs from the words into it, a veil over the words after it that can be pulled, and
// below what fills the gap if the text ends there, and with the words that are read.

import { formatNumber } from "../../drawing/numbers.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { drawPairs, shortNumber } from "./bars.js";
import { drawArcs, drawCells, drawVeil } from "./sides_words.js";
import { barBoxes, placesOf } from "./sides_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Box, Places, SidesScene } from "./sides_places.js" */

const FLOOR = { wide: 96, tall: 18 };

/** @param {Component<Scripts["sides"]>} component */
export default function sides(component) {
  return mainPicture(component, (pen, /** @type {SidesScene} */ scene) => {
    const at = placesOf(scene);
    if (at.towers) pen.part(scene, "towers", (its) => drawTowers(its, scene, at));
    pen.part(scene, "arcs", (its) => drawArcs(its, scene, at));
    pen.part(scene, "words", (its) => drawCells(its, scene, at));
    const [left, right] = barBoxes(at);
    pen.part(scene, "bars", (its) => {
      its.group({ key: "left" }, (bars) => drawLeft(bars, scene, left));
      its.group({ key: "right" }, (bars) => drawRight(bars, scene, right));
    });
    pen.part(scene, "veil", (its) => drawVeil(its, scene, at));
  });
}

/**
 * The encoder, a floor for each of its blocks, and beside it the decoder that is left out.
 *
 * @param {Pen} pen @param {SidesScene} scene @param {Places} at
 */
function drawTowers(pen, { data, colour }, { edge, left, height }) {
  const floors = Math.min(data.blocks, 14);
  const foot = height - 66;
  const step = Math.min((foot - 76) / floors, 34);
  for (const [n, kept] of [true, false].entries()) {
    const x = edge + n * 136;
    const [name, said, does] = kept
      ? ["encoder", `${data.blocks} blocks`, ["reads whole", "texts, fills gaps"]]
      : ["decoder", "left out", ["writes word", "after word"]];
    const fill = kept ? colour.input : colour.quiet;
    const look = /** @type {const} */ ({ anchor: "middle", fill });
    pen.text(x + FLOOR.wide / 2, foot - floors * step - 32, name, { size: 20, bold: true, ...look });
    pen.text(x + FLOOR.wide / 2, foot - floors * step - 11, said, { size: 16, ...look });
    for (let floor = 0; floor < floors; floor++) {
      const line = kept ? { fill, "fill-opacity": 0.16, stroke: fill } : { stroke: colour.line };
      pen.rect(x, foot - (floor + 1) * step, FLOOR.wide, step - 5, { key: `${name}${floor}`, ...line });
    }
    does.forEach((line, i) => pen.text(x + FLOOR.wide / 2, foot + 24 + 20 * i, line, { size: 16, ...look }));
    if (!kept) pen.line(x - 6, foot + 4, x + FLOOR.wide + 6, foot - floors * step - 8, { stroke: fill, width: 2.5 });
  }
  pen.line(left - 28, 12, left - 28, height - 8, { key: "side", stroke: colour.line });
}

/** @param {Pen} pen @param {SidesScene} scene @param {Box} box */
function drawLeft(pen, scene, box) {
  const { data, narrow } = scene;
  pen.text(box.left, box.top - 12, "The text ends at the gap", { size: narrow ? 15 : 18, bold: true });
  drawPairs(pen, scene, data.left, { ...box, top: box.top - 2 }, { marked: "", asked: false, written });
}

/** @param {Pen} pen @param {SidesScene} scene @param {Box} box */
function drawRight(pen, scene, box) {
  const { data, narrow, values, colour } = scene;
  const own = data.right.find((each) => each.own);
  if (data.asked) {
    const middle = (box.left + box.right) / 2;
    pen.text(box.left, box.top - 12, "And once the words after it are read?", { size: narrow ? 15 : 18, bold: true });
    pen.text(middle, (box.top + box.foot) / 2 + 12, `q(${data.own}) = ?`, {
      key: "asked",
      size: narrow ? 24 : 44,
      bold: true,
      anchor: "middle",
      fill: colour.activation,
      room: box.right - box.left,
    });
    return;
  }
  const title = data.titles[Math.round(values("fill_right"))];
  pen.text(box.left, box.top - 12, title, { size: narrow ? 15 : 18, bold: true, room: box.right - box.left });
  const look = { marked: own?.q ?? "", asked: false, written };
  drawPairs(pen, scene, data.right, { ...box, top: box.top - 2 }, look);
}

/**
 * A probability in two digits, also a small one.
 *
 * @param {number} p
 */
const written = (p) => (p > 1e-6 && p < 0.001 ? formatNumber(Number(p.toPrecision(2))) : shortNumber(p));

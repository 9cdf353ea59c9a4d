// The masked loss of one text: all tokens go into the encoder, a vector of each comes out, and only the chosen ones go
// on to a prediction and a cost; L is their mean.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawAnswers, drawCosts } from "./masked_loss_answers.js";
import { drawList } from "./masked_loss_list.js";
import { columnsOf, middleOf, sizeOf } from "./masked_loss_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Columns, LossScene } from "./masked_loss_places.js" */

/** @param {Component<Scripts["masked_loss"]>} component */
export default function masked_loss(component) {
  return mainPicture(component, (pen, /** @type {LossScene} */ scene) => {
    const at = columnsOf(scene);
    if (!at.fits) return drawList(pen, scene);
    pen.part(scene, "input", (its) => drawTokens(its, scene, at));
    pen.part(scene, "encoder", (its) => drawEncoder(its, scene, at));
    pen.part(scene, "vectors", (its) => drawVectors(its, scene, at));
    pen.part(scene, "answers", (its) => drawAnswers(its, scene, at));
    pen.part(scene, "costs", (its) => drawCosts(its, scene, at));
  });
}

/**
 * The tokens that go in; a press chooses one, or leaves it alone again.
 *
 * @param {Pen} pen @param {LossScene} scene @param {Columns} at
 */
function drawTokens(pen, { data, colour, send }, at) {
  const { top, tall } = at.tokens;
  const size = sizeOf(at, data.words);
  pen.text(at.left - 12, top + 26, "in", { size: 18, bold: true, anchor: "end", fill: colour.input });
  for (const i of at.words) {
    const word = data.words[i];
    const swapped = data.swapped.includes(i);
    const covered = word === "[MASK]";
    const x = middleOf(at, i);
    const wide = at.cell - 12;
    const fill = covered ? colour.mask : colour.background;
    const stroke = covered ? colour.mask : swapped ? colour.gradient : colour.line;
    const ink = covered ? colour.background : swapped ? colour.gradient : colour.ink;
    /** @param {Pen} its */
    const draw = (its) => {
      its.rect(x - wide / 2, top, wide, tall, { key: "ground", r: 7, fill, stroke, line: swapped ? 3 : 1.8 });
      const look = /** @type {const} */ ({ size, bold: true, anchor: "middle" });
      its.text(x, top + 27, word, { key: "word", fill: ink, room: wide - 8, ...look });
    };
    const chosen = data.judged.some(({ place }) => place === i);
    const name = `${word}, word ${i}${chosen ? ", chosen" : ""}`;
    if (data.pressable.includes(i)) pen.button(name, () => send(`${i}`), draw, { key: `word${i}`, chosen });
    else pen.group({ key: `word${i}` }, draw);
  }
}

/** @param {Pen} pen @param {LossScene} scene @param {Columns} at */
function drawEncoder(pen, { data, colour }, at) {
  const { top, tall } = at.slab;
  const [left, right] = [at.left, at.left + at.words.length * at.cell];
  pen.rect(left, top, right - left, tall, { r: 8, fill: colour.input, "fill-opacity": 0.08, stroke: colour.input });
  pen.text((left + right) / 2, top + 30, `${data.model}: every token reads all ${at.words.length}, before and after`, {
    size: 18,
    bold: true,
    fill: colour.input,
    anchor: "middle",
    room: right - left - 24,
  });
  for (const i of at.words) {
    const x = middleOf(at, i);
    pen.line(x, at.tokens.top - 2, x, top + tall + 8, { key: `in${i}`, stroke: colour.input, width: 2 });
    pen.group({ key: `head${i}` }, (its) => its.head(x, top + tall + 3, -90, colour.input, 9));
  }
}

/**
 * Some numbers of each token's vector; those of tokens that are not judged are pale, and end here.
 *
 * @param {Pen} pen @param {LossScene} scene @param {Columns} at
 */
function drawVectors(pen, { data, colour }, at) {
  const { top, tall } = at.strip;
  pen.text(at.left - 12, top + 16, "z", { size: 18, bold: true, anchor: "end", fill: colour.activation });
  const wide = (at.cell - 24) / data.cells;
  for (const i of at.words) {
    const judged = data.judged.some(({ place }) => place === i);
    pen.group({ key: `z${i}`, opacity: judged ? null : 0.35 }, (its) => {
      const left = middleOf(at, i) - (at.cell - 24) / 2;
      for (let j = 0; j < data.cells; j++) {
        const share = (data.vectors[i * data.cells + j] / data.reach + 1) / 2;
        const place = Math.round(Math.min(Math.max(share, 0), 1) * (data.fills.length - 1));
        const look = { r: 0, fill: data.fills[place], "shape-rendering": "crispEdges" };
        its.rect(left + j * wide, top, wide + 0.4, tall, look);
      }
      its.rect(left, top, at.cell - 24, tall, { key: "edge", r: 2, stroke: colour.line });
    });
    if (judged) continue;
    const look = /** @type {const} */ ({ key: `none${i}`, size: 15, fill: colour.quiet, anchor: "middle" });
    pen.text(middleOf(at, i), top - 7, "no term", look);
  }
}

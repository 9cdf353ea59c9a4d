// The mask and the weights under it, side by side, and below them what flows into the chosen word. A painted cell
// changes at once; its weights follow when the server has computed them.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawFlow } from "./mask_flow.js";
import { drawGrid } from "./mask_grid.js";
import { gridPlaces, narrowGrid } from "./mask_places.js";
import { drawSoftmaxes, drawSums, frameRow } from "./mask_rows.js";
import { choose, queryOf } from "./mask_scene.js";
import { settleHand } from "./painting.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./mask_places.js" */
/** @import { MaskScene } from "./mask_scene.js" */

/** @param {Component<Scripts["masking"]>} component */
export default function masking(component) {
  return mainPicture(component, drawMasking);
}

/** @param {Pen} pen @param {MaskScene} scene */
function drawMasking(pen, scene) {
  const { data, memory, narrow, width, height } = scene;
  settleHand(memory, data);
  const asked = `${data.at} ${data.queries.join(" ")}`;
  if (memory.asked !== asked) Object.assign(memory, { asked, query: data.at });
  scene.chooseTexts(4 * queryOf(scene) + variant(scene), scene.moved !== null);
  drawHatching(pen);
  const at = narrow ? narrowGrid(width, height, data) : gridPlaces(width, height, data);
  const [first, second] = data.panels;
  pen.part(scene, "rows", (its) => drawQueries(its, scene, at));
  if (narrow) pen.part(scene, "weights", (its) => drawGrid(its, scene, at, { ...second, paints: first.paints }, 0));
  else {
    pen.part(scene, "scores", (its) => drawGrid(its, scene, at, first, 0));
    pen.part(scene, "weights", (its) => drawGrid(its, scene, at, second, 1));
  }
  if (!narrow && !data.compares) pen.part(scene, "weights", (its) => drawSoftmaxes(its, scene, at), { key: "softmax" });
  pen.part(scene, "sums", (its) => drawSums(its, scene, at));
  frameRow(pen, scene, at);
  pen.part(scene, "flow", (its) => drawFlow(its, scene, at));
}

/**
 * The index of the sentence about the chosen row: it is blind, sees a watched key, is cut, or sees everything.
 *
 * @param {MaskScene} scene
 */
function variant(scene) {
  const { data, values } = scene;
  const query = queryOf(scene);
  const n = query + 1;
  if (values(`sees${n}`) < 0.5) return 0;
  if (data.watched[query].some((watched, j) => watched && values(`m${n}.${j + 1}`) > 0.5)) return 1;
  return values(`cut${n}`) > 0.5 ? 2 : 3;
}

/**
 * The hatching of what is cut.
 *
 * @param {Pen} pen
 */
function drawHatching(pen) {
  const fill = pen.colour.mask;
  const pattern = { id: "cut", patternUnits: "userSpaceOnUse", width: 7, height: 7, patternTransform: "rotate(45)" };
  pen.group({ tag: "defs", key: "defs" }, (defs) =>
    defs.group({ tag: "pattern", ...pattern }, (tile) => {
      tile.rect(0, 0, 7, 7, { r: 0, fill, "fill-opacity": 0.13 });
      tile.rect(0, 0, 2, 7, { r: 0, fill, "fill-opacity": 0.38 });
    }),
  );
}

/**
 * The words of the queries, one before each row; a press selects a word.
 *
 * @param {Pen} pen @param {MaskScene} scene @param {Places} at
 */
function drawQueries(pen, scene, at) {
  const { data, colour } = scene;
  const { left, right } = at.labels;
  data.queries.forEach((word, i) => {
    const y = at.top + at.row * (i + 0.5);
    const chosen = i === queryOf(scene);
    const look = { r: 6, fill: chosen ? colour.query : colour.background, "fill-opacity": chosen ? 0.14 : 1 };
    pen.button(
      `Query ${i + 1}: ${word}`,
      () => choose(scene, i),
      (button) => {
        button.rect(left, y - at.row / 2 + 1, right - left, at.row - 2, look);
        button.text(right - 6, y + 5, word, {
          size: at.size,
          bold: chosen,
          fill: colour.query,
          anchor: "end",
          room: right - left - 10,
        });
      },
      { key: `query${i}`, chosen },
    );
  });
}

// A Transformer with 244 weights on one screen: every weight and every number of a text, at every recorded step of its
// training. Pointing at a number shows its operands; pressing a weight assigns the slider to it.

import { mainPicture } from "../../drawing/main_picture.js";
import { arrows } from "./tiny_arrows.js";
import { drawBars } from "./tiny_bars.js";
import { drawList, drawSentences, drawTabs } from "./tiny_choices.js";
import { drawCurve } from "./tiny_curve.js";
import { drawFoot } from "./tiny_foot.js";
import { drawCover } from "./tiny_hand.js";
import { drawMarks, drawNames, drawPanel, paintCells } from "./tiny_matrices.js";
import { places } from "./tiny_places.js";
import { momentOf } from "./tiny_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Draw, TinyScene } from "./tiny_scene.js" */

/** @param {Component<Scripts["tiny"]>} component */
export default function tiny(component) {
  return mainPicture(component, drawTiny);
}

/** @param {Pen} pen @param {TinyScene} scene */
function drawTiny(pen, scene) {
  const { width, height, data, memory } = scene;
  const now = momentOf(scene);
  const at = places(width, height, data.grids, memory.page ?? 0);
  drawMatrices(pen, scene, at, now);
  if (at.whole) drawSentences(pen, scene);
  else drawTabs(pen, scene);
  const { list, curve, bars } = at;
  if (list) drawList(pen, scene, list);
  if (curve) pen.part(scene, "curve", (its) => drawCurve(its, scene, curve));
  if (bars) pen.part(scene, "bars", (its) => drawBars(its, scene, bars, now));
  if (at.foot.lines) pen.part(scene, "foot", (its) => drawFoot(its, scene, at, now));
}

/** @type {Draw} */
function drawMatrices(pen, scene, at, now) {
  for (const panel of at.panels) pen.part(scene, panel.key, (its) => drawPanel(its, panel));
  paintCells(pen, scene, at, now);
  for (const panel of at.panels)
    pen.part(scene, panel.key, (its) => drawNames(its, scene, at, panel), { key: `${panel.key} names` });
  pen.group({ key: "arrows" }, (its) => arrows(its, at));
  pen.group({ key: "marks", "pointer-events": "none" }, (its) => drawMarks(its, scene, at, now));
  if (at.panels.length) drawCover(pen, scene, at, now);
}

// A whole Transformer over one text, as one zoomable picture: from the words on the left to the next word on the right,
// one row per token. A press on a part zooms to it, down to a single number with its operands.

import { mainPicture } from "../../drawing/main_picture.js";
import { cardOf, drawCard, openCell } from "./operand_card.js";
import { drawBypasses, drawMemory } from "./transformer_arrows.js";
import { drawFoot } from "./transformer_foot.js";
import { drawSurface } from "./transformer_hand.js";
import { drawKeys, drawNames } from "./transformer_names.js";
import { cellsOf, partsOnScreen } from "./transformer_places.js";
import { paintModel } from "./transformer_tiles.js";
import { drawTokens } from "./transformer_tokens.js";
import { viewOf } from "./transformer_view.js";
import { drawWords } from "./transformer_words.js";

/** @import { Pen, ShapeLook } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Cell } from "./transformer_camera.js" */
/** @import { Part } from "./transformer_tree.js" */
/** @import { Draw, TransformerScene, View } from "./transformer_view.js" */

const DIM = 0.25; // opacity of the parts that the current beat is not about

/** @param {Component<Scripts["transformer"]>} component */
export default function transformer(component) {
  return mainPicture(component, drawTransformer);
}

/** @param {Pen} pen @param {TransformerScene} scene */
function drawTransformer(pen, scene) {
  const view = viewOf(scene);
  const drawing = { ...view, parts: partsOnScreen(view), card: cardOf(view) };
  scene.chooseTexts(view.place, false);
  /** @type {(name: string, draw: Draw) => void} */
  const drawPart = (name, draw) =>
    void pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, (its) => draw(its, drawing));
  drawPart("model", paintModel);
  drawSurface(pen, drawing);
  pen.group({ key: "names" }, (its) => {
    drawMemory(its, drawing);
    drawNames(its, drawing);
    drawBypasses(its, drawing);
    drawKeys(its, drawing);
  });
  drawPart("tokens", drawTokens);
  drawPart("words", drawWords);
  drawRings(pen, drawing);
  pen.group({ key: "foot" }, (its) => drawFoot(its, drawing));
  if (drawing.card) drawCard(pen, drawing, drawing.card);
}

/**
 * Rings around the open number and around the cell that is pointed at.
 *
 * @type {Draw}
 */
function drawRings(pen, drawing) {
  const { look, scene } = drawing;
  const { mark, ink } = scene.colour;
  const open = openCell(drawing);
  if (open) drawRing(pen, drawing, open.tile, open.cell, { key: "open", stroke: mark, line: 4 });
  const { over, moving } = look;
  if (over?.cell && !moving) drawRing(pen, drawing, over.part, over.cell, { key: "over", stroke: ink, line: 1.5 });
}

/** @param {Pen} pen @param {View} view @param {Part} tile @param {Cell} cell @param {ShapeLook} how */
function drawRing(pen, view, tile, cell, how) {
  const { plot } = view;
  const cells = cellsOf(view, tile);
  if (!cells || cells.wide < 3) return;
  const { left, top, width, height } = cells.place(cell);
  const beside = left + width < plot.left || left > plot.left + plot.width;
  if (beside || top + height < plot.top - 4 || top > plot.top + plot.height) return;
  pen.rect(left, top, width, Math.max(height, 2), { r: 0, "pointer-events": "none", ...how });
}

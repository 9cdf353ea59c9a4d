// Gradient descent: on the left what a pair of parameters stands for, on the right the loss over all pairs with
// the runs on it, below L by η and L by the step. Points, start, η and step can be dragged.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawData } from "./data_panel.js";
import { modelOf } from "./model.js";
import { places } from "./descent_places.js";
import { drawRateStrip } from "./rate_strip.js";
import { drawStepStrip } from "./step_strip.js";
import { drawSurface } from "./surface_panel.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { DescentScene } from "./model.js" */

/** @param {Component<Scripts["descent"]>} component */
export default function descent(component) {
  return mainPicture(component, drawDescent);
}

/** @param {Pen} pen @param {DescentScene} scene */
function drawDescent(pen, scene) {
  const model = modelOf(scene);
  const at = places(scene);
  scene.chooseTexts(scene.values("@say"), scene.moved === "step");
  pen.part(scene, "data", (its) => drawData(its, scene, model, at));
  pen.part(scene, "surface", (its) => drawSurface(its, scene, model, at));
  pen.part(scene, "rate", (its) => drawRateStrip(its, scene, model, at));
  pen.part(scene, "steps", (its) => drawStepStrip(its, scene, model, at));
}

// Words as points on a plane that stays fixed while their vectors are trained. On the left, a window slides over the
// text, with the nearest words below it; a slider changes the step.

import { mainPicture } from "../../drawing/main_picture.js";
import { places } from "./layout.js";
import { drawNearest } from "./nearest_words.js";
import { drawWindow } from "./sliding_window.js";
import { drawSteps } from "./training_strip.js";
import { remember } from "./vectors_scene.js";
import { drawMap } from "./word_map.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { VectorsScene } from "./vectors_scene.js" */

/** @param {Component<Scripts["vectors"]>} component */
export default function vectors(component) {
  return mainPicture(component, drawVectors);
}

/** @param {Pen} pen @param {VectorsScene} scene */
function drawVectors(pen, scene) {
  remember(scene);
  const at = places(scene);
  scene.chooseTexts(scene.values("@say"), false);
  pen.part(scene, "map", (its) => drawMap(its, scene, at));
  pen.part(scene, "window", (its) => drawWindow(its, scene, at));
  pen.part(scene, "nearest", (its) => drawNearest(its, scene, at));
  pen.part(scene, "steps", (its) => drawSteps(its, scene, at));
}

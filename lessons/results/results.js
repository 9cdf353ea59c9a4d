// Published results on two axes, as bars, or task by task. The chosen one has a ring that the slider moves; an arrow
// leads to it from the reference, with which it is compared.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawBars } from "./result_bars.js";
import { momentOf } from "./results_scene.js";
import { drawScatter } from "./scatter.js";
import { drawTasks } from "./task_rows.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { ResultsScene } from "./results_scene.js" */

const FORMS = { scatter: drawScatter, bars: drawBars, tasks: drawTasks };

/** @param {Component<Scripts["results"]>} component */
export default function results(component) {
  return mainPicture(component, drawResults);
}

/** @param {Pen} pen @param {ResultsScene} scene */
function drawResults(pen, scene) {
  const { data, memory } = scene;
  if (memory.data !== data) Object.assign(memory, { data, over: null });
  const now = momentOf(scene);
  scene.chooseTexts(now.position, false);
  FORMS[data.form](pen, scene, now);
}

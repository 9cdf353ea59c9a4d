// One query, opened: its scores with every key, divided, turned into shares, and the values mixed by them.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawColumns } from "./flow_columns.js";
import { drawPanels } from "./flow_panels.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { FlowScene } from "./flow_scene.js" */

/** @param {Component<Scripts["flow"]>} component */
export default function flow(component) {
  return mainPicture(component, drawFlow);
}

/** @param {Pen} pen @param {FlowScene} scene */
function drawFlow(pen, scene) {
  (scene.narrow ? drawColumns : drawPanels)(pen, scene);
}

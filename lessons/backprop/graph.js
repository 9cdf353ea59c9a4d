// A computation graph: each node has its value above and its gradient below, each edge its local derivative.
// Step by step, values ride forward and gradients ride back.

import { mainPicture, still } from "../../drawing/main_picture.js";
import { drawEdge, drawLocal } from "./graph_edges.js";
import { drawNode } from "./graph_nodes.js";
import { drawRider } from "./graph_riders.js";
import { momentOf } from "./graph_scene.js";
import { drawToolbar } from "./graph_toolbar.js";
import { drawScrollBars, drawSurface } from "./graph_view.js";
import { pause, take } from "./graph_walk.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { GraphScene } from "./graph_scene.js" */
/** @import { Walk } from "./graph_walk.js" */

/** @param {Component<Scripts["graph"]>} component */
export default function graph(component) {
  /** @type {Walk | null} */
  let walk = null;
  const stop = mainPicture(component, (pen, /** @type {GraphScene} */ scene) => {
    scene.memory.still = still;
    walk = take(scene.memory, scene);
    drawGraph(pen, scene, walk);
  });
  return () => {
    if (walk) pause(walk, true);
    stop();
  };
}

/** @param {Pen} pen @param {GraphScene} scene @param {Walk} walk */
function drawGraph(pen, scene, walk) {
  const { width, height, narrow, data } = scene;
  const bar = narrow ? 48 : 50;
  const now = momentOf(scene, walk, { width, height: height - bar, narrow });
  scene.chooseTexts(walk.at, now.done);
  drawSurface(pen, scene, now);
  pen.group({ key: "graph", transform: `translate(${-now.view.x} ${-now.view.y})` }, (its) => {
    data.edges.forEach((edge, i) => drawEdge(its, scene, now, edge, i));
    data.edges.forEach((edge, i) => drawLocal(its, scene, now, edge, i));
    for (const node of data.nodes) drawNode(its, scene, now, node);
    if (now.part < 1) data.edges.forEach((edge, i) => drawRider(its, scene, now, edge, i));
  });
  drawScrollBars(pen, now);
  drawToolbar(pen, scene, now, walk, { top: height - bar, height: bar });
  if (now.part < 1) scene.again();
}

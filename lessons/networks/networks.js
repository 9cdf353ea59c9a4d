// A small network with the plane that it divides, and below them its training steps on a slider. Each unit is a map
// of its output over the plane. Weights, the input and the visitor's own points can be dragged.

import { mainPicture } from "../../drawing/main_picture.js";
import { sharpness } from "../../drawing/canvas.js";
import { codeStrip } from "./code_strip.js";
import { maps } from "./forward.js";
import { paintMaps } from "./maps.js";
import { drawEdges, drawInputs } from "./network_edges.js";
import { drawPlane } from "./network_plane.js";
import { drawSteps } from "./network_steps.js";
import { drawHidden, drawOutput } from "./network_units.js";
import { SIDE, stateOf } from "./networks_scene.js";
import { places } from "./networks_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { NetworksScene } from "./networks_scene.js" */

/** @param {Component<Scripts["networks"]>} component */
export default function networks(component) {
  return mainPicture(component, drawNetwork);
}

/** @param {Pen} pen @param {NetworksScene} scene */
function drawNetwork(pen, scene) {
  const { data, memory } = scene;
  memory.line = data.passes ? (memory.line ?? 0) : undefined;
  const net = stateOf(scene);
  net.maps = maps(net, net.parameters, net.window, SIDE);
  const at = places(scene, net.sizes);
  if (scene.moved !== "w") scene.chooseTexts(scene.values("@say"), false);
  paintMaps(pen, scene, net, at, { side: SIDE, sharp: sharpness(pen.parent) });
  pen.part(scene, "edges", (its) => drawEdges(its, scene, net, at));
  pen.part(scene, "inputs", (its) => drawInputs(its, scene, net, at));
  pen.part(scene, "hidden", (its) => drawHidden(its, scene, net, at));
  pen.part(scene, "output", (its) => drawOutput(its, scene, net, at));
  pen.part(scene, "plane", (its) => drawPlane(its, scene, net, at));
  pen.part(scene, "steps", (its) => (data.passes ? codeStrip : drawSteps)(its, scene, net, at));
}

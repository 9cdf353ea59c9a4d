// The backward pass as a flow through a small network: it starts as a − y, each weight passes on its share, and a ReLU
// that was off lets nothing through. Before it, the forward pass along the same edges.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawFirstEdges, drawSecondEdges } from "./blame_edges.js";
import { drawAnswer, drawInputs, drawUnits } from "./blame_nodes.js";
import { placesOf } from "./blame_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { BlameScene } from "./blame_places.js" */

/** @param {Component<Scripts["blame"]>} component */
export default function blame(component) {
  return mainPicture(component, (pen, /** @type {BlameScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "first", (its) => drawFirstEdges(its, scene, at));
    pen.part(scene, "second", (its) => drawSecondEdges(its, scene, at));
    pen.part(scene, "inputs", (its) => drawInputs(its, scene, at));
    pen.part(scene, "units", (its) => drawUnits(its, scene, at));
    pen.part(scene, "answer", (its) => drawAnswer(its, scene, at));
  });
}

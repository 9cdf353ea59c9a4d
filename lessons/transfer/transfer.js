// A pre-trained network with a new head: its parts, frozen or trained, beside its accuracy by the number of labels. A
// press on a part freezes the network up to that part; a drag over the curves changes the number of labels.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawCurves } from "./label_curves.js";
import { drawNetwork } from "./network_parts.js";
import { places } from "./transfer_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { TransferScene } from "./network_parts.js" */

/** @param {Component<Scripts["transfer"]>} component */
export default function transfer(component) {
  return mainPicture(component, (pen, /** @type {TransferScene} */ scene) => {
    const at = places(scene);
    pen.part(scene, "stack", (its) => drawNetwork(its, scene, at));
    pen.part(scene, "curves", (its) => drawCurves(its, scene, at));
  });
}

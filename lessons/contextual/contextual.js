// Occurrences of one word as points: at layer 0 all coincide, and layer by layer its senses separate. The layer is a
// slider, and the strip below the map; beside it the cosines, and one sentence with its nearest neighbours.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawMap } from "./cloud_map.js";
import { drawCosines } from "./cosine_parts.js";
import { drawStrip } from "./layer_strip.js";
import { drawCard } from "./occurrence_card.js";
import { places } from "./contextual_places.js";
import { viewOf } from "./view.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { CloudScene } from "./view.js" */

/** @param {Component<Scripts["contextual"]>} component */
export default function contextual(component) {
  return mainPicture(component, (pen, /** @type {CloudScene} */ scene) => {
    const view = viewOf(scene);
    const at = places(scene);
    scene.chooseTexts(scene.values("@say"), false);
    pen.part(scene, "map", (its) => drawMap(its, scene, at, view));
    pen.part(scene, "cosines", (its) => drawCosines(its, scene, at, view));
    pen.part(scene, "sentence", (its) => drawCard(its, scene, at, view));
    pen.part(scene, "layers", (its) => drawStrip(its, scene, at, view));
  });
}

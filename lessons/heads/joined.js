// The heads of a block for one token, side by side: what each reads, its answer z, all answers joined, and the output.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawColumns } from "./joined_heads.js";
import { drawMatrix } from "./joined_matrix.js";
import { drawOutput } from "./joined_output.js";
import { joinedPlaces } from "./joined_places.js";
import { drawAnswers } from "./joined_strips.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { JoinedScene } from "./joined_places.js" */

/** @param {Component<Scripts["joined"]>} component */
export default function joined(component) {
  return mainPicture(component, (pen, /** @type {JoinedScene} */ scene) => {
    const at = joinedPlaces(scene);
    pen.part(scene, "heads", (its) => drawColumns(its, scene, at));
    pen.part(scene, "answers", (its) => drawAnswers(its, scene, at));
    pen.part(scene, "matrix", (its) => drawMatrix(its, scene, at));
    pen.part(scene, "output", (its) => drawOutput(its, scene, at));
  });
}

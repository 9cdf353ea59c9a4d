// A feedforward language model as one flow: words, their rows of E, e, the hidden layer, and a bar for each of
// the most probable next words. Every number of the model is a cell; pointing at a strip shows its numbers.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawFoot } from "./flow_foot.js";
import { drawHiddenLayer } from "./hidden_layer.js";
import { drawConcatenated, drawLookUp } from "./look_up.js";
import { drawBars } from "./next_words.js";
import { narrowPlaces, widePlaces } from "./feedforward_places.js";
import { drawScores } from "./scores.js";
import { drawText } from "./text_ribbon.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { FlowScene } from "./feedforward_marks.js" */

/** @param {Component<Scripts["feedforward"]>} component */
export default function feedforward(component) {
  return mainPicture(component, (pen, /** @type {FlowScene} */ scene) => {
    const { width, height, narrow, data, memory } = scene;
    const at = (narrow ? narrowPlaces : widePlaces)(width, height, data);
    if (memory.drawn !== data) Object.assign(memory, { drawn: data, images: new Map() });
    pen.part(scene, "text", (its) => drawText(its, scene, at));
    pen.part(scene, "table", (its) => drawLookUp(its, scene, at));
    pen.part(scene, "e", (its) => drawConcatenated(its, scene, at));
    pen.part(scene, "first", (its) => drawHiddenLayer(its, scene, at));
    pen.part(scene, "second", (its) => drawScores(its, scene, at));
    pen.part(scene, "out", (its) => drawBars(its, scene, at));
    drawFoot(pen, scene, at);
  });
}

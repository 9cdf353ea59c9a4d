// The two benefits of training a network: a prediction after words that were never read together, beside what counting
// gives; and the rows of its table, of which those of words used alike are near each other.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawRows } from "./benefits_rows.js";
import { drawStreams } from "./benefits_streams.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"benefits">} BenefitsScene */

/** @param {Component<Scripts["benefits"]>} component */
export default function benefits(component) {
  return mainPicture(component, (pen, /** @type {BenefitsScene} */ scene) => {
    if (scene.data.stage === "rows") pen.group({ key: "rows" }, (its) => drawRows(its, scene));
    else pen.group({ key: "streams" }, (its) => drawStreams(its, scene));
  });
}

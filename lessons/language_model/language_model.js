// A sentence under several models: its words in a row, a lane for each model, and under every word a bar of
// its p, from 0 to 1. What is impossible has a cross. At the right the product of the bars, and what follows
// from it. On a phone the words stand one below another, and the models beside one another.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawColumns } from "./lane_columns.js";
import { drawRows } from "./lane_rows.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { LaneScene } from "./lane_marks.js" */

/** @param {Component<Scripts["language_model"]>} component */
export default function language_model(component) {
  return mainPicture(component, (pen, /** @type {LaneScene} */ scene) =>
    scene.narrow ? drawColumns(pen, scene) : drawRows(pen, scene),
  );
}

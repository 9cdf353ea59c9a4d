// A sentence under several models: its words in a row, a lane for each model, and under every word a bar of
// its p, from 0 to 1. An impossible word has a cross. At the right are the product of the bars and the numbers computed
// from it. On a phone the words are one below another, and the models side by side.

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

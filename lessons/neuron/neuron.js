// The picture of one unit.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawUnit } from "./unit.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @param {Component<Scripts["neuron"]>} component */
export default function neuron(component) {
  return mainPicture(component, drawUnit);
}

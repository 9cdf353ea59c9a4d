// A whole Transformer over one text.
import { mainPicture } from "../../ui/browser/main_picture.js";
/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @typedef {Scripts["transformer"]} Data */

/** @param {Component<Data>} component */
export default function transformer(component) {
  return mainPicture(component, (pen, scene) => pen.text(20, 40, scene.data.model));
}

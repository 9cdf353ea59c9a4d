// Gradient descent: on the left what a pair of parameters stands for, on the right the loss over all pairs with
// the runs on it, below L by η and L by the step. Points, start, η and step are moved by hand.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { dataPanel } from "./data_panel.js";
import { modelOf } from "./model.js";
import { places } from "./places.js";
import { rateStrip, stepStrip } from "./strips.js";
import { surface } from "./surface_panel.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["descent"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function descent(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => {
    const model = modelOf(scene);
    const at = places(scene);
    scene.tell(scene.values("@say"), scene.moved === "step");
    part(pen, scene, "data", (its) => dataPanel(its, scene, model, at));
    part(pen, scene, "surface", (its) => surface(its, scene, model, at));
    part(pen, scene, "rate", (its) => rateStrip(its, scene, model, at));
    part(pen, scene, "steps", (its) => stepStrip(its, scene, model, at));
  });
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function part(pen, scene, name, how) {
  pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
}

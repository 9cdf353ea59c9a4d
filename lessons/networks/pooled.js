// A review as learned numbers. Either one review through the network: its words, their rows of E, joined, the hidden
// units, the output. Or two reviews, and what joining, the mean and the maximum make of each.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawJoined } from "./pooled_joined.js";
import { drawOrders } from "./pooled_orders.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"pooled">} PooledScene */

/** @param {Component<Scripts["pooled"]>} component */
export default function pooled(component) {
  return mainPicture(component, (pen, /** @type {PooledScene} */ scene) => {
    const { shows } = scene.data;
    pen.group({ key: shows }, (its) => (shows === "joined" ? drawJoined(its, scene) : drawOrders(its, scene)));
  });
}

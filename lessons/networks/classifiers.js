// A review as six features, or both classifiers of these features: logistic regression, and a network with one hidden
// layer. A press on a “no” takes it out of the review, or puts it back.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawBins } from "./review_features.js";
import { drawNetwork } from "./review_networks.js";
import { drawWords } from "./review_words.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @typedef {Scene<"classifiers">} ReviewScene */
/** @typedef {{ left: number, top: number, right: number, foot: number }} Box */

/** @param {Component<Scripts["classifiers"]>} component */
export default function classifiers(component) {
  return mainPicture(component, (pen, /** @type {ReviewScene} */ scene) => {
    const { data, width, height, narrow } = scene;
    const places = drawWords(pen, scene, narrow ? 8 : 10);
    const foot = height - 6;
    if (data.shows === "features") {
      drawBins(pen, scene, places, { left: narrow ? 4 : 14, right: width - (narrow ? 4 : 14), top: places.foot, foot });
      return;
    }
    const top = places.foot + 12;
    data.panels.forEach((panel, i) => {
      const half = narrow ? (foot - top) / 2 : width / 2;
      const box = narrow
        ? { left: 4, right: width - 4, top: top + half * i, foot: top + half * (i + 1) - 8 }
        : { left: half * i + (i ? 8 : 14), right: half * (i + 1) - (i ? 14 : 8), top, foot };
      pen.part(scene, panel.p, (its) => drawNetwork(its, scene, panel, box));
    });
  });
}

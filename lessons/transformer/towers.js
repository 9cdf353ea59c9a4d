// Encoders as towers whose area is their weights: as wide as d, on a ground floor with a row for each token, a floor for
// each layer. The roof, the wall and the ground floor of the last one can be dragged.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawHandles } from "./towers_hand.js";
import { drawLabels, drawTable } from "./towers_labels.js";
import { drawOpened } from "./towers_opened.js";
import { placesOf } from "./towers_places.js";
import { drawTower, drawWalls } from "./towers_tower.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { TowersScene } from "./towers_places.js" */

/** @param {Component<Scripts["towers"]>} component */
export default function towers(component) {
  return mainPicture(component, (pen, /** @type {TowersScene} */ scene) => {
    const at = placesOf(scene);
    pen.line(0, at.foot, scene.width, at.foot, { key: "earth", width: 2 });
    drawOpened(pen, scene, at);
    at.towers.forEach((place, k) => {
      pen.part(scene, `tower${k + 1}`, (its) => {
        if (place.asked) drawWalls(its, scene, at, place);
        else drawTower(its, scene, at, place);
        drawLabels(its, scene, at, place);
      });
    });
    drawTable(pen, scene, at);
    if (!at.towers[at.towers.length - 1].asked) drawHandles(pen, scene, at);
  });
}

// The strategies side by side. At the left is the first choice: p of each next token as a bar, and a ribbon from the
// bar that a lane chooses into the lane. In the lanes the texts grow word by word, each token in the colour of its p.
// Below are the other strategies as cards, each with the part of the first choice that it keeps.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawNarrow } from "./strategies_narrow.js";
import { strategiesOf, tokensWritten } from "./strategies_scene.js";
import { drawWide } from "./strategies_wide.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { StrategiesScene } from "./strategies_scene.js" */

/** @param {Component<Scripts["generation"]>} component */
export default function generation(component) {
  return mainPicture(component, drawStrategies);
}

/** @param {Pen} pen @param {StrategiesScene} scene */
function drawStrategies(pen, scene) {
  const strategies = strategiesOf(scene);
  const shown = { ...strategies, written: tokensWritten(pen, scene, strategies) };
  pen.group({ tag: "defs" }, drawHatching);
  const draw = scene.narrow ? drawNarrow : drawWide;
  draw(pen, scene, shown);
  scene.chooseTexts(shown.row);
}

/**
 * Lines across the bar of a token that is cut.
 *
 * @param {Pen} pen
 */
function drawHatching(pen) {
  const turned = { patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  pen.group({ tag: "pattern", id: "cut", width: 6, height: 6, ...turned }, (its) => {
    its.line(0, 0, 0, 6, { stroke: its.colour.quiet, width: 2.4 });
  });
}

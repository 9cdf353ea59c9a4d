// The words as trees: letters at the bottom, pieces as tiles at the top, a node for every merge between them, and a
// level that separates the merges already done. Beside them are the best pairs and the number of tokens of the text.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawDone, drawLevel } from "./merge_level.js";
import { drawCurve, drawNextPair, drawPairs } from "./merge_panel.js";
import { drawTiles } from "./tiles.js";
import { placesOf } from "./tokens_places.js";
import { drawForest, drawLetters } from "./trees.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Places, TokensScene } from "./tokens_places.js" */

/** @param {Component<Scripts["tokens"]>} component */
export default function tokens(component) {
  return mainPicture(component, drawTokens);
}

/** @param {Pen} pen @param {TokensScene} scene */
function drawTokens(pen, scene) {
  const n = Math.floor(scene.values("tokens_n") + 1e-6);
  const at = placesOf(scene, n);
  const { panel } = at;
  pen.part(scene, "level", (its) => drawDone(its, scene, at));
  pen.group({ tag: "clipPath", key: "clip", id: "trees" }, (its) =>
    its.rect(at.left - 6, 0, at.room + 12, scene.height, { r: 0 }),
  );
  const clipped = at.more ? { "clip-path": "url(#trees)", "data-scrolls": "" } : {};
  pen.group({ key: "trees", ...clipped }, (trees) => {
    trees.part(scene, "letters", (its) => drawLetters(its, scene, at));
    trees.part(scene, "tree", (its) => drawForest(its, scene, at, n));
    trees.part(scene, "tiles", (its) => drawTiles(its, scene, at, n));
  });
  pen.part(scene, "handle", (its) => drawLevel(its, scene, at));
  if (at.more) drawScrolling(pen, scene, at);
  if (!panel) return void pen.part(scene, "next", (its) => drawNextPair(its, scene, n));
  pen.part(scene, "next", (its) => drawPairs(its, scene, panel, n));
  pen.part(scene, "curve", (its) => drawCurve(its, scene, panel));
}

/**
 * Two buttons that scroll the words, if they do not fit.
 *
 * @param {Pen} pen @param {TokensScene} scene @param {Places} at
 */
function drawScrolling(pen, { colour, memory, again }, at) {
  const buttons = /** @type {const} */ ([
    [-1, at.left + 4, "Letters before", "‹"],
    [1, at.left + at.room - 4, "Letters after", "›"],
  ]);
  const { scroll = 0 } = memory;
  for (const [way, x, name, sign] of buttons) {
    if (way < 0 ? scroll <= 0 : scroll >= at.furthest) continue;
    const pressed = () => {
      memory.scroll = (memory.scroll ?? 0) + way * at.room * 0.6;
      again();
    };
    pen.button(
      name,
      pressed,
      (its) => {
        its.circle(x, at.base - 26, 17, { fill: colour.background, stroke: colour.ink, line: 1.5 });
        its.text(x, at.base - 19, sign, { size: 22, bold: true, anchor: "middle" });
      },
      { key: name },
    );
  }
}

// The input of a Transformer, token by token: from the text to its pieces, to row numbers, to the rows of the tables, and
// to their sum. While the number of rows is asked for, the tables stand there, to scale.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawFrames, drawStrips } from "./input_rows_strips.js";
import { drawTables } from "./input_rows_tables.js";
import { drawLetters, drawPieces, drawWords } from "./input_rows_tokens.js";
import { placesOf } from "./input_rows_places.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { RowsScene } from "./input_rows_places.js" */

/** @param {Component<Scripts["input_rows"]>} component */
export default function input_rows(component) {
  return mainPicture(component, (pen, /** @type {RowsScene} */ scene) => {
    if (scene.hidden("rows")) return pen.part(scene, "tables", (its) => drawTables(its, scene));
    const at = placesOf(scene);
    pen.part(scene, "text", (its) => drawWords(its, scene, at));
    pen.part(scene, "rows", (its) => {
      drawLetters(its, scene, at);
      drawStrips(its, scene, at);
    });
    pen.part(scene, "tokens", (its) => drawPieces(its, scene, at));
    pen.part(scene, "dimension", (its) => drawFrames(its, scene, at));
  });
}

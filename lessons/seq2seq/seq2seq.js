// An encoder–decoder with attention: the encoder's states in a row, the pencil of α from all states to their weighted
// sum, the context, and the words. Below is the translation from one vector alone; beside it, all of α as a map.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawMap } from "./alpha_map.js";
import { drawPencil } from "./alpha_pencil.js";
import { drawDecoder } from "./decoder_row.js";
import { drawEncoder } from "./encoder_row.js";
import { drawOneVector } from "./one_vector.js";
import { places } from "./seq2seq_places.js";
import { paintStates } from "./state_squares.js";
import { momentOf } from "./translation_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { TranslationScene } from "./translation_scene.js" */

/** @param {Component<Scripts["seq2seq"]>} component */
export default function seq2seq(component) {
  return mainPicture(component, drawTranslation);
}

/** @param {Pen} pen @param {TranslationScene} scene */
function drawTranslation(pen, scene) {
  const { source, attention, vector } = scene.data;
  const at = places(scene, { source, rows: [attention.words, vector.words] });
  const now = momentOf(scene);
  scene.chooseTexts(now.step, false);
  paintStates(pen, scene, at, now);
  pen.part(scene, "pencil", (its) => drawPencil(its, scene, at, now));
  pen.part(scene, "encoder", (its) => drawEncoder(its, scene, at, now));
  pen.part(scene, "decoder", (its) => drawDecoder(its, scene, at, now));
  pen.part(scene, "vector", (its) => drawOneVector(its, scene, at, now));
  const { map } = at;
  if (map) pen.part(scene, "map", (its) => drawMap(its, scene, map, now));
}

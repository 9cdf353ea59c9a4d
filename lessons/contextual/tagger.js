// A tagger with few labels: its parts, with the two places where ELMo can be put, and for each task the errors that are
// taken away, of 100 words. A press on ELMo puts it there, or takes it away.

import { mainPicture } from "../../drawing/main_picture.js";
import { drawErrors } from "./tagger_errors.js";
import { taggerPlaces } from "./tagger_places.js";

/** @import { Component, Events, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Places, TaggerScene } from "./tagger_places.js" */
/** @typedef {(pen: Pen, scene: TaggerScene, at: Places) => void} Draw */
/** @typedef {Events["tagger"]["place"]} Place */

/** @param {Component<Scripts["tagger"]>} component */
export default function tagger(component) {
  return mainPicture(component, (pen, /** @type {TaggerScene} */ scene) => {
    const at = taggerPlaces(scene);
    pen.part(scene, "tagger", (its) => {
      drawArrows(its, scene, at);
      drawParts(its, scene, at);
      drawElmo(its, scene, at, "input");
      drawElmo(its, scene, at, "output");
    });
    pen.part(scene, "errors", (its) => drawErrors(its, scene, at));
  });
}

/**
 * The word's own vector, the reader, its state and the tag.
 *
 * @type {Draw}
 */
function drawParts(pen, scene, { chip, row }) {
  const { colour, narrow } = scene;
  drawBox(pen, scene, chip(0, 0), narrow ? "xₖ" : "xₖ, the word’s own", colour.input);
  drawBox(pen, scene, row(1), narrow ? "reader: GRU" : "reader: a GRU from both sides", colour.weight);
  drawBox(pen, scene, chip(2, 0), narrow ? "hₖ" : "hₖ, its state", colour.score);
  drawBox(pen, scene, row(3), narrow ? "scores" : "scores of the tags", colour.weight);
}

/**
 * @param {Pen} pen @param {TaggerScene} scene @param {Box} box @param {string} said @param {string} role
 */
function drawBox(pen, { narrow }, { x, y, wide, high }, said, role) {
  pen.rect(x, y, wide, high, { fill: role, "fill-opacity": 0.13, stroke: role, line: 2.5, r: 8 });
  const size = narrow ? 15 : 20;
  const look = /** @type {const} */ ({ size, bold: true, fill: role, anchor: "middle" });
  pen.text(x + wide / 2, y + high / 2 + size * 0.35, said, { ...look, room: wide - 8 });
}

/** @param {Place} place @param {"input" | "output"} which */
const has = (place, which) => place === which || place === "both";

/**
 * Where a press on one of the two places of ELMo leads.
 *
 * @param {Place} place @param {"input" | "output"} which @returns {Place}
 */
function turned(place, which) {
  const other = which === "input" ? "output" : "input";
  const [its, others] = [!has(place, which), has(place, other)];
  if (its && others) return "both";
  return its ? which : others ? other : "none";
}

/**
 * ELMo at the input or at the output: there, or an empty place.
 *
 * @param {Pen} pen @param {TaggerScene} scene @param {Places} at @param {"input" | "output"} which
 */
function drawElmo(pen, { data, colour, narrow, send }, { chip }, which) {
  const { x, y, wide, high } = chip(which === "input" ? 0 : 2, 1);
  const there = has(data.place, which);
  const name = `ELMo at the ${which}: ${there ? "take it away" : "put it there"}`;
  const press = () => send({ place: turned(data.place, which) });
  pen.button(
    name,
    press,
    (its) => {
      const fill = there ? colour.activation : "transparent";
      const stroke = there ? colour.activation : colour.quiet;
      its.rect(x, y, wide, high, { fill, stroke, line: 2.5, dash: there ? null : "8 6", r: 8 });
      const size = narrow ? 15 : 20;
      const ink = there ? colour.background : colour.quiet;
      const look = /** @type {const} */ ({ size, bold: true, fill: ink, anchor: "middle" });
      const said = there ? (narrow ? "ELMoₖ" : "ELMoₖ, frozen") : "+ ELMoₖ";
      its.text(x + wide / 2, y + high / 2 + size * 0.35, said, look);
    },
    { key: which, chosen: there },
  );
}

/**
 * What goes from each part to the one above it.
 *
 * @type {Draw}
 */
function drawArrows(pen, { data, colour }, { chip, row }) {
  for (const [level, which] of /** @type {const} */ ([
    [0, "input"],
    [2, "output"],
  ])) {
    const [own, elmo, above] = [chip(level, 0), chip(level, 1), row(level + 1)];
    const ends = [own, ...(has(data.place, which) ? [elmo] : [])];
    ends.forEach((box, side) => drawUp(pen, box, above, side ? colour.activation : colour.quiet, `${which} ${side}`));
  }
  drawUp(pen, row(1), chip(2, 0), colour.quiet, "reader", chip(2, 0).x + chip(2, 0).wide / 2);
}

/**
 * @param {Pen} pen @param {Box} from @param {Box} to @param {string} fill @param {string} key @param {number} [x]
 */
function drawUp(pen, from, to, fill, key, x = from.x + from.wide / 2) {
  const end = to.y + to.high + 4;
  pen.line(x, from.y - 3, x, end + 6, { key: `line ${key}`, stroke: fill, width: 3 });
  pen.head(x, end, -90, fill, 11);
}

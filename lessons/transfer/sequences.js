// Structured input as one sequence of tokens: a card for each kind of input, and the sequences that two models read of it.

import { mainPicture } from "../../drawing/main_picture.js";
import { boxesOf, placesOf } from "./sequences_places.js";

/** @import { Component, KindData, ReaderData, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, SequencesPlaces, SequencesScene } from "./sequences_places.js" */

const MARK = 26; // the width of a mark on a card
const PALE = 0.25;

/** @param {Component<Scripts["sequences"]>} component */
export default function sequences(component) {
  return mainPicture(component, (pen, /** @type {SequencesScene} */ scene) => {
    const at = placesOf(scene);
    if (!at.narrow) pen.part(scene, "kinds", (its) => scene.data.kinds.forEach((_, n) => drawKind(its, scene, at, n)));
    scene.data.readers.forEach((reader, n) => {
      pen.part(scene, n ? "bert" : "gpt", (its) => drawReader(its, scene, at, reader, n));
    });
  });
}

/**
 * The colour of a text: the second of a pair, and each answer of a choice, have the same.
 *
 * @param {SequencesScene} scene @param {number} part
 */
const tintOf = ({ colour }, part) => (part === 1 ? colour.input : part ? colour.loss : colour.quiet);

/**
 * A kind of input as a card with its sequences in small; a press shows it.
 *
 * @param {Pen} pen @param {SequencesScene} scene @param {SequencesPlaces} at @param {number} n
 */
function drawKind(pen, scene, { cards, edge }, n) {
  const { kind, name, strips } = scene.data.kinds[n];
  const chosen = kind === scene.data.shown;
  const [left, wide] = [edge + n * cards.wide + 4, cards.wide - 8];
  /** @param {Pen} its */
  const draw = (its) => {
    const look = chosen ? { stroke: its.colour.ink, line: 2.5 } : { stroke: its.colour.line, line: 1.5 };
    its.rect(left, cards.top, wide, cards.high, { r: 8, fill: its.colour.background, ...look });
    its.text(left + wide / 2, cards.top + 26, name, { size: 18, bold: chosen, anchor: "middle", room: wide - 12 });
    drawStrips(its, scene, { left: left + 12, wide: wide - 24, top: cards.top + 42 }, strips);
  };
  pen.button(name, () => scene.send({ kind }), draw, { key: `kind ${n}`, chosen });
}

/**
 * @param {Pen} pen
 * @param {SequencesScene} scene
 * @param {{ left: number, wide: number, top: number }} box
 * @param {KindData["strips"]} strips
 */
function drawStrips(pen, scene, { left, wide, top }, strips) {
  strips.forEach((strip, row) => {
    const texts = strip.filter((part) => part).length;
    const text = (wide - (strip.length - texts) * MARK) / texts;
    let x = left;
    strip.forEach((part, k) => {
      const long = part ? text : MARK;
      const last = !part && k === strip.length - 1;
      const fill = last && !scene.hidden("read") ? scene.colour.score : tintOf(scene, part);
      const look = { key: `strip ${row} ${k}`, r: 3, fill, "fill-opacity": part || last ? 0.6 : PALE };
      pen.rect(x, top + row * 18, long - 3, 13, look);
      x += long;
    });
  });
}

/**
 * The sequences that a model reads, with the vectors that its head reads marked.
 *
 * @param {Pen} pen @param {SequencesScene} scene @param {SequencesPlaces} at @param {ReaderData} reader @param {number} n
 */
function drawReader(pen, scene, at, { model, reads, sequences }, n) {
  const { narrow, edge, width } = at;
  const { title, rows } = at.readers[n];
  const name = { key: `model ${n}`, size: narrow ? 15 : 22, bold: true };
  pen.text(edge, title, model, name);
  const size = narrow ? 13 : 18;
  const beside = edge + (narrow ? 0 : 130);
  const look = { key: `reads ${n}`, size, fill: scene.colour.score, bold: true, room: width - beside - edge };
  if (!scene.hidden("read")) pen.text(beside, narrow ? title + 16 : title, reads, look);
  sequences.forEach((tokens, row) => {
    const { size, boxes } = boxesOf(tokens, at);
    boxes.forEach((box, k) => drawBox(pen, scene, at, box, { key: `${n} ${row} ${k}`, size, top: rows[row] }));
  });
}

/**
 * @param {Pen} pen
 * @param {SequencesScene} scene
 * @param {SequencesPlaces} at
 * @param {Box} box
 * @param {{ key: string, size: number, top: number }} how
 */
function drawBox(pen, scene, { high }, { text, part, left, wide, ...box }, { key, size, top }) {
  const { colour, hidden } = scene;
  const read = box.read && !hidden("read");
  const tint = read ? colour.score : tintOf(scene, part);
  pen.rect(left, top, wide, high, { key: `box ${key}`, r: 6, fill: tint, "fill-opacity": read ? 0.35 : 0.15 });
  const edge = { key: `edge ${key}`, r: 6, stroke: tint, line: read ? 2.5 : 1.2 };
  pen.rect(left, top, wide, high, edge);
  const word = { key: `word ${key}`, size, bold: read || !part, anchor: /** @type {const} */ ("middle") };
  pen.text(left + wide / 2, top + high / 2 + size * 0.35, text, { ...word, room: wide - 6 });
}

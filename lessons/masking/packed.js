// Documents packed into inputs of one length: past the end of a document, and each document by itself.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf } from "./packed_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { PackedPlaces, PackedScene } from "./packed_places.js" */

const WAYS = /** @type {const} */ (["across", "alone"]);
const BETWEEN = -2;
const WORDS = 34; // units of a place that has room for a word
const MIDDLE = /** @type {const} */ ({ anchor: "middle" });

/** @param {Component<Scripts["packed"]>} component */
export default function packed(component) {
  return mainPicture(component, (pen, /** @type {PackedScene} */ scene) => {
    const { data, width, height, narrow, final } = scene;
    const at = Math.round(final("at"));
    const length = Math.round(final("corrupt_pack_length"));
    const groups = WAYS.map((way) => data[way][at]);
    const places = placesOf(width, height, narrow, length, [groups[0].length, groups[1].length]);
    groups.forEach((inputs, group) =>
      pen.part(scene, WAYS[group], (its) => drawGroup(its, scene, places, group, inputs, length)),
    );
  });
}

/** @param {PackedScene} scene @param {number} owner */
const inkOf = ({ colour }, owner) =>
  [colour.value, colour.weight, colour.score, colour.input, colour.loss, colour.gradient][owner % 6];

/**
 * The inputs of a way; a press chooses it.
 *
 * @param {Pen} pen @param {PackedScene} scene @param {PackedPlaces} at @param {number} group
 * @param {readonly (readonly number[])[]} inputs @param {number} length
 */
function drawGroup(pen, scene, at, group, inputs, length) {
  const { data, colour, final, text, narrow } = scene;
  const chosen = Math.round(final("chosen")) === group;
  const { left, right, top, foot } = at.frame(group);
  const filled = /** @type {NameOf<"packed">} */ (`filled ${group}`);
  const draw = (/** @type {Pen} */ its) => {
    const edge = chosen ? { stroke: colour.input, line: 3 } : { stroke: colour.line, line: 1.5 };
    its.rect(left, top, right - left, foot - top, { key: "frame", r: 12, fill: colour.background, ...edge });
    const size = narrow ? 14 : 20;
    const y = top + (narrow ? 18 : 25);
    its.text(at.x(0), y, data.titles[group], {
      key: "title",
      size,
      bold: true,
      fill: chosen ? colour.input : colour.ink,
    });
    const said = narrow ? `${text(filled)} %` : `${inputs.length} inputs of ${length}: ${text(filled)} % filled`;
    its.text(at.x(length), y, said, { key: "filled", size: narrow ? 15 : 22, bold: true, anchor: "end" });
    inputs.forEach((input, row) => drawInput(its, scene, at, group, row, input, length));
  };
  pen.button(data.titles[group], () => scene.send(WAYS[group]), draw, { key: `way ${group}`, chosen });
}

/**
 * An input: tokens by document, special tokens, and [PAD].
 *
 * @param {Pen} pen @param {PackedScene} scene @param {PackedPlaces} at @param {number} group @param {number} row
 * @param {readonly number[]} input @param {number} length
 */
function drawInput(pen, scene, at, group, row, input, length) {
  const { data, colour } = scene;
  const top = at.top(group, row);
  for (let i = 0; i < length; i++) {
    const [x, wide] = [at.x(i) + 1, at.each - 2];
    const token = input[i];
    const box = { key: `cell ${row} ${i}`, r: 4 };
    if (token === undefined) {
      pen.rect(x, top, wide, at.high, { ...box, fill: colour.mask, "fill-opacity": 0.16 });
    } else if (token >= 0) {
      const fill = inkOf(scene, data.owners[token]);
      pen.rect(x, top, wide, at.high, { ...box, fill, "fill-opacity": 0.22, stroke: fill, line: 1.5 });
      drawWord(pen, scene, at, top, i, {
        row,
        word: data.tokens[token],
        fill: colour.ink,
        brief: `${data.owners[token] + 1}`,
      });
    } else {
      const extra = token === BETWEEN;
      const look = extra ? { fill: colour.ink } : { stroke: colour.quiet, line: 1.5 };
      pen.rect(x, top, wide, at.high, { ...box, ...look });
      const fill = extra ? colour.background : colour.quiet;
      drawWord(pen, scene, at, top, i, { row, word: data.special[-token - 1], fill, brief: "" });
    }
  }
  drawPadding(pen, scene, at, top, row, input.length, length);
}

/**
 * The token in its place, or in a narrow place the number of its document.
 *
 * @param {Pen} pen @param {PackedScene} scene @param {PackedPlaces} at @param {number} top @param {number} i
 * @param {{ row: number, word: string, fill: string, brief: string }} how
 */
function drawWord(pen, { narrow }, at, top, i, { row, word, fill, brief }) {
  const least = narrow ? 13 : 14;
  const whole = at.each >= WORDS;
  const said = whole ? word : brief;
  if (!said || at.high < least || at.each < 12) return;
  const fits = [narrow ? 14 : 19, 17, 16, 15].find((each) => textWidth(said, each) <= at.each - 6);
  const size = fits ?? least;
  const middle = top + at.high / 2 + size * 0.35;
  pen.text(at.x(i) + at.each / 2, middle, said, { key: `word ${row} ${i}`, size, fill, room: at.each - 4, ...MIDDLE });
}

/**
 * How many [PAD] an input ends with.
 *
 * @param {Pen} pen @param {PackedScene} scene @param {PackedPlaces} at @param {number} top @param {number} row
 * @param {number} from @param {number} length
 */
function drawPadding(pen, { colour, narrow }, at, top, row, from, length) {
  const count = length - from;
  if (!count) return;
  const size = narrow ? 13 : 17;
  const said = count === 1 ? "[PAD]" : `${count} [PAD]`;
  if (textWidth(said, size, true) > count * at.each - 4 || at.high < size) return;
  const middle = (at.x(from) + at.x(length)) / 2;
  const look = { key: `pad ${row}`, size, bold: true, fill: colour.quiet, ...MIDDLE };
  pen.text(middle, top + at.high / 2 + size * 0.35, said, look);
}

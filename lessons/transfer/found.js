// A question and the passages nearest to it, a column for each way of searching: a bar for the cosine, and the passage with
// the words that stand in the question in bold.

import { mainPicture } from "../../drawing/main_picture.js";
import { fitted, placesOf, wordsOf } from "./found_places.js";

/** @import { Component, NameOf, PassageData, Scripts, WayData } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { FoundPlaces, FoundScene } from "./found_places.js" */

/** @param {Component<Scripts["found"]>} component */
export default function found(component) {
  return mainPicture(component, (pen, /** @type {FoundScene} */ scene) => {
    const at = placesOf(scene);
    drawQuestion(pen, scene, at);
    scene.data.ways.forEach((way, n) =>
      pen.part(scene, n ? "words" : "meaning", (its) => drawWay(its, scene, at, way, n)),
    );
  });
}

/** @param {Pen} pen @param {FoundScene} scene @param {FoundPlaces} at */
function drawQuestion(pen, { data, colour, width }, { edge, narrow }) {
  const size = narrow ? 17 : 26;
  const box = { left: edge + 12, top: narrow ? 24 : 40, room: width - 2 * edge - 24, size, most: narrow ? 2 : 1 };
  pen.rect(edge, 6, width - 2 * edge, narrow ? 48 : 50, {
    key: "asked",
    r: 8,
    fill: colour.input,
    "fill-opacity": 0.12,
  });
  wordsOf({ words: data.question, shared: data.question.map((_, n) => n), both: false }, box).forEach(
    ({ text, x, y }, n) => pen.text(x, y, text, { key: `asked ${n}`, size, bold: true, fill: colour.input }),
  );
}

/** @param {Pen} pen @param {FoundScene} scene @param {FoundPlaces} at @param {WayData} way @param {number} n */
function drawWay(pen, scene, at, { name, how, passages }, n) {
  const { left, top } = at.way(n);
  const size = at.narrow ? 14 : 20;
  pen.text(left, top + size, name, { key: `name ${n}`, size, bold: true });
  const look = {
    key: `how ${n}`,
    size: at.narrow ? 13 : 16,
    fill: scene.colour.quiet,
    anchor: /** @type {const} */ ("end"),
  };
  pen.text(left + at.wide, top + size, how, look);
  passages.forEach((passage, k) =>
    drawPassage(pen, scene, at, passage, { way: n, k, left, top: top + at.head + k * at.row }),
  );
}

/**
 * @param {Pen} pen
 * @param {FoundScene} scene
 * @param {FoundPlaces} at
 * @param {PassageData} passage
 * @param {{ way: number, k: number, left: number, top: number }} place
 */
function drawPassage(pen, scene, { wide, row, narrow }, passage, { way, k, left, top }) {
  const { colour, values, text, hidden } = scene;
  const id = /** @type {NameOf<"found">} */ (`c ${way} ${k}`);
  const [high, number] = [narrow ? 8 : 14, narrow ? 56 : 84];
  const room = wide - number;
  pen.rect(left, top, room, high, { key: `room ${way} ${k}`, r: 3, fill: colour.activation, "fill-opacity": 0.12 });
  const long = Math.max(values(id), 0) * room;
  pen.rect(left, top, long, high, { key: `bar ${way} ${k}`, r: 3, fill: colour.activation });
  const both = passage.both && !hidden("both");
  const look = { size: narrow ? 13 : 20, bold: true, fill: colour.activation };
  pen.text(left + room + 8, top + high, text(id), { key: `cosine ${way} ${k}`, ...look });
  const sizes = narrow ? [15, 14, 13] : [26, 24, 22, 20, 18, 17];
  const box = {
    left: left + 12,
    top: top + high + (narrow ? 2 : 6),
    room: wide - 16,
    high: row - high - (narrow ? 8 : 20),
  };
  const { size, words } = fitted(passage, { ...box, sizes });
  const foot = words[words.length - 1].y + 6;
  const line = { key: `both ${way} ${k}`, stroke: both ? colour.ink : colour.line, width: both ? 4 : 2 };
  pen.line(left + 3, top + high + 6, left + 3, foot, line);
  words.forEach(({ text: word, x, y, shared }, n) =>
    pen.text(x, y, word, {
      key: `word ${way} ${k} ${n}`,
      size,
      bold: shared,
      fill: shared ? colour.input : colour.ink,
    }),
  );
}

// One sentence in several languages: a bar for the pieces a word of each, and the pieces of the one that is chosen.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf, wordsOf } from "./languages_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LanguagesPlaces, LanguagesScene } from "./languages_places.js" */

/** @param {Component<Scripts["languages"]>} component */
export default function languages(component) {
  return mainPicture(component, (pen, /** @type {LanguagesScene} */ scene) => {
    const rates = scene.data.languages.map((_, n) => scene.final(rateOf(n)));
    const at = placesOf({ ...scene, rates });
    pen.part(scene, "bars", (its) => {
      drawAxis(its, scene, at);
      scene.data.languages.forEach((_, n) => drawBar(its, scene, at, n));
    });
    pen.part(scene, "pieces", (its) => drawSentence(its, scene, at));
  });
}

/** @param {number} n @returns {NameOf<"languages">} */
const rateOf = (n) => `rate ${n}`;

/** @param {LanguagesScene} scene */
const chosenOf = ({ final }) => Math.round(final("language"));

/**
 * A language as a button: its name, and a bar as long as its pieces a word.
 *
 * @param {Pen} pen @param {LanguagesScene} scene @param {LanguagesPlaces} at @param {number} n
 */
function drawBar(pen, scene, at, n) {
  const { data, colour, values, text, hidden, send } = scene;
  const { key, label } = data.languages[n];
  const chosen = n === chosenOf(scene);
  const asked = hidden(rateOf(n));
  const y = at.rowOf(n);
  const line = y + at.row / 2 + at.size * 0.36;
  const end = asked ? at.bars(0) : at.bars(values(rateOf(n)));
  pen.button(
    label,
    () => send(key),
    (its) => {
      its.rect(0, y + 2, at.bars.range()[1] + (at.narrow ? 46 : 70), at.row - 4, {
        r: 6,
        fill: chosen ? colour.ground : "transparent",
        stroke: chosen ? colour.line : null,
      });
      its.text(at.bars(0) - 10, line, label, { size: at.size, bold: chosen, anchor: "end" });
      const bar = { key: `bar ${n}`, r: 3, fill: colour.input, "fill-opacity": chosen ? 1 : 0.5 };
      its.rect(at.bars(0), y + 0.2 * at.row, end - at.bars(0), 0.6 * at.row, bar);
      const rate = asked ? "?" : text(rateOf(n));
      const look = { key: `rate ${n}`, size: at.size * (chosen ? 1.2 : 1), bold: chosen };
      its.markedText(end + 10, line, rate, chosen && !asked, look);
    },
    { key: `language ${n}`, chosen },
  );
}

/** @param {Pen} pen @param {LanguagesScene} scene @param {LanguagesPlaces} at */
function drawAxis(pen, { colour }, at) {
  const size = at.narrow ? 13 : 15;
  pen.axis("x", at.bars, {
    at: at.foot + size + 4,
    ticks: [0, 1, 2, 3, 4, 5],
    size,
    lines: [at.top, at.foot],
    look: { stroke: colour.line },
    title: "pieces a word",
    titled: { x: at.bars(0), y: at.foot + 2 * size + 8, size, fill: colour.quiet },
  });
}

/**
 * The sentence of the chosen language, and below it each word in its pieces, or whole while they are asked for.
 *
 * @param {Pen} pen @param {LanguagesScene} scene @param {LanguagesPlaces} at
 */
function drawSentence(pen, scene, at) {
  const { data, colour, text, hidden } = scene;
  const { label, sentence, words } = data.languages[chosenOf(scene)];
  const { left, top, room } = at.sentence;
  const said = `${label}: ${hidden("pieces") ? "?" : text("pieces")} pieces, ${text("words")} words`;
  const [large, above] = at.narrow ? [17, 8] : [26, 40];
  pen.text(left, top - above, said, { key: "said", size: large, bold: true, room });
  if (!at.narrow) {
    const size = [18, 17, 16, 15, 14].find((each) => textWidth(sentence, each) <= room) ?? 14;
    pen.text(left, top - 10, sentence, { key: "sentence", size, fill: colour.quiet, room });
  }
  const cut = hidden("pieces") ? words.map((pieces) => [pieces.join("")]) : words;
  const { size, high, words: placed } = wordsOf(cut, at.sentence);
  placed.forEach(({ y, pieces }, w) => {
    pieces.forEach(({ text: piece, x, wide }, n) => {
      const box = { key: `box ${w} ${n}`, r: 4, fill: colour.input, "fill-opacity": 0.16, stroke: colour.input };
      pen.rect(x, y + 4, wide, high, { ...box, line: 1 });
      const look = { key: `piece ${w} ${n}`, size, anchor: /** @type {const} */ ("middle") };
      pen.text(x + wide / 2, y + 4 + high / 2 + size * 0.34, piece, look);
    });
  });
}

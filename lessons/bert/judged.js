// Two texts, one vector, and the judgements that small heads make from it: how often each is right, and what is gained.

import { mainPicture } from "../../drawing/main_picture.js";
import { bent } from "../../drawing/pen.js";
import { placesOf } from "./judged_places.js";
import { layWords } from "./words.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { JudgedPlaces, JudgedScene } from "./judged_places.js" */
/** @typedef {(pen: Pen, scene: JudgedScene, at: JudgedPlaces) => void} Draw */

const MIDDLE = /** @type {const} */ ({ anchor: "middle" });

/** @param {Component<Scripts["judged"]>} component */
export default function judged(component) {
  return mainPicture(component, (pen, /** @type {JudgedScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "texts", (its) => drawTexts(its, scene, at));
    if (!at.narrow) pen.part(scene, "vector", (its) => drawVector(its, scene, at));
    pen.part(scene, "shares", (its) => scene.data.judgements.forEach((_, n) => drawJudgement(its, scene, at, n)));
  });
}

/** @param {JudgedScene} scene */
const chosenOf = ({ final }) => Math.round(final("chosen"));

/** @param {"share" | "base" | "gain"} kind @param {number} n @returns {NameOf<"judged">} */
const nameOf = (kind, n) => `${kind} ${n}`;

/**
 * The two texts of the chosen judgement.
 *
 * @type {Draw}
 */
function drawTexts(pen, scene, { texts, narrow }) {
  const { colour, data } = scene;
  const judgement = data.judgements[chosenOf(scene)];
  [judgement.first, judgement.second].forEach((text, n) => {
    const { left, right, top, foot } = texts[n];
    const fill = n ? colour.value : colour.input;
    pen.rect(left, top, right - left, foot - top, {
      key: `box ${n}`,
      r: 10,
      fill,
      "fill-opacity": 0.1,
      stroke: fill,
      line: 2,
    });
    const name = n ? "B" : "A";
    const beside = narrow ? 26 : 0;
    const look = { key: `name ${n}`, size: narrow ? 16 : 22, bold: true, fill };
    pen.text(left + 12, top + (narrow ? (foot - top) / 2 + 6 : 28), name, look);
    const above = narrow ? 2 : 36;
    const room = {
      left: left + 10 + beside,
      right: right - 8,
      top: top + above,
      most: foot - top - above - 6,
      largest: narrow ? 15 : 24,
    };
    const { items, size, bottom } = layWords(text.split(" "), new Set(), room);
    const down = Math.max(0, (room.most - (bottom - room.top)) / 2);
    pen.group({ key: `words ${n}` }, (its) => {
      for (const { i, text: word, x, y, width } of items)
        its.text(x + width / 2, y + down, word, { key: `word ${i}`, size, bold: !narrow, ...MIDDLE });
    });
  });
}

/**
 * Both texts flow into the vector of [CLS], and from it to every head.
 *
 * @type {Draw}
 */
function drawVector(pen, scene, { texts, vector, row }) {
  const { colour, data } = scene;
  const { x, y, wide, high } = vector;
  texts.forEach(({ right, top, foot }, n) => {
    const start = (top + foot) / 2;
    const d = bent(
      [
        [right, start],
        [x, start],
        [x, y + ((n ? 1 : -1) * high) / 2],
      ],
      22,
    );
    pen.path(d, { key: `edge ${n}`, stroke: colour.quiet, width: 2, "stroke-opacity": 0.5 });
    pen.beads(d, n ? colour.value : colour.input, { key: `beads ${n}` });
  });
  const chosen = chosenOf(scene);
  const others = data.judgements.map((_, n) => n).filter((n) => n !== chosen);
  [...others, chosen].forEach((n) => {
    const { left, top, foot } = row(n);
    const middle = (top + foot) / 2;
    const turn = (x + wide / 2 + left) / 2 - 4;
    const d = bent(
      [
        [x + wide / 2, y],
        [turn, y],
        [turn, middle],
        [left - 4, middle],
      ],
      14,
    );
    const on = n === chosen;
    pen.path(d, { key: `head ${n}`, stroke: on ? colour.activation : colour.line, width: on ? 4 : 2 });
    if (on) pen.beads(d, colour.activation, { key: "flow" });
  });
  pen.rect(x - wide / 2, y - high / 2, wide, high, {
    key: "vector",
    r: 12,
    fill: colour.background,
    stroke: colour.ink,
    line: 2.5,
  });
  pen.text(x, y - 3, "[CLS]", { key: "cls", size: 20, bold: true, ...MIDDLE });
  pen.text(x, y + 19, "one vector", { key: "one", size: 15, fill: colour.quiet, ...MIDDLE });
}

/**
 * A judgement: its question, and how often it is right as a bar; what is gained is its strong end.
 *
 * @param {Pen} pen @param {JudgedScene} scene @param {JudgedPlaces} at @param {number} n
 */
function drawJudgement(pen, scene, at, n) {
  const judgement = scene.data.judgements[n];
  const chosen = n === chosenOf(scene);
  const draw = (/** @type {Pen} */ its) => {
    const { left, right, top, foot } = at.row(n);
    const edge = chosen ? { stroke: scene.colour.activation, line: 3 } : { stroke: scene.colour.line, line: 1.5 };
    its.rect(left, top, right - left, foot - top, { key: "frame", r: 10, fill: scene.colour.background, ...edge });
    drawTitle(its, scene, at, n);
    drawBar(its, scene, at, n);
  };
  pen.button(judgement.asks, () => scene.send(judgement.name), draw, { key: `judgement ${n}`, chosen });
}

/** @param {Pen} pen @param {JudgedScene} scene @param {JudgedPlaces} at @param {number} n */
function drawTitle(pen, { data, colour }, at, n) {
  const { left, right, top } = at.row(n);
  const { asks, field } = data.judgements[n];
  const size = at.narrow ? 14 : 21;
  pen.text(left + 12, top + (at.narrow ? 20 : 28), asks, { key: "asks", size, bold: true });
  const look = { key: "field", size: at.narrow ? 13 : 17, fill: colour.quiet, anchor: /** @type {const} */ ("end") };
  pen.text(right - 12, top + (at.narrow ? 20 : 28), field, look);
}

/** @param {Pen} pen @param {JudgedScene} scene @param {JudgedPlaces} at @param {number} n */
function drawBar(pen, { data, colour, values, text, hidden }, at, n) {
  const { of, beside } = data.judgements[n];
  const { left, right, top, foot } = at.bar(n);
  const [share, base, gain] = /** @type {const} */ (["share", "base", "gain"]).map((kind) => nameOf(kind, n));
  const along = (/** @type {NameOf<"judged">} */ name) => ((right - left) * values(name)) / 100;
  pen.rect(left, top, right - left, foot - top, { key: "track", r: 4, fill: colour.activation, "fill-opacity": 0.1 });
  const number = { key: "share", size: at.narrow ? 15 : 24, bold: true };
  pen.text(right + 10, foot - (at.narrow ? 2 : 3), hidden(share) ? "?" : `${text(share)} %`, number);
  const note = { size: at.narrow ? 13 : 15, fill: colour.quiet };
  const y = foot + (at.narrow ? 16 : 20);
  if (!hidden(share)) {
    pen.rect(left, top, along(base), foot - top, { key: "base", r: 4, fill: colour.activation, "fill-opacity": 0.45 });
    pen.rect(left + along(base), top, along(share) - along(base), foot - top, {
      key: "gain",
      r: 2,
      fill: colour.activation,
    });
    const said = at.narrow ? `${beside}: ${text(base)} %` : `${beside}: ${text(base)} %, +${text(gain)}`;
    pen.text(at.narrow ? left : at.row(n).right - 12, y, said, {
      key: "beside",
      ...note,
      bold: true,
      fill: colour.activation,
      anchor: at.narrow ? "start" : "end",
    });
  }
  if (!at.narrow) pen.text(left, y, of, { key: "of", ...note });
}

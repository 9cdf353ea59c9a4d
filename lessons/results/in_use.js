// Uses of Transformers and the models that serve them: a use that is pressed lights its models, with head and words.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf } from "./in_use_places.js";

/** @import { Component, NameOf, RunData, Scripts } from "../../drawing/types.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { InUsePlaces, InUseScene, Tower } from "./in_use_places.js" */
/** @typedef {(pen: Pen, scene: InUseScene, at: InUsePlaces, n: number) => void} Draw */

const OUT = 0.3; // opacity of a model that does not serve the use
const MIDDLE = /** @type {Anchor} */ ("middle");

/** @param {Component<Scripts["in_use"]>} component */
export default function in_use(component) {
  return mainPicture(component, (pen, /** @type {InUseScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "uses", (its) => scene.data.uses.forEach((_, n) => drawUse(its, scene, at, n)));
    pen.part(scene, "models", (its) => scene.data.models.forEach((_, n) => drawModel(its, scene, at, n)));
  });
}

/** @param {InUseScene} scene */
const chosenOf = ({ final }) => Math.round(final("use"));

/**
 * A use as a button, with a line about it.
 *
 * @type {Draw}
 */
function drawUse(pen, scene, at, n) {
  const { data, colour, send, narrow } = scene;
  const { key, label, about } = data.uses[n];
  const chosen = n === chosenOf(scene);
  const { x, y, wide, high } = at.buttonOf(n);
  pen.button(
    label,
    () => send(key),
    (its) => {
      const fill = chosen ? colour.activation : colour.ground;
      its.rect(x, y, wide, high, { r: 8, fill, stroke: chosen ? colour.ink : colour.line, line: chosen ? 2 : 1 });
      const ink = chosen ? colour.background : colour.ink;
      const name = { size: narrow ? 14 : 20, bold: true, fill: ink, room: wide - 10 };
      if (narrow) return its.text(x + wide / 2, y + high / 2 + 5, label, { ...name, anchor: MIDDLE });
      its.text(x + 14, y + high / 2 - 3, label, name);
      const line = { size: 15, fill: chosen ? colour.background : colour.quiet, room: wide - 20 };
      return its.text(x + 14, y + high / 2 + 18, about, line);
    },
    { key: `use ${n}`, chosen },
  );
}

/** @param {number} n @returns {NameOf<"in_use">} */
const countOf = (n) => `count ${n}`;

/**
 * A model: its towers and its name; where it serves the use, its head, its words and what it gives.
 *
 * @type {Draw}
 */
function drawModel(pen, scene, at, n) {
  const { data, colour, text, height, narrow } = scene;
  const run = data.uses[chosenOf(scene)].runs[n];
  const lit = run.head !== "";
  const { left, wide } = at.columnOf(n);
  const towers = at.towersOf(n);
  pen.group({ key: `model ${n}`, opacity: lit ? null : OUT }, (its) => {
    towers.forEach((tower, k) => drawTower(its, scene, at, tower, lit, k));
    if (towers.length > 1) drawCross(its, scene, at, towers, lit);
  });
  const middle = left + wide / 2;
  const name = { key: `name ${n}`, size: narrow ? 13 : 20, bold: lit, fill: lit ? colour.ink : colour.quiet };
  pen.text(middle, height - (narrow ? 26 : 32), data.models[n], { ...name, anchor: MIDDLE });
  const uses = { key: `count ${n}`, size: narrow ? 13 : 16, fill: colour.quiet, anchor: MIDDLE };
  pen.text(middle, height - (narrow ? 8 : 10), `${text(countOf(n))} of ${text("uses")} uses`, uses);
  if (lit) drawRun(pen, scene, at, n, run);
}

/**
 * A tower: each word above sees the words below that its lines reach; in a decoder, none that come later.
 *
 * @param {Pen} pen @param {InUseScene} scene @param {InUsePlaces} at @param {Tower} tower @param {boolean} lit
 * @param {number} k
 */
function drawTower(pen, { colour, narrow }, at, tower, lit, k) {
  const ink = tower.causal ? colour.gradient : colour.input;
  const box = { key: `tower ${k}`, r: 10, stroke: ink, line: lit ? 3 : 1.5, fill: ink, "fill-opacity": 0.08 };
  pen.rect(tower.left, at.top, tower.wide, at.foot - at.top, box);
  const [high, low] = [at.top + (narrow ? 16 : 26), at.foot - (narrow ? 16 : 26)];
  for (let to = 0; to < at.words; to += 1)
    for (let from = 0; from < (tower.causal ? to + 1 : at.words); from += 1) {
      const look = { key: `line ${k} ${from} ${to}`, stroke: ink, width: narrow ? 1 : 1.6 };
      pen.line(at.lane(tower, from), low, at.lane(tower, to), high, look);
    }
  for (let word = 0; word < at.words; word += 1)
    for (const y of [high, low])
      pen.circle(at.lane(tower, word), y, narrow ? 3.5 : 7, { key: `dot ${k} ${word} ${y === low}`, fill: ink });
}

/**
 * What the decoder asks of the encoder.
 *
 * @param {Pen} pen @param {InUseScene} scene @param {InUsePlaces} at @param {Tower[]} towers @param {boolean} lit
 */
function drawCross(pen, { colour, narrow }, at, [encoder, decoder], lit) {
  const y = at.top + (narrow ? 16 : 26);
  const to = at.lane(decoder, 0) - (narrow ? 5 : 10);
  const from = at.lane(encoder, at.words - 1);
  pen.path(`M${from} ${y}H${to}`, { key: "cross", stroke: colour.score, width: lit ? 4 : 2 });
  pen.group({ key: "cross tip" }, (its) => its.head(to + 2, y, 0, colour.score, narrow ? 8 : 13));
}

/**
 * The head on the word it reads, what is given, and the words below the towers.
 *
 * @param {Pen} pen @param {InUseScene} scene @param {InUsePlaces} at @param {number} n @param {RunData} run
 */
function drawRun(pen, scene, at, n, run) {
  const { colour, narrow, width, data } = scene;
  const towers = at.towersOf(n);
  const last = towers[towers.length - 1];
  const from = at.lane(last, last.causal ? at.words - 1 : 0);
  const other = data.uses[chosenOf(scene)].runs.findIndex((each) => each.head !== "") !== n;
  if (narrow && other) return void pen.line(from, at.top, from, at.top + 12, { key: `stem ${n}`, stroke: colour.ink });
  const size = narrow ? 15 : 19;
  const half = textWidth(run.head, size, true) / 2 + (narrow ? 10 : 12);
  const { left, wide } = narrow ? { left: 4, wide: width - 8 } : at.columnOf(n);
  const middle = Math.max(Math.min(from, left + wide - half - 2), left + half);
  const [top, high] = narrow ? [at.top - 44, 30] : [at.top - 62, 40];
  const low = at.top + (narrow ? 12 : 19);
  pen.line(from, low, from, top + high, { key: `stem ${n}`, stroke: colour.ink, width: narrow ? 2.5 : 4 });
  const box = { key: `head ${n}`, r: 6, fill: colour.weight };
  pen.rect(middle - half, top, 2 * half, high, box);
  const said = { key: `said ${n}`, size, bold: true, fill: colour.background, anchor: MIDDLE };
  pen.text(middle, top + high / 2 + size * 0.35, run.head, said);
  const gives = { key: `gives ${n}`, size: narrow ? 17 : 26, bold: true, anchor: MIDDLE };
  const room = textWidth(run.gives, gives.size, true) / 2 + 4;
  const place = Math.max(Math.min(from, left + wide - room), left + room);
  pen.text(place, top - (narrow ? 10 : 18), run.gives, gives);
  drawWords(pen, scene, at, n, run);
}

/** @param {Pen} pen @param {InUseScene} scene @param {InUsePlaces} at @param {number} n @param {RunData} run */
function drawWords(pen, { colour, narrow, width }, at, n, run) {
  const towers = at.towersOf(n);
  const { left, wide } = at.columnOf(n);
  if (narrow) {
    const line = { key: "words", size: 14, anchor: MIDDLE, room: width - 12 };
    pen.text(width / 2, at.foot + 20, run.reads.join(" "), line);
    pen.text(width / 2, at.foot + 40, run.note, { ...line, key: "note", size: 13, fill: colour.quiet });
    return;
  }
  run.reads.forEach((word, k) => {
    const tower = towers[Math.floor(k / at.words)];
    const look = { key: `word ${n} ${k}`, size: 15, anchor: MIDDLE, room: tower.wide / at.words + 6 };
    pen.text(at.lane(tower, k % at.words), at.foot + 22, word, look);
  });
  const note = { key: `note ${n}`, size: 15, fill: colour.quiet, anchor: MIDDLE, room: wide + 10 };
  pen.text(left + wide / 2, at.foot + 46, run.note, note);
}

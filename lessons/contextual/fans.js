// Eight words, each as a fan: one arm is its vector by Person A, the other by Person B, and the opening is the true angle
// between them. A press reads both sentences.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Component, Fan, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"fans", { pressed?: number }>} FansScene */
/**
 * Where a fan is drawn: its apex, the length of its arms, the base line of the words over it, and the room of a cell.
 *
 * @typedef {{ x: number, y: number, long: number, top: number, room: number }} Place
 */
/** @typedef {(pen: Pen, scene: FansScene, fan: Fan, place: Place) => void} DrawFan */

const CLOSED = 0.03; // half the opening, in radians, up to which both arms lie on each other
const ROLES = /** @type {const} */ (["input", "gradient"]);

/** @param {Component<Scripts["fans"]>} component */
export default function fans(component) {
  return mainPicture(component, (pen, /** @type {FansScene} */ scene) => {
    const { data, values, chooseTexts } = scene;
    chooseTexts(Math.round(values("layer")), false);
    data.fans.forEach((fan, n) => drawFan(pen, scene, fan, n));
    drawFoot(pen, scene);
  });
}

/** @param {FansScene} scene @param {number} n @returns {Place} */
function placeOf({ width, height, narrow, data }, n) {
  const columns = narrow ? 2 : 4;
  const foot = narrow ? 44 : 34;
  const room = width / columns;
  const high = (height - foot) / Math.ceil(data.fans.length / columns);
  const top = Math.floor(n / columns) * high + (narrow ? 14 : 18);
  const y = Math.floor(n / columns) * high + high - (narrow ? 22 : 30);
  const said = narrow ? 0 : 22;
  return { x: ((n % columns) + 0.5) * room, y, long: Math.min(y - top - said, room * 0.6), top, room };
}

/**
 * A fan that can be pressed.
 *
 * @param {Pen} pen @param {FansScene} scene @param {Fan} fan @param {number} n
 */
function drawFan(pen, scene, fan, n) {
  const { memory, again, colour } = scene;
  const place = placeOf(scene, n);
  const { x, y, top, room } = place;
  const chosen = memory.pressed === n;
  const press = () => {
    memory.pressed = chosen ? undefined : n;
    again();
  };
  const name = `${fan.word}: read both sentences`;
  pen.button(
    name,
    press,
    (its) => {
      const look = chosen ? { fill: colour.ground } : { fill: "transparent" };
      its.rect(x - room / 2 + 4, top - 16, room - 8, y - top + 44, { key: "all", r: 8, ...look });
      drawWedges(its, scene, fan, place);
      drawArms(its, scene, fan, place);
      drawNumber(its, scene, fan, place, n);
    },
    { key: fan.word, chosen },
  );
}

/**
 * Half the opening of a fan, in radians.
 *
 * @param {number} cosine
 */
const half = (cosine) => Math.acos(Math.min(Math.max(cosine, -1), 1)) / 2;

/** @param {Place} place @param {number} turned @param {number} long */
const tip = ({ x, y }, turned, long) =>
  /** @type {const} */ ([x + long * Math.sin(turned), y - long * Math.cos(turned)]);

/** @param {Place} place @param {number} turned @param {number} long */
function wedge(place, turned, long) {
  const [left, right] = [tip(place, -turned, long), tip(place, turned, long)];
  return `M${place.x} ${place.y}L${left.join(" ")}A${long} ${long} 0 0 1 ${right.join(" ")}z`;
}

/**
 * The opening, and in grey that of two uses in one sense.
 *
 * @type {DrawFan}
 */
function drawWedges(pen, { values, hidden, colour }, fan, place) {
  if (!hidden(fan.cosine)) {
    const d = wedge(place, half(values(fan.cosine)), place.long * 0.96);
    pen.path(d, { key: "open", fill: colour.score, "fill-opacity": 0.14, stroke: "none" });
  }
  const d = wedge(place, half(values(fan.same)), place.long * 0.52);
  pen.path(d, { key: "same", fill: colour.quiet, "fill-opacity": 0.4, stroke: "none" });
}

/**
 * An arm a person, with a circle or a square at its end, and what the person says around the word.
 *
 * @type {DrawFan}
 */
function drawArms(pen, { values, hidden, colour, narrow }, { word, phrases, cosine }, place) {
  const turned = hidden(cosine) ? 0 : half(values(cosine));
  const { x } = place;
  ROLES.forEach((role, person) => {
    const [tx, ty] = tip(place, person ? turned : -turned, place.long);
    const fill = colour[role];
    const wide = person || turned > CLOSED ? 5 : 11; // below the other arm, it is seen on both sides
    pen.line(place.x, place.y, tx, ty, { key: `arm ${person}`, stroke: fill, width: wide });
    const end = { key: `end ${person}`, fill, stroke: colour.background, line: 1.5 };
    if (person) pen.rect(tx - 7, ty - 7, 14, 14, { r: 1, ...end });
    else pen.circle(tx, ty, turned > CLOSED ? 8 : 12, end);
    const look = { key: `said ${person}`, size: 14, bold: true, fill };
    if (!narrow) drawPhrase(pen, phrases, person, place, look);
  });
  pen.circle(place.x, place.y, 5, { key: "apex", fill: colour.ink });
  const size = narrow ? 17 : 22;
  const at = narrow ? { x: x + 10, y: place.y + 19 } : { x, y: place.y + 24 };
  pen.text(at.x, at.y, word, { key: "word", size, bold: true, anchor: narrow ? "end" : "middle" });
}

/**
 * The phrase of a person over the fan: both stand side by side, around its middle as far as they are equally long.
 *
 * @param {Pen} pen
 * @param {readonly string[]} phrases
 * @param {number} person
 * @param {Place} place
 * @param {{ size: number, bold: boolean, fill: string }} look
 */
function drawPhrase(pen, phrases, person, { x, top, room }, look) {
  const gap = 14;
  const long = phrases.reduce((sum, each) => sum + textWidth(each, 1, true), 0);
  const size = Math.min(look.size, (room - gap - 12) / long);
  const [one, other] = phrases.map((each) => textWidth(each, size, true));
  const from = Math.max(x - (one + gap + other) / 2, x - room / 2 + 6);
  pen.text(person ? from + one + gap : from, top, phrases[person], { ...look, size });
}

/**
 * The angle in the fan.
 *
 * @param {Pen} pen @param {FansScene} scene @param {Fan} fan @param {Place} place @param {number} n
 */
function drawNumber(pen, { data, text, values, hidden, narrow }, fan, place, n) {
  const marked = data.widest[Math.round(values("layer"))] === n && !hidden(fan.angle);
  const size = narrow ? 17 : 24;
  const closed = hidden(fan.cosine) || half(values(fan.cosine)) <= CLOSED;
  const beside = narrow || closed; // there is no room in the fan
  const y = narrow ? place.y + 19 : place.y - place.long * 0.74 + size * 0.35;
  const look = /** @type {const} */ ({ key: "angle", size, bold: true, anchor: beside ? "start" : "middle" });
  pen.markedText(place.x + (beside ? 20 : 0), y, `${text(fan.angle)}°`, marked, look);
}

/**
 * Who the colours are, or both sentences of the fan that was pressed.
 *
 * @param {Pen} pen @param {FansScene} scene
 */
function drawFoot(pen, { data, memory, colour, height, width, narrow }) {
  const size = narrow ? 13 : 15;
  const pressed = memory.pressed === undefined ? null : data.fans[memory.pressed];
  const y = height - (narrow ? 24 : 10);
  let x = narrow ? 10 : 28;
  data.persons.forEach((person, i) => {
    const fill = colour[ROLES[i]];
    if (i) pen.rect(x, y - 11, 12, 12, { key: `sign ${i}`, r: 1, fill });
    else pen.circle(x + 6, y - 5, 6.5, { key: `sign ${i}`, fill });
    const said = pressed ? `${person}: ${pressed.sentences[i]}` : person;
    pen.text(x + 18, y, said, { key: `person ${i}`, size, bold: !pressed, room: width / 2 - 40 });
    x += pressed ? width / 2 - 10 : textWidth(person, size, true) + 40;
  });
  if (pressed) return;
  const [left, foot] = narrow ? [10, height - 4] : [x + 30, y];
  pen.rect(left, foot - 12, 26, 14, { key: "sign same", r: 2, fill: colour.quiet, "fill-opacity": 0.4 });
  pen.text(left + 34, foot, data.same, { key: "same said", size, fill: colour.quiet });
}

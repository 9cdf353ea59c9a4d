// The encoder: a state after each word of the source, pressed to force all of α on it.

import { signs, SIGNS_WIDE } from "../../drawing/signs.js";

/** @import { Pen, TextLook } from "../../drawing/pen.js" */
/** @import { Places } from "./seq2seq_places.js" */
/** @import { Draw, Moment, TranslationScene } from "./translation_scene.js" */

/** @type {Draw} */
export function drawEncoder(pen, scene, at, now) {
  const { colour, data } = scene;
  const title = at.small ? "Encoder: states hⱼ" : "Encoder: one state hⱼ after each word xⱼ of the source";
  pen.text(at.zone.left, at.rows.title, title, {
    size: at.small ? 13 : 15,
    bold: true,
    fill: colour.input,
    room: at.zone.wide - SIGNS_WIDE - 12,
  });
  signs(pen, { x: at.zone.left + at.zone.wide - SIGNS_WIDE, y: at.rows.title, fills: data.signed });
  data.source.forEach((_, j) => drawState(pen, scene, at, now, j));
}

/**
 * A state: pointing at it shows the word that all of α there gives, and a press forces α there.
 *
 * @param {Pen} pen @param {TranslationScene} scene @param {Places} at @param {Moment} now @param {number} j
 */
function drawState(pen, scene, at, now, j) {
  const { data, send, hidden } = scene;
  const forced = data.forced[now.step] === j;
  const still = now.covered || hidden("instead"); // disabled while a question hides α or the words of other α
  const node = pen.button(
    `${forced ? "Release" : "Force"} α of step ${now.step + 1} on ${data.source[j]}, place ${j + 1}`,
    () => send({ force: [now.step + 1, j + 1], step: now.step + 1 }),
    (its) => drawStateFrame(its, scene, at, now, j),
    { key: `state ${j}`, disabled: still, chosen: still ? undefined : forced },
  );
  const enter = () => pointAt(scene, now.step, j);
  const leave = () => pointAt(scene, now.step, null);
  node.onpointerenter = still ? null : enter;
  node.onpointerleave = still ? null : leave;
  node.onfocus = still
    ? null
    : (event) => {
        if (/** @type {Element} */ (event.target).matches(":focus-visible")) enter();
      };
  node.onblur = still ? null : leave;
}

/**
 * @param {TranslationScene} scene
 * @param {number} i the step
 * @param {number | null} j the place; null for none
 */
function pointAt({ memory, again }, i, j) {
  const over = j === null ? null : { i, j };
  if (memory.over?.i === over?.i && memory.over?.j === over?.j) return;
  memory.over = over;
  again();
}

/**
 * The frame of a state, its word above, and the invisible area that receives presses.
 *
 * @param {Pen} pen @param {TranslationScene} scene @param {Places} at @param {Moment} now @param {number} j
 */
function drawStateFrame(pen, { colour, data }, at, now, j) {
  const { wide, high } = at.state;
  const { pitch, upright, slope, size } = at.above;
  const x = at.x(j);
  const forced = data.forced[now.step] === j;
  const heavy = !now.covered && now.weights[j] > 0.5;
  const surface = { fill: "transparent", r: 2 };
  pen.rect(x - pitch / 2, at.rows.encoder - (upright ? 22 : 6), pitch, high + (upright ? 26 : 10), surface);
  pen.rect(x - wide / 2 - 1, at.rows.encoder - 1, wide + 2, high + 2, {
    stroke: heavy ? colour.weight : forced ? colour.gradient : colour.input,
    line: heavy ? 3.5 : 1.5,
    r: 2,
  });
  const look = { size, bold: heavy, fill: heavy ? colour.weight : colour.ink };
  wordAbove(pen, data.source[j], x, at.rows.encoder - 8, -slope, look);
}

/**
 * A word above a state: horizontal, or sloping if the words do not fit side by side.
 *
 * @param {Pen} pen
 * @param {string} word
 * @param {number} x
 * @param {number} y
 * @param {number} slope in degrees; 0: horizontal
 * @param {TextLook & { size: number }} how
 */
function wordAbove(pen, word, x, y, slope, how) {
  if (!slope) return pen.text(x, y, word, { ...how, anchor: "middle" });
  const right = x - 3 + 0.3 * how.size * Math.sin((-slope * Math.PI) / 180);
  return pen.text(0, 0, word, { ...how, anchor: "start", transform: `translate(${right} ${y}) rotate(${slope})` });
}

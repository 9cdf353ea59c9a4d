// A text and the outcome of each word, and below it the two numbers per word that decide it. A share is a threshold:
// while it is dragged, the picture shows the outcomes at that share.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { chipLines } from "./corruption_places.js";
import { numberOf, OUTCOME_ROLES, outcomeOf, shownAt } from "./corruption_scene.js";
import { drawStrip } from "./corruption_strips.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Zone } from "./corruption_places.js" */
/** @import { CorruptionScene } from "./corruption_scene.js" */

/** @typedef {ReturnType<typeof chipLines>} Plan */

/** @param {Component<Scripts["corruption"]>} component */
export default function corruption(component) {
  return mainPicture(component, drawCorruption);
}

/** @param {Pen} pen @param {CorruptionScene} scene */
function drawCorruption(pen, scene) {
  const { width, height, narrow } = scene;
  const strip = narrow ? 84 : height < 470 ? 100 : 116;
  const [left, right] = [narrow ? 10 : 22, width - (narrow ? 10 : 22)];
  const zone = { left: left - 4, right: right + 4, top: narrow ? 34 : 46, foot: height - 2 * strip - 10 };
  const first = { left, right, top: height - 2 * strip - 4, foot: height - strip - 6 };
  const second = { left, right, top: height - strip, foot: height - 4 };
  pen.part(scene, "counts", (its) => drawCounts(its, scene));
  pen.part(scene, "text", (its) => drawText(its, scene, zone));
  pen.part(scene, "first", (its) => drawStrip(its, scene, first, 0));
  pen.part(scene, "second", (its) => drawStrip(its, scene, second, 1));
}

const COUNTS = /** @type {const} */ ([
  ["n_chosen", "predicted", "loss"],
  ["n_masked", "[MASK]", "weight"],
  ["n_random", "random", "gradient"],
  ["n_kept", "kept", "activation"],
  ["n_rest", "not in the loss", "quiet"],
]);

/**
 * The number of words that are chosen, and of each outcome.
 *
 * @param {Pen} pen @param {CorruptionScene} scene
 */
function drawCounts(pen, { values, hidden, colour, narrow, width }) {
  const size = narrow ? 16 : 19;
  const small = narrow ? 13 : 15;
  const y = narrow ? 20 : 27;
  let x = narrow ? 8 : 22;
  COUNTS.forEach(([name, long, role], n) => {
    const label = narrow && name === "n_rest" ? "not" : long;
    const number = hidden(name) ? "?" : String(Math.round(values(name)));
    const before = textWidth(number, size, true) + 6;
    const wide = before + textWidth(label, small) + (narrow ? 10 : 28);
    if (x + wide > width + 12) return;
    pen.markedText(x, y, number, n === 0, { key: name, size, bold: true, fill: colour[role] });
    pen.text(x + before, y, label, { key: `of ${name}`, size: small, fill: colour[role] });
    x += wide;
  });
}

/**
 * The words as the model sees them; repeated presses mask, replace, keep, and unselect a word.
 *
 * @param {Pen} pen @param {CorruptionScene} scene @param {Zone} zone
 */
function drawText(pen, scene, zone) {
  const { data, send } = scene;
  const shown = data.tokens.map((_, i) => shownAt(scene, i));
  const outcomes = data.tokens.map((_, i) => outcomeOf(scene, i));
  const plan = chipLines(shown, data.tokens, outcomes, zone, textWidth);
  data.tokens.forEach((token, i) => {
    const draw = (/** @type {Pen} */ chip) => drawWord(chip, scene, plan, i);
    if (data.maskable[i] <= 0) return pen.group({ key: `word${i}` }, draw);
    const as = outcomes[i] === 2 ? `, shown as ${shown[i]}` : "";
    const name = `Word ${numberOf(scene, i)}, ${token}: ${data.outcomes[outcomes[i]]}${as}`;
    pen.button(name, () => send({ hand: handAfter(scene, i) }), draw, { key: `word${i}`, "data-place": i });
  });
}

/**
 * A word: the text shown, the original, and the outcome.
 *
 * @param {Pen} pen @param {CorruptionScene} scene @param {Plan} plan @param {number} i
 */
function drawWord(pen, scene, { places, size, height, brief }, i) {
  const { data, colour } = scene;
  const { x, y, width } = places[i];
  const outcome = outcomeOf(scene, i);
  const role = colour[OUTCOME_ROLES[outcome]];
  const middle = x + width / 2;
  pen.rect(x, y, width, height, {
    r: 10,
    fill: outcome ? role : colour.background,
    "fill-opacity": outcome ? 0.13 : 1,
    stroke: outcome ? role : colour.line,
    line: outcome ? 2.5 : 1.5,
    dash: outcome === 1 ? "6 4" : null,
  });
  const look = /** @type {const} */ ({ anchor: "middle", room: width - 8 });
  const fill = outcome ? role : colour.ink;
  pen.text(middle, y + size * (brief ? 1.45 : 1.5), shownAt(scene, i), { size, bold: true, fill, ...look });
  if (brief) return;
  const was = { key: "was", size: 14, fill: colour.quiet, ...look };
  if (outcome === 1 || outcome === 2) pen.text(middle, y + size * 1.5 + 19, `was ${data.tokens[i]}`, was);
  const tag = outcome ? data.outcomes[outcome] : data.maskable[i] > 0 ? "" : "never";
  const tagged = { key: "tag", size: 13, bold: true, fill: role, ...look, room: width - 6 };
  if (tag) pen.text(middle, y + height - 8, tag, tagged);
}

/**
 * The outcomes set by hand after a press on this word.
 *
 * @param {CorruptionScene} scene @param {number} place
 */
function handAfter(scene, place) {
  const { data, values } = scene;
  const parts = /** @type {string[]} */ ([]);
  data.tokens.forEach((token, i) => {
    const next = (outcomeOf(scene, i) + (i === place ? 1 : 0)) % 4;
    if (!next) return;
    const other = i === place || !values("hand") ? data.drawn[i] : data.standing[i];
    parts.push(`${numberOf(scene, i)}:${next === 1 ? "[MASK]" : next === 2 ? other : token}`);
  });
  return parts.join(" ");
}

// The answers of the heads as strips of numbers, and below them all answers, joined.

import { headColour } from "./joined_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { JoinedScene, Places } from "./joined_places.js" */
/** @typedef {(pen: Pen, scene: JoinedScene, at: Places) => void} Draw */

/**
 * A number's colour, on a scale that is symmetric about 0.
 *
 * @param {JoinedScene} scene @param {number} value @param {number} reach
 */
function signedColour({ data }, value, reach) {
  const last = data.signed.length - 1;
  return data.signed[Math.round(Math.min(Math.max((value / reach + 1) / 2, 0), 1) * last)];
}

/**
 * A strip of numbers.
 *
 * @param {Pen} pen
 * @param {JoinedScene} scene
 * @param {{ left: number, right: number, top: number, high: number, stroke: string }} at
 * @param {NameOf<"joined">[]} names
 * @param {number} reach
 */
export function drawStrip(pen, scene, { left, right, top, high, stroke }, names, reach) {
  const wide = (right - left) / names.length;
  const asked = scene.hidden("read");
  names.forEach((name, n) => {
    if (asked) return;
    const fill = signedColour(scene, scene.values(name), reach);
    pen.rect(left + n * wide, top, wide + 0.3, high, { key: name, fill, r: 0 });
  });
  pen.rect(left, top, right - left, high, { key: "frame", stroke, line: 2, r: 2, dash: asked ? "6 5" : null });
}

/** @param {number} h @param {number} wide @returns {NameOf<"joined">[]} */
const answerOf = (h, wide) => Array.from({ length: wide }, (_, c) => /** @type {const} */ (`z${h + 1}.${c + 1}`));

/**
 * The answer of each head below its bars, and all of them end to end.
 *
 * @type {Draw}
 */
export function drawAnswers(pen, scene, at) {
  const { data, colour, narrow } = scene;
  const { heads, wide, answers, joined, strip, span, words } = at;
  const each = (span.right - span.left) / heads;
  const label = /** @type {const} */ ({ size: narrow ? 13 : 17, bold: true, anchor: "end" });
  const base = strip / 2 + 6;
  pen.text(words - 6, answers + base, narrow ? "z" : `z: ${heads} × ${data.wide}`, label);
  pen.text(words - 6, joined + base, "joined", label);
  for (let h = 0; h < heads; h++) {
    const stroke = headColour(scene, h);
    const left = at.head(h);
    const names = answerOf(h, data.wide);
    pen.group({ key: `z${h}` }, (its) => {
      drawStrip(its, scene, { left, right: left + wide, top: answers, high: strip, stroke }, names, data.reach[0]);
    });
    const to = span.left + h * each;
    for (const [a, b] of [
      [left, to],
      [left + wide, to + each],
    ]) {
      pen.line(a, answers + strip, b, joined, { stroke, width: 1.5 });
    }
    pen.group({ key: `joined${h}` }, (its) => {
      const place = { left: to, right: to + each, top: joined, high: strip, stroke: colour.ink };
      drawStrip(its, scene, place, names, data.reach[0]);
      its.rect(to, joined + strip + 2, each, 4, { fill: stroke, r: 0 });
    });
  }
}

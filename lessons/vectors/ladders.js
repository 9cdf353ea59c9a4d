// The five nearest words of one word by five methods, a ladder each; right ones are filled. Below, the share of right
// neighbours of all words. A press on a word chooses it.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf } from "./ladders_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { LaddersPlaces, LaddersScene } from "./ladders_places.js" */

const SHORT = { "skip-gram": "skip", "PPMI–SVD": "SVD", fastText: "fastT." }; // the methods on a phone

/** @param {Component<Scripts["ladders"]>} component */
export default function ladders(component) {
  return mainPicture(component, (pen, /** @type {LaddersScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "word", (its) => drawWord(its, scene, at));
    pen.part(scene, "ladders", (its) => scene.data.rungs.forEach((_, n) => drawLadder(its, scene, at, n)));
    pen.part(scene, "shares", (its) => drawShares(its, scene, at));
  });
}

/** @param {number} n @returns {NameOf<"ladders">} */
const shareOf = (n) => `share ${n}`;

/** @param {Pen} pen @param {LaddersScene} scene @param {LaddersPlaces} at */
function drawWord(pen, { data, colour }, at) {
  if (at.narrow) {
    pen.text(at.left, 18, `nearest to “${data.word}”`, { key: "word", size: 16, bold: true });
    return;
  }
  pen.text(6, at.top + 20, "nearest to", { key: "nearest", size: 18, fill: colour.quiet });
  const size = Math.min(30, (30 * 118) / Math.max(textWidth(data.word, 30, true), 1));
  pen.text(6, at.top + 50, data.word, { key: "word", size, bold: true });
  pen.rect(6, at.foot - 66, 22, 22, { key: "right", fill: colour.activation, "fill-opacity": 0.3 });
  pen.text(34, at.foot - 50, "right", { key: "right said", size: 17 });
  pen.rect(6, at.foot - 34, 22, 22, { key: "wrong", stroke: colour.loss, dash: "5 4", line: 2 });
  pen.text(34, at.foot - 18, "wrong", { key: "wrong said", size: 17 });
}

/** @param {Pen} pen @param {LaddersScene} scene @param {LaddersPlaces} at @param {number} n */
function drawLadder(pen, { data, colour, text, send }, at, n) {
  const { narrow, wide } = at;
  const x = at.x(n);
  const method = data.methods[n];
  const named = narrow ? (/** @type {Record<string, string>} */ (SHORT)[method] ?? method) : method;
  const middle = x + wide / 2;
  pen.text(middle, narrow ? 42 : 24, named, {
    key: `method ${n}`,
    size: narrow ? 14 : 21,
    bold: true,
    anchor: "middle",
  });
  const hits = `${text(/** @type {NameOf<"ladders">} */ (`hits ${n}`))} of ${data.rungs[n].length}`;
  const counted = /** @type {const} */ ({ key: `hits ${n}`, size: narrow ? 13 : 17, anchor: "middle" });
  pen.text(middle, narrow ? 59 : 48, hits, { ...counted, fill: colour.quiet });
  data.rungs[n].forEach(({ word, right, known }, k) => {
    const y = at.y(k);
    const high = at.rung - (narrow ? 5 : 8);
    /** @type {(its: Pen) => void} */
    const draw = (its) => {
      const fill = right ? colour.activation : colour.background;
      const edge = right ? { stroke: null } : { stroke: colour.loss, dash: "5 4", line: 2 };
      its.rect(x, y, wide, high, { key: "ground", fill, "fill-opacity": right ? 0.3 : 1, ...edge });
      const room = wide - 8;
      const size = narrow ? 14 : 22;
      const base = narrow ? y + high / 2 + 5 : y + high / 2 + 2;
      its.text(middle, base, word, { key: "word", size, bold: right, anchor: "middle", room });
      if (narrow) return;
      const cosine = text(/** @type {NameOf<"ladders">} */ (`cos ${n} ${k}`));
      const small = /** @type {const} */ ({ key: "cosine", size: 14, anchor: "middle" });
      its.text(middle, y + high / 2 + 19, cosine, { ...small, fill: colour.quiet });
    };
    if (!known) {
      pen.group({ key: `word ${n} ${k}` }, draw);
      return;
    }
    const name = `${word}, ${right ? "right" : "wrong"}: its nearest words`;
    pen.button(name, () => send({ word }), draw, { key: `rung ${n} ${k}` });
  });
}

/** @param {Pen} pen @param {LaddersScene} scene @param {LaddersPlaces} at */
function drawShares(pen, { data, colour, text, values, hidden }, at) {
  const { narrow, wide } = at;
  const base = narrow ? at.height - 18 : at.height - 30;
  if (narrow)
    pen.text(at.left, at.foot + 16, "right, over all words, %:", { key: "all", size: 14, fill: colour.quiet });
  else {
    pen.text(6, base - 22, "right,", { key: "all", size: 18, fill: colour.quiet });
    pen.text(6, base, "over all words", { key: "all said", size: 18, fill: colour.quiet });
  }
  data.methods.forEach((_, n) => {
    const asked = hidden(shareOf(n));
    const best = n === data.best && !asked;
    const middle = at.x(n) + wide / 2;
    const fill = best ? colour.activation : colour.ink;
    const look = /** @type {const} */ ({ key: `share ${n}`, anchor: "middle", bold: true });
    const said = narrow ? text(shareOf(n)) : `${text(shareOf(n))}%`;
    pen.text(middle, base, said, { ...look, size: narrow ? 15 : 34, fill });
    if (asked) return;
    const full = wide * (values(shareOf(n)) / 100);
    const y = base + (narrow ? 6 : 12);
    pen.rect(at.x(n), y, wide, 9, { key: `whole ${n}`, fill: colour.line, r: 2 });
    pen.rect(at.x(n), y, full, 9, { key: `part ${n}`, fill: colour.activation, r: 2, "fill-opacity": best ? 1 : 0.6 });
  });
}

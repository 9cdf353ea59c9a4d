// Ten thousand words as squares. A share is a threshold on the numbers that were drawn for each word, so a square
// changes only where a threshold passes it. On a press they stand sorted by what becomes of them, and go back again.

import { canvasIn, sharpness } from "../../drawing/canvas.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { DIM } from "../../drawing/pen.js";
import { drawCounts } from "./fates_counts.js";
import { blocksOf, countsOf, edgesOf, fatesOf, fieldOf, highest, sortedPlaces } from "./fates_places.js";
import { drawnOf, isAsked, PARTS, ROLES } from "./fates_scene.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Field } from "./fates_places.js" */
/** @import { FatesScene, Words } from "./fates_scene.js" */

/** @typedef {{ n: string, per: number, way: "x" | "y" }} Grip its slider, units per 1 of its number, and direction */

/** @param {Component<Scripts["fates"]>} component */
export default function fates(component) {
  return mainPicture(component, (pen, /** @type {FatesScene} */ scene) => {
    const { width, height, narrow } = scene;
    const box = narrow
      ? { left: 8, top: 6, wide: width - 16, high: height - 196 }
      : { left: 22, top: 8, wide: width * 0.65, high: height - 36 };
    const sharp = sharpness(pen.parent);
    const words = wordsOf(scene, (count) => fieldOf(count, box, sharp));
    paintWords(pen, scene, words, sharp);
    drawPress(pen, scene, words.field, box.top + box.high);
    if (!narrow && scene.values("sorted") === 1 && !isAsked(scene)) drawEdges(pen, scene, words);
    drawCounts(pen, scene, words, box);
  });
}

/** @param {FatesScene} scene @param {(count: number) => Field} place @returns {Words} */
function wordsOf({ data, values }, place) {
  const drawn = drawnOf(data);
  const [chosen, masked] = [values("corrupt_chosen"), values("corrupt_masked")];
  const shares = { chosen, masked, upto: masked + values("corrupt_random") };
  const found = fatesOf(drawn.exact, shares);
  return { shares, fates: found, drawn, field: place(found.length) };
}

/**
 * The squares, on their way between the two orders.
 *
 * @param {Pen} pen @param {FatesScene} scene @param {Words} words @param {number} sharp
 */
function paintWords(pen, scene, { shares, fates: found, drawn, field }, sharp) {
  const { data, values, dim, colour, width, height } = scene;
  const part = isAsked(scene) ? 0 : values("sorted");
  const alpha = PARTS.map((name) => (dim(name) ? DIM : 1));
  const fills = ROLES.map((role) => colour[role]);
  const { left, top, columns, pitch } = field;
  const side = pitch - (pitch * sharp >= 8 ? 2 : pitch * sharp >= 4 ? 1 : 0.4) / sharp;
  const stamp = JSON.stringify([data.stamp, shares, part, alpha, fills, field]);
  canvasIn(pen, { key: "words", left: 0, top: 0, width, height, sharp, stamp }, (brush) => {
    const to = sortedPlaces(field, found, drawn.order);
    fills.forEach((fill, fate) => {
      brush.fillStyle = fill;
      brush.globalAlpha = alpha[fate];
      found.forEach((its, i) => {
        if (its !== fate) return;
        const [x, y] = [i % columns, Math.floor(i / columns)];
        const across = x + part * (to[i] - x);
        const down = y + part * (to[found.length + i] - y);
        brush.fillRect(left + across * pitch, top + down * pitch, side, side);
      });
    });
    brush.globalAlpha = 1;
  });
}

/**
 * A press on the words sorts them, or puts them back; below them stands what a square is.
 *
 * @param {Pen} pen @param {FatesScene} scene @param {Field} field @param {number} foot
 */
function drawPress(pen, scene, { left, top, columns, rows, pitch }, foot) {
  const { final, send, colour, narrow } = scene;
  const isSorted = final("sorted") === 1;
  const name = isSorted ? "Put the words back as in the text" : "Sort the words by what becomes of them";
  const press = () => send({ order: isSorted ? "text" : "fate" });
  const draw = (/** @type {Pen} */ its) =>
    its.rect(left, top, columns * pitch, rows * pitch, { r: 2, fill: colour.background, "fill-opacity": 0.01 });
  pen.button(name, press, draw, { key: "sort", chosen: isSorted, disabled: isAsked(scene) });
  const said = isSorted ? "a square: a word of a story; press to put them back" : "a square: a word of a story";
  const more = isSorted || isAsked(scene) ? "" : "; press to sort them";
  pen.text(left, foot + (narrow ? 14 : 20), said + more, { key: "note", size: 14, fill: colour.quiet });
}

/**
 * The edges of the blocks, each of which is dragged to change a share.
 *
 * @param {Pen} pen @param {FatesScene} scene @param {Words} words
 */
function drawEdges(pen, { data, values }, { fates: found, field }) {
  const blocks = blocksOf(field, countsOf(found));
  const { first, second, below } = edgesOf(field, blocks);
  const { left, top, columns, rows, pitch } = field;
  const foot = top + highest(blocks) * pitch;
  const per = columns * pitch;
  if (highest(blocks)) {
    drawEdge(pen, "masked", { n: data.sliders[1], per, way: "x" }, [first, top], [first, foot]);
    if (values("n_random"))
      drawEdge(pen, "random", { n: data.sliders[2], per, way: "x" }, [second, top], [second, foot]);
  }
  /** @type {Grip} */
  const down = { n: data.sliders[0], per: -rows * pitch, way: "y" };
  drawEdge(pen, "chosen", down, [left, below], [left + columns * pitch, below]);
}

/**
 * An edge with arrows in its middle, and room around it for a finger.
 *
 * @param {Pen} pen
 * @param {string} key
 * @param {Grip} grip
 * @param {readonly [number, number]} from
 * @param {readonly [number, number]} to
 */
function drawEdge(pen, key, { n, per, way }, [x1, y1], [x2, y2]) {
  const moves = { "data-n": n, "data-per": per, "data-way": way };
  const style = `cursor: ${way === "x" ? "ew-resize" : "ns-resize"}`;
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const arrows =
    way === "x"
      ? `M${x - 13} ${y}l7 -6v12zM${x + 13} ${y}l-7 -6v12z`
      : `M${x} ${y - 13}l-6 7h12zM${x} ${y + 13}l-6 -7h12z`;
  pen.group({ key: `edge ${key}`, class: "handle", style, ...moves }, (its) => {
    const [across, down] = way === "x" ? [11, 0] : [0, 9];
    its.rect(x1 - across, y1 - down, x2 - x1 + 2 * across, y2 - y1 + 2 * down, { fill: "transparent" });
    its.circle(x, y, 15, { fill: pen.colour.background, "fill-opacity": 0.85 });
    its.line(x1, y1, x2, y2, { width: 2 });
    its.node("path", { d: arrows, fill: pen.colour.ink });
  });
}

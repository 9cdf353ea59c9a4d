// The gradient of one loss back through the chain of states: a band as wide as its norm at each state, the part of each
// that goes into the one W_h, and a cut that is dragged.

import { drag } from "../../drawing/hand.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";
import { cutAt, placesOf } from "./back_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { BackPlaces, BackScene } from "./back_places.js" */
/** @typedef {(pen: Pen, scene: BackScene, at: BackPlaces) => void} Draw */

const FAINT = 0.22; // what is cut off

/** @param {Component<Scripts["back"]>} component */
export default function back(component) {
  return mainPicture(component, (pen, /** @type {BackScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "gradient", (its) => (at.narrow ? drawBars : drawBand)(its, scene, at));
    pen.part(scene, "chain", (its) => drawChain(its, scene, at));
    if (!at.narrow) pen.part(scene, "weights", (its) => drawWeights(its, scene, at));
    pen.part(scene, "cut", (its) => drawCut(its, scene, at));
  });
}

/** @param {number} k @returns {NameOf<"back">} */
const normOf = (k) => `n ${k}`;

/** @param {BackScene} scene @param {BackPlaces} at @param {number} k */
const isKept = ({ final }, { t }, k) => k >= t - Math.round(final("cut"));

/**
 * Half the width of the band at a state.
 *
 * @param {BackScene} scene @param {BackPlaces} at @param {number} k
 */
const halfOf = (scene, at, k) => (scene.hidden(normOf(k)) ? 6 : Math.max(at.thick(scene.values(normOf(k))) / 2, 0.8));

/**
 * The band, from the loss to the first state: a piece from each state to the one before.
 *
 * @type {Draw}
 */
function drawBand(pen, scene, at) {
  const { colour } = scene;
  const { t, x, axis } = at;
  for (let k = t - 1; k >= at.from; k--) {
    const [right, left] = [k === t - 1 ? x(t) - at.r - 5 : x(k + 1), x(k)];
    const [wide, thin] = [k === t - 1 ? halfOf(scene, at, k) : halfOf(scene, at, k + 1), halfOf(scene, at, k)];
    const middle = (right + left) / 2;
    const d = `M${right} ${axis - wide}C${middle} ${axis - wide} ${middle} ${axis - thin} ${left} ${axis - thin}V${axis + thin}C${middle} ${axis + thin} ${middle} ${axis + wide} ${right} ${axis + wide}Z`;
    const opacity = isKept(scene, at, k) ? 0.75 : FAINT;
    pen.path(d, { key: `band ${k}`, stroke: null, fill: colour.gradient, "fill-opacity": opacity });
  }
}

/**
 * On a phone, a bar for each state.
 *
 * @type {Draw}
 */
function drawBars(pen, scene, at) {
  for (let k = at.t - 1; k >= at.from; k--) {
    const long = Math.max(2 * halfOf(scene, at, k), 1.5);
    const opacity = isKept(scene, at, k) ? 0.85 : FAINT;
    const fill = scene.colour.gradient;
    pen.rect(at.bars, at.y(k) - at.row * 0.3, long, at.row * 0.6, {
      key: `bar ${k}`,
      r: 2,
      fill,
      "fill-opacity": opacity,
    });
  }
}

/**
 * The states, what each has read, the norm at each, and the loss.
 *
 * @type {Draw}
 */
function drawChain(pen, scene, at) {
  const { data, colour, narrow, values, hidden } = scene;
  const { t, from } = at;
  const loss = { fill: colour.background, stroke: colour.loss, line: 3 };
  for (let k = from; k < t; k++) {
    const kept = isKept(scene, at, k);
    const said = hidden(normOf(k)) ? "?" : formatNumber(values(normOf(k)));
    if (narrow) {
      const y = at.y(k) + 5;
      pen.text(6, y, data.words[k], { key: `word ${k}`, size: 14, bold: kept, room: at.bars - 12 });
      const end = at.bars + Math.max(2 * halfOf(scene, at, k), 1.5) + 6;
      pen.text(end, y, said, { key: `norm ${k}`, size: 13, fill: kept ? colour.gradient : colour.quiet });
      continue;
    }
    const [cx, y] = [at.x(k), at.axis];
    if (k > from)
      pen.line(at.x(k - 1) + at.r, y, cx - at.r - 5, y, { key: `way ${k}`, stroke: colour.ink, width: 1.5 });
    pen.circle(cx, y, at.r, {
      key: `state ${k}`,
      fill: colour.background,
      stroke: kept ? colour.activation : colour.quiet,
      line: 2.5,
    });
    const name = {
      key: `name ${k}`,
      size: 15,
      anchor: /** @type {const} */ ("middle"),
      fill: kept ? colour.activation : colour.quiet,
    };
    pen.text(cx, y + 5, `h${k + 1}`, name);
    const look = {
      key: `norm ${k}`,
      size: 16,
      bold: kept,
      anchor: /** @type {const} */ ("middle"),
      fill: kept ? colour.gradient : colour.quiet,
    };
    pen.text(cx, at.top - 8, said, look);
    pen.text(cx, at.word, data.words[k], {
      key: `word ${k}`,
      size: 17,
      bold: kept,
      anchor: "middle",
      room: at.column + 6,
    });
  }
  const asked = data.words[t];
  if (narrow) {
    const y = at.y(t) + 5;
    pen.text(6, y, asked, { key: "asked", size: 14, bold: true, fill: colour.loss });
    return void pen.text(at.bars, y, `the loss J(${t}) asks for it`, { key: "loss", size: 14, fill: colour.loss });
  }
  const cx = at.x(t);
  pen.circle(cx, at.axis, at.r + 6, { key: "loss", ...loss });
  pen.text(cx, at.axis + 6, "J", { key: "loss name", size: 20, bold: true, anchor: "middle", fill: colour.loss });
  pen.text(cx, at.word, asked, {
    key: "asked",
    size: 17,
    bold: true,
    anchor: "middle",
    fill: colour.loss,
    room: at.column + 6,
  });
  pen.text(8, 18, "‖∂J/∂h(k)‖, the norm at each state", { key: "title", size: 18, bold: true, fill: colour.gradient });
}

/**
 * The one W_h, into which the parts of all states are summed.
 *
 * @type {Draw}
 */
function drawWeights(pen, scene, at) {
  const { colour, text } = scene;
  const { t, from, x, weights } = at;
  for (let k = from; k < t; k++) {
    const kept = isKept(scene, at, k);
    const [head, foot] = [at.word + 10, weights.top - 2];
    if (!kept) {
      pen.line(x(k), head, x(k), foot, { key: `part ${k}`, stroke: colour.quiet, width: 1.2, dash: "3 5" });
      continue;
    }
    const half = Math.max(halfOf(scene, at, k) * 0.3, 0.8);
    const tip = Math.min(half + 7, at.column * 0.45);
    const [l, r, neck] = [x(k) - half, x(k) + half, foot - 12];
    const d = `M${l} ${head}H${r}V${neck}H${x(k) + tip}L${x(k)} ${foot}L${x(k) - tip} ${neck}H${l}Z`;
    pen.path(d, { key: `arrow ${k}`, stroke: null, fill: colour.gradient });
  }
  const [left, right] = [x(from) - at.column / 2 + 4, x(t - 1) + at.column / 2 - 4];
  const { top, foot } = weights;
  const box = { key: "weights", r: 8, fill: colour.weight, "fill-opacity": 0.14, stroke: colour.weight };
  pen.rect(left, top, right - left, foot - top, box);
  const said = `Σ: ${text("terms")} of ${t} parts are summed into the one Wₕ`;
  const cut = x(Math.max(t - Math.round(scene.final("cut")), from)) - at.column / 2;
  const [start, end] = cut <= left + 1 ? [left, right] : cut - left > right - cut ? [left, cut] : [cut, right];
  const look = { key: "sum", size: 19, bold: true, anchor: /** @type {const} */ ("middle"), fill: colour.weight };
  pen.text((start + end) / 2, (top + foot) / 2 + 7, said, { ...look, room: end - start - 12 });
}

/**
 * The cut, which is dragged, and the share that is kept after it.
 *
 * @type {Draw}
 */
function drawCut(pen, scene, at) {
  const { colour, values, text, narrow } = scene;
  const { t } = at;
  const cut = Math.min(values("cut"), t);
  const place = Math.max(t - cut, at.from);
  const said = narrow ? `kept: ${text("kept")}` : `kept: ${text("kept")} of the sum`;
  const node = pen.group(
    { key: "handle", class: "handle", style: `cursor: ${narrow ? "ns" : "ew"}-resize; touch-action: none` },
    (its) => {
      if (narrow) {
        const y = at.y(place) - at.row / 2;
        its.rect(0, y - 14, scene.width, 28, { fill: "transparent" });
        its.line(6, y, scene.width - 6, y, { stroke: colour.ink, width: 3, dash: "7 5" });
        return void its.circle(scene.width - 16, y, 10, { fill: colour.ink });
      }
      const x = at.x(place) - at.column / 2;
      its.rect(x - 16, 26, 32, at.weights.foot - 26, { fill: "transparent" });
      its.line(x, 34, x, at.weights.foot, { stroke: colour.ink, width: 3, dash: "7 5" });
      return void its.circle(x, 34, 11, { fill: colour.ink });
    },
  );
  drag(node, {
    down: () => ({ cut: Math.round(values("cut")) }),
    move: (began, x, y) => {
      began.cut = cutAt(at, narrow ? y : x);
      scene.move("cut", began.cut, false);
    },
    up: (began, moved) => moved && scene.move("cut", began.cut, true),
  });
  const look = {
    key: "kept",
    bold: true,
    size: narrow ? 16 : 24,
    anchor: /** @type {const} */ ("end"),
    fill: colour.gradient,
  };
  pen.text(narrow ? scene.width - 36 : scene.width - 10, narrow ? scene.height - 6 : 22, said, look);
}

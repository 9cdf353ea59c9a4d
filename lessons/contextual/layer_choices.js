// Six ways to make one vector of a word: a pile of layers with those that are taken filled, and a dot for each score on a
// zoomed axis; where the axis is broken, it says so. A press on a way chooses it.

import { mainPicture } from "../../drawing/main_picture.js";
import { placesOf } from "./layer_choices_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { ChoicesPlaces, ChoicesScene } from "./layer_choices_places.js" */
/** @typedef {(pen: Pen, scene: ChoicesScene, at: ChoicesPlaces, n: number) => void} DrawWay */

const KINDS = /** @type {const} */ (["bert", "ours"]);

/** @param {Component<Scripts["layer_choices"]>} component */
export default function layer_choices(component) {
  return mainPicture(component, (pen, /** @type {ChoicesScene} */ scene) => {
    const at = placesOf(scene);
    pen.part(scene, "axes", (its) => KINDS.forEach((_, k) => drawAxis(its, scene, at, k)));
    pen.part(scene, "ways", (its) => {
      if (!at.narrow) its.text(at.pile.left, 22, "which layers", { key: "heading", size: 20, bold: true });
      scene.data.ways.forEach(({ name }, way) => {
        const chosen = isChosen(scene, way);
        const press = () => scene.send({ way });
        its.button(`${name}: its vector`, press, (row) => drawWay(row, scene, at, way), { key: name, chosen });
      });
    });
  });
}

/** @param {ChoicesScene} scene @param {number} way */
const isChosen = ({ final }, way) => Math.round(final("way")) === way;

/** @param {number} k @param {number} n @returns {NameOf<"layer_choices">} */
const scoreOf = (k, n) => `${KINDS[k]} ${n}`;

/** @param {Pen} pen @param {ChoicesScene} scene @param {ChoicesPlaces} at @param {number} k */
function drawAxis(pen, { data, colour, hidden }, at, k) {
  const { title, measure } = data.axes[k];
  const { scale, ticks, left, right, gap } = at.axes[k];
  const size = at.narrow ? 13 : 16;
  const lines = /** @type {[number, number]} */ ([at.top, at.foot]);
  const titled = { x: left, y: at.narrow ? 15 : 22, size: at.narrow ? 13 : 20, bold: true };
  const few = at.narrow ? [ticks[0], ticks[ticks.length - 1]] : ticks;
  const shown = hidden(scoreOf(k, 0)) ? [] : few;
  const said = at.narrow ? title.split(",")[0] : title;
  pen.axis("x", scale, { key: `axis ${k}`, at: at.foot + 20, ticks: shown, size, lines, title: said, titled });
  pen.line(left, at.foot, right, at.foot, { key: `foot ${k}`, stroke: colour.quiet });
  if (!at.narrow) pen.text(left, 44, measure, { key: `measure ${k}`, size: 16, fill: colour.quiet });
  if (gap === null || hidden(scoreOf(k, 0))) return;
  pen.rect(gap - 5, at.foot - 4, 10, 8, { key: `gap ${k}`, fill: colour.background, r: 0 });
  for (const side of [-5, 5]) {
    const [x, look] = [gap + side, { key: `break ${k} ${side}`, stroke: colour.quiet, width: 2 }];
    pen.line(x - 4, at.foot + 8, x + 4, at.foot - 8, look);
  }
  pen.line(gap, at.top, gap, at.foot - 12, { key: `cut ${k}`, stroke: colour.line, dash: "3 6" });
  if (at.narrow) return;
  pen.text(gap - 12, at.foot + 20, "broken", { key: `broken ${k}`, size: 14, fill: colour.quiet, anchor: "middle" });
}

/** @type {DrawWay} */
function drawWay(pen, scene, at, n) {
  const { data, colour, narrow } = scene;
  const { name, size } = data.ways[n];
  const [y, chosen] = [at.y(n), isChosen(scene, n)];
  const ground = chosen ? { fill: colour.line, "fill-opacity": 0.45 } : { fill: "transparent" };
  pen.rect(2, y + 1, at.right - 2, at.row - 2, { key: "ground", ...ground });
  drawPile(pen, scene, at, n);
  const middle = y + at.row / 2;
  if (narrow) pen.text(at.name, y + 17, name, { key: "name", size: 14, bold: chosen });
  else {
    pen.text(at.name, middle - 2, name, { key: "name", size: 20, bold: true });
    pen.text(at.name, middle + 19, size, { key: "size", size: 16, fill: chosen ? colour.ink : colour.quiet });
  }
  KINDS.forEach((_, k) => drawDot(pen, scene, at, n, k));
}

/**
 * The layers, the embedding lowest; those that are taken are filled, side by side if they are put end to end.
 *
 * @type {DrawWay}
 */
function drawPile(pen, { data, colour, narrow }, at, n) {
  const { layers, ends } = data.ways[n];
  const high = (at.row - 10) / (data.depth + 1);
  const wide = narrow ? at.pile.wide : 44;
  for (let layer = 0; layer <= data.depth; layer++) {
    const y = at.y(n) + at.row - 5 - (layer + 1) * high;
    const taken = layers.includes(layer);
    const fill = taken ? colour.input : colour.background;
    pen.rect(at.pile.left, y + 0.5, wide, high - 1, {
      key: `layer ${layer}`,
      r: 1,
      fill,
      stroke: colour.quiet,
      line: 0.7,
    });
  }
  if (narrow) return;
  const [left, middle] = [at.pile.left + wide + 5, at.y(n) + at.row / 2];
  if (layers.length === 1) return;
  if (!ends) {
    pen.text(left + 6, middle + 7, "Σ", { key: "sum", size: 22, bold: true, fill: colour.input });
    return;
  }
  for (let part = 0; part < layers.length; part++) {
    pen.rect(left + part * 7, middle - 14, 6, 28, { key: `part ${part}`, r: 1, fill: colour.input });
  }
}

/** @param {Pen} pen @param {ChoicesScene} scene @param {ChoicesPlaces} at @param {number} n @param {number} k */
function drawDot(pen, scene, at, n, k) {
  const { data, colour, values, text, hidden, narrow } = scene;
  const name = scoreOf(k, n);
  const middle = at.y(n) + at.row / 2 + (narrow ? 9 : 0);
  const { left, right, x } = at.axes[k];
  pen.line(left, middle, right, middle, { key: `line ${k}`, stroke: colour.line, dash: "2 5" });
  if (hidden(name)) return;
  const place = x(values(name));
  const best = values(name) === values(scoreOf(k, data.axes[k].best));
  const r = narrow ? 6 : 10;
  const fill = best ? colour.activation : isChosen(scene, n) ? colour.ink : colour.quiet;
  pen.circle(place, middle, r, { key: `dot ${k}`, fill });
  const end = place > (left + right) / 2;
  const look = { key: `score ${k}`, size: narrow ? 13 : 20, bold: best || isChosen(scene, n), halo: true, fill };
  const said = { ...look, anchor: /** @type {"end" | "start"} */ (end ? "end" : "start") };
  pen.text(end ? place - r - 5 : place + r + 5, middle + (narrow ? 5 : 7), text(name), said);
}

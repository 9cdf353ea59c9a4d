// The layers of a frozen biLM, and a bar for each task: the shares in which the task mixes them. Ribbons lead from the
// layers to the bar of the chosen task; a press on a bar chooses it.

import { mainPicture } from "../../drawing/main_picture.js";
import { barBox, layerBox, partBox, sharesPlaces } from "./mixtures_places.js";

/** @import { Component, NameOf, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, Places, MixturesScene } from "./mixtures_places.js" */
/** @typedef {(pen: Pen, scene: MixturesScene, at: Places) => void} Draw */

const LAYERS = [0, 1, 2];
const OPACITY = [0.3, 0.65, 1]; // of a layer's colour
const COLUMNS = 16; // of the numbers of a state
const LEVELS = 11; // of its numbers, each with its colour
const LEAST = { wide: 0.045, narrow: 0.1 }; // smaller shares have no number

/** @param {Component<Scripts["mixtures"]>} component */
export default function mixtures(component) {
  return mainPicture(component, (pen, /** @type {MixturesScene} */ scene) => {
    const at = sharesPlaces(scene);
    pen.part(scene, "layers", (its) => (at.narrow ? drawLegend(its, scene) : drawLayers(its, scene, at)));
    pen.part(scene, "tasks", (its) => {
      if (!at.narrow) drawRibbons(its, scene, at);
      scene.data.tasks.forEach((task, n) => {
        const press = () => scene.send({ task });
        const chosen = n === chosenOf(scene);
        its.button(`${task}: its shares`, press, (bar) => drawTask(bar, scene, at, n), { key: `task ${n}`, chosen });
      });
    });
  });
}

/** @param {MixturesScene} scene */
const chosenOf = ({ final }) => Math.round(final("task"));

/** @param {number} n @param {number} j */
const nameOf = (n, j) => /** @type {NameOf<"mixtures">} */ (`s ${n} ${j}`);

/** @param {MixturesScene} scene */
const isAsked = ({ hidden }) => hidden("s 0 0");

/**
 * Where the part of a layer begins and ends in the bar of a task; while shares are asked for, all are alike.
 *
 * @param {MixturesScene} scene @param {number} n @param {number} j @returns {[from: number, to: number]}
 */
function endsOf(scene, n, j) {
  if (isAsked(scene)) return [j / LAYERS.length, (j + 1) / LAYERS.length];
  const below = LAYERS.slice(0, j).reduce((sum, k) => sum + scene.values(nameOf(n, k)), 0);
  return [below, below + scene.values(nameOf(n, j))];
}

/**
 * The layers of the biLM with the word's states, the word alone lowest.
 *
 * @type {Draw}
 */
function drawLayers(pen, scene, at) {
  const { data, colour } = scene;
  const middle = at.stack / 2 + 4;
  pen.text(middle, 20, "frozen biLM", { size: 20, bold: true, anchor: "middle" });
  for (const j of LAYERS) {
    const box = layerBox(at, j);
    const states = j ? [2 * j - 1, 2 * j] : [0];
    const wide = j ? (box.wide - 12) / 2 : box.wide;
    states.forEach((state, side) => {
      const tile = { ...box, x: box.x + side * (wide + 12), wide };
      drawState(pen, scene, tile, state, j);
      const said = j ? (side ? "←h" : "→h") : "x";
      const look = /** @type {const} */ ({ size: 15, fill: colour.quiet, anchor: "middle" });
      pen.text(tile.x + wide / 2, box.y + box.high + 19, said, { key: `name ${state}`, ...look });
    });
    pen.text(box.x, box.y - 9, `layer ${j}`, { key: `layer ${j}`, size: 17, bold: true });
    if (!j) continue;
    const [from, to] = [layerBox(at, j - 1).y - 6, box.y + box.high + 26];
    pen.line(middle, from, middle, to + 5, { key: `up ${j}`, stroke: colour.quiet, width: 3 });
    pen.head(middle, to, -90, colour.quiet, 10);
  }
  const said = `${2 * (LAYERS.length - 1) + 1} vectors of “${data.word}”`;
  pen.text(middle, at.foot + 22, "2L + 1 =", { key: "count", size: 17, anchor: "middle", fill: colour.quiet });
  pen.text(middle, at.foot + 46, said, { key: "word", size: 17, anchor: "middle", room: at.stack });
}

/**
 * All numbers of a state, those of one colour in one path.
 *
 * @param {Pen} pen @param {MixturesScene} scene @param {Box} box @param {number} state @param {number} layer
 */
function drawState(pen, { data, colour }, { x, y, wide, high }, state, layer) {
  const columns = layer ? COLUMNS : 2 * COLUMNS;
  const [w, h] = [wide / columns, high / Math.ceil(data.units / columns)];
  const paths = Array.from({ length: LEVELS }, () => "");
  for (let n = 0; n < data.units; n++) {
    const value = Math.min(Math.max(data.states[state * data.units + n], -1), 1);
    const [left, top] = [x + (n % columns) * w, y + Math.floor(n / columns) * h];
    const level = Math.round(((value + 1) / 2) * (LEVELS - 1));
    paths[level] += `M${left.toFixed(1)} ${top.toFixed(1)}h${w.toFixed(2)}v${h.toFixed(2)}h${(-w).toFixed(2)}z`;
  }
  paths.forEach((d, level) => {
    const fill = data.scale[Math.round((level / (LEVELS - 1)) * (data.scale.length - 1))];
    if (d) pen.path(d, { key: `state ${state} ${level}`, stroke: null, fill });
  });
  const frame = { stroke: colour.input, "stroke-opacity": OPACITY[layer], line: 4, r: 4 };
  pen.rect(x - 2, y - 2, wide + 4, high + 4, { key: `frame ${state}`, ...frame });
}

/** @param {Pen} pen @param {MixturesScene} scene */
function drawLegend(pen, { colour }) {
  for (const j of LAYERS) {
    const x = 8 + j * 88;
    pen.rect(x, 6, 16, 16, { key: `key ${j}`, fill: colour.input, "fill-opacity": OPACITY[j], r: 2 });
    pen.text(x + 22, 19, `layer ${j}`, { key: `layer ${j}`, size: 14 });
  }
}

/**
 * The ribbons from the layers, behind the other bars, to the bar of the chosen task.
 *
 * @type {Draw}
 */
function drawRibbons(pen, scene, at) {
  const chosen = chosenOf(scene);
  const end = barBox(at, chosen).x;
  for (const j of LAYERS) {
    const [from, to] = endsOf(scene, chosen, j);
    if (to - from < 0.003) continue;
    const layer = layerBox(at, j);
    const part = partBox(at, chosen, from, to);
    const [a, b] = [layer.x + layer.wide + 6, at.left - 4];
    const turn = (a + b) / 2;
    const [high, low] = [part.y, part.y + part.high];
    const foot = layer.y + layer.high;
    pen.path(
      `M${a} ${layer.y}C${turn} ${layer.y} ${turn} ${high} ${b} ${high}H${end}V${low}H${b}C${turn} ${low} ${turn} ${foot} ${a} ${foot}z`,
      { key: `ribbon ${j}`, stroke: null, fill: scene.colour.input, "fill-opacity": 0.2 + 0.15 * j },
    );
  }
}

/**
 * The bar of a task, and what is said about it.
 *
 * @param {Pen} pen @param {MixturesScene} scene @param {Places} at @param {number} n
 */
function drawTask(pen, scene, at, n) {
  const { colour } = scene;
  const chosen = n === chosenOf(scene);
  const box = barBox(at, n);
  pen.rect(box.x, box.y, box.wide, box.high, { key: "ground", fill: colour.background, r: 0 });
  if (isAsked(scene)) {
    const look = /** @type {const} */ ({ key: "asked", size: at.narrow ? 22 : 44, bold: true, anchor: "middle" });
    pen.text(box.x + box.wide / 2, box.y + box.high / 2 + 8, "?", look);
  } else for (const j of LAYERS) drawPart(pen, scene, at, n, j);
  const line = { stroke: chosen ? colour.ink : colour.quiet, line: chosen ? 4 : 1.5 };
  pen.rect(box.x, box.y, box.wide, box.high, { key: "frame", r: 0, ...line });
  if (at.narrow) sayAbove(pen, scene, box, n, chosen);
  else sayBelow(pen, scene, at, n, chosen);
}

/**
 * The part of a layer with its share; of the chosen task all digits.
 *
 * @param {Pen} pen @param {MixturesScene} scene @param {Places} at @param {number} n @param {number} j
 */
function drawPart(pen, scene, at, n, j) {
  const { colour, text, final, data, narrow } = scene;
  const { x, y, wide, high } = partBox(at, n, ...endsOf(scene, n, j));
  pen.rect(x, y, wide, high, { key: `part ${j}`, fill: colour.input, "fill-opacity": OPACITY[j], r: 0 });
  const share = final(nameOf(n, j));
  if (share < (narrow ? LEAST.narrow : LEAST.wide)) return;
  const chosen = n === chosenOf(scene);
  const said = chosen ? text(nameOf(n, j)) : share.toFixed(2);
  const size = narrow ? 14 : Math.min(chosen ? 25 : 22, Math.max(high * 0.9, 14));
  const marked = chosen && data.learned && j === final("top");
  const fill = j ? colour.background : colour.ink;
  const look = /** @type {const} */ ({ key: `share ${j}`, size, bold: true, anchor: "middle", fill });
  pen.markedText(x + wide / 2, y + high / 2 + size * 0.35, said, marked, look);
}

/**
 * @param {Pen} pen @param {MixturesScene} scene @param {Places} at @param {number} n @param {boolean} chosen
 */
function sayBelow(pen, { data, colour, text, hidden }, at, n, chosen) {
  const { x, wide } = barBox(at, n);
  const middle = x + wide / 2;
  const room = at.pitch - 6;
  const look = /** @type {const} */ ({ anchor: "middle", room });
  if (data.learned) {
    const gamma = /** @type {NameOf<"mixtures">} */ (`gamma ${n}`);
    const said = `γ = ${text(gamma)}`;
    pen.text(middle, at.top - 12, said, {
      key: "gamma",
      size: 19,
      bold: chosen,
      fill: colour.weight,
      anchor: "middle",
    });
  }
  pen.text(middle, at.foot + 23, data.tasks[n], { key: "name", size: 20, bold: true, ...look });
  pen.text(middle, at.foot + 44, data.asks[n], { key: "asks", size: 15, fill: colour.quiet, ...look });
  const [right, word] = /** @type {NameOf<"mixtures">[]} */ ([`right ${n}`, `word ${n}`]);
  const alone = `word alone ${text(word)}%`;
  pen.text(middle, at.foot + 91, alone, { key: "alone", size: 15, fill: colour.quiet, ...look });
  if (!data.measured) return;
  const marked = chosen && !data.learned && !hidden(right);
  const green = /** @type {const} */ ({
    key: "right",
    size: 19,
    bold: true,
    fill: colour.activation,
    anchor: "middle",
  });
  pen.markedText(middle, at.foot + 70, `${text(right)}% right`, marked, green);
}

/**
 * @param {Pen} pen @param {MixturesScene} scene @param {Box} box @param {number} n @param {boolean} chosen
 */
function sayAbove(pen, { data, colour, text, width, hidden }, { x, y }, n, chosen) {
  pen.text(x, y - 7, data.tasks[n], { key: "name", size: 15, bold: true });
  if (!data.measured) return;
  const right = /** @type {NameOf<"mixtures">} */ (`right ${n}`);
  const marked = chosen && !data.learned && !hidden(right);
  const look = /** @type {const} */ ({ key: "right", size: 14, fill: colour.activation, anchor: "end" });
  pen.markedText(width - x, y - 7, `${text(right)}% right`, marked, look);
}

// One token is changed, and the change spreads through the layers along the open cells of the mask. Beside it is the
// same for every token, with a small grid for each layer.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */

/** @typedef {Scene<"leak">} LeakScene */
/** @typedef {ReturnType<typeof placesOf>} Places */
/** @typedef {(pen: Pen, scene: LeakScene, at: Places) => void} Draw */
/** @typedef {(pen: Pen, scene: LeakScene, at: Places, depth: number) => void} DrawLayer */
/** @typedef {{ name: "before" | "after", of: "ofBefore" | "ofAfter", from: number, to: number, said: string }} Side */

/** @param {Component<Scripts["leak"]>} component */
export default function leak(component) {
  return mainPicture(component, drawLeak);
}

/** @param {Pen} pen @param {LeakScene} scene */
function drawLeak(pen, scene) {
  const at = placesOf(scene);
  const depths = Array.from({ length: scene.data.depths }, (_, i) => i + 1);
  pen.part(scene, "edges", (its) => depths.forEach((depth) => drawEdges(its, scene, at, depth)));
  pen.part(scene, "outputs", (its) => depths.forEach((depth) => drawLayer(its, scene, at, depth)));
  pen.part(scene, "words", (its) => drawWords(its, scene, at));
  pen.part(scene, "sides", (its) => drawSides(its, scene, at));
  if (!scene.narrow) pen.part(scene, "every", (its) => drawEvery(its, scene, at));
}

/** @param {LeakScene} scene */
function placesOf({ width, height, narrow, data }) {
  const count = data.tokens.length;
  const [left, right] = narrow ? [46, width - 4] : [104, width - 158];
  const step = (right - left) / count;
  const [top, bottom] = [narrow ? 62 : 84, height - (narrow ? 20 : 40)];
  const apart = (bottom - top) / data.depths;
  return {
    left,
    right,
    step,
    high: narrow ? 22 : 30,
    apart,
    half: Math.min(step / 2 - (narrow ? 1.5 : 4), 40),
    x: (/** @type {number} */ i) => left + (i + 0.5) * step,
    y: (/** @type {number} */ depth) => bottom - depth * apart,
    every: { left: width - 128, right: width - 14 },
  };
}

/**
 * The place of the token that is changed.
 *
 * @param {LeakScene} scene
 */
const changed = ({ values }) => Math.round(values("masking_change")) - 1;

/**
 * The number that the sentence names.
 *
 * @param {LeakScene} scene
 */
const namedBy = ({ data, values }) => data.marks[values("@say") % data.variants];

/**
 * The edge from place j to place i: whether it exists (`open`), and whether the change spreads along it (`live`).
 *
 * @param {LeakScene} scene
 * @param {number} depth
 * @param {number} j from
 * @param {number} i to
 */
function carries({ data, values, hidden }, depth, j, i) {
  const seen = values(`m${i + 1}.${j + 1}`) > 0.5;
  if (hidden(`v${depth}.${i + 1}`)) return { open: data.blank ? seen && i !== j : seen || i === j, live: false };
  const reached = values(`r${depth - 1}.${j + 1}`) > 0.5;
  if (!data.blank) return { open: seen || i === j, live: (seen || i === j) && reached };
  const own = i === j && depth > 1 && values(`v${depth - 1}.${i + 1}`) > 0;
  return { open: (seen && i !== j) || (i === j && depth > 1), live: own || (seen && i !== j && reached) };
}

/** @type {DrawLayer} */
function drawEdges(pen, scene, at, depth) {
  const { data, colour } = scene;
  const quiet = /** @type {string[]} */ ([]);
  const live = /** @type {string[]} */ ([]);
  const [from, to] = [round(at.y(depth - 1) - at.high / 2), round(at.y(depth) + at.high / 2)];
  const bend = round((at.y(depth - 1) + at.y(depth)) / 2);
  data.tokens.forEach((_, i) =>
    data.tokens.forEach((_, j) => {
      const way = carries(scene, depth, j, i);
      if (!way.open) return;
      const [x, end] = [round(at.x(j)), round(at.x(i))];
      (way.live ? live : quiet).push(`M${x} ${from}C${x} ${bend} ${end} ${bend} ${end} ${to}`);
    }),
  );
  pen.path(quiet.join(""), { key: `quiet${depth}`, stroke: colour.line, width: 1.2 });
  pen.path(live.join(""), { key: `live${depth}`, stroke: colour.gradient, width: 2.4, "stroke-opacity": 0.5 });
  if (live.length) pen.beads(live.join(""), colour.gradient, { key: `beads${depth}`, width: 3.6 });
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;
/** @param {number} value */
const brief = (value) => (value === 0 ? "0" : value < 0.005 ? "<.01" : value.toFixed(2).replace(/^0/, ""));
/**
 * How dark an output is drawn that moves by `value`, on a logarithmic scale.
 *
 * @param {number} value
 */
const darkness = (value) => (value > 0 ? 0.16 + 0.5 * Math.max(0, 1 + Math.log10(Math.min(value, 1)) / 4) : 0);

/**
 * After a layer, how far each output has moved.
 *
 * @type {DrawLayer}
 */
function drawLayer(pen, scene, at, depth) {
  const { data, values, hidden, colour, narrow } = scene;
  const y = at.y(depth);
  const x = narrow ? 4 : 14;
  const layer = { key: `layer${depth}`, size: narrow ? 13 : 15, bold: true, fill: colour.quiet };
  pen.text(x, y - (narrow ? 1 : 2), narrow ? `L${depth}` : `layer ${depth}`, layer);
  const count = values(`n${depth}`).toFixed(0);
  const moving = hidden(`n${depth}`) ? "?" : narrow ? count : `${count} move`;
  pen.text(x, y + 15, moving, { key: `count${depth}`, size: narrow ? 13 : 14, fill: colour.gradient });
  data.tokens.forEach((_, i) =>
    pen.group({ key: `v${depth}.${i + 1}` }, (its) => {
      drawOutput(its, scene, at, depth, i);
      drawNumber(its, scene, at, depth, i);
      if (data.blank && depth < data.depths && !narrow) drawReached(its, scene, at, depth, i);
    }),
  );
}

/**
 * An output, the darker the further it has moved.
 *
 * @param {Pen} pen @param {LeakScene} scene @param {Places} at @param {number} depth @param {number} i
 */
function drawOutput(pen, { values, hidden, colour }, at, depth, i) {
  const name = /** @type {const} */ (`v${depth}.${i + 1}`);
  const value = values(name);
  const [moves, asked] = [value > 0, hidden(name)];
  const box = /** @type {const} */ ([at.x(i) - at.half, at.y(depth) - at.high / 2, 2 * at.half, at.high]);
  pen.rect(...box, {
    key: "ground",
    r: 8,
    fill: colour.background,
    stroke: asked ? colour.ink : moves ? colour.gradient : colour.line,
    line: moves ? 2 : 1.5,
    dash: asked || moves ? null : "3 3",
  });
  const shade = { key: "moved", r: 8, fill: colour.gradient, "fill-opacity": darkness(value) };
  if (moves && !asked) pen.rect(...box, shade);
}

/**
 * How far an output has moved, where there is room.
 *
 * @param {Pen} pen @param {LeakScene} scene @param {Places} at @param {number} depth @param {number} i
 */
function drawNumber(pen, scene, at, depth, i) {
  const { values, hidden, text, colour } = scene;
  const name = /** @type {const} */ (`v${depth}.${i + 1}`);
  const value = values(name);
  const [moves, asked] = [value > 0, hidden(name)];
  const own = i === changed(scene) && depth === Math.max(values("ownLayer"), 1);
  const marked = own && namedBy(scene) === "own" && !hidden("own");
  const said = asked ? "?" : marked ? text("own") : brief(value);
  const size = at.half > 24 ? 15 : 13;
  if (textWidth(said, size) > 2 * at.half + 4 && !marked) return;
  pen.markedText(at.x(i), at.y(depth) + size * 0.35, said, marked, {
    key: "said",
    size: marked ? 13 : size,
    bold: moves,
    fill: moves || asked ? colour.ink : colour.quiet,
    anchor: "middle",
  });
}

/**
 * Whether the word itself is reached, where no place looks at itself.
 *
 * @param {Pen} pen @param {LeakScene} scene @param {Places} at @param {number} depth @param {number} i
 */
function drawReached(pen, { values, colour }, at, depth, i) {
  const reached = values(`r${depth}.${i + 1}`) > 0.5;
  const fill = reached ? colour.gradient : colour.background;
  const stroke = reached ? colour.gradient : colour.line;
  pen.circle(at.x(i), at.y(depth) - at.high / 2, 4, { fill, stroke, line: 1.5 });
}

/**
 * The text below; a press on a word selects it as the one that is changed.
 *
 * @type {Draw}
 */
function drawWords(pen, scene, at) {
  const { data, colour, narrow, move } = scene;
  const y = at.y(0);
  const title = { size: narrow ? 13 : 15, bold: true, fill: colour.quiet };
  pen.text(narrow ? 4 : 14, y + 5, narrow ? "text" : "the text", title);
  data.tokens.forEach((token, i) => {
    const chosen = i === changed(scene);
    const edge = { stroke: chosen ? colour.gradient : colour.input, line: 1.5 };
    const fill = chosen ? colour.background : colour.input;
    const look = { size: at.step > 56 ? 15 : 13, bold: chosen, fill, room: at.step - 10 };
    pen.button(
      `Change token ${i + 1}: ${token}`,
      () => move("masking_change", i + 1, true),
      (its) => {
        const box = { r: 8, fill: chosen ? colour.gradient : colour.background, ...edge };
        its.rect(at.x(i) - at.step / 2 + 2, y - at.high / 2, at.step - 4, at.high, box);
        its.text(at.x(i), y + 5, token, { anchor: "middle", ...look });
      },
      { key: `word${i}`, chosen },
    );
  });
  if (narrow) return;
  const look = /** @type {const} */ ({ size: 13, fill: colour.gradient, anchor: "middle" });
  pen.text(at.x(changed(scene)), y + at.high / 2 + 15, "changed", look);
}

/**
 * Above: the number of outputs that move before the changed word, and from it on.
 *
 * @type {Draw}
 */
function drawSides(pen, scene, at) {
  const { narrow } = scene;
  const edge = at.left + changed(scene) * at.step;
  const before = narrow ? "before" : "before it move";
  const after = narrow ? "from it on" : "from it on move";
  drawSide(pen, scene, at, { name: "before", of: "ofBefore", from: at.left, to: edge, said: before });
  drawSide(pen, scene, at, { name: "after", of: "ofAfter", from: edge, to: at.right, said: after });
}

/** @param {Pen} pen @param {LeakScene} scene @param {Places} at @param {Side} side */
function drawSide(pen, scene, at, { name, of, from, to, said }) {
  const { data, values, hidden, text, colour, narrow } = scene;
  if (values(of) < 0.5) return;
  const y = at.y(data.depths) - at.high / 2 - 12;
  pen.path(`M${from + 3} ${y + 6}v-6H${to - 3}v6`, { key: `brace ${name}`, stroke: colour.quiet, width: 1.5 });
  const number = text(name);
  const size = narrow ? 13 : 16;
  const short = ` of ${Math.round(values(of))}`;
  const whole = `${short} ${said}`;
  const tail = textWidth(number + whole, size, true) <= Math.max(to - from, 40) + 20 ? whole : short;
  const wide = textWidth(number, size + 2, true) + textWidth(tail, size);
  const [least, most] = name === "before" ? [at.left - (narrow ? 40 : 90), to - 4] : [from + 4, at.right];
  const x = Math.min(Math.max((from + to) / 2 - wide / 2, least), most - wide);
  const fill = values(name) > 0 ? colour.gradient : colour.ink;
  const look = { key: `number ${name}`, size: size + 2, bold: true, fill };
  pen.markedText(x, y - 10, number, namedBy(scene) === name && !hidden(name), look);
  const rest = { key: `of ${name}`, size, fill: colour.quiet };
  pen.text(x + textWidth(number, size + 2, true) + 7, y - 10, tail.trim(), rest);
}

/**
 * The outputs that a change of each token moves: a column for each token, a row for each output.
 *
 * @type {Draw}
 */
function drawEvery(pen, scene, at) {
  const { data, colour, moved, hidden } = scene;
  const count = data.tokens.length;
  const stale = moved !== null && moved !== "masking_change";
  const { left, right } = at.every;
  pen.text(right, 24, "every change", { size: 14, bold: true, fill: colour.quiet, anchor: "end" });
  const size = Math.min(at.apart - 12, right - left - 6);
  const cell = size / count;
  const from = right - size;
  for (let depth = 1; depth <= data.depths; depth++) {
    const top = at.y(depth) - size / 2;
    pen.group({ key: `grid${depth}`, opacity: stale || hidden("n1") ? 0.15 : null }, (grid) => {
      grid.rect(from, top, size, size, { r: 2, fill: colour.background, stroke: colour.line });
      for (let i = 0; i < count; i++)
        for (let j = 0; j < count; j++) {
          const shade = data.every[((depth - 1) * count + i) * count + j];
          const look = { key: `${i}.${j}`, r: 1, fill: colour.gradient, "fill-opacity": 0.2 + 0.75 * shade };
          if (shade > 0) grid.rect(from + j * cell + 0.5, top + i * cell + 0.5, cell - 1, cell - 1, look);
        }
      const column = { key: "at", r: 1, stroke: colour.ink, line: 2 };
      grid.rect(from + changed(scene) * cell, top, cell, size, column);
    });
  }
}

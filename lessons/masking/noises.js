// One text corrupted in five ways, each under the text itself; below, what the decoder writes for the one that is chosen.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { placesOf, within } from "./noises_places.js";

/** @import { Component, NameOf, NoiseCell, NoiseWay, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, NoisesPlaces, NoisesScene } from "./noises_places.js" */
/** @typedef {(pen: Pen, scene: NoisesScene, at: NoisesPlaces) => void} Draw */

const MIDDLE = /** @type {const} */ ({ anchor: "middle" });
const BRIEF = ["masking", "deletion", "infilling", "permutation", "rotation"]; // for a phone
const PALE = 0.16;

/** @param {Component<Scripts["noises"]>} component */
export default function noises(component) {
  return mainPicture(component, (pen, /** @type {NoisesScene} */ scene) => {
    const at = placesOf(scene);
    if (at.narrow) drawTall(pen, scene, at);
    else drawWide(pen, scene, at);
  });
}

/** @param {NoisesScene} scene */
const chosenOf = ({ final, data }) => Math.min(Math.round(final("chosen")), data.ways.length - 1);

/** @param {"hidden" | "moved" | "reads"} kind @param {number} n @returns {NameOf<"noises">} */
const nameOf = (kind, n) => `${kind} ${n}`;

/** @type {Draw} */
function drawWide(pen, scene, at) {
  const { data, colour } = scene;
  const chosen = chosenOf(scene);
  const foot = data.ways.length + 1;
  pen.part(scene, "text", (its) => {
    drawName(its, at.row(0), "The text", colour.ink);
    drawText(its, scene, at, 0, data.ways[chosen], false);
  });
  data.ways.forEach((way, n) => {
    pen.part(scene, way.name, (its) => drawWay(its, scene, at, way, n), { opacity: 1 });
  });
  pen.part(scene, "target", (its) => {
    drawName(its, at.row(foot), "The decoder writes", colour.activation);
    drawText(its, scene, at, foot, data.ways[chosen], true);
    const { top, foot: below } = at.row(foot);
    const said = { key: "all", size: 18, bold: true, fill: colour.activation };
    its.text(at.row(foot).right + 12, (top + below) / 2 + 6, `all ${data.tokens.length}`, said);
  });
}

/** @param {Pen} pen @param {Box} row @param {string} name @param {string} fill */
function drawName(pen, { left, top, foot }, name, fill) {
  pen.text(left - 14, (top + foot) / 2 + 6, name, { key: "name", size: 17, bold: true, fill, anchor: "end" });
}

/**
 * A way as a row that can be pressed.
 *
 * @param {Pen} pen @param {NoisesScene} scene @param {NoisesPlaces} at @param {NoiseWay} way @param {number} n
 */
function drawWay(pen, scene, at, way, n) {
  const { colour } = scene;
  const chosen = n === chosenOf(scene);
  const { left, right, top, foot } = at.press(n);
  const draw = (/** @type {Pen} */ its) => {
    const edge = chosen ? { stroke: colour.input, line: 3 } : {};
    its.rect(left, top, right - left, foot - top, {
      key: "row",
      r: 10,
      fill: chosen ? colour.input : "transparent",
      "fill-opacity": 0.08,
      ...edge,
    });
    drawName(its, at.row(n + 1), way.title, chosen ? colour.input : colour.ink);
    within(way.cells, at.shown).forEach((cell, k) => drawCell(its, scene, at.cell(n + 1, cell.at, cell.wide), cell, k));
    drawCount(its, scene, at, n);
  };
  pen.button(way.title, () => scene.send(way.name), draw, { key: `way ${n}`, chosen });
}

/** @param {Pen} pen @param {NoisesScene} scene @param {NoisesPlaces} at @param {number} n */
function drawCount(pen, { colour, text, values, hidden }, at, n) {
  const { right, top, foot } = at.row(n + 1);
  const name = nameOf("hidden", n);
  const moves = !hidden(name) && !values(name);
  const said = moves ? `${text(nameOf("moved", n))} moved` : `${text(name)} hidden`;
  const fill = moves ? colour.quiet : colour.loss;
  pen.text(right + 12, (top + foot) / 2 + 6, said, { key: "count", size: 18, bold: true, fill });
}

/** @param {NoisesScene} scene @param {number} part */
function inkOf({ colour }, part) {
  return [colour.value, colour.weight, colour.score, colour.input][part % 4];
}

/**
 * A part of a corrupted text: a token, a [MASK] over what it hides, or the gap of what was deleted.
 *
 * @param {Pen} pen @param {NoisesScene} scene @param {Box} box @param {NoiseCell} cell @param {number} k
 */
function drawCell(pen, scene, { left, right, top, foot }, { text, kind, part, wide }, k) {
  const { colour } = scene;
  const middle = (top + foot) / 2;
  if (kind === "inserted") return drawInserted(pen, scene, { left, right, top, foot }, k);
  const [wideBox, high] = [right - left - 3, foot - top];
  const box = { key: `cell ${k}`, r: 5 };
  if (kind === "deleted") {
    pen.rect(left + 1.5, top + 2, wideBox, high - 4, { ...box, stroke: colour.loss, line: 1.5, dash: "3 4" });
    pen.line(left + 8, middle, right - 8, middle, { key: `gone ${k}`, stroke: colour.loss, width: 2 });
    return;
  }
  const masked = kind === "masked" || kind === "filled";
  if (masked) pen.rect(left + 1.5, top, wideBox, high, { ...box, fill: colour.mask });
  else if (part >= 0) {
    const fill = inkOf(scene, part);
    pen.rect(left + 1.5, top, wideBox, high, { ...box, fill, "fill-opacity": PALE, stroke: fill, line: 1.5 });
  } else pen.rect(left + 1.5, top, wideBox, high, { ...box, stroke: colour.line, line: 1.5 });
  drawWord(pen, scene, { left, right, top, foot }, masked ? mask(right - left, wide) : text, masked, `word ${k}`);
}

/** @param {number} room @param {number} wide */
const mask = (room, wide) => (textWidth("[MASK]", 14, true) <= room - 4 || wide > 1 ? "[MASK]" : "[M]");

/** @param {Pen} pen @param {NoisesScene} scene @param {Box} box @param {string} word @param {boolean} masked @param {string} key */
function drawWord(pen, { colour, narrow }, { left, right, top, foot }, word, masked, key) {
  const room = right - left - 6;
  const largest = narrow ? 15 : 18;
  const least = narrow ? 13 : 14;
  const fits = (largest * room) / Math.max(textWidth(word, largest, masked), 1);
  const size = Math.max(least, Math.min(largest, Math.floor(fits * 4) / 4));
  const fill = masked ? colour.background : colour.ink;
  pen.text((left + right) / 2, (top + foot) / 2 + size * 0.35, word, {
    key,
    size,
    bold: masked,
    fill,
    room,
    ...MIDDLE,
  });
}

/**
 * A [MASK] that stands for nothing: a wedge between two tokens.
 *
 * @param {Pen} pen @param {NoisesScene} scene @param {Box} box @param {number} k
 */
function drawInserted(pen, { colour, narrow }, { left, right, top, foot }, k) {
  const look = { key: `cell ${k}`, r: 3, fill: colour.mask, stroke: colour.background, line: 1.5 };
  if (narrow) return void pen.rect(right - 46, top - 5, 46, 10, look);
  pen.rect(left - 5, top - 7, 10, foot - top + 14, look);
}

/**
 * The text itself; at the foot, what must be restored is marked.
 *
 * @param {Pen} pen @param {NoisesScene} scene @param {NoisesPlaces} at @param {number} row
 * @param {NoiseWay} way @param {boolean} target
 */
function drawText(pen, scene, at, row, way, target) {
  const { data, colour } = scene;
  const asked = scene.hidden(nameOf("hidden", chosenOf(scene)));
  data.tokens.slice(0, at.shown).forEach((token, i) => {
    const box = at.cell(row, i, 1);
    const restored = target && !asked && way.restored.includes(i);
    const part = way.parts[i];
    const fill = part >= 0 ? inkOf(scene, part) : restored ? colour.loss : colour.line;
    const filled = part >= 0 ? PALE : restored ? 0.22 : 0;
    pen.rect(box.left + 1.5, box.top, box.right - box.left - 3, box.foot - box.top, {
      key: `box ${i}`,
      r: 5,
      fill,
      "fill-opacity": filled,
      stroke: fill,
      line: restored ? 2.5 : 1.5,
    });
    drawWord(pen, scene, box, token, false, `token ${i}`);
  });
}

/**
 * On a phone the text is a column, and beside it what the encoder reads.
 *
 * @type {Draw}
 */
function drawTall(pen, scene, at) {
  const { data, colour } = scene;
  const chosen = chosenOf(scene);
  data.ways.forEach((way, n) => {
    const { left, right, top, foot } = at.press(n);
    const on = n === chosen;
    const draw = (/** @type {Pen} */ its) => {
      const edge = on ? { stroke: colour.input, line: 2.5 } : { stroke: colour.line, line: 1.5 };
      its.rect(left, top, right - left, foot - top, {
        key: "box",
        r: 8,
        fill: on ? colour.input : "transparent",
        "fill-opacity": 0.1,
        ...edge,
      });
      its.text((left + right) / 2, (top + foot) / 2 + 5, BRIEF[n] ?? way.title, {
        key: "name",
        size: 14,
        bold: on,
        ...MIDDLE,
      });
    };
    pen.button(way.title, () => scene.send(way.name), draw, { key: `way ${n}`, chosen: on });
  });
  const way = data.ways[chosen];
  const title = { size: 14, bold: true };
  const [text, read] = [at.row(0), at.row(1)];
  pen.text(text.left, text.top - 8, "decoder writes", { key: "writes", ...title, fill: colour.activation });
  pen.text(read.left, read.top - 8, "encoder reads", { key: "reads", ...title, fill: colour.input });
  pen.part(scene, "target", (its) => drawText(its, scene, at, 0, way, true));
  pen.part(scene, way.name, (its) =>
    within(way.cells, at.shown).forEach((cell, k) => drawCell(its, scene, at.cell(1, cell.at, cell.wide), cell, k)),
  );
}

// What was missing to 100, as bars that hang from 100, and what of it was gained.

import { scaleLinear } from "../../drawing/d3.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { formatNumber } from "../../drawing/numbers.js";

/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @typedef {Scene<"missing">} MissingScene */
/** @typedef {ReturnType<typeof placesOf>} Places */

const FULL = 100;
const STEP = 10; // between two ticks
const ROOMY = 4; // tests; of more, only the chosen one shows all its numbers

/** With one decimal, as most are printed, or with two. @param {number} score */
const printed = (score) => score.toFixed(2).replace(/0$/, "");

/** @param {Component<Scripts["missing"]>} component */
export default function missing(component) {
  return mainPicture(component, (pen, /** @type {MissingScene} */ scene) => {
    const { colour, data, height, width, narrow } = scene;
    const at = placesOf(scene);
    drawAxis(pen, scene, at);
    data.tests.forEach((_, i) => drawTest(pen, scene, at, i));
    pen.line(at.left - 6, at.y(FULL), width - 8, at.y(FULL), { key: "full", stroke: colour.ink, width: 3 });
    const look = { key: "source", size: 14, fill: colour.quiet, room: width - 24 };
    pen.text(narrow ? 8 : 16, height - 8, data.source, look);
  });
}

/** @param {MissingScene} scene */
function placesOf({ data, width, height, narrow }) {
  const low = STEP * Math.floor(Math.min(...data.before) / STEP);
  const left = narrow ? 40 : 80;
  const foot = height - (narrow ? 74 : 84);
  const y = scaleLinear([low, FULL], [foot, narrow ? 70 : 78]);
  const pitch = (width - left - 10) / data.tests.length;
  const crowded = data.tests.length > ROOMY;
  const size = narrow ? (crowded ? 13 : 14) : 22;
  return { left, foot, low, y, pitch, crowded, wide: pitch * (narrow ? 0.52 : 0.42), size };
}

/** @param {Pen} pen @param {MissingScene} scene @param {Places} at */
function drawAxis(pen, { colour, width, narrow }, { left, low, y }) {
  pen.axis("y", y, {
    at: left - 12,
    ticks: Array.from({ length: (FULL - low) / STEP + 1 }, (_, i) => low + i * STEP),
    size: narrow ? 14 : 18,
    lines: [left - 6, width - 8],
    look: { stroke: colour.line, width: 1 },
    title: "score, %",
    titled: { x: narrow ? 4 : 12, y: narrow ? 18 : 24, size: narrow ? 14 : 18, anchor: "start", fill: colour.quiet },
  });
}

/**
 * The bar of a test: what was missing, hatched by its outline, and what was gained. A press chooses the test.
 *
 * @param {Pen} pen @param {MissingScene} scene @param {Places} at @param {number} i
 */
function drawTest(pen, scene, { left, foot, y, pitch, wide, size, crowded }, i) {
  const { data, colour, move, values, narrow } = scene;
  const middle = left + pitch * (i + (narrow ? 0.42 : 0.46));
  const chosen = i + 1 === Math.round(values("test"));
  const x = middle - wide / 2;
  const [before, top] = [y(data.before[i]), y(FULL)];
  pen.button(
    `${data.tests[i]}: choose this test`,
    () => move("test", i + 1, true),
    (its) => {
      const fill = { fill: colour.gradient, "fill-opacity": chosen ? 0.22 : 0.12 };
      its.rect(x, top, wide, before - top, { r: 0, ...fill });
      its.rect(x, top, wide, before - top, { r: 0, stroke: colour.gradient, line: 2, dash: "6 5" });
      const said = {
        size: narrow ? (crowded ? 13 : 16) : crowded ? 26 : 32,
        bold: true,
        fill: colour.gradient,
        anchor: /** @type {const} */ ("middle"),
      };
      const shown = scene.hidden("share") ? before : y(data.after[i]);
      if (shown - top > said.size + 4)
        its.text(middle, (top + shown) / 2 + said.size * 0.35, printed(FULL - data.before[i]), said);
    },
    { key: `missing ${i}`, chosen },
  );
  const number = printed(data.before[i]);
  pen.line(x - 8, before, x + wide + 8, before, { key: `line ${i}`, stroke: colour.ink, width: 3 });
  const quiet = crowded && narrow && !chosen;
  const own = { key: `before ${i}`, size: narrow ? 14 : crowded ? 17 : 20 };
  if (!quiet) pen.text(x + wide + (narrow ? 4 : 12), before + size * 0.8, number, { ...own, halo: crowded });
  const name = { size, bold: chosen, anchor: /** @type {const} */ ("middle"), room: pitch - 4 };
  pen.text(middle, foot + size + 10, data.tests[i], { key: `name ${i}`, ...name });
  const about = { key: `about ${i}`, size: 14, fill: colour.quiet, anchor: /** @type {const} */ ("middle") };
  if (!narrow) pen.text(middle, foot + size + 32, data.abouts[i], { ...about, room: pitch - 8 });
  if (!scene.hidden("share")) drawGain(pen, scene, { x, middle, wide, top, before, size, y, chosen, crowded }, i);
}

/**
 * What was gained: its bar, its points, and above 100 its share of what was missing.
 *
 * @param {Pen} pen
 * @param {MissingScene} scene
 * @param {{ x: number, middle: number, wide: number, top: number, before: number, size: number, chosen: boolean, crowded: boolean,
 *   y: (score: number) => number }} at
 * @param {number} i
 */
function drawGain(pen, { data, colour, narrow, text }, at, i) {
  const { x, middle, wide, top, before, size, y, chosen, crowded } = at;
  const after = y(data.after[i]);
  pen.rect(x, after, wide, before - after, { key: `gain ${i}`, r: 0, fill: colour.activation });
  const inside = before - after > size + 6;
  const said = `+${printed(data.gains[i])}`;
  const ink = inside ? colour.background : colour.activation;
  const own = { key: `points ${i}`, size: narrow ? (crowded ? 13 : 15) : crowded ? 17 : 24, bold: true, fill: ink };
  if (inside) pen.text(middle, (before + after) / 2 + size * 0.36, said, { ...own, anchor: "middle" });
  else if (chosen || !crowded)
    pen.text(x - 8, (before + after) / 2 + size * 0.36, said, { ...own, anchor: "end", halo: crowded });
  const score = { key: `after ${i}`, size: narrow ? 14 : crowded ? 18 : 22, bold: true, fill: colour.activation };
  const place = after + size * (crowded ? -0.1 : 0.1);
  if (!crowded || !narrow || chosen)
    pen.text(x + wide + (narrow ? 4 : 12), place, printed(data.after[i]), { ...score, halo: crowded });
  const share = chosen ? text("share") : formatNumber(data.shares[i]);
  const look = {
    key: `share ${i}`,
    size: narrow ? (crowded ? 13 : 17) : crowded ? 25 : 30,
    bold: true,
    anchor: /** @type {const} */ ("middle"),
  };
  pen.markedText(middle, top - 14, crowded && narrow ? share : `${share} %`, chosen, look);
}

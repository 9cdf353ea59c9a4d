// The fourth panel: each value shrinks to its share, and they add up to the output z.

import { boxesIn, inside, INNER } from "./flow_layout.js";
import { drawPanel } from "./flow_marks.js";
import { drawBoxes, entries, widest } from "./flow_numbers.js";
import { sub } from "./flow_scene.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Places } from "./flow_panels.js" */
/** @import { FlowScene, KeyRow } from "./flow_scene.js" */
/** @typedef {ReturnType<typeof mixPlaces>} MixPlaces */

const BETWEEN = 34; // from the values in full to the shrunk ones

/** @param {Pen} pen @param {FlowScene} scene @param {Places} at */
export function drawMix(pen, scene, at) {
  const { data, colour } = scene;
  const mix = mixPlaces(scene, at);
  const whole = data.whole[1];
  drawPanel(pen, at, "mix", {
    number: 4,
    title: "α · v: shrink, then add up",
    about: mix.count < whole ? `first ${mix.count} of ${whole} numbers` : "each value shrinks to its share",
    role: colour.value,
  });
  if (data.best >= 0) drawSumLines(pen, scene, mix);
  for (const key of at.keys) {
    const opacity = data.closed[key.j] ? 0.35 : null;
    pen.group({ key: `key${key.j}`, opacity }, (row) => drawValue(row, scene, at, mix, key));
  }
  const label = /** @type {const} */ ({ size: at.many ? 16 : 18, bold: true, fill: colour.value, anchor: "end" });
  pen.text(mix.shrunk.left - 12, mix.z + 6, `Σ = z${sub(data.query + 1)}`, label);
  const look = { width: mix.shrunk.width, height: 36, role: colour.value, size: 17, line: 2.5 };
  drawBoxes(pen, scene, mix.shrunk.left, mix.z, entries("z", mix.count), look);
}

/**
 * Where the boxes of the values are drawn, in full and shrunk; as many numbers as there is room for.
 *
 * @param {FlowScene} scene @param {Places} at
 */
function mixPlaces(scene, at) {
  const { data } = scene;
  const { left, right, wide } = inside(at.panels.mix);
  const names = data.tokens.flatMap((_, j) => entries(`v${j + 1}.`, data.shown[1]));
  const need = Math.min(40, Math.max(24, widest(scene, names, 13, 2) + 9));
  const { count } = boxesIn(wide - BETWEEN, data.shown[1], need + 47, 200);
  const both = (wide - BETWEEN) / count; // a box of the value in full and one of it shrunk
  const full = Math.min(count > 2 ? 34 : 44, both - 47);
  const shrunk = Math.min(62, both - full);
  const high = Math.min(at.row - 4, 38);
  return {
    count,
    high,
    full: { left, right: left + count * full, width: full },
    shrunk: { left: right - count * shrunk, width: shrunk },
    z: at.bottom - (at.many ? 25 : 34),
    first: at.keys[0].y + high / 2,
  };
}

/**
 * Lines from the shrunk values down to z.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {MixPlaces} mix
 */
function drawSumLines(pen, { hidden, colour }, { count, shrunk, first, z }) {
  for (let c = 0; c < count; c++) {
    const d = `M${shrunk.left + (c + 0.5) * shrunk.width - 0.5} ${first}V${z - 20}`;
    pen.path(d, { key: `line${c}`, stroke: colour.value, width: 4, "stroke-opacity": 0.3 });
    if (!hidden("z1")) pen.beads(d, colour.value, { key: `beads${c}` });
  }
}

/**
 * The value of a key in full, its weight as a stream through it, and the value shrunk to it.
 *
 * @param {Pen} pen @param {FlowScene} scene @param {Places} at @param {MixPlaces} mix @param {KeyRow} key
 */
function drawValue(pen, scene, at, mix, { j, y }) {
  const { data, values, text, hidden, colour } = scene;
  const { full, shrunk, count, high } = mix;
  const name = /** @type {const} */ (`w${j + 1}`);
  const closed = data.closed[j];
  const weight = closed || hidden(name) ? 0 : values(name);
  const thick = Math.max(weight * at.high, weight > 0 ? 1 : 0);
  const role = colour.value;
  if (thick) {
    const stream = { y, thick, flows: weight > 0.01 };
    drawStream(pen, "in", { from: at.panels.softmax.right - INNER, to: full.left - 3, ...stream });
    drawStream(pen, "out", { from: full.right, to: shrunk.left - 3, ...stream });
  }
  const look = { width: full.width, height: high, role, size: at.many ? 14 : 16, bold: false };
  drawBoxes(pen, scene, full.left, y, entries(`v${j + 1}.`, count), look);
  if (at.tall) pen.text(full.left, y - high / 2 - 8, `value v${sub(j + 1)}`, { size: 14, fill: role });
  if (closed) return;
  if (at.tall) pen.text(full.left, y + high / 2 + 19, `× ${text(name)}`, { size: 15, bold: true, fill: role });
  const filled = { width: shrunk.width, height: high, role, size: 15, level: weight };
  drawBoxes(pen, scene, shrunk.left, y, entries(`u${j + 1}.`, count), filled);
}

/**
 * A weight, as thick as its bar is long.
 *
 * @param {Pen} pen
 * @param {string} key
 * @param {{ from: number, to: number, y: number, thick: number, flows: boolean }} stream
 */
function drawStream(pen, key, { from, to, y, thick, flows }) {
  const fill = pen.colour.value;
  pen.rect(from, y - thick / 2, to - from, thick, { key, fill, "fill-opacity": 0.28, r: 0 });
  if (flows) pen.beads(`M${from} ${y}H${to}`, fill, { key: `beads ${key}` });
}

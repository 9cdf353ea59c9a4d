// Words on a band, and the states of a deep recurrent network on both sides of it: what the state of the framed word
// has read is tinted, and states that it has not read are faint.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { across, along, bandBox, deepPlaces, stateBox } from "./deep_places.js";

/** @import { Component, DeepChain, Scripts } from "../../drawing/types.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Box, DeepScene, Places } from "./deep_places.js" */
/** @typedef {(pen: Pen, scene: DeepScene, at: Places) => void} Draw */

const FAINT = 0.16;
const LEVELS = 11; // of the numbers of a state, each with its colour
const COLUMNS = 12; // of the numbers of a state

/** @param {Component<Scripts["deep"]>} component */
export default function deep(component) {
  return mainPicture(component, (pen, /** @type {DeepScene} */ scene) => {
    const at = deepPlaces(scene);
    drawBand(pen, scene, at);
    for (const chain of scene.data.chains) {
      if (chain.shown) drawChain(pen, scene, at, chain);
      else if (!chain.backwards || scene.data.both) drawRoom(pen, scene, at, chain);
    }
    drawFrame(pen, scene, at);
    drawWords(pen, scene, at);
    if (!scene.data.both) drawCounts(pen, scene, at);
  });
}

/**
 * Whether the framed state depends on what this chain has read at word i; while that is asked, all look alike.
 *
 * @param {DeepScene} scene @param {Places} at @param {Pick<DeepChain, "backwards">} chain @param {number} i
 */
const isRead = ({ hidden }, { at }, { backwards }, i) => hidden("seen") || (backwards ? i >= at : i <= at);

/** @type {Draw} */
function drawBand(pen, scene, at) {
  const { colour, data, hidden } = scene;
  const whole = bandBox(at, at.from, at.to - 1);
  pen.rect(whole.x, whole.y, whole.wide, whole.high, { key: "band", fill: colour.ground, r: 10 });
  if (hidden("seen")) return;
  const left = bandBox(at, at.from, at.at);
  pen.rect(left.x, left.y, left.wide, left.high, { key: "left", fill: colour.input, "fill-opacity": 0.22, r: 10 });
  if (!data.both) return;
  const right = bandBox(at, at.at, at.to - 1);
  pen.rect(right.x, right.y, right.wide, right.high, { key: "right", fill: colour.score, "fill-opacity": 0.22, r: 10 });
}

/**
 * One layer in one direction: its states, and the arrows between them and from below.
 *
 * @param {Pen} pen @param {DeepScene} scene @param {Places} at @param {DeepChain} chain
 */
function drawChain(pen, scene, at, chain) {
  const { colour, narrow } = scene;
  const stroke = chain.backwards ? colour.score : colour.input;
  pen.group({ key: `chain ${chain.layer} ${chain.backwards}` }, (its) => {
    for (let i = at.from; i < at.to; i++) {
      const opacity = isRead(scene, at, chain, i) ? 1 : FAINT;
      const drawHere = (/** @type {Pen} */ state) => {
        drawState(state, scene, stateBox(at, chain, i), chain, i, stroke);
        drawInput(state, at, chain, i, stroke);
      };
      its.part(scene, i === at.at ? "framed" : "others", drawHere, { key: `state ${i}`, opacity });
      const next = chain.backwards ? i - 1 : i + 1;
      if (next < at.from || next >= at.to) continue;
      const carries = isRead(scene, at, chain, i) && isRead(scene, at, chain, next);
      const drawNext = (/** @type {Pen} */ step) => drawStep(step, at, chain, i, stroke);
      its.part(scene, "others", drawNext, { key: `step ${i}`, opacity: carries ? 1 : FAINT });
    }
    if (narrow) nameOnTop(its, at, chain, stroke);
    else nameBeside(its, at, chain, stroke);
  });
}

/**
 * Where a layer more would stand: empty frames.
 *
 * @param {Pen} pen @param {DeepScene} scene @param {Places} at @param {DeepChain} chain
 */
function drawRoom(pen, { colour }, at, chain) {
  pen.group({ key: `room ${chain.layer} ${chain.backwards}` }, (its) => {
    for (let i = at.from; i < at.to; i++) {
      const { x, y, wide, high } = stateBox(at, chain, i);
      its.rect(x - 1.5, y - 1.5, wide + 3, high + 3, { stroke: colour.line, line: 2, r: 3 });
    }
  });
}

/**
 * All numbers of a state, those of one colour in one path.
 *
 * @param {Pen} pen @param {DeepScene} scene @param {Box} box @param {DeepChain} chain @param {number} i
 * @param {string} stroke
 */
function drawState(pen, { data }, { x, y, wide, high }, { states }, i, stroke) {
  const [w, h] = [wide / COLUMNS, high / Math.ceil(data.units / COLUMNS)];
  const paths = Array.from({ length: LEVELS }, () => "");
  for (let n = 0; n < data.units; n++) {
    const value = Math.min(Math.max(states[i * data.units + n], -1), 1);
    const level = Math.round(((value + 1) / 2) * (LEVELS - 1));
    const [left, top] = [x + (n % COLUMNS) * w, y + Math.floor(n / COLUMNS) * h];
    paths[level] += `M${left.toFixed(1)} ${top.toFixed(1)}h${w.toFixed(2)}v${h.toFixed(2)}h${(-w).toFixed(2)}z`;
  }
  paths.forEach((d, level) => {
    const fill = data.scale[Math.round((level / (LEVELS - 1)) * (data.scale.length - 1))];
    if (d) pen.path(d, { key: `level ${level}`, stroke: null, fill });
  });
  pen.rect(x - 1.5, y - 1.5, wide + 3, high + 3, { stroke, line: 2, r: 3 });
}

/**
 * The arrow into a state from the word, or from the layer below.
 *
 * @param {Pen} pen @param {Places} at @param {DeepChain} chain @param {number} i @param {string} stroke
 */
function drawInput(pen, at, chain, i, stroke) {
  const way = chain.backwards ? -1 : 1;
  const half = (at.narrow ? at.size.wide : at.size.high) / 2;
  const below = { layer: chain.layer - 1, backwards: chain.backwards };
  const from = chain.layer === 1 ? at.middle + way * (at.band / 2 + 2) : across(at, below) + way * (half + 3);
  arrow(pen, at, { stroke, from, to: across(at, chain) - way * (half + 4), beside: along(at, i), turned: true });
}

/**
 * The arrow from a state to the next of its chain.
 *
 * @param {Pen} pen @param {Places} at @param {DeepChain} chain @param {number} i @param {string} stroke
 */
function drawStep(pen, at, chain, i, stroke) {
  const way = chain.backwards ? -1 : 1;
  const half = (at.narrow ? at.size.high : at.size.wide) / 2;
  const [from, to] = [along(at, i) + way * (half + 2), along(at, i + way) - way * (half + 3)];
  arrow(pen, at, { stroke, from, to, beside: across(at, chain), turned: false });
}

/**
 * An arrow along the chain, or `turned` across it.
 *
 * @param {Pen} pen @param {Places} at
 * @param {{ stroke: string, from: number, to: number, beside: number, turned: boolean }} how
 */
function arrow(pen, { narrow }, { stroke, from, to, beside, turned }) {
  const size = narrow ? 6 : 8;
  const way = Math.sign(to - from);
  const across = turned === narrow; // whether it is horizontal
  const end = to - way * size * 0.7;
  if (across) pen.line(from, beside, end, beside, { stroke, width: 2.5 });
  else pen.line(beside, from, beside, end, { stroke, width: 2.5 });
  const angle = across ? (way > 0 ? 0 : 180) : way * 90;
  if (across) pen.head(to, beside, angle, stroke, size);
  else pen.head(beside, to, angle, stroke, size);
}

/** @param {Pen} pen @param {Places} at @param {DeepChain} chain @param {string} fill */
function nameBeside(pen, at, { layer, backwards }, fill) {
  const y = across(at, { layer, backwards });
  pen.text(4, y - 2, `layer ${layer}`, { size: 18, bold: true, fill });
  pen.text(4, y + 18, backwards ? "from the right" : "from the left", { size: 15, fill });
}

/** @param {Pen} pen @param {Places} at @param {DeepChain} chain @param {string} fill */
function nameOnTop(pen, at, { layer, backwards }, fill) {
  const x = across(at, { layer, backwards });
  const look = /** @type {const} */ ({ size: 13, anchor: "middle", fill });
  pen.text(x, 18, `layer ${layer}`, { ...look, bold: true });
  pen.text(x, 36, backwards ? "from end" : "from start", look);
}

/**
 * The frame around the word and its states.
 *
 * @type {Draw}
 */
function drawFrame(pen, scene, at) {
  const { data, colour, values, narrow } = scene;
  const shown = data.chains.filter((chain) => chain.shown);
  const half = (narrow ? at.size.wide : at.size.high) / 2 + 6;
  const ends = shown.flatMap((chain) => [across(at, chain) - half, across(at, chain) + half]);
  const low = Math.min(...ends, at.middle - at.band / 2 - 3);
  const high = Math.max(...ends, at.middle + at.band / 2 + 3);
  const from = along(at, values("k") - 1) - at.pitch / 2 + 1;
  const long = at.pitch - 2;
  const look = { key: "frame", stroke: colour.ink, line: 3, r: 9 };
  if (narrow) pen.rect(low, from, high - low, long, look);
  else pen.rect(from, low, long, high - low, look);
}

/**
 * The words; a press frames one.
 *
 * @type {Draw}
 */
function drawWords(pen, scene, at) {
  const { data, narrow, colour, move } = scene;
  const most = Math.max(...data.words.map((word) => textWidth(word, 1, true)));
  const room = (narrow ? at.band : at.pitch) - 8;
  const size = Math.max(14, Math.min(narrow ? 17 : 22, room / most));
  for (let i = at.from; i < at.to; i++) {
    const { x, y, wide, high } = bandBox(at, i, i);
    const read = isRead(scene, at, { backwards: false }, i) || data.both;
    pen.button(
      `${data.words[i]}, word ${i + 1}: frame its state`,
      () => move("k", i + 1, true),
      (its) => {
        its.rect(x, y, wide, high, { fill: "transparent" });
        const fill = read ? colour.ink : colour.quiet;
        const look = /** @type {const} */ ({ size, bold: i === at.at, fill, anchor: "middle", room });
        its.text(x + wide / 2, y + high / 2 + size * 0.33, data.words[i], look);
      },
      { key: `word ${i}`, chosen: i === at.at },
    );
  }
}

/**
 * With one direction: how many words are in the state, and how many are not, in the place of the other direction.
 *
 * @type {Draw}
 */
function drawCounts(pen, scene, at) {
  const { data, colour, text, values, hidden, narrow } = scene;
  const all = data.words.length;
  const asked = hidden("seen");
  if (narrow) return drawNarrowCounts(pen, scene, at);
  const foot = at.middle - at.band / 2 - 10;
  const left = bandBox(at, at.from, at.at);
  const right = bandBox(at, Math.min(at.at + 1, at.to - 1), at.to - 1);
  const size = Math.min(110, foot * 0.55);
  const y = foot / 2 + size * 0.3;
  const said = text("seen");
  pen.markedText(left.x + 6, y, said, !asked, { key: "seen", size, bold: true, fill: colour.input });
  const after = left.x + 6 + textWidth(said, size, true) + 20;
  pen.text(after, y, `of ${all} words read`, { size: 30, fill: colour.input });
  if (asked) return;
  bracket(pen, left.x, left.x + left.wide, foot, colour.input, "read");
  if (!values("rest")) return;
  bracket(pen, right.x, right.x + right.wide, foot, colour.quiet, "unread");
  const edge = right.x + right.wide - 6;
  const unread = text("rest");
  pen.text(edge, y, unread, { key: "rest", size, bold: true, fill: colour.quiet, anchor: "end" });
  const before = edge - textWidth(unread, size, true) - 20;
  pen.text(before, y, "not read yet:", { size: 30, fill: colour.quiet, anchor: "end" });
}

/** @type {Draw} */
function drawNarrowCounts(pen, { data, colour, text, values, hidden }, at) {
  const x = 10;
  const y = at.start + 60;
  pen.markedText(x, y, text("seen"), !hidden("seen"), { key: "seen", size: 44, bold: true, fill: colour.input });
  pen.text(x, y + 26, `of ${data.words.length} read`, { size: 16, fill: colour.input });
  if (hidden("seen") || !values("rest")) return;
  pen.text(x, y + 82, text("rest"), { key: "rest", size: 44, bold: true, fill: colour.quiet });
  pen.text(x, y + 108, "not read yet", { size: 16, fill: colour.quiet });
}

/**
 * A bracket over words.
 *
 * @param {Pen} pen @param {number} from @param {number} to @param {number} y @param {string} stroke @param {string} key
 */
function bracket(pen, from, to, y, stroke, key) {
  pen.path(`M${from + 3} ${y + 4}v-9H${to - 3}v9`, { key, stroke, width: 2.5 });
}

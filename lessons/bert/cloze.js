// A text with a gap that a press moves: what is read flows into it from both sides, or from the left alone, and
// it opens into paired bars, the model's and the exact ones. Several gaps have bars of their own.

import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth, through } from "../../drawing/pen.js";
import { drawLegend, drawNotes, drawNotesRow, drawPairs } from "./bars.js";
import { drawFlow, drawWords, layWords } from "./words.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, GapPayload, Scripts } from "../../drawing/types.js" */
/** @import { Box } from "./bars.js" */
/** @import { Laid } from "./words.js" */
/**
 * `sent`: presses that the server has not answered; `at`: the covered places that are shown; `server`: those that the
 * server sent last; `first`: the first gap that has its bars on the stage, if the visitor chose it. Places are written
 * as in the address.
 *
 * @typedef {{ sent?: string[], at?: string, server?: string, first?: number | null }} Pressed
 */
/** @typedef {Scene<"cloze", Pressed>} ClozeScene */
/** @typedef {ReturnType<typeof placesOf>} Places */

/** @param {Component<Scripts["cloze"]>} component */
export default function cloze(component) {
  return mainPicture(component, drawCloze);
}

/** @param {ClozeScene} scene */
function placesOf(scene) {
  const { width, height, narrow, data } = scene;
  const covered = coveredNow(scene);
  const gaps = new Set([...data.covered.filter((i) => !data.pressable.includes(i)), ...covered]);
  const edge = narrow ? 8 : 24;
  const room = { left: edge, right: width - edge, top: narrow ? 8 : 20 };
  const most = height * (narrow ? 0.36 : 0.34);
  const laid = layWords(data.words, gaps, { ...room, most, largest: narrow ? 19 : 30 });
  const { first, count } = firstShown(scene, narrow ? 1 : Math.max(1, Math.floor(width / 300)));
  const shown = data.gaps.slice(first, first + count);
  const top = laid.bottom + (narrow ? 12 : 26);
  const wide = (width - 2 * edge) / shown.length;
  const boxes = shown.map((_, n) => {
    const between = n < shown.length - 1 ? 26 : 0;
    return { left: edge + n * wide, right: edge + (n + 1) * wide - between, top, foot: height - 8 };
  });
  return { edge, gaps, laid, first, count, shown, top, boxes };
}

/** @param {Pen} pen @param {ClozeScene} scene */
function drawCloze(pen, scene) {
  const { width, height, narrow, data, colour, hidden } = scene;
  const at = placesOf(scene);
  const { laid, shown, boxes } = at;
  const asked = data.asked || hidden("own");
  // The funnel between a gap and its bars is behind the words.
  pen.part(scene, "funnel", (its) => shown.forEach(({ place }, n) => drawFunnel(its, laid, place, boxes[n])));
  pen.part(scene, "context", (its) => {
    if (shown.length === 1) drawFlow(its, laid, shown[0].place, { right: !data.left });
    drawText(its, scene, at, asked);
  });
  pen.part(scene, "bars", (its) => {
    shown.forEach((gap, n) => drawGap(its, scene, gap, boxes[n], asked));
    if (shown.length) return;
    const look = /** @type {const} */ ({ size: narrow ? 18 : 26, bold: true, fill: colour.quiet, anchor: "middle" });
    its.text(width / 2, (at.top + height) / 2, "Press a word to cover it", look);
  });
  drawTurns(pen, scene, at);
}

/** @param {Pen} pen @param {ClozeScene} scene @param {Places} at @param {boolean} asked */
function drawText(pen, scene, { gaps, laid }, asked) {
  const { data } = scene;
  const marks = data.words.flatMap((word, i) =>
    word.startsWith("[") && !data.pressable.includes(i) && !gaps.has(i) ? [i] : [],
  );
  /** @param {number} i */
  const isRead = (i) => !data.left || !data.gaps.length || i <= data.gaps[0].place;
  drawWords(pen, scene, laid, {
    gaps,
    pressable: new Set(data.pressable),
    quiet: new Set(marks),
    isRead,
    blank: data.left ? "next ?" : "[MASK]",
    press: (i) => press(scene, i),
    name: (i) => `Word ${i}, ${asked && gaps.has(i) ? "covered" : data.words[i]}`,
  });
}

/**
 * The places that are covered. A press is shown at once, and is kept until the server has answered it.
 *
 * @param {ClozeScene} scene
 */
function coveredNow({ data, memory }) {
  if (memory.server !== data.at) {
    const sent = memory.sent ?? [];
    memory.server = data.at;
    if (!sent.includes(data.at)) memory.at = data.at;
    memory.sent = sent.slice(sent.indexOf(data.at) + 1);
  }
  const at = memory.at ?? data.at;
  return new Set(at.split(",").filter(Boolean).map(Number));
}

/** @param {ClozeScene} scene @param {number} place */
function press(scene, place) {
  const { data, memory } = scene;
  const now = coveredNow(scene);
  const was = now.has(place);
  const next = data.several ? now : /** @type {Set<number>} */ (new Set());
  if (was) next.delete(place);
  else next.add(place);
  const at = [...next].sort((a, b) => a - b).join(",");
  Object.assign(memory, { at, first: null, sent: [...(memory.sent ?? []), at] });
  scene.again();
  scene.send(at);
}

/**
 * Which gaps have their bars on the stage, if there is no room for all.
 *
 * @param {ClozeScene} scene @param {number} most
 */
function firstShown({ data, memory }, most) {
  const count = Math.min(most, data.gaps.length);
  return { first: Math.max(0, Math.min(memory.first ?? 0, data.gaps.length - count)), count };
}

/**
 * The buttons to gaps whose bars have no room.
 *
 * @param {Pen} pen @param {ClozeScene} scene @param {Places} at
 */
function drawTurns(pen, scene, { edge, first, count }) {
  const all = scene.data.gaps.length;
  const after = all - first - count;
  const before = { label: `‹ ${first}`, name: `${first} gaps before`, to: Math.max(0, first - count) };
  if (first > 0) drawTurn(pen, scene, { ...before, left: edge });
  const label = `${after} ›`;
  const later = { label, name: `${after} gaps after`, to: Math.min(first + count, all - count) };
  if (after > 0) drawTurn(pen, scene, { ...later, left: scene.width - edge - turnWidth(label) });
}

/** @param {string} label */
const turnWidth = (label) => textWidth(label, 15, true) + 20;

/**
 * @param {Pen} pen
 * @param {ClozeScene} scene
 * @param {{ label: string, name: string, to: number, left: number }} turn
 */
function drawTurn(pen, { height, memory, again, colour }, { label, name, to, left }) {
  const wide = turnWidth(label);
  const y = height - 32;
  const press = () => {
    memory.first = to;
    again();
  };
  /** @param {Pen} its */
  const draw = (its) => {
    its.rect(left, y, wide, 26, { r: 13, fill: colour.background, stroke: colour.quiet });
    its.text(left + wide / 2, y + 18, label, { size: 15, bold: true, anchor: "middle" });
  };
  pen.button(name, press, draw, { key: name });
}

/**
 * The funnel from a gap to its bars.
 *
 * @param {Pen} pen @param {Laid} laid @param {number} place @param {Box} box
 */
function drawFunnel(pen, laid, place, box) {
  const gap = laid.items.find(({ i }) => i === place);
  if (!gap) return;
  const fill = pen.colour.activation;
  const from = gap.y + laid.size * 0.4;
  const [left, right] = [gap.x + 1, gap.x + gap.width - 1];
  const corners = [
    [left, from],
    [right, from],
    [box.right, box.top - 2],
    [box.left, box.top - 2],
  ];
  pen.path(`${through(corners)}Z`, { key: `funnel${place}`, stroke: "none", fill, "fill-opacity": 0.09 });
  const d = `M${(left + right) / 2} ${from + 3}V${box.top - 4}`;
  pen.beads(d, fill, { key: `beads${place}` });
}

/**
 * The bars of a gap, its notes, and what the bars are.
 *
 * @param {Pen} pen
 * @param {ClozeScene} scene
 * @param {GapPayload} gap
 * @param {Box} box
 * @param {boolean} asked whether the word is to be predicted
 */
function drawGap(pen, scene, gap, box, asked) {
  const { data, narrow, width } = scene;
  const many = data.gaps.length > 1;
  const aside = !many && !narrow ? 178 : 0;
  const { left, right } = box;
  const top = box.top + (many ? 32 : 8);
  const foot = box.foot - (aside ? 0 : narrow ? 24 : 30);
  pen.group({ key: `gap${gap.place}` }, (its) => {
    if (many) {
      its.text(left, box.top + 20, `gap ${gap.place}`, { key: "title", size: 15, bold: true });
      drawNotesRow(its, scene, gap, { x: left + 56, y: box.top + 20, right, asked });
    }
    const bars = { left, right: right - aside, top, foot };
    its.group({ key: "pairs" }, (pairs) => drawPairs(pairs, scene, gap.fillers, bars, { marked: data.marked, asked }));
    if (aside) drawAside(its, scene, gap, { left: right - aside + 10, right, top, foot }, asked);
    else if (left < 30) {
      const place = { x: many ? left + 60 : left, y: box.foot - 4, right: width - (many ? 60 : 8), asked };
      its.group({ key: "legend" }, (legend) => drawLegend(legend, data.bars, place));
    }
  });
}

/**
 * Beside the bars of a gap that is alone: the legend of the bars, and its notes.
 *
 * @param {Pen} pen @param {ClozeScene} scene @param {GapPayload} gap @param {Box} box @param {boolean} asked
 */
function drawAside(pen, scene, gap, { left, right, top, foot }, asked) {
  const { data, colour } = scene;
  const x = left + 14;
  pen.line(left, top + 4, left, foot - 4, { key: "side", stroke: colour.line });
  pen.group({ key: "legend" }, (legend) => {
    const y = drawLegend(legend, data.bars, { x, y: top + 18, right, column: true, asked });
    legend.group({ key: "notes" }, (notes) => drawNotes(notes, scene, gap, { x, y: y + 22, right, asked }));
  });
}

// A text with a gap that a press moves: what is read flows into it from both sides, or from the left alone, and
// it opens into paired bars, the model's and the exact ones. Several gaps have bars of their own.

import { mainPicture } from "../../ui/browser/main_picture.js";
import { textWidth, through } from "../../ui/browser/pen.js";
import { drawLegend, drawNotes, drawPairs } from "./bars.js";
import { drawFlow, drawWords, layWords } from "./words.js";

/** @import { Component, Scripts } from "../../ui/browser/types.js" */
/** @import { Scene } from "../../ui/browser/main_picture.js" */
/** @import { Pen } from "../../ui/browser/pen.js" */
/** @typedef {Scripts["cloze"]} Data */

const DIM = 0.18;

/** @param {Component<Data>} component */
export default function cloze(component) {
  return mainPicture(component, (pen, /** @type {Scene<any, any>} */ scene) => drawCloze(pen, scene));
}

/**
 * @param {Pen} pen
 * @param {Scene<any, any>} scene
 */
function drawCloze(pen, scene) {
  const { width, height, narrow, data, colour, hidden } = scene;
  const covered = coveredNow(scene);
  const gaps = new Set([...data.covered.filter((i) => !data.pressable.includes(i)), ...covered]);
  const edge = narrow ? 8 : 24;
  const asked = data.asked || hidden("own");
  const laid = layWords(data.words, gaps, {
    left: edge,
    right: width - edge,
    top: narrow ? 8 : 20,
    most: height * (narrow ? 0.36 : 0.34),
    largest: narrow ? 19 : 30,
  });
  const part = (name, how) => pen.group({ key: name, opacity: scene.dim(name) ? DIM : null }, how);
  const first = firstShown(scene, narrow ? 1 : Math.max(1, Math.floor(width / 300)));
  const shown = data.gaps.slice(first.at, first.at + first.count);
  const top = laid.bottom + (narrow ? 12 : 26);
  const boxes = shown.map((_, n) => ({
    left: edge + (n * (width - 2 * edge)) / shown.length,
    right: edge + ((n + 1) * (width - 2 * edge)) / shown.length - (n < shown.length - 1 ? 26 : 0),
    top,
    foot: height - 8,
  }));
  // What lies between a gap and its bars stands behind the words.
  part("funnel", (its) => shown.forEach(({ place }, n) => funnel(its, scene, laid, place, boxes[n])));
  part("context", (its) => {
    if (shown.length === 1) drawFlow(its, scene, laid, shown[0].place, { right: !data.left });
    const read = data.left && data.gaps.length ? (i) => i <= data.gaps[0].place : () => true;
    drawWords(its, scene, laid, {
      gaps,
      pressable: new Set(data.pressable),
      quiet: new Set(
        data.words
          .map((_, i) => i)
          .filter((i) => data.words[i].startsWith("[") && !data.pressable.includes(i) && !gaps.has(i)),
      ),
      isRead: read,
      blank: data.left ? "next ?" : "[MASK]",
      press: (i) => press(scene, i),
      name: (i) => `Word ${i}, ${asked && gaps.has(i) ? "covered" : data.words[i]}`,
    });
  });
  part("bars", (its) => {
    shown.forEach((gap, n) =>
      panel(its, scene, gap, boxes[n], { alone: shown.length === 1, many: data.gaps.length > 1, asked }),
    );
    if (!shown.length)
      its.text(width / 2, (top + height) / 2, "Press a word to cover it", {
        size: narrow ? 18 : 26,
        bold: true,
        fill: colour.quiet,
        anchor: "middle",
      });
  });
  if (first.at > 0)
    turn(pen, scene, edge, `‹ ${first.at}`, `${first.at} gaps before`, Math.max(0, first.at - first.count), "start");
  const after = data.gaps.length - first.at - first.count;
  if (after > 0)
    turn(
      pen,
      scene,
      width - edge,
      `${after} ›`,
      `${after} gaps after`,
      Math.min(first.at + first.count, data.gaps.length - first.count),
      "end",
    );
}

// A press is shown at once, and is kept until the server has answered it.
function coveredNow({ data, memory }) {
  if (memory.server !== data.at) {
    memory.server = data.at;
    if (!memory.sent?.includes(data.at)) memory.at = data.at;
    memory.sent = (memory.sent ?? []).slice((memory.sent ?? []).indexOf(data.at) + 1);
  }
  return new Set(memory.at.split(",").filter(Boolean).map(Number));
}

function press(scene, place) {
  const { data, memory } = scene;
  const now = coveredNow(scene);
  const was = now.has(place);
  const next = data.several ? now : /** @type {Set<number>} */ (new Set());
  if (was) next.delete(place);
  else next.add(place);
  memory.at = [...next].sort((a, b) => a - b).join(",");
  memory.sent.push(memory.at);
  memory.first = null;
  scene.again();
  scene.send(memory.at);
}

/** Which gaps have their bars on the stage, where not all have room. */
function firstShown({ data, memory }, most) {
  const count = Math.min(most, data.gaps.length);
  return { at: Math.max(0, Math.min(memory.first ?? 0, data.gaps.length - count)), count };
}

function turn(pen, scene, x, label, name, first, anchor) {
  const wide = textWidth(label, 15, true) + 20;
  const left = anchor === "end" ? x - wide : x;
  const y = scene.height - 32;
  pen.button(
    name,
    () => {
      scene.memory.first = first;
      scene.again();
    },
    (its) => {
      its.rect(left, y, wide, 26, { r: 13, fill: scene.colour.background, stroke: scene.colour.quiet });
      its.text(left + wide / 2, y + 18, label, { size: 15, bold: true, anchor: "middle" });
    },
    { key: name },
  );
}

// The gap opens into its bars.
function funnel(pen, { colour }, laid, place, box) {
  const gap = laid.items.find(({ i }) => i === place);
  if (!gap) return;
  const from = gap.y + laid.size * 0.4;
  const [left, right] = [gap.x + 1, gap.x + gap.width - 1];
  pen.path(
    `${through([
      [left, from],
      [right, from],
      [box.right, box.top - 2],
      [box.left, box.top - 2],
    ])}Z`,
    { key: `funnel${place}`, stroke: "none", fill: colour.activation, "fill-opacity": 0.09 },
  );
  const middle = (left + right) / 2;
  const d = `M${middle} ${from + 3}V${box.top - 4}`;
  pen.beads(d, colour.activation, { key: `beads${place}` });
}

function panel(pen, scene, gap, box, { alone, many, asked }) {
  const { data, narrow, colour } = scene;
  pen.group({ key: `gap${gap.place}` }, (its) => {
    const aside = alone && !many && !narrow ? 178 : 0;
    let top = box.top + 8;
    if (many) {
      its.text(box.left, top + 12, `gap ${gap.place}`, { key: "title", size: 15, bold: true });
      drawNotes(its, scene, gap, { x: box.left + 56, y: top + 12, right: box.right, asked, column: false });
      top += 24;
    }
    let foot = box.foot;
    if (!aside && (narrow || many)) foot -= narrow ? 24 : 30;
    its.group({ key: "pairs" }, (pairs) =>
      drawPairs(
        pairs,
        scene,
        gap.fillers,
        { left: box.left, right: box.right - aside, top, foot },
        { marked: data.marked, asked },
      ),
    );
    if (aside) {
      const x = box.right - aside + 24;
      its.line(x - 14, top + 4, x - 14, foot - 4, { key: "side", stroke: colour.line });
      its.group({ key: "legend" }, (legend) => {
        const y = drawLegend(legend, scene, data.bars, { x, y: top + 18, right: box.right, column: true, asked });
        legend.group({ key: "notes" }, (notes) =>
          drawNotes(notes, scene, gap, { x, y: y + 22, right: box.right, asked }),
        );
      });
    }
    if (!aside && box.left < 30) {
      its.group({ key: "legend" }, (legend) =>
        drawLegend(legend, scene, data.bars, {
          x: many ? box.left + 60 : box.left,
          y: box.foot - 4,
          right: scene.width - (many ? 60 : 8),
          asked,
        }),
      );
    }
  });
}

// Beam search, one step at a time: a column for each step with its candidates, the best at the top; below, the
// texts that have ended so far, ranked by Σ log p / tᵃ for the a of the slider. The whole search is sent at the start,
// so stepping needs no server.

import { isNews, sendAtRest } from "../../ui/browser/events.js";
import { mainPicture } from "../../drawing/main_picture.js";
import { textWidth } from "../../drawing/pen.js";
import { drawEnded } from "./beam_ended.js";
import { placesOf } from "./beam_places.js";
import { drawTree } from "./beam_tree.js";

/** @import { Sender } from "../../ui/browser/events.js" */
/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Component, Scripts } from "../../drawing/types.js" */
/** @import { Places } from "./beam_places.js" */

/**
 * The state that the picture keeps between drawings.
 *
 * @typedef {Sender<number, number> & { step: number, picked?: number | null }} Memory
 *   `step`: the selected step; `picked`: the candidate that was pressed
 */
/** @typedef {Scene<"beam", Memory>} BeamScene */
/** @typedef {(pen: Pen, scene: BeamScene, at: Places, step: number) => void} Draw */

/** @param {Component<Scripts["beam"]>} component */
export default function beam(component) {
  return mainPicture(component, drawBeam);
}

/** @param {Pen} pen @param {BeamScene} scene */
function drawBeam(pen, scene) {
  const { data, memory, send, chooseTexts } = scene;
  memory.send = send;
  if (isNews(memory, data.at)) memory.step = data.at;
  const step = (memory.step = within(memory.step, data.steps));
  const at = placesOf(scene, step);
  pen.part(scene, "steps", (its) => drawControls(its, scene, at, step));
  pen.part(scene, "tree", (its) => drawTree(its, scene, at, step));
  pen.part(scene, "ended", (its) => drawEnded(its, scene, at, step));
  chooseTexts(step - 1, false);
}

/** @param {number} step @param {number} last */
const within = (step, last) => Math.min(Math.max(step, 1), last);

/** @param {BeamScene} scene @param {number} step */
function goTo({ memory, data, again }, step) {
  memory.step = within(step, data.steps);
  memory.picked = null;
  again();
  sendAtRest(memory, memory.step);
}

/**
 * The buttons of the steps, and the legend of the lines.
 *
 * @type {Draw}
 */
function drawControls(pen, scene, { narrow }, step) {
  const { data, memory, colour } = scene;
  const [first, last] = [step === 1, step === data.steps];
  const buttons = [
    { sign: "«", name: "From the start", to: () => 1, disabled: first },
    { sign: "‹", name: "One step back", to: () => memory.step - 1, disabled: first },
    { sign: "›", name: "One step forward", to: () => memory.step + 1, disabled: last },
    { sign: "»", name: "To the end", to: () => data.steps, disabled: last },
  ];
  let x = narrow ? 10 : 20;
  for (const { sign, name, to, disabled } of buttons) {
    const look = { size: 19, bold: true, fill: disabled ? colour.quiet : colour.ink };
    const draw = (/** @type {Pen} */ its) => {
      its.node("title", {}, name);
      its.rect(x, 8, 34, 28, { r: 8, fill: colour.background, stroke: colour.line });
      its.text(x + 17, 28, sign, { anchor: "middle", ...look });
    };
    pen.button(name, () => goTo(scene, to()), draw, { key: name, disabled });
    x += 40;
  }
  pen.text(x + 6, 28, `step ${step} of ${data.steps}`, { size: 16, bold: true });
  if (!narrow) drawLegend(pen, scene);
}

const LINES = /** @type {const} */ ([
  ["best text that has ended", "input", null],
  ["greedy path", "gradient", "7 4"],
]);

/** @param {Pen} pen @param {BeamScene} scene */
function drawLegend(pen, { width, colour }) {
  let right = width - 16;
  for (const [label, role, dash] of LINES) {
    pen.text(right, 28, label, { size: 14, anchor: "end" });
    right -= textWidth(label, 14) + 50;
    pen.line(right, 23, right + 32, 23, { stroke: colour[role], width: 5, dash });
    right -= 20;
  }
}

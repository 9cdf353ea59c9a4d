// Below the graph: the buttons that walk through it, and a track with a mark for each step.

import { textWidth } from "../../drawing/pen.js";
import { go, lastOf, pause, play } from "./graph_walk.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { GraphScene, Moment } from "./graph_scene.js" */
/** @import { Data, Walk } from "./graph_walk.js" */
/** @typedef {{ top: number, height: number }} Bar */
/**
 * @typedef {object} WalkButton
 * @property {string} key
 * @property {string} label
 * @property {string} help
 * @property {() => void} pressed
 * @property {boolean} disabled
 */

/** @param {Pen} pen @param {GraphScene} scene @param {Moment} now @param {Walk} walk @param {Bar} bar */
export function drawToolbar(pen, { width, narrow, colour, data }, now, walk, { top, height }) {
  pen.rect(0, top, width, height, { key: "bar", r: 0, fill: colour.background });
  pen.line(0, top, width, top, { key: "rule", stroke: colour.line, width: 1 });
  const y = top + height / 2;
  let x = narrow ? 8 : 20;
  for (const button of buttonsOf(walk)) {
    const wide = buttonWidth(button, narrow);
    if (button.key === "Step" && walk.at < 2 && !button.disabled)
      pen.circle(x + wide / 2, y, 10, { key: "pulse", class: "pulse", stroke: colour.activation, line: 3 });
    drawButton(pen, button, narrow, { x, y, wide });
    x += wide + (narrow ? 5 : 8);
  }
  const [at, last] = [walk.at, lastOf(data)];
  if (narrow) {
    pen.text(width - 8, y + 5, `${at}/${last}`, { key: "count", size: 14, anchor: "end", fill: colour.quiet });
    return;
  }
  const kind = now.step && (now.step.kind === "forward" ? "forward" : "back");
  const fill = kind === "back" ? colour.gradient : kind ? colour.activation : colour.quiet;
  const count = `${at} of ${last}`;
  pen.text(x + 8, y + 5, kind ? `${count} · ${kind}` : count, { key: "count", size: 15, fill });
  drawTrack(pen, data, walk, { left: x + 150, right: width - 20, y });
}

/** @param {Walk} walk @returns {WalkButton[]} */
function buttonsOf(walk) {
  const { at, timer } = walk;
  const last = lastOf(walk.data);
  /** @type {(key: string, help: string, to: number, disabled: boolean) => WalkButton} */
  const way = (key, help, to, disabled) => ({ key, label: key, help, pressed: () => go(walk, to), disabled });
  return [
    way("Reset", "No number is computed", 0, at === 0),
    way("Back", "One step back", at - 1, at === 0),
    way("Step", "Compute the next number", at + 1, at === last),
    {
      key: "Play",
      label: timer ? "Pause" : "Play",
      help: timer ? "Stop here" : "Play the steps",
      pressed: () => (walk.timer ? pause(walk) : play(walk)),
      disabled: false,
    },
    way("End", "Show every number", last, at === last),
  ];
}

/** @param {boolean} narrow */
const typeSize = (narrow) => (narrow ? 13 : 15);

/** @param {WalkButton} button @param {boolean} narrow */
function buttonWidth({ key }, narrow) {
  const more = key === "Play" ? 8 : key === "Step" && !narrow ? 12 : 0; // as wide for Pause as for Play
  return textWidth(key, typeSize(narrow), true) + 2 * (narrow ? 9 : 14) + more;
}

/**
 * @param {Pen} pen
 * @param {WalkButton} button
 * @param {boolean} narrow
 * @param {{ x: number, y: number, wide: number }} place
 */
function drawButton(pen, { key, label, help, pressed, disabled }, narrow, { x, y, wide }) {
  const { background, ink, quiet } = pen.colour;
  const size = typeSize(narrow);
  const tall = narrow ? 36 : 34;
  const first = key === "Step";
  pen.button(
    label,
    pressed,
    (its) => {
      its.node("title", {}, help);
      const frame = { r: 8, fill: background, stroke: first ? ink : quiet, line: first ? 2.6 : 1.2 };
      its.rect(x, y - tall / 2, wide, tall, frame);
      its.text(x + wide / 2, y + size * 0.36, label, { size, bold: true, fill: ink, anchor: "middle" });
    },
    { disabled, key },
  );
}

/**
 * One mark per step: those of the forward pass, those of the backward pass, the current one in yellow.
 *
 * @param {Pen} pen @param {Data} data @param {Walk} walk @param {{ left: number, right: number, y: number }} place
 */
function drawTrack(pen, data, walk, { left, right, y }) {
  const { activation, gradient, ink, mark } = pen.colour;
  const last = lastOf(data);
  const each = Math.min((right - left) / last, 46);
  for (let step = 1; step <= last; step++) {
    const kind = data.steps[step - 1]?.kind;
    const role = kind === "forward" ? activation : kind === "backward" ? gradient : ink;
    const current = step === walk.at;
    const high = current ? 22 : 10;
    const node = pen.rect(left + (step - 1) * each, y - high / 2, Math.max(each - (each > 6 ? 3 : 1), 1), high, {
      key: `step${step}`,
      r: 3,
      fill: current ? mark : role,
      "fill-opacity": current || step < walk.at ? 1 : 0.25,
      stroke: current ? role : null,
      line: current ? 2 : null,
      class: "press",
    });
    node.onclick = () => go(walk, step);
  }
}

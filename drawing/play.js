// Moves the step of a picture: a button that plays it to its end and stops it, and dragging along a strip.

import { drag } from "./hand.js";

/** @import { Pen } from "./pen.js" */
/** @import { Palette } from "./types.js" */

/**
 * What a player needs from a picture whose slider is called step.
 *
 * @typedef {object} Played
 * @property {{ playing?: number, step?: number }} memory `playing`: the time in ms at which the player began, 0 while
 *   it is stopped; `step`: its position, perhaps between two steps
 * @property {(name: "step") => number} values
 * @property {(name: "step", value: number, settled: boolean) => void} move
 * @property {() => void} again
 * @property {Palette} colour
 */
/** @typedef {{ last: number, duration: number }} Run the last step, and the ms in which all steps play */

/**
 * @param {Pen} pen
 * @param {Played} scene
 * @param {{ x: number, y: number, name: string } & Run} player `name`: what a press does, as it is read out
 */
export function drawPlayer(pen, scene, { x, y, name, last, duration }) {
  const { memory, colour } = scene;
  const pressed = () => playOrStop(pen.parent, scene, { last, duration });
  pen.button(memory.playing ? "Stop" : name, pressed, (its) => {
    its.circle(x, y, 17, { fill: colour.background, stroke: colour.loss, line: 2 });
    if (memory.playing) its.rect(x - 6, y - 6, 12, 12, { r: 1, fill: colour.loss });
    else its.path(`M${x - 5} ${y - 8}L${x + 9} ${y}L${x - 5} ${y + 8}z`, { fill: colour.loss, stroke: colour.loss });
  });
}

/**
 * Play from the step shown, or from the start if it is the last; or stop. It stops by itself if something else sets
 * `playing`, or the picture has been removed.
 *
 * @param {Element} drawn a part of the picture
 * @param {Played} scene
 * @param {Run} run
 */
function playOrStop(drawn, { memory, values, move, again }, { last, duration }) {
  const began = memory.playing ? 0 : performance.now();
  memory.playing = began;
  if (!began) {
    move("step", Math.round(memory.step ?? values("step")), true);
    return;
  }
  memory.step = undefined; // it has no position before its first frame
  const from = values("step") >= last ? 0 : values("step");
  /** @param {number} now */
  const next = (now) => {
    if (memory.playing !== began) return;
    const step = Math.min(from + ((now - began) / duration) * last, last);
    memory.step = step;
    const done = step >= last || !drawn.isConnected;
    if (done) memory.playing = 0;
    move("step", Math.round(step), done);
    if (!done) requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  again();
}

/**
 * Let the step be dragged along a strip; a drag stops the player.
 *
 * @param {SVGElement} cover what is dragged
 * @param {Played} scene
 * @param {{ left: number, wide: number, last: number }} strip where steps 0 to `last` lie
 */
export function dragStep(cover, { memory, move }, { left, wide, last }) {
  const stepAt = (/** @type {number} */ across) => Math.round(Math.min(Math.max((across - left) / wide, 0), 1) * last);
  drag(cover, {
    down: (across) => {
      memory.playing = 0;
      return { step: stepAt(across) };
    },
    start: (began) => move("step", began.step, false),
    move: (began, across) => move("step", (began.step = stepAt(across)), false),
    up: (began) => move("step", began.step, true),
  });
}

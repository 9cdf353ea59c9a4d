// The player of a picture's steps.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawPlayer } from "../../drawing/play.js";

const RUN = { last: 10, duration: 100 };

/** The steps that a press of the player shows, from this step on; the clock jumps 50 ms a frame. */
function played(step) {
  const frames = /** @type {((now: number) => void)[]} */ ([]);
  globalThis.requestAnimationFrame = (call) => frames.push(call);
  const moves = /** @type {[number, boolean][]} */ ([]);
  const scene = {
    memory: {},
    values: () => step,
    move: (_, to, settled) => moves.push([to, settled]),
    again() {},
    colour: /** @type {any} */ ({}),
  };
  let press = () => {};
  const pen = { parent: { isConnected: true }, button: (_, pressed) => (press = pressed) };
  drawPlayer(/** @type {any} */ (pen), scene, { x: 0, y: 0, name: "Play", ...RUN });
  const began = performance.now();
  press();
  for (let n = 1; frames.length && n < 9; n++) frames.shift()?.(began + 50 * n);
  return moves;
}

test("plays from the step shown to the last", () => {
  const moves = played(4);
  assert.deepEqual(moves.at(-1), [10, true]);
  assert.ok(moves[0][0] > 4);
});

test("plays from the start if the last step is shown", () => {
  const moves = played(10);
  assert.ok(moves[0][0] < 10);
  assert.equal(moves[0][1], false);
  assert.deepEqual(moves.at(-1), [10, true]);
});

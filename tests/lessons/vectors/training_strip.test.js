// The player below the map of word vectors goes from the step shown to the last one; from there it begins anew.

import assert from "node:assert/strict";
import { test } from "node:test";
import "../../drawing/nodes.js";

const { drawSteps } = await import("../../../lessons/vectors/training_strip.js");

const STEPS = [0, 10, 100, 1000, 5000];
const AT = { strip: { left: 40, top: 20, wide: 600, high: 60 }, small: false };

/** The steps that a press of the player shows, from this one on; a frame takes half a second. */
function played(place) {
  const frames = /** @type {((now: number) => void)[]} */ ([]);
  globalThis.requestAnimationFrame = (call) => frames.push(call);
  const moves = /** @type {[number, boolean][]} */ ([]);
  const values = Float64Array.from(STEPS, (_, i) => 1 / (i + 1));
  const scene = {
    colour: {},
    data: { steps: STEPS, losses: values, precision: values, axis: "step", curve: "loss" },
    memory: { place, snapshot: place, playing: 0, exact: null, curves: null },
    move: (_, to, settled) => moves.push([to, settled]),
    again() {},
  };
  let press = () => {};
  const nothing = () => ({ addEventListener() {} });
  const known = { parent: { isConnected: true }, button: (_, pressed) => (press = pressed) };
  const pen = new Proxy(known, { get: (its, name) => its[name] ?? nothing });
  drawSteps(/** @type {any} */ (pen), /** @type {any} */ (scene), /** @type {any} */ (AT));
  const began = performance.now();
  press();
  for (let n = 1; frames.length && n < 20; n++) frames.shift()?.(began + 500 * n);
  return moves;
}

test("every press plays through the rest of the steps, from the last one through all of them", () => {
  STEPS.forEach((step, place) => {
    const moves = played(place);
    const shown = moves.map(([at]) => at);
    const ahead = place === STEPS.length - 1 ? STEPS : STEPS.slice(place);
    assert.deepEqual([...new Set(shown)], ahead, `from step ${step}`);
    assert.deepEqual(
      moves.filter(([, settled]) => settled),
      [[STEPS.at(-1), true]],
    );
  });
});

// A run that is started in a beat that dims the curves is drawn undimmed.

import assert from "node:assert/strict";
import test from "node:test";

import { litBeat } from "../../../lessons/training/training_scales.js";

test("a run lights up the beat in which it goes on, and that one alone", () => {
  const [going, over] = [[{ state: "finished" }, { state: "running" }], [{ state: "finished" }]];
  let lit = litBeat([], "guessing", undefined);
  assert.equal(lit, undefined);
  lit = litBeat(going, "guessing", lit);
  assert.equal(lit, "guessing");
  lit = litBeat(over, "guessing", lit);
  assert.equal(lit, "guessing");
  assert.equal(litBeat(over, "floor", lit), "guessing"); // dimmed as the beat says
  assert.equal(litBeat(going, "floor", lit), "floor");
});

// The rows of a beam search: the candidates of a step, and the ranking of the texts that ended.

import assert from "node:assert/strict";
import { test } from "node:test";

import { candidatesOf, greedyLeaves, rankedEnded, stepsShown } from "../../../lessons/generation/beam_rows.js";

const data = {
  tokens: ["a", "b", "c"],
  b_step: [1, 1, 2],
  b_parent: [0, 0, 1],
  b_rank: [1, 2, 1],
  b_log_p: [-1, -2, -0.5],
  b_total: [-1, -2, -1.5],
  b_score: [-1, -2, -0.75],
  beginnings: { 0: "", 1: "a" },
  outcomes: [0, 2, 1],
  outcome_names: ["goes on", "ends", "pruned"],
  reasons: ["", "too low", "end"],
  ended: [
    { text: "a c", step: 2 },
    { text: "x", step: 3 },
    { text: "b", step: 1 },
  ],
};

test("the candidates of a step, and the step at which greedy search is no longer among them", () => {
  assert.deepEqual(candidatesOf({ data, step: 1 }), [0, 1]);
  assert.equal(greedyLeaves({ ...data, b_greedy: [1, 0, 0] }), 2);
  assert.equal(greedyLeaves({ ...data, b_greedy: [0, 0, 0] }), 1);
});

test("texts that have ended so far are ranked by the score of the slider's place, the best first", () => {
  const scores = { s0: -3, s1: 0, s2: -1 };
  const ranked = rankedEnded({ data, step: 2, values: (name) => scores[name] });
  assert.deepEqual(
    ranked.map(({ text, score }) => [text, score]),
    [
      ["b", -1],
      ["a c", -3],
    ],
  );
});

test("as many steps are shown as fit, up to the one looked at", () => {
  assert.deepEqual(stepsShown(3, 6), [1, 3]);
  assert.deepEqual(stepsShown(9, 6), [4, 9]);
});

// The walk through a graph: what has been computed at each of its places, and whose step is shown.

import assert from "node:assert/strict";
import { test } from "node:test";

import { go, lastOf, reached, take } from "../../../lessons/backprop/graph_walk.js";

const step = (kind, nodes, edges = []) => ({ kind, nodes, edges });
const data = {
  step: 1,
  steps: [step("forward", [0]), step("forward", [1], [[1, 0]]), step("backward", [1]), step("backward", [0], [[1, 0]])],
};

test("values come on the way forward, gradients on the way back, and in the end everything is there", () => {
  assert.equal(lastOf(data), 5);
  assert.deepEqual([...reached(data, 0).values], []);
  assert.deepEqual([...reached(data, 1).values], [0]);
  const forward = reached(data, 2);
  assert.deepEqual([[...forward.values], [...forward.gradients], [...forward.active]], [[0, 1], [], ["1.0"]]);
  const back = reached(data, 3);
  assert.deepEqual([[...back.gradients], [...back.passed]], [[1], []]);
  assert.equal(back.now, data.steps[2]);
  const end = reached(data, 5);
  assert.deepEqual([[...end.gradients], [...end.passed], end.now, end.done], [[1, 0], ["1.0"], null, true]);
});

test("a step that was reported is no news when the server repeats it; another step is", () => {
  const sent = [];
  const memory = { still: () => true };
  const scene = (step) => ({ data: { ...data, step }, again: () => {}, send: (at) => sent.push(at) });
  take(memory, scene(1));
  assert.equal(memory.at, 1);
  go(memory, 2);
  go(memory, 9);
  assert.deepEqual([memory.at, sent], [5, [2, -1]]);
  take(memory, scene(2));
  assert.equal(memory.at, 5);
  take(memory, scene(-1));
  assert.equal(memory.at, 5);
  take(memory, scene(3));
  assert.equal(memory.at, 3);
  take(memory, scene(-1));
  const larger = [...data.steps, step("backward", [0]), step("backward", [1])];
  take(memory, { ...scene(-1), data: { step: -1, steps: larger } });
  assert.equal(memory.at, 7, "the end of the larger graph");
  take(memory, scene(3));
  go(memory, -4);
  assert.equal(memory.at, 0);
  take(memory, scene(999));
  assert.equal(memory.at, 5);
});

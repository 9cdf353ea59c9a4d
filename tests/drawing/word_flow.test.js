import assert from "node:assert/strict";
import { test } from "node:test";
import { flow } from "../../drawing/word_flow.js";

const box = { left: 10, y: 20, room: 100, step: 30, space: 5 };

test("words follow one another, and a new line begins where one would leave the room", () => {
  assert.deepEqual(flow([40, 50, 30], box), [
    { x: 10, y: 20, line: 0 },
    { x: 55, y: 20, line: 0 },
    { x: 10, y: 50, line: 1 },
  ]);
});

test("a word wider than the room has a line of its own", () => {
  assert.deepEqual(
    flow([300, 10], box).map(({ line }) => line),
    [0, 1],
  );
});

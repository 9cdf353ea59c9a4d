import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf } from "../../../lessons/vectors/ladders_places.js";

const data = { methods: Array(5).fill(""), rungs: Array(5).fill(Array(5).fill("")) };

for (const [width, height, narrow] of [
  [1036, 430, false],
  [366, 420, true],
]) {
  test(`five ladders fit side by side, ${narrow ? "narrow" : "wide"}`, () => {
    const at = placesOf(/** @type {any} */ ({ data, width, height, narrow }));
    assert.ok(at.x(4) + at.wide <= width && at.x(1) - at.x(0) > at.wide);
    assert.ok(Math.abs(at.y(5) - at.foot) < 1e-6 && at.foot < height - 40);
    assert.ok(at.rung > 34 && at.wide > 60);
  });
}

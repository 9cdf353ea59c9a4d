import assert from "node:assert/strict";
import { test } from "node:test";
import { axisOf, placesOf } from "../../../lessons/contextual/layer_choices_places.js";

test("a zoomed axis holds all its scores; a broken one has the lowest at its left", () => {
  const scores = [91, 94.9, 95.5, 96.1];
  const whole = axisOf(scores.slice(1), false, 100, 300);
  assert.equal(whole.gap, null);
  scores.slice(1).forEach((score) => assert.ok(whole.x(score) > 100 && whole.x(score) < 300));
  const broken = axisOf(scores, true, 100, 300);
  const gap = Number(broken.gap);
  assert.ok(broken.x(91) < gap && gap < broken.x(94.9) && broken.x(96.1) < 300);
  broken.ticks.forEach((tick) => assert.ok(broken.scale(tick) > gap));
});

test("scores that are all alike have an axis", () => {
  const same = axisOf([1, 1, 1], false, 100, 300);
  assert.ok(same.x(1) > 100 && same.x(1) < 300);
});

for (const [width, height, narrow] of [
  [1036, 420, false],
  [366, 420, true],
]) {
  test(`both axes fit beside the names, ${narrow ? "narrow" : "wide"}`, () => {
    const data = { ways: Array(6).fill({}), axes: [{ broken: true }, { broken: false }] };
    const values = (/** @type {string} */ name) => 90 + Number(name.split(" ")[1]);
    const at = placesOf(/** @type {any} */ ({ data, width, height, narrow, values }));
    assert.ok(at.axes[0].right < at.axes[1].left && at.axes[1].right < width);
    assert.ok(at.y(6) <= at.foot + 1e-6 && at.row > 40);
  });
}

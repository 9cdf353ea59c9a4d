import assert from "node:assert/strict";
import { test } from "node:test";
import { cutAt, placesOf } from "../../../lessons/rnn/back_places.js";

/** @param {number} width @param {number} height @param {boolean} narrow */
const scene = (width, height, narrow) =>
  /** @type {any} */ ({ width, height, narrow, values: () => 0.5, final: () => 10 });

for (const [width, height, narrow] of /** @type {[number, number, boolean][]} */ ([
  [1036, 390, false],
  [366, 414, true],
])) {
  test(`states lie in the box, and a cut between two of them counts those after it, ${narrow}`, () => {
    const at = placesOf(scene(width, height, narrow));
    const place = narrow ? at.y : at.x;
    assert.ok(place(at.from) > 0 && place(10) < (narrow ? height : width));
    assert.equal(cutAt(at, (place(6) + place(7)) / 2), 3);
    assert.equal(cutAt(at, -50), 10);
    assert.equal(cutAt(at, 5000), 1);
  });
}

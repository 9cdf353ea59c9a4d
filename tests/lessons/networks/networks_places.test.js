// Where the parts of the picture of a network stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { countOf, placeOf } from "../../../lessons/networks/forward.js";
import { isComputed, lastLine, lineAt } from "../../../lessons/networks/code_strip.js";
import { labelPlace, places, planeScale } from "../../../lessons/networks/networks_places.js";

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 439, narrow: false },
  { width: 1069, height: 450, narrow: false },
  { width: 356, height: 392, narrow: true },
  { width: 330, height: 392, narrow: true },
];
const SIZES = [
  [2, 1],
  [2, 3],
  [2, 2, 1],
  [2, 8, 1],
  [2, 8, 8, 8, 1],
  [2, 4, 4, 3],
];

test("every unit, the plane and the steps lie within the drawing, and no two units of a layer touch", () => {
  for (const room of ROOMS) {
    for (const sizes of SIZES) {
      const { inputs, layers, outputs, plane, strip } = places(room, sizes);
      for (const { x, y, size } of [...inputs, ...layers.flat(), ...outputs]) {
        assert.ok(
          size > 8 &&
            x - size / 2 >= 0 &&
            x + size / 2 <= room.width &&
            y - size / 2 >= 0 &&
            y + size / 2 <= room.height,
          `${sizes} ${room.width}`,
        );
      }
      for (const units of layers) units.slice(1).forEach((unit, i) => assert.ok(unit.y - units[i].y >= unit.size));
      assert.ok(plane.left >= 0 && plane.left + plane.wide <= room.width && plane.top + plane.high <= strip.top);
      assert.ok(strip.top + strip.high + 18 <= room.height && strip.left + strip.wide <= room.width);
      assert.equal(plane.wide, plane.high);
    }
  }
});

test("a point of the plane comes back from where it is drawn", () => {
  const scale = planeScale({ left: 100, top: 50, wide: 200, high: 200 }, { low: -0.5, high: 1.5 });
  assert.deepEqual([scale.x(-0.5), scale.x(1.5), scale.y(-0.5), scale.y(1.5)], [100, 300, 250, 50]);
  assert.deepEqual(scale.back(scale.x(0.25), scale.y(1)), [0.25, 1]);
});

test("parameters stand layer by layer: the weights unit by unit, then the biases", () => {
  const net = { sizes: [2, 3, 1], functions: ["tanh", "sigmoid"] };
  assert.equal(countOf(net), 13);
  const all = [];
  for (const layer of [0, 1]) {
    const [units, inputs] = [net.sizes[layer + 1], net.sizes[layer]];
    for (let i = 0; i < units; i++) for (let j = 0; j < inputs; j++) all.push(placeOf(net, layer, i, j));
    for (let i = 0; i < units; i++) all.push(placeOf(net, layer, i, -1));
  }
  assert.deepEqual(
    all,
    Array.from({ length: 13 }, (_, i) => i),
  );
});

test("each line computes one tensor, and what a later line computes is not there yet", () => {
  const net = { functions: ["tanh", "sigmoid"] };
  const lines = Array.from({ length: lastLine(net) + 1 }, (_, i) => lineAt(net, i));
  assert.deepEqual(
    lines.map(({ layer, part }) => `${part}${layer + 1}`),
    ["z1", "a1", "z2", "a2", "ŷ2"],
  );
  assert.equal(isComputed({ line: 0 }, net, 0, "z"), true);
  assert.equal(isComputed({ line: 0 }, net, 0, "a"), false);
  assert.equal(isComputed({ line: 1 }, net, 1, "z"), false);
  assert.equal(isComputed({ line: 4 }, net, 1, "a"), true);
  assert.equal(isComputed({}, net, 1, "a"), true);
});

test("the numbers of edges stand apart from one another, or not at all", () => {
  const column = (x, ...ys) => ys.map((y) => ({ x, y, size: 50 }));
  const t = labelPlace(column(50, 100, 250), column(300, 100, 250));
  const heights = [100, 250].flatMap((a) => [100, 250].map((b) => a + (b - a) * t)).sort((a, b) => a - b);
  heights.slice(1).forEach((y, i) => assert.ok(y - heights[i] >= 26));
  assert.equal(labelPlace(column(50, 100, 250), column(160, 100, 250)), null, "too near");
  assert.equal(labelPlace(column(50, 10, 20, 30, 40), column(300, 10, 20, 30, 40)), null, "too many");
});

// Where the nodes and edges of a computation graph stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { centre, needs, route } from "../../../lessons/backprop/graph_layout.js";

const nodes = [{ place: [0, 0] }, { place: [0, 1] }, { place: [1, 0.5] }];
const edges = [{ from: 0, to: 2, bends: [] }, { from: 1, to: 2, bends: [[0.5, 1]], twin: true, position: 1 }];

test("every node of a graph stands inside the room that the graph needs", () => {
  for (const upright of [false, true]) {
    const { width, height } = needs({ nodes, edges }, upright);
    for (const { place } of nodes) {
      const [x, y] = centre(place, upright, { width: 122, height: 66 });
      assert.ok(x - 61 >= 0 && x + 61 <= width && y - 33 >= 0 && y + 33 <= height, `${place}, ${upright}`);
    }
  }
});

test("an edge leaves its node, bends once for each bend and ends before the next", () => {
  const places = new Map(nodes.map(({ place }, i) => [i, place]));
  const { path, label } = route(edges[0], places, false, { width: 122, height: 66 });
  assert.equal(path, "M126,37C147.5,37,147.5,81,169,81");
  assert.ok(label[0] > 126 && label[0] < 169 && label[1] > 37 && label[1] < 81);
  assert.equal(route(edges[1], places, true, { width: 122, height: 66 }).path.match(/C/g).length, 2);
});

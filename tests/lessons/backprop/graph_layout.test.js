// Where the nodes and edges of a computation graph stand.

import assert from "node:assert/strict";
import { test } from "node:test";

import { arrange } from "../../../lessons/backprop/graph_layout.js";

const WIDE = { width: 1038, height: 464, narrow: false };
const PHONE = { width: 360, height: 320, narrow: true };
const node = (id, place, shape = "") => ({ id, place, shape });
const edge = (from, to, more = {}) => ({ from, to, position: 0, bends: [], twin: false, ...more });

const slide = {
  nodes: [node(0, [1, 0]), node(1, [0, 1]), node(2, [2, 1.5]), node(3, [1, 1]), node(4, [2, 0.5]), node(5, [3, 1])],
  edges: [edge(1, 3), edge(0, 4), edge(3, 4, { position: 1 }), edge(2, 5), edge(4, 5, { position: 1 })],
};
const chain = (count) => ({
  nodes: Array.from({ length: count }, (_, i) => node(i, [i, 0])),
  edges: Array.from({ length: count - 1 }, (_, i) => edge(i, i + 1)),
});
const GRAPHS = {
  slide,
  "one node": chain(1),
  "11 in a row": chain(11),
  "60 in a row": chain(60),
  "60 side by side": { nodes: Array.from({ length: 60 }, (_, i) => node(i, [0, i])), edges: [] },
};

for (const [name, data] of Object.entries(GRAPHS)) {
  for (const room of [WIDE, PHONE]) {
    test(`${name}, ${room.width} wide: every node stands inside, none on another, and no wider than the room`, () => {
      const plan = arrange(data, room);
      const boxes = [...plan.boxes.values()];
      assert.equal(plan.width, room.width);
      assert.ok(plan.s >= 1);
      for (const box of boxes) {
        assert.ok(
          box.left >= 0 && box.top >= 0 && box.right <= plan.width && box.foot <= plan.height,
          JSON.stringify(box),
        );
      }
      boxes.forEach((a, i) =>
        boxes
          .slice(0, i)
          .forEach((b) =>
            assert.ok(a.left >= b.right || b.left >= a.right || a.top >= b.foot - 0.01 || b.top >= a.foot - 0.01),
          ),
      );
    });
  }
}

test("a graph that fits is not larger than its room, and its layers go to the right", () => {
  const plan = arrange(slide, WIDE);
  assert.equal(plan.height, WIDE.height);
  const [b, d, e, result] = [1, 3, 4, 5].map((id) => plan.boxes.get(id));
  assert.ok(b.right < d.left && d.right < e.left && e.right < result.left);
  assert.equal(plan.upright, false);
});

test("a chain that is too long goes on in the next band, and its edge arrives there from the left", () => {
  const plan = arrange(chain(11), WIDE);
  const [first, last] = [plan.boxes.get(0), plan.boxes.get(10)];
  assert.ok(last.top > first.foot);
  const turned = plan.routes.find((route, i) => plan.boxes.get(i + 1).top > plan.boxes.get(i).foot);
  assert.ok(turned.end[0] < turned.start[0]);
  assert.ok(turned.path.includes("Q"));
});

test("an edge leaves its node on the right and ends at the next; a bend is crossed on its row", () => {
  const bending = {
    nodes: [node(0, [0, 0]), node(1, [1, 1]), node(2, [2, 0])],
    edges: [edge(0, 2, { bends: [[1, 0]] }), edge(1, 2, { position: 1 })],
  };
  const plan = arrange(bending, WIDE);
  const [from, to] = [plan.boxes.get(0), plan.boxes.get(2)];
  const [{ path, start, end, label }] = plan.routes;
  assert.deepEqual(start, [from.right, from.y]);
  assert.ok(end[0] < to.left && end[1] > to.top && end[1] < to.foot);
  assert.ok(label[0] > from.right && label[0] < to.left);
  assert.equal(path.match(/C/g).length, 3);
});

test("two edges between the same nodes run apart", () => {
  const twins = {
    nodes: [node(0, [0, 0]), node(1, [1, 0])],
    edges: [edge(0, 1, { twin: true }), edge(0, 1, { twin: true, position: 1 })],
  };
  for (const room of [WIDE, PHONE]) {
    const [one, other] = arrange(twins, room).routes;
    assert.notDeepEqual(one.start, other.start);
    assert.notDeepEqual(one.end, other.end);
    assert.notDeepEqual(one.label, other.label);
  }
});

test("a node with a tensor is wider", () => {
  const plan = arrange({ nodes: [node(0, [0, 0], "vector of 3"), node(1, [1, 0])], edges: [edge(0, 1)] }, WIDE);
  assert.ok(plan.boxes.get(0).width > plan.boxes.get(1).width);
});

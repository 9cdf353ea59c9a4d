// The parts of a model, their places, and the camera.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  between,
  fitCell,
  fitPart,
  inside,
  panned,
  WHOLE,
  zoomed,
} from "../../../lessons/transformer/transformer_camera.js";
import { buildTree, findPart, tileOf, wayTo } from "../../../lessons/transformer/transformer_tree.js";

const names = (at, cross = "") =>
  ["q", "k", "v", "score.1", "alpha.1", "score.2", "alpha.2", "z", "o"].map((name) => `${at}.${cross}${name}`);
const block = (at) => [
  `${at}.ln1`,
  ...names(at),
  `${at}.r1`,
  `${at}.ln2`,
  `${at}.pre`,
  `${at}.act`,
  `${at}.mlp`,
  `${at}.r2`,
];
const gpt = {
  family: "gpt",
  layers: 2,
  heads: 2,
  width: 8,
  words: {},
  stages: ["token", "position", "embedding", ...block("b1"), ...block("b2"), "final", "logits", "p"],
};
const both = {
  ...gpt,
  family: "translation",
  layers: 1,
  stages: [
    "e.token",
    "e.embedding",
    ...block("e1"),
    "m",
    "token",
    "embedding",
    ...block("d1"),
    ...names("d1", "c"),
    "d1.rc",
    "final",
    "logits",
    "p",
  ],
};

function* all(part) {
  yield part;
  for (const each of part.children) yield* all(each);
}

test("every stage but the words has a tile, and every tile a stage", () => {
  for (const data of [gpt, both]) {
    const shown = new Set([...all(buildTree(data))].map((part) => part.stage).filter(Boolean));
    assert.deepEqual([...shown].sort(), data.stages.filter((name) => name !== "logits" && name !== "p").sort());
  }
});

test("parts lie in their parents, in order, without overlap", () => {
  for (const part of all(buildTree(both))) {
    for (const strip of [0, 1]) {
      const inner = part.children.filter((each) => each.strip === strip);
      inner.forEach((each, n) => {
        assert.ok(each.left >= part.left - 1e-9 && each.right <= part.right + 1e-9);
        if (n) assert.ok(each.left >= inner[n - 1].right);
      });
    }
  }
});

test("a column of Q belongs to the tile of its head", () => {
  const root = buildTree(gpt);
  assert.equal(tileOf(root, "b1.q", 3).id, "b1.q.1");
  assert.equal(tileOf(root, "b1.q", 4).id, "b1.q.2");
  assert.equal(tileOf(root, "b2.alpha.2", 0).id, "b2.alpha.2");
  assert.equal(tileOf(root, "logits", 0), null);
  assert.deepEqual(
    wayTo(tileOf(root, "b2.z", 7)).map((each) => each.title),
    ["Model", "Block 2", "Attention", "Head 2", "Z"],
  );
  assert.equal(findPart(root, "b1.attention").title, "Attention");
  assert.equal(findPart(root, "b7"), null);
});

function isCamera(found, expected) {
  for (const key of Object.keys(expected))
    assert.ok(Math.abs(found[key] - expected[key]) < 1e-9, `${key}: ${found[key]}`);
}

const strips = [{ top: 0, bottom: 1, rows: 7 }];

test("a cell is near enough to be read", () => {
  const tile = { left: 0.2, right: 0.21, strip: 0, parent: {} };
  for (const [row, column] of [
    [0, 0],
    [6, 767],
    [3, 300],
  ]) {
    const { x0, x1, y0, y1 } = fitCell(tile, 768, { row, column }, strips);
    const wide = 0.01 / 64;
    const x = tile.left + ((column % 64) + 0.5) * wide;
    const y = (row + (Math.floor(column / 64) + 0.5) / 12) / 7;
    assert.ok(x0 <= x && x <= x1 && y0 <= y && y <= y1);
    assert.ok((x1 - x0) / wide <= 16.01, "at most 16 cells side by side");
    assert.ok((y1 - y0) * 7 * 12 <= 20.01, "at most 20 cells below one another");
  }
});

test("the camera stays in the model", () => {
  isCamera(inside({ x0: -0.2, x1: 0.3, y0: 0.8, y1: 1.3 }), { x0: 0, x1: 0.5, y0: 0.5, y1: 1 });
  isCamera(zoomed(WHOLE, 0.5, 0.5, 0.1, true), WHOLE);
  isCamera(panned(WHOLE, 0.4, 0.4), WHOLE);
  assert.equal(fitPart({ parent: null }, strips), WHOLE);
});

test("what is under the pointer stays under it while zooming", () => {
  const start = { x0: 0.2, x1: 0.6, y0: 0, y1: 1 };
  const near = zoomed(start, 0.25, 0.5, 4, false);
  assert.ok(Math.abs(near.x0 + 0.25 * (near.x1 - near.x0) - 0.3) < 1e-12);
  assert.equal(near.y1 - near.y0, 1);
});

test("a move between two cameras begins and ends with them", () => {
  const [from, to] = [WHOLE, { x0: 0.5, x1: 0.51, y0: 0.2, y1: 0.4 }];
  for (const [share, camera] of [
    [0, from],
    [1, to],
  ]) {
    isCamera(between(from, to, share), camera);
  }
  const half = between(from, to, 0.5);
  assert.ok(Math.abs(half.x1 - half.x0 - 0.1) < 1e-9, "the zoom is even in its logarithm");
});

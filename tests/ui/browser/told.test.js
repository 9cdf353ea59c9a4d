// What a hand moves is ahead of the server: which answers are news, and when the server is told.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { isNews, tellAtRest } from "../../../ui/browser/told.js";

test("the first place is news, the echo of what was told is none, another place is", () => {
  const root = { tell: () => {} };
  assert.equal(isNews(root, "a"), true);
  root.told.push("b", "c");
  assert.equal(isNews(root, "c"), false);
  assert.equal(isNews(root, "b"), true);
});

test("the server is told once, when the hand has come to rest", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [];
  const root = { told: [], tell: (value) => heard.push(value) };
  tellAtRest(root, "a");
  tellAtRest(root, "b", { value: 7 });
  mock.timers.tick(299);
  assert.deepEqual(heard, []);
  mock.timers.tick(1);
  assert.deepEqual([heard, root.told], [[7], ["b"]]);
  tellAtRest(root, "c");
  tellAtRest(root, "d", { held: true });
  mock.timers.tick(1000);
  assert.deepEqual(heard, [7]);
  mock.timers.reset();
});

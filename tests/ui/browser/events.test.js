// What a hand moves is ahead of the server: which answers are news, and when the server is told.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { isNews, sendAtRest } from "../../../ui/browser/events.js";

test("the first place is news, the echo of what was told is none, another place is", () => {
  const root = { send: () => {} };
  assert.equal(isNews(root, "a"), true);
  root.sent.push("b", "c");
  assert.equal(isNews(root, "c"), false);
  assert.equal(isNews(root, "b"), true);
});

test("the server is told once, when the hand has come to rest", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const heard = [];
  const root = { sent: [], send: (value) => heard.push(value) };
  sendAtRest(root, "a");
  sendAtRest(root, "b", { value: 7 });
  mock.timers.tick(299);
  assert.deepEqual(heard, []);
  mock.timers.tick(1);
  assert.deepEqual([heard, root.sent], [[7], ["b"]]);
  sendAtRest(root, "c");
  sendAtRest(root, "d", { held: true });
  mock.timers.tick(1000);
  assert.deepEqual(heard, [7]);
  mock.timers.reset();
});

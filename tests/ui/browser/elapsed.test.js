// The timer of a lecture, on the page and in the speaker's window.

import assert from "node:assert/strict";
import test from "node:test";

import { elapsedSince } from "../../../ui/browser/elapsed.js";

test("minutes and seconds, and hours where there are any", () => {
  assert.deepEqual(
    [0, 999, 59_999, 60_000, 3_599_999, 3_600_000, 36_061_000].map((ms) => elapsedSince(7, ms + 7)),
    ["0:00", "0:00", "0:59", "1:00", "59:59", "1:00:00", "10:01:01"],
  );
});

test("a clock that was set back shows no negative time", () => {
  assert.equal(elapsedSince(1, 0), "0:00");
  assert.equal(elapsedSince(7_200_000, 0), "0:00");
});

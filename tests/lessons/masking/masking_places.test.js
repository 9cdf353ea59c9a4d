// Where the pictures of the Masks page put their parts, and what a hand paints.

import assert from "node:assert/strict";
import test from "node:test";
import { chipLines, lanesOf } from "../../../lessons/masking/corruption_places.js";
import { gridPlaces, headLevels, narrowGrid, twoDigits } from "../../../lessons/masking/mask_places.js";
import { commit, paintAt, seenNow, settleHand } from "../../../lessons/masking/painting.js";
import { lossEnds, wrapText } from "../../../lessons/masking/unmasked_places.js";

const widthOf = (text, size = 13) => text.length * size * 0.5;
const words = (count) => Array.from({ length: count }, (_, i) => `word${i}`);

test("both grids, the sums and the flow lie in the picture and over one another nowhere", () => {
  for (const count of [1, 2, 7, 12]) {
    for (const [width, height] of [
      [1036, 514],
      [1036, 439],
      [1316, 514],
      [1097, 450],
    ]) {
      const panels = [{ keys: words(count) }, { keys: words(count) }];
      const at = gridPlaces(width, height, { queries: words(count), panels });
      const [one, two] = at.grids;
      assert.ok(at.labels.right < one.left && one.left + count * one.cell + 40 < two.left);
      assert.ok(two.left + count * two.cell < at.sums.left && at.sums.right <= width);
      assert.ok(at.top + count * at.row < at.flow.top && at.flow.bottom < height);
      assert.ok(at.row >= 16);
    }
  }
  const at = narrowGrid(372, 392, { queries: words(12), panels: [{ keys: words(12) }, { keys: words(12) }] });
  const [grid] = at.grids;
  assert.ok(grid.left + 12 * grid.cell <= at.sums.left && at.top + 12 * at.row < at.flow.top);
});

test("words too wide for a cell stand on two levels", () => {
  assert.equal(headLevels([20, 30], 40), 1);
  assert.equal(headLevels([20, 38], 40), 2);
});

test("a number has the decimals that there is room for, and a small weight is told from 0", () => {
  const room = (text) => widthOf(text);
  assert.equal(twoDigits(0.456, 40, room), "0.46");
  assert.equal(twoDigits(-12.34, 33, room), "−12.3");
  assert.equal(twoDigits(-0.04, 20, room), "0.0");
  assert.equal(twoDigits(0.001, 40, room, true), "<.01");
  assert.equal(twoDigits(0, 40, room, true), "0");
  assert.equal(twoDigits(123.45, 5, room), "");
});

const scene = (text) => {
  const rows = text.split(".");
  return {
    memory: /** @type {Record<string, any>} */ ({}),
    data: { name: "painted", text, queries: rows, panels: [{}, { keys: [...rows[0]] }] },
    values: (name) => Number(rows[Number(name.slice(1).split(".")[0]) - 1][Number(name.split(".")[1]) - 1]),
    again: () => {},
    send: () => {},
  };
};

test("a painted cell is open at once, and its row is marked until the answer has come", () => {
  const its = scene("10.11");
  settleHand(its.memory, its.data);
  assert.equal(seenNow(its, 0, 1), 0);
  paintAt(its, 0, 1, true);
  assert.equal(seenNow(its, 0, 1), 1);
  assert.deepEqual([...its.memory.touched], [0]);
  commit(its);
  settleHand(its.memory, { ...its.data }); // an answer to what was there before
  assert.equal(seenNow(its, 0, 1), 1);
  settleHand(its.memory, { ...its.data, text: "11.11" });
  assert.equal(its.memory.local, null);
  assert.equal(its.memory.touched, null);
});

test("an answer that comes while the hand paints on takes nothing back", () => {
  const its = scene("00.00");
  settleHand(its.memory, its.data);
  paintAt(its, 0, 0, true);
  commit(its);
  paintAt(its, 0, 1, true); // the second press is down, and not yet up
  settleHand(its.memory, { ...its.data, text: "10.00" });
  assert.equal(seenNow(its, 0, 1), 1);
  const sent = [];
  commit({ ...its, send: ({ value }) => sent.push(value) });
  assert.deepEqual(sent, ["11.00"]);
  settleHand(its.memory, { ...its.data, text: "11.00" });
  assert.equal(its.memory.local, null);
  settleHand(its.memory, { ...its.data, name: "causal", text: "" });
  paintAt(its, 1, 1, true);
  settleHand(its.memory, { ...its.data, name: "padding", text: "" }); // no answer: another example
  assert.equal(its.memory.local, null);
});

test("the words of a text keep inside their zone, as large as there is room for", () => {
  const zone = { left: 10, right: 1010, top: 40, foot: 260 };
  for (const count of [1, 8, 32]) {
    const shown = words(count);
    const plan = chipLines(
      shown,
      shown,
      shown.map(() => 0),
      zone,
      widthOf,
    );
    for (const { x, y, width } of plan.places) {
      assert.ok(x >= zone.left - 0.01 && x + width <= zone.right + 0.01);
      assert.ok(y >= zone.top && y + plan.height <= zone.foot + 0.01);
    }
  }
  const few = chipLines(["a"], ["a"], [0], zone, widthOf);
  const many = chipLines(
    words(32),
    words(32),
    words(32).map(() => 0),
    { ...zone, right: 380 },
    widthOf,
  );
  assert.ok(few.size > many.size && many.brief);
});

test("no dot covers another", () => {
  const at = [10, 14, 18, 60, 62];
  const { radius, lanes } = lanesOf(at, [1, 1, 1, 1, 0], 100);
  assert.equal(lanes[4], -1);
  for (let i = 0; i < 4; i++)
    for (let j = 0; j < i; j++) {
      assert.ok(lanes[i] !== lanes[j] || Math.abs(at[i] - at[j]) >= 2 * radius);
    }
});

test("every loss is on the scale, and what is no number is left out", () => {
  const [low, high] = lossEnds([
    [5.6, 0.7],
    [null, 1e-6, NaN],
  ]);
  assert.ok(low < 1e-6 && low >= 1e-8 && high === 10);
  assert.ok(lossEnds([[20]])[1] === 20);
});

test("a text is broken between words", () => {
  assert.deepEqual(
    wrapText("a bb ccc", 26, (part) => widthOf(part)),
    ["a bb", "ccc"],
  );
});

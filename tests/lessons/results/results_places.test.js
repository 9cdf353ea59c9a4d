// Where the parts of the picture of results stand, its ticks, and the staircase of the frontier.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({ getContext: () => ({ measureText: (text) => ({ width: 52 * text.length }) }) }),
});
const { axisScale, legendRows, powerTicks, rowPlaces, scatterPlaces, staircase, tickText } =
  await import("../../../lessons/results/results_places.js");

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 403, narrow: false },
  { width: 1316, height: 514, narrow: false },
  { width: 372, height: 392, narrow: true },
  { width: 340, height: 360, narrow: true },
];

test("the frame lies within the drawing, above its ticks, its title and its source", () => {
  for (const room of ROOMS) {
    for (const rows of [0, 1, 3]) {
      const { frame, foot, legend } = scatterPlaces(room, rows);
      assert.ok(frame.left > 0 && frame.left + frame.wide < room.width);
      assert.ok(frame.high > 100 && frame.top + frame.high + 42 < foot - 10 && foot < room.height);
      if (rows) assert.ok(legend.top + 22 * (rows - 1) < frame.top);
    }
    const names = ["Transformer (big) w/ neural arch. search", "NER"];
    const { frame, pitch, before, y, foot } = rowPlaces(room, names, {
      legend: 1,
      behind: 90,
      below: ["named entity extraction"],
    });
    assert.ok(before < 0.45 * room.width && frame.left > before && frame.wide > 90);
    assert.ok(frame.left + frame.wide + 90 <= room.width + 1e-9);
    assert.equal(y(1) - y(0), pitch);
    assert.ok(y(names.length - 0.5) <= frame.top + frame.high + 1e-9 && frame.top + frame.high + 42 < foot);
  }
});

test("an axis has all its values inside, and round ticks inside its ends", () => {
  for (const [values, log] of [
    [[3.3e18, 2.3e19, 1.2e21], true],
    [[39, 626155], true],
    [[23.75, 28.4], false],
    [[81.8], false],
    [[12e6, 1270e6, NaN], true],
  ]) {
    const { place, ticks } = axisScale(/** @type {number[]} */ (values), {
      log: Boolean(log),
      from: 100,
      to: 900,
      count: 7,
    });
    const places = /** @type {number[]} */ (values).filter(Number.isFinite).map(place);
    assert.ok(
      places.every((x) => x > 100 && x < 900),
      `${places}`,
    );
    assert.ok(ticks.length >= 2 && ticks.length <= 11, `${ticks.length}`);
    assert.ok(ticks.every(({ at }) => at >= 100 && at <= 900));
    assert.equal(new Set(ticks.map(({ text }) => text)).size, ticks.length);
  }
});

test("ticks of a log axis are 1, 2 and 5, or 1 and 3, or powers of ten", () => {
  assert.deepEqual(powerTicks(80, 1200, 8), [100, 200, 500, 1000]);
  assert.deepEqual(powerTicks(8, 30000, 8), [10, 30, 100, 300, 1000, 3000, 10000, 30000]);
  assert.deepEqual(powerTicks(20, 1.1e6, 4), [100, 10000, 1000000]);
});

test("a tick is written as people write it", () => {
  assert.equal(tickText(1e19), "10¹⁹");
  assert.equal(tickText(5e18), "5·10¹⁸");
  assert.equal(tickText(2e8), "200M");
  assert.equal(tickText(100000), "100,000");
  assert.equal(tickText(28.5), "28.5");
});

test("a legend goes on in the next row where it has no room", () => {
  const placed = legendRows(["recurrent", "convolutional", "ensemble", "Transformer"], 300, 13, 20);
  assert.ok(Math.max(...placed.map((its) => its.row)) >= 1);
  for (const its of placed) assert.ok(its.x + its.wide - 22 <= 300 || its.x === 0);
});

test("the staircase goes over to each point, and then up to it", () => {
  assert.equal(
    staircase(
      [
        [10, 90],
        [30, 40],
        [60, 20],
      ],
      100,
    ),
    "M10.0 100.0H10.0V90.0H30.0V40.0H60.0V20.0",
  );
});

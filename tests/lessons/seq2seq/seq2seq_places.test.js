// Where the parts of the picture of an encoder–decoder stand, from a short source to the longest.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = /** @type {any} */ ({
  createElement: () => ({ getContext: () => ({ measureText: (text) => ({ width: 52 * text.length }) }) }),
});
const { mapCells, places } = await import("../../../lessons/seq2seq/seq2seq_places.js");

const ROOMS = [
  { width: 1036, height: 514, narrow: false },
  { width: 1036, height: 439, narrow: false },
  { width: 1069, height: 450, narrow: false },
  { width: 1316, height: 514, narrow: false },
  { width: 372, height: 392, narrow: true },
  { width: 340, height: 360, narrow: true },
];
const TEXTS = [5, 13, 25, 41].map((count) => {
  const source = Array.from({ length: count }, (_, j) => ["the", "carries", "a", "apples"][j % 4]);
  return { source, rows: [source.slice(0, Math.max(count - 4, 2)), source] };
});

test("the rows stand below one another, within the drawing", () => {
  for (const room of ROOMS) {
    for (const text of TEXTS) {
      const { rows, above, below, state, zone } = places(room, text);
      const named = JSON.stringify([room, text.source.length, rows]);
      assert.ok(rows.title + 6 <= rows.encoder - above.high + 8, named);
      assert.ok(rows.encoder + state.high + 20 <= rows.context, named);
      assert.ok(rows.context + state.high + 8 <= rows.decoder, named);
      assert.equal(rows.written, rows.decoder + state.high);
      assert.ok(rows.written + below.high <= rows.vector + 2, named);
      assert.ok(rows.vector + 16 + below.high <= room.height, named);
      assert.ok(state.wide > 0 && state.wide <= above.pitch && state.wide <= below.pitch, named);
      assert.ok(zone.left >= 0 && zone.left + zone.wide <= room.width, named);
    }
  }
});

test("every word has its column, in order and within the zone", () => {
  for (const room of ROOMS) {
    for (const text of TEXTS) {
      const at = places(room, text);
      const across = text.source.map((_, j) => at.x(j));
      assert.ok(across[0] >= at.zone.left && across.at(-1) <= at.zone.left + at.zone.wide);
      across.slice(1).forEach((x, j) => assert.ok(Math.abs(x - across[j] - at.above.pitch) < 1e-9));
      assert.ok(at.to(0) >= at.zone.left && at.to(text.source.length - 1) <= at.zone.left + at.zone.wide);
    }
  }
});

test("words that do not fit side by side stand at a slope", () => {
  const wide = places(ROOMS[0], TEXTS[0]);
  assert.deepEqual([wide.above.upright, wide.above.slope], [true, 0]);
  const full = places(ROOMS[0], TEXTS[3]);
  assert.ok(!full.above.upright && full.above.slope > 0 && full.above.high > wide.above.high);
});

test("the map has a square for each pair of words within its box, beside the rows", () => {
  for (const room of ROOMS.filter((each) => !each.narrow)) {
    for (const text of TEXTS) {
      const { map, zone } = places(room, text);
      assert.ok(map && map.left > zone.left + zone.wide && map.left + map.wide <= room.width);
      const cells = mapCells(map, text.source, text.rows[0], { head: 20, foot: 158 });
      assert.equal(cells.wide, cells.cell * text.source.length);
      assert.ok(cells.left >= map.left && cells.left + cells.wide <= map.left + map.wide);
      assert.ok(
        cells.top >= map.top + 20 && cells.top + cells.high <= map.top + map.high - 158 + 1e-9,
        JSON.stringify([room, cells, map]),
      );
    }
  }
  assert.equal(places(ROOMS[4], TEXTS[0]).map, null);
});

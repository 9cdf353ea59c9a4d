import assert from "node:assert/strict";
import { test } from "node:test";
import { characterAt, spansOf, spotsOf, tileOf } from "../../../lessons/lstm/cell_reads_places.js";

const TEXT = "“Ada sings.” (Tom\nwaits.) Nell";
const spots = spotsOf(TEXT, 120, () => 10);

test("rows end with a line break, or before a word that does not fit", () => {
  const rows = ["", "", "", ""];
  [...TEXT].forEach((character, n) => (rows[spots[n].row] += character));
  assert.deepEqual(rows, ["“Ada sings.” ", "(Tom\n", "waits.) Nell", ""]);
  spots.forEach(({ x }, n) => n && assert.ok(x === 0 || x === spots[n - 1].x + 10));
});

test("a word that is wider than a row is broken", () => {
  const broken = spotsOf("a".repeat(40), 120, () => 10);
  assert.equal(broken[39].row, 3);
});

test("the spans are the stretches in which the label is true, row by row", () => {
  const labels = [...TEXT].map((_, n) => Number(n < 11 || (n > 12 && n < 23)));
  assert.deepEqual(spansOf({ spots }, labels), [
    { row: 0, from: 0, to: 110 },
    { row: 1, from: 0, to: 50 },
    { row: 2, from: 0, to: 50 },
  ]);
});

test("a point is on the character that is drawn there", () => {
  const at = { box: { left: 8, right: 128, top: 30, foot: 200 }, high: 40, size: 20, spots, rows: 3 };
  spots.forEach((spot, n) => {
    const { x, y, wide, high } = tileOf(at, spot);
    assert.equal(characterAt(at, x + wide / 2, y + high / 2), n);
  });
  assert.equal(characterAt(at, 900, 900), spots.length - 1);
  assert.equal(characterAt(at, -5, -5), 0);
});

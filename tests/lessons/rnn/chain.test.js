// Where the columns of the unrolled network stand, and how the chain rolls from one step to the next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { chainPlaces, onTwoRows, rolledTo, rowPlaces, stripAt } from "../../../lessons/rnn/chain.js";

const LAPTOP = { width: 1038, narrow: false };
const PHONE = { width: 344, narrow: true };

test("a short text fits, its columns side by side, the current one large", () => {
  const { columns, large, small } = chainPlaces(LAPTOP, 11, 9);
  assert.ok(columns.every(({ seen }) => seen === 1));
  columns.slice(1).forEach(({ x }, i) => assert.ok(Math.abs(x - columns[i].x - columns[i].wide) < 1e-9));
  assert.deepEqual(
    columns.filter(({ wide }) => wide === large).map(({ step }) => step),
    [9],
  );
  assert.ok(large > 4 * small);
  assert.ok(columns.at(-1).x + columns.at(-1).wide <= LAPTOP.width);
});

test("between two steps both columns are on their way, and the chain is as long as before", () => {
  const whole = ({ columns }) => columns.reduce((sum, { wide }) => sum + wide, 0);
  const [at, between] = [chainPlaces(LAPTOP, 11, 3), chainPlaces(LAPTOP, 11, 3.25)];
  assert.deepEqual(between.columns.map(({ big }) => big).filter(Boolean), [0.75, 0.25]);
  assert.ok(Math.abs(whole(at) - whole(between)) < 1e-9);
});

for (const [name, scene] of Object.entries({ LAPTOP, PHONE })) {
  test(`a long text is scrolled so that the current step is whole: ${name}`, () => {
    for (let step = 1; step <= 32; step++) {
      const { columns } = chainPlaces(scene, 32, step);
      const { x, wide, seen } = columns[step - 1];
      assert.ok(seen === 1 && x >= 0 && x + wide <= scene.width, `${step}: ${x} ${wide}`);
      assert.ok(columns.some(({ seen }) => seen === 0));
    }
  });
}

test("the rows lie below one another in what room there is", () => {
  for (const [foot, narrow] of [
    [402, false],
    [318, false],
    [310, true],
    [262, true],
  ]) {
    const rows = Object.values(rowPlaces(8, foot, narrow));
    rows.slice(1).forEach(({ top }, i) => assert.equal(top, rows[i].foot));
    assert.ok(rows.every(({ top, foot }) => foot >= top));
    assert.ok(rows.at(-1).foot <= foot + 0.5, `${rows.at(-1).foot} of ${foot}`);
  }
});

test("the chain rolls for a moment, and is there at once for another text or without motion", () => {
  const memory = {};
  assert.equal(rolledTo(memory, 2, "a", false, 0), 2);
  assert.equal(rolledTo(memory, 3, "a", false, 0), 2);
  const halfway = rolledTo(memory, 3, "a", false, 175);
  assert.ok(halfway > 2.5 && halfway < 3);
  assert.equal(rolledTo(memory, 3, "a", false, 400), 3);
  assert.equal(rolledTo(memory, 7, "b", false, 500), 7);
  assert.equal(rolledTo(memory, 1, "b", true, 600), 1);
});

test("the strip of h is in the middle of a small column and to the right in a large one", () => {
  assert.equal(stripAt({ wide: 64, big: 0 }), 32);
  assert.equal(stripAt({ wide: 330, big: 1 }), 294);
});

test("a line of code is cut where its two rows are most alike", () => {
  assert.deepEqual(onTwoRows("y = torch.softmax(U @ h + b_2, dim=0)"), ["y = torch.softmax(", "U @ h + b_2, dim=0)"]);
  assert.deepEqual(onTwoRows("short"), ["short"]);
});

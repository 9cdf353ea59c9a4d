// Templates with numbers in them. The number format itself is held against lmcore.numbers by
// tests/ui/test_scripts.py.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fill, fillWhole, formatNumber, operand } from "../../drawing/numbers.js";

const values = (name) => ({ a: -0.5, b: 1 / 3, w1: 2e-7 })[name];

test("a template holds numbers, in parentheses where it asks for them and they are negative", () => {
  assert.equal(fill("{a}·{b} + {a:p} + {b:p}", values), "−0.5·0.3333 + (−0.5) + 0.3333");
  assert.equal(fill("{w1}", values), "2×10⁻⁷");
});

test("a template for a file holds every digit", () => {
  assert.equal(fillWhole("{a:p} {b}", values), "-0.5 0.3333333333333333");
});

test("what is no number is said", () => {
  assert.deepEqual([NaN, Infinity, -Infinity].map(formatNumber), ["undefined", "∞", "−∞"]);
  assert.equal(operand(-Infinity), "(−∞)");
});

// Sentences with live numbers: how a template is taken apart and filled in.

import assert from "node:assert/strict";
import { test } from "node:test";

import { parse, plainText } from "../../drawing/rich_text.js";

const numbers = { z: 0.69, w: -0.5 };
const before = { z: 0.1 };
const number = (name, old) => (old ? before[name] : numbers[name]);

test("marks nest, and text around them stays", () => {
  assert.deepEqual(parse("z = **[score|{z}]** now"), [
    { text: "z = " },
    { tag: "b", role: undefined, inside: [{ tag: "span", role: "score", inside: [{ text: "{z}" }] }] },
    { text: " now" },
  ]);
  assert.deepEqual(parse("==a==")[0], { tag: "mark", role: undefined, inside: [{ text: "a" }] });
});

test("a number stands for its name: now, before the hand went down, or as an operand", () => {
  assert.equal(plainText("from {z<} to =={z}==", number), "from 0.1 to 0.69");
  assert.equal(plainText("3 + {w:p}", number), "3 + (−0.5)");
  assert.equal(
    plainText("{z} is asked", () => "?"),
    "? is asked",
  );
});

test("what is escaped stands for itself, braces too", () => {
  assert.equal(plainText("\\*\\*x\\*\\* \\[a\\|b\\] \\=\\= \\{z} \\\\", number), "**x** [a|b] == {z} \\");
});

test("a bracket that names no role, and one that closes nothing, are text", () => {
  assert.equal(plainText("x[2] and [CLS] and ]", number), "x[2] and [CLS] and ]");
});

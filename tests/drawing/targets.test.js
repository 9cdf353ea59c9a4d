// A small part of a picture is met beside it, and of two the nearer one.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearest } from "../../drawing/targets.js";

const part = (left, top, width, height) =>
  /** @type {any} */ ({ getBoundingClientRect: () => ({ left, top, width, height }) });
const at = (clientX, clientY) => ({ clientX, clientY });

test("a dot of 8 px is met up to 12 px from its middle, and no further", () => {
  const dot = part(96, 96, 8, 8);
  assert.equal(nearest([dot], at(111, 100)), dot);
  assert.equal(nearest([dot], at(100, 89)), dot);
  assert.equal(nearest([dot], at(113, 100)), null);
});

test("of two dots the nearer one is met", () => {
  const [one, other] = [part(96, 96, 8, 8), part(108, 96, 8, 8)];
  assert.equal(nearest([one, other], at(107, 100)), other);
  assert.equal(nearest([one, other], at(105, 100)), one);
});

test("a low row is met above and below it as far as it goes, and what is large or not drawn only on itself", () => {
  const row = part(0, 96, 200, 8);
  assert.equal(nearest([row], at(190, 111)), row);
  assert.equal(nearest([row], at(202, 100)), null);
  assert.equal(nearest([part(0, 0, 24, 24), part(0, 0, 0, 0)], at(5, 5)), null);
});

// Bytes that a picture keeps travel in an element of their own; the picture waits for those that it names.

import assert from "node:assert/strict";
import { test } from "node:test";

import kept, { whole } from "../../../ui/browser/kept.js";

const arrive = (of, key, bytes) => kept(/** @type {any} */ ({ data: { of, key, kept: bytes } }));

test("data without keys are whole at once", async () => {
  assert.deepEqual(await whole({ now: 1 }), { now: 1 });
});

test("what has arrived is there under its name, and again for the next data that name it", async () => {
  arrive("tiny late", "a", "bytes");
  const keys = { late: ["tiny late", "a"] };
  assert.deepEqual(await whole({ now: 1, keys }), { now: 1, late: "bytes" });
  assert.deepEqual(await whole({ now: 2, keys }), { now: 2, late: "bytes" });
});

test("a picture waits for its own bytes, and one that is outdated never comes", async () => {
  arrive("flow floats", "old", 1);
  const come = [];
  whole({ keys: { floats: ["flow floats", "older"] } }).then(() => come.push("older"));
  whole({ keys: { floats: ["flow floats", "new"] } }).then(({ floats }) => come.push(floats));
  await Promise.resolve();
  assert.deepEqual(come, []);
  arrive("flow floats", "new", 2);
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(come, [2]);
});

// What a picture is saved as: the table of its numbers holds none that a question hides.

import assert from "node:assert/strict";
import { test } from "node:test";
import { box, prepare } from "../pages/pictures/document.mjs";

const { window } = prepare(["ink"]);
Object.assign(box, { width: 900, height: 440 });
/** @type {any[]} */
const saved = [];
URL.createObjectURL = (/** @type {any} */ blob) => {
  saved.push(blob);
  return "blob:saved";
};
URL.revokeObjectURL = () => {};
const { savePicture } = await import("../../drawing/saving.js");

/** The rows of the table that is saved of these numbers. */
async function table(names, numbers, hidden) {
  saved.length = 0;
  const its = { data: { group: "neuron", names, hidden }, goal: Float64Array.from(numbers) };
  savePicture("CSV", /** @type {any} */ (its), window.document.createElement("div"));
  return (await saved[0].text()).split("\r\n");
}

test("a table of the numbers has their names and all their digits", async () => {
  assert.deepEqual(await table(["z", "σ(z)", "w1, w2", '‖"x"‖'], [0.1, 1 / 3, 2, 3], []), [
    "name,value",
    "z,0.1",
    "σ(z),0.3333333333333333",
    '"w1, w2",2',
    '"‖""x""‖",3',
  ]);
});

test("a number that a question hides, and what only places a mark, is not saved", async () => {
  assert.deepEqual(await table(["z", "y", "@word"], [0.1, 0.52, 3], ["y"]), ["name,value", "z,0.1"]);
});

// The speaker's window announces what the next press shows: each beat of the slide, and then the next slide.

import assert from "node:assert/strict";
import { test } from "node:test";
import { prepare } from "../../pages/pictures/document.mjs";

const { window } = prepare(["ink"]);
/** @type {any} */
let channel;
Object.assign(globalThis, {
  BroadcastChannel: class {
    constructor() {
      channel = this;
    }
    postMessage() {}
  },
  setInterval() {},
});
await import("../../../ui/lectures/speaker.js");

const NEXT = { number: 6, heading: "The sixth", still: "sixth" };

/** What stands under *Next* on a slide with these beats, and the picture there, if there is one. */
function announced(says, beat, next) {
  const slide = { at: 5, of: 9, short: "A lecture", heading: "The fifth", notes: "", began: 0 };
  channel.onmessage({ data: { ...slide, says, beat, next } });
  const picture = window.document.querySelector("aside img");
  const said = window.document.querySelector("aside .next")?.textContent;
  return [said, picture.hidden ? "" : picture.getAttribute("src")];
}

test("before each beat that beat is next, and after the last one the next slide with its picture", () => {
  for (const count of [0, 1, 2, 5]) {
    const says = Array.from({ length: count }, (_, i) => `Say **${i + 1}**`);
    for (let beat = 0; beat < count; beat++)
      assert.deepEqual(announced(says, beat, NEXT), [`Beat ${beat + 1} / ${count}: Say ${beat + 1}`, ""]);
    assert.deepEqual(announced(says, count, NEXT), ["6 The sixth", "stills/sixth.webp"]);
  }
});

test("a slide without a picture and the end of the lecture are announced without one", () => {
  assert.deepEqual(announced(["Say"], 1, { ...NEXT, still: "" }), ["6 The sixth", ""]);
  assert.deepEqual(announced(["Say"], 1, null), ["The end of the lecture", ""]);
});

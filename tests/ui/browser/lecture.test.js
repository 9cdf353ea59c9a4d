// The time of a presented lecture is kept by its deck.

import assert from "node:assert/strict";
import { test } from "node:test";
import { prepare } from "../../pages/pictures/document.mjs";

prepare(["ink"]);
/** @type {Map<string, string>} */
const stored = new Map();
Object.assign(globalThis, {
  sessionStorage: {
    getItem: (name) => stored.get(name) ?? null,
    setItem: (name, value) => void stored.set(name, value),
    removeItem: (name) => void stored.delete(name),
  },
});
const { default: lecture, forgetTime } = await import("../../../ui/browser/lecture.js");

/** Present the first slide of a deck; returns what ends it. */
function present(deck) {
  const host = document.createElement("div");
  document.body.append(host);
  const slides = [{ number: 1, heading: "One", view: "neuron", path: "/neuron", still: "", part: false }];
  const index = `/lecture?deck=${deck}`;
  const data = {
    presenting: true,
    own: false,
    hide: false,
    at: 1,
    title: deck,
    short: deck,
    heading: "One",
    notes: "",
  };
  const more = { onward: "", back: "", next: 0, says: [], index, slides };
  const parentElement = host.attachShadow({ mode: "open" });
  return lecture(/** @type {any} */ ({ data: { ...data, ...more }, parentElement, setTriggerValue() {} }));
}

test("two lectures in one tab have a time each, and that of one can be forgotten", () => {
  present("cmu");
  const leave = present("uw");
  assert.deepEqual([...stored.keys()].filter((each) => each.includes("began")).sort(), [
    "lml-lecture-began cmu",
    "lml-lecture-began uw",
  ]);
  forgetTime("/lecture?deck=cmu");
  assert.deepEqual(
    [...stored.keys()].filter((each) => each.includes("began")),
    ["lml-lecture-began uw"],
  );
  leave?.();
});

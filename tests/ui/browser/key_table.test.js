// One list of keys for the page that presents and for the speaker's window.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { isLeft, shortcutOf } from "../../../ui/browser/key_table.js";

const at = (tag) => ({
  tagName: tag.toUpperCase(),
  closest: (kinds) => (kinds.split(/[ ,]+/).includes(tag) ? {} : null),
  matches: (kinds) => kinds.includes(tag),
});
const key = (name, tag = "body", more = {}) => ({ key: name, composedPath: () => [at(tag)], ...more });

test("a clicker's blank button, a space and the Page keys are known", () => {
  const keys = [
    ".",
    "b",
    "B",
    " ",
    "PageDown",
    "ArrowLeft",
    "f",
    "g",
    "q",
    "n",
    "c",
    "d",
    "P",
    "Escape",
    "x",
    "constructor",
  ];
  const does = [
    "blank",
    "blank",
    "blank",
    "onward",
    "onward",
    "back",
    "fill",
    "slides",
    "code",
    "next",
    "controls",
    "draw",
    "present",
    "leave",
    "",
    "",
  ];
  assert.deepEqual(
    keys.map((name) => shortcutOf(key(name))),
    does,
  );
  assert.equal(shortcutOf(key("b", "body", { ctrlKey: true })), "");
  for (const tag of ["button", "a", "[role=slider]", "[data-arrows]"]) assert.equal(shortcutOf(key(" ", tag)), "", tag);
});

test("both windows read their keys from it", () => {
  for (const path of ["ui/browser/keys.js", "ui/lectures/speaker.js"]) {
    const text = readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
    assert.match(text, /shortcutOf\(event\)/, path);
    assert.doesNotMatch(text, /Arrow(Left|Right)["]?:/, path);
  }
});

test("Escape leaves a field and no more; Enter does while presenting", () => {
  const left = (name, tag, presenting, more) => isLeft(key(name, tag, more), at(tag), presenting);
  assert.deepEqual([left("Escape", "input", true), left("Escape", "textarea", false)], [true, true]);
  assert.deepEqual([left("Enter", "input", true), left("Enter", "input", false)], [true, false]);
  assert.deepEqual(
    [left("Enter", "textarea", true), left("Enter", "textarea", true, { ctrlKey: true })],
    [false, true],
  );
  assert.deepEqual([left("Escape", "[role=combobox]", true), left("b", "input", true)], [false, false]);
});

// The pen keeps the nodes that are drawn again, and takes away the others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Pen, bent, through } from "../../../ui/browser/pen.js";
import { Node } from "./nodes.js";

const paint = (pen, keys) => pen.draw(() => keys.forEach((key) => pen.circle(1, 2, 3, { key, fill: key })));

test("what is drawn again under its key is the same node, in the new order", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), {});
  paint(pen, ["a", "b", "c"]);
  const [a, b, c] = svg.children;
  paint(pen, ["c", "a", "d"]);
  assert.deepEqual(svg.children.slice(0, 2), [c, a]);
  assert.equal(svg.children[2].attributes.fill, "d");
  assert.equal(b.parent, null);
});

test("an attribute that is drawn no more goes, and a text changes in place", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), { ink: "black" });
  pen.draw(() => pen.text(1, 2, "old", { opacity: 0.5 }));
  const [text] = svg.children;
  pen.draw(() => pen.text(1, 2, "new"));
  assert.equal(svg.children[0], text);
  assert.equal(text.text, "new");
  assert.equal("opacity" in text.attributes, false);
});

test("paths go through their points, and bend around corners", () => {
  assert.equal(
    through([
      [0, 0],
      [1.234, 5],
    ]),
    "M0 0L1.23 5",
  );
  assert.equal(
    bent(
      [
        [0, 0],
        [10, 0],
        [10, 10],
      ],
      4,
    ),
    "M0 0L6 0Q10 0 10 4L10 10",
  );
});

// The pen keeps the nodes that are drawn again, and takes away the others.

import assert from "node:assert/strict";
import { test } from "node:test";

import { scaleLinear } from "../../drawing/d3.js";
import { bent, DIM, Pen, through } from "../../drawing/pen.js";
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
  assert.equal(b.parentNode, null);
});

test("what comes after a part that goes, or comes, is not moved: a button that is held down keeps its click", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), {});
  const moved = [];
  const { insertBefore } = svg;
  svg.insertBefore = (node, next) => (moved.push(node.attributes.fill ?? "new"), insertBefore.call(svg, node, next));
  paint(pen, ["model", "ring", "card", "close"]);
  const close = svg.children[3];
  moved.length = 0;
  paint(pen, ["model", "card", "close"]);
  assert.deepEqual(moved, []);
  paint(pen, ["model", "ring", "card", "close"]);
  assert.deepEqual(moved, ["new"]);
  assert.deepEqual(
    svg.children.map(({ attributes }) => attributes.fill),
    ["model", "ring", "card", "close"],
  );
  assert.equal(svg.children[3], close);
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

const children = ({ children: [group] }) => group.children;

test("a part that the beat does not speak of is faint, and is the same node under its name", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), {});
  const drawn = (light, more) => {
    const scene = { dim: (part) => !light.includes(part) };
    pen.draw(() => pen.part(scene, "sum", (its) => its.circle(1, 2, 3), more));
    return svg.children[0];
  };
  const part = drawn(["sum"]);
  assert.deepEqual([part.tag, part.attributes.opacity, part.children.length], ["g", undefined, 1]);
  assert.equal(drawn(["bend"]), part);
  assert.equal(part.attributes.opacity, DIM);
  assert.equal(drawn(["sum"], { opacity: 0.5, class: "old" }), part);
  assert.deepEqual([part.attributes.opacity, part.attributes.class], [0.5, "old"]);
  assert.notEqual(drawn(["sum"], { key: "sums" }), part);
});

test("an axis has a number and a line at each tick, and says what it measures", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), { quiet: "grey", line: "silver" });
  const across = scaleLinear([-1, 1], [100, 300]);
  pen.draw(() => pen.axis("x", across, { at: 90, ticks: [-1, 0, 1], title: "z", lines: [10, 70], zero: 2 }));
  const [axis] = svg.children;
  assert.deepEqual([axis.attributes["data-axis"], axis.attributes["data-title"]], ["x", "z"]);
  assert.deepEqual(
    axis.all("text").map(({ text, attributes: { x, y } }) => [text, x, y]),
    [
      ["−1", 100, 90],
      ["0", 200, 90],
      ["1", 300, 90],
    ],
  );
  assert.deepEqual(
    axis.all("path").map(({ attributes }) => [attributes.d, attributes["stroke-width"]]),
    [
      ["M100 10L100 70", 1],
      ["M200 10L200 70", 2],
      ["M300 10L300 70", 1],
    ],
  );
});

test("the scale of an axis chooses its ticks, and its title is written where it is asked for", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), { ink: "black" });
  const titled = { x: 5, y: 12.346, bold: true };
  const label = (tick) => `${tick} %`;
  pen.draw(() => pen.axis("y", scaleLinear([0, 40], [200, 0]), { at: 50, ticks: 2, label, title: "share", titled }));
  assert.deepEqual(
    children(svg).map(({ text, attributes: { x, y } }) => [text, x, y]),
    [
      ["0 %", 50, 205],
      ["20 %", 50, 105],
      ["40 %", 50, 5],
      ["share", 5, 12.35],
    ],
  );
  assert.equal(children(svg)[0].attributes["text-anchor"], "end");
});

test("labels at the ends of an axis stay between them", () => {
  const svg = new Node("svg");
  const pen = new Pen(/** @type {any} */ (svg), {});
  const place = (value) => value;
  pen.draw(() => pen.axis("x", place, { at: 0, ticks: [0, 1, 2], title: "step", ends: true }));
  assert.deepEqual(
    children(svg).map(({ attributes }) => attributes["text-anchor"]),
    ["start", "middle", "end"],
  );
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

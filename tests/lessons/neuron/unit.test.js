// What is drawn of the unit agrees with its numbers whatever the shape of the window: the border of the colours is the
// line z = 0, and the tangent has the slope of the curve.

import assert from "node:assert/strict";
import { test } from "node:test";

import { drawUnit } from "../../../lessons/neuron/unit.js";
import { Pen } from "../../../drawing/pen.js";
import { Node } from "../../drawing/nodes.js";

const SIZES = [
  [1036, 514],
  [1036, 380],
  [1920, 460],
  [1400, 900],
  [1100, 900],
  [372, 560],
  [380, 720],
];
const UNITS = [
  [2, 1, -1.5],
  [1, 2, -1.5],
  [-3, 0.4, 1],
  [0.05, -6, 2],
  [1, 1, 0],
  [5, 0, -2],
];
const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [1, 1, 1],
];
const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const CURVE = Array.from({ length: 121 }, (_, i) => [(i - 60) / 10, sigmoid((i - 60) / 10)]);

/** The drawing of a unit of two inputs, as nodes. */
function drawn([width, height], numbers, data = {}, former = null) {
  const svg = new Node("svg");
  const names = ["w1", "w2"].map((weight, i) => ({
    weight,
    weightLabel: weight,
    input: "x",
    input_slot: `x${i + 1}`,
    product: weight,
    sum: weight,
  }));
  const terms = [...names, { weight: "b", weightLabel: "b", input: "", product: "b", sum: "b", bias: true }];
  const known = { x1: 1, x2: 1, z: 0, y: 0.5, slope: 0.25, ...numbers };
  const values = (name) => known[name] ?? 0;
  new Pen(/** @type {any} */ (svg), {}).draw((pen) =>
    drawUnit(
      pen,
      /** @type {any} */ ({
        width,
        height,
        narrow: width < 600,
        values,
        before: former && ((name) => former[name] ?? known[name] ?? 0),
        moved: null,
        text: (name) => String(values(name)),
        hidden: () => false,
        dim: () => false,
        colour: { score: "score", gradient: "gradient" },
        data: {
          terms,
          gate: "AND",
          corners: CORNERS,
          reach: 6,
          curve: CURVE,
          scale: ["dark", "light"],
          shadeLow: 0,
          shadeHigh: 1,
          flat: [],
          levels: [],
          ticks: [],
          low: -0.08,
          high: 1.12,
          symbol: "σ",
          bends: "σ",
          ...data,
        },
      }),
    ),
  );
  return svg;
}

test("a bar before the drag begins where the one before it ended then", () => {
  const data = { terms: ["w1", "w2", "b"].map((name) => ({ weight: name, weightLabel: name, input: "", sum: name })) };
  const svg = drawn(SIZES[0], { w1: 1, w2: 3, b: 2 }, data, { w1: 2, w2: 4, b: 3 });
  const ghosts = svg.all("rect").filter((node) => node.attributes["stroke-dasharray"] === "4 3");
  const [first, second, third] = ghosts.map(({ attributes: { x, width } }) => ({ from: x, to: x + width }));
  assert.equal(ghosts.length, 3);
  assert.ok(Math.abs(second.from - first.to) < 0.1, `${second.from} ${first.to}`);
  assert.ok(Math.abs(third.to - second.to) < second.to - first.to, "the third goes back from 4 to 3");
  assert.ok(Math.abs(third.from + third.to - 2 * second.to + (second.to - second.from) / 2) < 0.1);
});

const ends = (path) => path.attributes.d.match(/-?[\d.]+(e[+-]?\d+)?/g).map(Number);

test("the border of the coloured plane is the line that is drawn, and both are where z = 0, at every aspect ratio", () => {
  for (const size of SIZES) {
    for (const [w1, w2, b] of UNITS) {
      const svg = drawn(size, { w1, w2, b });
      const at = svg
        .all("circle")
        .slice(-6)
        .filter((node) => [13, 21].includes(node.attributes.r))
        .map(({ attributes }) => [attributes.cx, attributes.cy]);
      assert.equal(at.length, 4);
      const [perX, perY] = [at[1][0] - at[0][0], at[2][1] - at[0][1]];
      const z = (x, y) => w1 * ((x - at[0][0]) / perX) + w2 * ((y - at[0][1]) / perY) + b;
      const step = Math.hypot(w1 / perX, w2 / perY); // the most by which z grows in a pixel
      const line = svg.all("path").find((node) => node.attributes["clip-path"]);
      const [ax, ay, bx, by] = ends(line);
      assert.ok(
        Math.abs(z(ax, ay)) < step && Math.abs(z(bx, by)) < step,
        `${size} ${w1} ${w2}: ${z(ax, ay)} ${z(bx, by)}`,
      );
      const { x1, y1, x2, y2 } = svg.all("linearGradient")[0].attributes;
      assert.ok(Math.abs(z(x1, y1) + 6) < step && Math.abs(z(x2, y2) - 6) < step);
      // Colours are the same at right angles to the gradient: in the drawing it must be so to the line.
      const cosine =
        ((x2 - x1) * (bx - ax) + (y2 - y1) * (by - ay)) / Math.hypot(x2 - x1, y2 - y1) / Math.hypot(bx - ax, by - ay);
      assert.ok(Math.abs(cosine) < 1e-3, `${size} ${w1} ${w2}: ${(Math.asin(cosine) * 180) / Math.PI}°`);
    }
  }
});

test("the tangent has the slope of the curve, also where its ends would leave the frame", () => {
  for (const size of SIZES) {
    for (const [reach, half] of [
      [6, 1],
      [30, 5],
      [600, 100],
    ]) {
      for (const z of [0, reach / 40, 0.97 * reach]) {
        const y = sigmoid(z);
        const slope = y * (1 - y);
        const numbers = { z, y, slope, z_after: z + half, y_after: y + slope * half };
        const curve = CURVE.map(([at]) => [(at * reach) / 6, sigmoid((at * reach) / 6)]);
        const svg = drawn(size, numbers, { gate: "", reach, curve, levels: [0, 1], ticks: [0, reach] });
        const paths = svg.children.at(-1).all("path");
        const [ax, ay, bx, by] = ends(paths.find((node) => node.attributes.stroke === "gradient"));
        const across = paths.filter(
          (node) =>
            node.attributes["stroke-width"] === 1.8 ||
            (node.attributes["stroke-width"] === 1 && ends(node)[0] === ends(node)[2]),
        );
        const down = paths.filter((node) => node.attributes["stroke-width"] === 1 && ends(node)[1] === ends(node)[3]);
        const perX = (ends(across[1])[0] - ends(across[0])[0]) / reach;
        const perY = ends(down[1])[1] - ends(down[0])[1];
        const drawnSlope = ((by - ay) * perX) / ((bx - ax) * perY);
        assert.ok(
          Math.abs(drawnSlope - slope) < 0.02 * slope + 0.02 / (half * Math.abs(perY)),
          `${size} ${reach} ${z}: ${drawnSlope} is not ${slope}`,
        );
      }
    }
  }
});

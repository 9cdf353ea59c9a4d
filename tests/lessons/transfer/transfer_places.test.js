// Where the parts of the picture of transfer stand, and the scales of its curves.

import assert from "node:assert/strict";
import { test } from "node:test";
import { curvesBox, places } from "../../../lessons/transfer/transfer_places.js";

const curve = { low: [0.5, 0.6], mean: [0.6, 0.7], high: [0.7, 0.8] };
const data = {
  parts: [{}, {}, {}, {}],
  counts: [10, 1000],
  depths: [curve],
  scratch: { ...curve, low: [0.45, NaN] },
  chance: 0.56,
};
const ROOMS = [
  { width: 1036, height: 514, narrow: false, data },
  { width: 1400, height: 640, narrow: false, data },
  { width: 372, height: 392, narrow: true, data },
  { width: 340, height: 360, narrow: true, data },
];

test("the parts lie within the drawing and apart from one another", () => {
  for (const room of ROOMS) {
    const at = places(room);
    const boxes = [at.head, at.gone, at.curves, ...data.parts.map((_, k) => at.part(k))].filter((box) => box !== null);
    for (const { left, top, wide, high } of boxes) {
      assert.ok(left >= 0 && top >= 0 && wide > 0 && high > 20, JSON.stringify(room));
      assert.ok(
        left + wide <= room.width + 0.01 && top + high <= room.height,
        JSON.stringify([room, left, top, wide, high]),
      );
    }
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        assert.ok(
          a.left + a.wide <= b.left || b.left + b.wide <= a.left || a.top + a.high <= b.top || b.top + b.high <= a.top,
          JSON.stringify([room, a, b]),
        );
      }),
    );
  }
});

test("labels stand as powers of ten, shares from the quarter below the lowest", () => {
  const scale = curvesBox(data, { left: 100, top: 20, wide: 200, high: 300 });
  assert.equal(scale.low, 0.25);
  assert.equal(scale.x(10), 100);
  assert.equal(scale.x(1000), 300);
  assert.ok(Math.abs(scale.x(100) - 200) < 1e-9);
  assert.equal(scale.y(0.25), 320);
  assert.ok(scale.y(1) > 20 && scale.y(1) < scale.y(0.9));
});

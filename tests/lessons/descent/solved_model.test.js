import assert from "node:assert/strict";
import { test } from "node:test";
import { computed } from "../../../lessons/descent/solved_model.js";

const x = Float64Array.from([-0.5, 0, 0.4, 0.8, 1.2, 1.6, 2, 2.5]);
const y = Float64Array.from([0.9, 0.6, 1.7, 1.2, 2.3, 1.9, 3, 2.7]);

test("while a point is dragged, the closed form and the steps are those that the server computes", () => {
  const found = computed({ x, y }, [3, -1.5], 60, 1e-6);
  assert.equal(found.near, 52);
  assert.ok(Math.abs(found.best[0] - 1.0423) < 1e-4 && Math.abs(found.best[1] - 0.7452) < 1e-4);
  const [a, b, , d] = found.inverse;
  const product = [a * found.sums[0] + b * found.sums[1], b * found.sums[0] + d * found.sums[1]];
  for (const k of [0, 1]) assert.ok(Math.abs(product[k] - found.best[k]) < 1e-9);
  assert.ok(found.path.length > 60 && found.off[52] < 1e-6 && found.off[51] >= 1e-6);
});

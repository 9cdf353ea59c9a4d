// The lines of equal z in the plane of two inputs, as drawn: its axes may have different scales.

/** @typedef {{ x: (value: number) => number, y: (value: number) => number }} Scales linear ones */

/**
 * The lines along which w₁x₁ + w₂x₂ + b is the same, in units of the drawing; null where both weights are 0.
 *
 * Weights are at right angles to these lines in the plane of the inputs, but not in a drawing whose axes differ in
 * scale. So the weights are first converted to units of the drawing.
 *
 * @param {{ w1: number, w2: number, b: number }} unit
 * @param {Scales} scale
 * @returns {{ at: (z: number) => [number, number], ends: (z: number) => [[number, number], [number, number]] } | null}
 *   `at` returns the point with that z on one fixed perpendicular of the lines; `ends` returns two points of the line
 *   with that z, far outside the unit square.
 */
export function levelLines({ w1, w2, b }, scale) {
  const [perX, perY] = [scale.x(1) - scale.x(0), scale.y(1) - scale.y(0)];
  if (w1 * w1 + w2 * w2 < 1e-9) return null;
  const [across, down] = [w1 / perX, w2 / perY];
  const size = across * across + down * down;
  const [x0, y0] = [scale.x(0), scale.y(0)]; // where z = b
  /** @param {number} z */
  const at = (z) => /** @type {[number, number]} */ ([x0 + ((z - b) * across) / size, y0 + ((z - b) * down) / size]);
  const far = (6 * Math.hypot(perX, perY)) / Math.sqrt(size);
  return {
    at,
    ends: (z) => {
      const [x, y] = at(z);
      return [
        [x - far * down, y + far * across],
        [x + far * down, y - far * across],
      ];
    },
  };
}

// A map of points: distances in the drawing are those of the points, so both axes have one unit.

/**
 * A scale that shows all points.
 *
 * @param {ArrayLike<number>} points
 * @param {{ left: number, top: number, wide: number, high: number }} box
 * @param {number} margin
 */
export function mapScale(points, { left, top, wide, high }, margin) {
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 2) {
    [x0, x1] = [Math.min(x0, points[i]), Math.max(x1, points[i])];
    [y0, y1] = [Math.min(y0, points[i + 1]), Math.max(y1, points[i + 1])];
  }
  const unit = Math.min((wide - 2 * margin) / (x1 - x0 || 1), (high - 2 * margin) / (y1 - y0 || 1));
  const [cx, cy] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return {
    x: (/** @type {number} */ value) => left + wide / 2 + (value - cx) * unit,
    y: (/** @type {number} */ value) => top + high / 2 - (value - cy) * unit,
  };
}

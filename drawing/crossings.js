// Contour lines of a map of numbers, by marching squares: nothing here draws.

/**
 * The segments of the line where a map crosses a level, in units of its cells.
 *
 * @param {ArrayLike<number>} map
 * @param {number} side of the map
 * @param {number} level
 * @param {[number, number, number, number]} range first and last column, first and last row; by default all
 */
export function crossings(map, side, level, range = [0, side - 1, 0, side - 1]) {
  const [from, to, low, high] = range;
  const pieces = /** @type {[number, number, number, number][]} */ ([]);
  /** @type {(a: number, b: number) => number} */
  const share = (a, b) => (level - a) / (b - a);
  for (let row = low; row < high; row++) {
    for (let column = from; column < to; column++) {
      const at = row * side + column;
      const [a, b, c, d] = [map[at], map[at + 1], map[at + side + 1], map[at + side]];
      const ends = [];
      if (a > level !== b > level) ends.push([column + share(a, b), row]);
      if (b > level !== c > level) ends.push([column + 1, row + share(b, c)]);
      if (d > level !== c > level) ends.push([column + share(d, c), row + 1]);
      if (a > level !== d > level) ends.push([column, row + share(a, d)]);
      for (let i = 0; i + 1 < ends.length; i += 2)
        pieces.push([ends[i][0], ends[i][1], ends[i + 1][0], ends[i + 1][1]]);
    }
  }
  return pieces;
}

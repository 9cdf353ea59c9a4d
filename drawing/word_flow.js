// Words placed one after the other, in lines of at most a width.

/** @typedef {{ x: number, y: number, line: number }} Place */

/**
 * The place of each word, from the left of its base line.
 *
 * @param {readonly number[]} widths of the words
 * @param {{ left: number, y: number, room: number, step: number, space: number }} box y of the first line, and the step
 *   to the next one
 * @returns {Place[]}
 */
export function flow(widths, { left, y, room, step, space }) {
  let [x, line] = [left, 0];
  return widths.map((wide) => {
    if (x > left && x + wide > left + room) [x, line] = [left, line + 1];
    const place = { x, y: y + line * step, line };
    x += wide + space;
    return place;
  });
}

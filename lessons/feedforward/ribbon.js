// Which words of a text fit on one line: the window and the next word always, then as many as there is room for.

/**
 * The first and the last place that is shown, around the window that ends at `at`.
 *
 * @param {number[]} widths of the words, with the gap after each
 * @param {number} at
 * @param {number} context
 * @param {number} room
 * @returns {[number, number]}
 */
export function shownPlaces(widths, at, context, room) {
  let from = Math.max(at - context + 1, 0);
  let to = Math.min(at + 1, widths.length - 1);
  let left = room - sum(widths, from, to);
  while (left < 0 && from < at) left += widths[from++]; // the last word read is always shown
  if (left < 0 && to > at) left += widths[to--];
  for (let grew = true; grew;) {
    grew = false;
    if (to < widths.length - 1 && widths[to + 1] <= left && to - at <= at - from)
      ((left -= widths[++to]), (grew = true));
    else if (from > 0 && widths[from - 1] <= left) ((left -= widths[--from]), (grew = true));
    else if (to < widths.length - 1 && widths[to + 1] <= left) ((left -= widths[++to]), (grew = true));
  }
  return [from, to];
}

/** @type {(widths: number[], from: number, to: number) => number} */
const sum = (widths, from, to) => widths.slice(from, to + 1).reduce((total, width) => total + width, 0);

/**
 * Which words have bars: as many as fit, the text's own next word among them.
 *
 * @param {readonly string[]} best @param {string | undefined} real @param {number} fits
 */
export function barRows(best, real, fits) {
  const rows = best.map((word, i) => ({ word, i, real: word === real }));
  if (real === undefined || best.slice(0, fits).includes(real)) return rows.slice(0, fits);
  return [...rows.slice(0, fits - 1), { word: real, i: best.indexOf(real), real: true }];
}

// A cell of the step table is opened with a press or with Enter; arrow keys go to the next one.

import { mark } from "./table_paint.js";

/** @import { Table, TableCell } from "./table_sheet.js" */

/** @type {Record<string, [dx: number, dy: number] | undefined>} */
const WAYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * The cell that has this element in it.
 *
 * @param {Table} picture @param {Element} element
 */
function cellOf({ cells }, element) {
  const group = /** @type {SVGElement | null} */ (element.closest("[data-i]"));
  return group && cells[Number(group.dataset.i)];
}

/** @param {Table} picture @param {Element} target */
export function press(picture, target) {
  const opens = cellOf(picture, target)?.cell[1];
  if (!opens) return;
  picture.data = { ...picture.data, cell: opens };
  mark(picture);
  picture.send({ cell: opens });
}

/** @param {Table} picture @param {KeyboardEvent} event */
export function onKey(picture, event) {
  const target = /** @type {Element} */ (event.target);
  const from = cellOf(picture, target);
  if (!from || event.ctrlKey || event.metaKey || event.altKey) return;
  const way = WAYS[event.key];
  if (!way && event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.stopPropagation();
  if (!way) return press(picture, target);
  const next = nearestIn(picture, from, way);
  if (!next) return;
  from.group.setAttribute("tabindex", "-1");
  next.group.setAttribute("tabindex", "0");
  next.group.focus();
}

/**
 * The next cell in that direction; one straight ahead counts as nearer than one to the side.
 *
 * @param {Table} picture @param {TableCell} from @param {[dx: number, dy: number]} way
 */
function nearestIn({ cells }, from, [dx, dy]) {
  /** @type {TableCell | null} */
  let best = null;
  let least = Infinity;
  for (const each of cells) {
    if (!each.presses || each === from) continue;
    const [x, y] = [each.centre[0] - from.centre[0], each.centre[1] - from.centre[1]];
    const [ahead, aside] = [x * dx + y * dy, Math.abs(x * dy) + Math.abs(y * dx)];
    const far = ahead + 4 * aside;
    if (ahead > 1 && far < least) [best, least] = [each, far];
  }
  return best;
}

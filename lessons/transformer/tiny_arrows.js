// The arrows between the matrices of the Transformer on one screen, and the residual stream over the panels.

import { TITLE } from "./tiny_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Placed, Places } from "./tiny_places.js" */

const STEPS = /** @type {const} */ ([
  ["P", "x"],
  ["beta1", "n1"],
  ["n1", "WQ"],
  ["n1", "WK"],
  ["n1", "WV"],
  ["WQ", "q"],
  ["WK", "k"],
  ["WV", "v"],
  ["q", "s"],
  ["k", "s"],
  ["s", "alpha"],
  ["alpha", "z"],
  ["v", "z"],
  ["z", "WO"],
  ["bO", "o"],
  ["o", "r"],
  ["beta2", "n2"],
  ["n2", "W1"],
  ["b1", "f"],
  ["f", "g"],
  ["g", "W2"],
  ["W2", "m"],
  ["m", "h"],
  ["beta3", "n3"],
  ["n3", "U"],
  ["U", "logits"],
  ["logits", "p"],
]);

/** @param {Pen} pen @param {Places} at */
export function arrows(pen, { placed, top }) {
  for (const [from, to] of STEPS) if (placed[from] && placed[to]) arrow(pen, placed[from], placed[to]);
  residual(pen, top, placed.x, placed.r);
  residual(pen, top, placed.r, placed.h);
}

/**
 * The arrow from a matrix to the next one: to the right, or straight down.
 *
 * @param {Pen} pen @param {Placed} from @param {Placed} to
 */
function arrow(pen, from, to) {
  const { quiet } = pen.colour;
  const stroke = { stroke: quiet, width: 1.5 };
  if (to.x > from.x + from.wide) {
    const [x1, x2] = [from.x + from.wide + 2, to.x - 3];
    const lane = x1 + (x2 - x1) * 0.4;
    pen.path(`M${x1} ${level(from)}H${lane}V${level(to)}H${x2 - 4}`, stroke);
    pen.head(x2, level(to), 0, quiet, 7);
  } else {
    const x = to.x + Math.max(to.wide, 4 * to.pitch) - 5;
    pen.line(x, to.y - TITLE + 3, x, to.y - 7, stroke);
    pen.head(x, to.y - 3, 90, quiet, 7);
  }
}

/** @param {Placed} its */
const level = (its) => its.y + its.high / 2;

/**
 * The residual connection from one matrix to another, above the matrices of the part that it bypasses.
 *
 * @param {Pen} pen
 * @param {number} top of the panels
 * @param {Placed | undefined} from
 * @param {Placed | undefined} to
 */
function residual(pen, top, from, to) {
  if (!from || !to) return;
  const y = top + 21;
  const [x1, x2] = [from.x + from.wide + 2, to.x - 3];
  const [up, along] = [from.y + 0.5 * from.row, to.y + 0.5 * to.row];
  const { activation } = pen.colour;
  const look = { stroke: activation, width: 2, "stroke-opacity": 0.75 };
  pen.path(`M${x1} ${up}H${x1 + 3}V${y}H${x2 - 5}V${along}H${x2 - 2}`, look);
  pen.head(x2, along, 0, activation, 7);
}

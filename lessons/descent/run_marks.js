// What distinguishes the runs: a colour, a dash and a mark for each.

/** @import { Keyed, Pen } from "../../drawing/pen.js" */
/** @import { Palette } from "../../drawing/types.js" */
/** @import { DescentScene } from "./model.js" */
/** @typedef {Keyed & { fill: string, stroke?: string, line?: number }} MarkLook `line`: the width of the outline */

const DASHES = [null, "9 5", "2 4", "9 4 2 4"];

/** @param {Palette} colour @param {number} run */
export const runColour = (colour, run) => colour[`series-${run + 1}`];

/** @param {number} run */
export const dashOf = (run) => DASHES[run];

/**
 * The places of the runs, the first one last: it is drawn over the others.
 *
 * @param {Pick<DescentScene, "data">} scene
 */
export const runsInOrder = ({ data }) => data.rules.map((_, run) => run).reverse();

/**
 * A mark for each run: a disc, a square, a diamond, a triangle.
 *
 * @param {Pen} pen @param {number} run @param {number} x @param {number} y @param {number} r @param {MarkLook} how
 */
export function drawMark(pen, run, x, y, r, how) {
  const { line: width, ...look } = how;
  const d = [
    "",
    `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`,
    `M${x} ${y - 1.3 * r}L${x + 1.3 * r} ${y}L${x} ${y + 1.3 * r}L${x - 1.3 * r} ${y}z`,
    `M${x} ${y - 1.25 * r}L${x + 1.2 * r} ${y + 0.9 * r}H${x - 1.2 * r}z`,
  ][run];
  return run === 0 ? pen.circle(x, y, r, how) : pen.path(d, { width, ...look });
}

/**
 * The name and the mark of each run, in a row that ends at `right`.
 *
 * @param {Pen} pen @param {DescentScene} scene @param {number} right @param {number} y @param {number} size
 */
export function nameRuns(pen, { colour, data }, right, y, size) {
  let x = right;
  for (const run of runsInOrder({ data })) {
    const fill = runColour(colour, run);
    const name = pen.text(x, y, data.labels[run], { size, bold: true, anchor: "end", fill, key: `run ${run}` });
    x -= name.getComputedTextLength?.() ?? 60;
    drawMark(pen, run, x - 12, y - 5, 5.5, { fill, key: `glyph ${run}` });
    x -= 32;
  }
}

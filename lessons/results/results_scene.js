// What all forms of the picture of results share: what is chosen, what a press does, the axes and the legend.

import { textWidth } from "../../drawing/pen.js";
import { markPath } from "../../drawing/labels.js";
import { tickText } from "./results_places.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Keyed, Pen } from "../../drawing/pen.js" */
/** @import { Palette, Scripts } from "../../drawing/types.js" */
/** @import { AxisScale, Box, LegendEntry } from "./results_places.js" */

/** @typedef {Scripts["results"]} Data */
/** @typedef {{ data?: Data, over?: number | null }} Memory over: the place of what the pointer is over */
/** @typedef {Scene<"results", Memory>} ResultsScene */
/** @typedef {ReturnType<typeof momentOf>} Moment */
/** @typedef {(pen: Pen, scene: ResultsScene, now: Moment) => void} DrawForm */

/**
 * The position that the slider has chosen, and the current position of the moving ring, both from 0.
 *
 * @param {ResultsScene} scene
 */
export function momentOf({ data, values }) {
  const last = data.order.length - 1;
  const exact = Math.min(Math.max(values("place") - 1, 0), last);
  const position = Math.min(Math.max(Math.round(values("@at")), 0), last);
  const chosen = data.form === "tasks" ? data.chosen : data.order[position];
  return { exact, position, chosen, reference: data.reference };
}

/** @param {Palette} colour @param {number} group */
export const tintOf = (colour, group) => (group < 0 ? colour["series-2"] : colour[`series-${(group % 6) + 1}`]);

/**
 * The interpolated number at a fractional index of a list.
 *
 * @param {readonly number[]} list @param {number} exact
 */
export function between(list, exact) {
  const [before, after] = [list[Math.floor(exact)], list[Math.ceil(exact)]];
  return before + (after - before) * (exact - Math.floor(exact));
}

/**
 * Choose what was pressed; if it is already chosen, make it the reference.
 *
 * @param {ResultsScene} scene @param {Moment} now @param {number} place
 */
function choose({ data, move, send }, now, place) {
  if (place === now.chosen) send({ reference: place });
  else if (data.form === "tasks") send({ chosen: place });
  else move("place", data.order.indexOf(place) + 1, true);
}

/**
 * A mark that chooses its row or system when pressed.
 *
 * @param {Pen} pen
 * @param {ResultsScene} scene
 * @param {Moment} now
 * @param {number} place
 * @param {(pen: Pen) => void} how
 * @param {Keyed} more
 */
export function pressable(pen, scene, now, place, how, more) {
  const { data, memory, again } = scene;
  const name = place === now.chosen ? `Compare others with ${data.labels[place]}` : `Choose ${data.labels[place]}`;
  const node = pen.button(name, () => choose(scene, now, place), how, { ...more, chosen: place === now.chosen });
  const over = (/** @type {number | null} */ to) => () => {
    if (memory.over === to) return;
    memory.over = to;
    again();
  };
  node.onpointerenter = over(place);
  node.onpointerleave = over(null);
}

/**
 * The axes with their ticks, the title of the horizontal axis, and the source of the numbers.
 *
 * @param {Pen} pen
 * @param {ResultsScene} scene
 * @param {{ frame: Box, foot: number, small: boolean }} at
 * @param {AxisScale} across
 * @param {AxisScale | null} up
 */
export function drawAxes(pen, { colour, data }, { frame, foot, small }, across, up = null) {
  const { left, top, wide, high } = frame;
  const [right, low] = [left + wide, top + high];
  const xTitle = data.xLabel + (data.xLog ? ", log scale" : "");
  const look = { label: tickText, size: small ? 13 : 15 };
  /** @type {(scale: AxisScale) => number[]} */
  const ticksOf = (scale) => scale.ticks.map((tick) => tick.value);
  pen.axis("x", across.place, { at: low + 19, ticks: ticksOf(across), lines: [top, low], title: xTitle, ...look });
  if (up)
    pen.axis("y", up.place, { at: left - 8, ticks: ticksOf(up), lines: [left, right], title: data.yLabel, ...look });
  pen.line(left, low, right, low, { key: "axis", stroke: colour.quiet, width: 1.5 });
  const size = small ? 13 : 16;
  const better = data.form === "scatter" ? (data.xBetter === "low" ? "← better" : "better →") : "";
  pen.text(left, low + 42, better, { key: "better", size, fill: colour.quiet });
  const room = wide - textWidth(better, size) - 16;
  pen.text(right, low + 42, xTitle, { key: "x title", size, bold: true, anchor: "end", room });
  const source = data.note && !small ? `${data.note}. ${data.source}` : data.source;
  pen.text(right, foot, source, { key: "source", size: 13, anchor: "end", fill: colour.quiet, room: right - 8 });
}

/**
 * A name of the legend with the mark of its group.
 *
 * @param {Pen} pen
 * @param {{ legend: { left: number, top: number }, small: boolean }} at
 * @param {LegendEntry} entry
 * @param {number} k its group
 * @param {string} name
 * @param {{ row: number, room?: number }} how row: its height in units
 */
export function drawFamily(pen, at, entry, k, name, { row, room = 0 }) {
  const [x, y] = [at.legend.left + entry.x, at.legend.top + row * entry.row];
  const fill = tintOf(pen.colour, k);
  pen.path(markPath(k, x + 7, y - 5, 6), { key: `legend ${k}`, fill, stroke: "none" });
  pen.text(x + 20, y, name, { key: `legend text ${k}`, size: at.small ? 13 : 15, bold: true, fill, room });
}

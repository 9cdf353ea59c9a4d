// The parts of all pipes of an LSTM cell: walls, the level of a number now and before the drag, and headings.

import { formatNumber } from "../../drawing/numbers.js";
import { textWidth } from "../../drawing/pen.js";
import { levels } from "./lstm_places.js";

/** @import { Scene } from "../../drawing/main_picture.js" */
/** @import { Anchor, Pen } from "../../drawing/pen.js" */
/** @import { NameOf } from "../../drawing/types.js" */
/** @import { Lane, Places } from "./lstm_places.js" */

/** @typedef {Scene<"lstm">} CellScene */
/** @typedef {NameOf<"lstm">} Name */
/**
 * Where the cell is drawn, the end of the memory's scale, and the number that the sentence marks.
 *
 * @typedef {{ at: Places, reach: number, named: Name }} Cell
 */
/** @typedef {(pen: Pen, scene: CellScene, cell: Cell) => void} Draw */
/**
 * The level of a number between two places of a pipe.
 *
 * @typedef {object} Level
 * @property {Name} name
 * @property {Name} [base] the number from whose level it begins; by default 0
 * @property {Lane} lane
 * @property {number} reach of the lane's scale
 * @property {readonly [left: number, right: number]} ends
 * @property {string} fill
 * @property {number} [centre] of the printed number; by default that of the level
 * @property {number} [size] of the printed number
 */

/**
 * A number as printed, or with two digits if there is less room.
 *
 * @param {CellScene} scene @param {Name} name @param {number} room @param {number} size
 */
export function shortNumber({ text, values, hidden }, name, room, size) {
  const whole = text(name);
  if (hidden(name) || textWidth(whole, size, true) <= room) return whole;
  return formatNumber(Number(values(name).toPrecision(2)));
}

/**
 * The walls of a pipe; one wall has a gap where another pipe joins.
 *
 * @param {Pen} pen
 * @param {Lane} lane
 * @param {[left: number, right: number]} ends
 * @param {{ open?: boolean, gap: [wall: "top" | "foot", from: number, to: number] }} how `open` to the right
 */
export function drawPipe(pen, { top, foot }, [left, right], { open = false, gap }) {
  const wall = { stroke: pen.colour.ink, width: 2.5 };
  pen.rect(left, top, right - left, foot - top, { fill: pen.colour.quiet, "fill-opacity": 0.07, r: 0 });
  for (const [side, y] of /** @type {const} */ ([
    ["top", top],
    ["foot", foot],
  ])) {
    if (gap[0] === side) {
      pen.line(left, y, gap[1], y, wall);
      pen.line(gap[2], y, right, y, wall);
    } else pen.line(left, y, right, y, wall);
  }
  pen.line(left, top, left, foot, wall);
  if (!open) pen.line(right, top, right, foot, wall);
}

/**
 * The walls of an upright pipe between two others.
 *
 * @param {Pen} pen @param {[left: number, right: number]} ends @param {Lane} lane
 */
export function drawRiser(pen, [left, right], { top, foot }) {
  const wall = { stroke: pen.colour.ink, width: 2.5 };
  pen.rect(left, top, right - left, foot - top, { key: "rise", fill: pen.colour.quiet, "fill-opacity": 0.07, r: 0 });
  pen.line(left, top, left, foot, { key: "rise-left", ...wall });
  pen.line(right, top, right, foot, { key: "rise-right", ...wall });
}

/**
 * The numbers at the left end of a pipe: at its walls and in its middle.
 *
 * @param {Pen} pen @param {Places} at @param {Lane} lane @param {number} x @param {number} reach @param {string} title
 */
export function drawLevelTicks(pen, { axis: size }, lane, x, reach, title) {
  const { y } = levels(lane, reach);
  pen.group({ key: "axis y", "data-axis": "y", "data-title": title }, (axis) => {
    for (const [value, drop] of [
      [reach, 10],
      [0, 5],
      [-reach, 0],
    ]) {
      const label = formatNumber(Number(value.toPrecision(2)));
      axis.text(x - 6, y(value) + drop, label, { size, fill: axis.colour.quiet, anchor: "end" });
    }
  });
}

/** @param {Pen} pen @param {number} left @param {number} right @param {number} y */
export function drawZero(pen, left, right, y) {
  pen.line(left, y, right, y, { key: "zero", stroke: pen.colour.quiet, width: 1, dash: "2 4" });
}

/**
 * A level with its number.
 *
 * @param {Pen} pen @param {CellScene} scene @param {Cell} cell @param {Level} level
 */
export function drawLevel(pen, scene, { at, named }, level) {
  const { name, lane, reach, fill, ends, centre, size = at.number } = level;
  const { values, hidden } = scene;
  drawLevelBar(pen, scene, level);
  const { mid, half } = levels(lane, reach);
  const [left, right] = ends;
  const x = centre ?? (left + right) / 2;
  const up = !hidden(name) && values(name) < 0; // the number is outside the level
  const y = mid + (up ? -half / 2 : half / 2) + size * 0.36;
  const room = (centre === undefined ? right - left : 2 * Math.min(x - left, right - x)) - 8;
  pen.markedText(x, y, shortNumber(scene, name, room, size), named === name, {
    key: `number-${name}`,
    size,
    bold: true,
    fill,
    anchor: "middle",
    halo: named !== name,
  });
}

/**
 * A level without its number, and the level before the drag.
 *
 * @param {Pen} pen @param {CellScene} scene @param {Level} level
 */
export function drawLevelBar(pen, { values, before, hidden, colour }, { name, base, lane, reach, fill, ends }) {
  if (hidden(name)) return;
  const { y } = levels(lane, reach);
  const [left, right] = ends;
  /** @param {CellScene["values"]} numbers */
  const barOf = (numbers) => {
    const from = base ? numbers(base) : 0;
    const [a, b] = [y(from), y(from + numbers(name))];
    return { top: Math.min(a, b), high: Math.max(Math.abs(a - b), 1.5) };
  };
  const bar = barOf(values);
  pen.rect(left, bar.top, right - left, bar.high, { key: `level-${name}-${left}`, fill, r: 0 });
  /** @param {Name | undefined} each */
  const changed = (each) => before && each && Math.abs(before(each) - values(each)) > 1e-9;
  if (!before || !(changed(name) || changed(base))) return;
  const old = barOf(before);
  pen.rect(left + 2, old.top, right - left - 4, Math.max(old.high, 2), {
    key: `old-${name}-${left}`,
    stroke: colour.ink,
    line: 1.5,
    dash: "6 4",
    r: 0,
  });
}

/**
 * @param {Pen} pen
 * @param {Places} at
 * @param {[x: number, y: number]} place
 * @param {string} text
 * @param {string} fill
 * @param {{ size?: number, anchor?: Anchor }} how
 */
export function drawHeading(pen, at, [x, y], text, fill, { size = at.label, anchor = "middle" } = {}) {
  pen.text(x, y, text, { size, bold: true, fill, anchor });
}

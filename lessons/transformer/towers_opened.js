// One floor of the first tower, opened: the heads of its attention, and its MLP, on one scale of areas.

import { nameOf } from "./towers_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Place, Places, TowersScene } from "./towers_places.js" */
/** @typedef {{ left: number, top: number, wide: number, high: number, size: number }} Box */

const LEAST = 190; // with less room above its tower the floor is not opened

/** @param {Pen} pen @param {TowersScene} scene @param {Places} at */
export function drawOpened(pen, scene, at) {
  if (at.narrow) return;
  const [first] = at.towers;
  const box = at.two ? boxAbove(at, first) : boxBeside(at, first);
  if (!box) return;
  pen.part(scene, "opened", (its) => {
    drawLeads(its, scene, at, box);
    drawFloor(its, scene, first, box);
  });
}

/** @param {Places} at @param {Place} first @returns {Box | null} */
function boxAbove(at, first) {
  if (first.top - at.top < LEAST) return null;
  const wide = at.towers[1].x - 20 - first.x;
  return { left: first.x, top: at.top + 22, wide, high: Math.min(110, first.top - at.top - 130), size: 17 };
}

/** @param {Places} at @param {Place} first @returns {Box} */
function boxBeside(at, first) {
  const left = first.x + first.wide + 150;
  return { left, top: at.top + 60, wide: at.right - left - 16, high: 0.38 * (at.foot - at.top), size: 20 };
}

/**
 * The lines from the uppermost floor to the box.
 *
 * @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Box} box
 */
function drawLeads(pen, { colour }, at, box) {
  const [{ x, wide, top, floor, roof }] = at.towers;
  const look = { stroke: colour.quiet, width: 1.5, dash: "2 5" };
  const head = top + roof * at.row;
  if (at.two) {
    const from = box.top + box.high + 58;
    pen.line(x, from, x, top - 2, { key: "lead0", ...look });
    pen.line(box.left + box.wide, from, x + wide, top - 2, { key: "lead1", ...look });
    return;
  }
  pen.line(x + wide + 2, head, box.left - 6, box.top, { key: "lead0", ...look });
  pen.line(x + wide + 2, head + floor * at.row, box.left - 6, box.top + box.high, { key: "lead1", ...look });
}

/** @param {Pen} pen @param {TowersScene} scene @param {Place} first @param {Box} box */
function drawFloor(pen, scene, first, { left, top, wide, high, size }) {
  const { colour, values, text, data, final } = scene;
  const name = data.towers[0].name;
  const heads = Math.round(values(nameOf(first, "heads")));
  const own = first.own * wide;
  const count = (/** @type {string} */ each) => Math.round(final(nameOf(first, each))).toLocaleString("en");
  pen.text(left, top - 12, `one floor of ${name}: ${text(nameOf(first, "floor"))} M`, { size, bold: true });
  pen.rect(left, top, own - 3, high, { key: "own", fill: colour.weight, "fill-opacity": 0.3, r: 0 });
  pen.rect(left + own, top, wide - own, high, { key: "mlp", fill: colour.activation, "fill-opacity": 0.3, r: 0 });
  const each = (own - 3) / heads;
  let windows = "M0 0";
  for (let h = 0; h < heads; h++) {
    windows += `M${left + (h + 0.2) * each} ${top + 0.1 * high}h${0.6 * each}v${0.8 * high}h${-0.6 * each}z`;
  }
  pen.path(windows, { key: "windows", stroke: null, fill: colour.weight });
  const middle = left + (own + wide) / 2;
  const look = /** @type {const} */ ({ fill: colour.activation, anchor: "middle" });
  pen.text(middle, top + high / 2 - 4, "MLP", { ...look, size: size + 5, bold: true });
  const way = `${count("d")} → ${count("hidden")} → ${count("d")}`;
  pen.text(middle, top + high / 2 + size + 4, way, { ...look, size, bold: true });
  const said = { size: size - 1, fill: colour.weight, room: own + 20 };
  pen.text(left, top + high + size + 6, `${heads} heads × ${data.head}`, { ...said, bold: true });
  pen.text(left, top + high + 2 * size + 11, `4d²: ${text(nameOf(first, "attFloor"))} M`, said);
  const two = { size: size - 1, fill: colour.activation };
  pen.text(left + own + 24, top + high + size + 6, "two matrices d × 4d", { ...two, bold: true });
  pen.text(left + own + 24, top + high + 2 * size + 11, `8d²: ${text(nameOf(first, "mlpFloor"))} M`, two);
}

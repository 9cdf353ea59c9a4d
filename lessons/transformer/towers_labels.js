// Beside each tower its name, its weights and its sizes; between them the height of the ground floor.

import { textWidth } from "../../drawing/pen.js";
import { counted, nameOf, saysRows } from "./towers_places.js";

/** @import { Pen } from "../../drawing/pen.js" */
/** @import { Place, Places, TowersScene } from "./towers_places.js" */

const TALL = 178; // the height of the words beside a tower

/** @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Place} place */
export function drawLabels(pen, scene, at, place) {
  if (at.narrow) return drawAbove(pen, scene, at, place);
  const { data, colour } = scene;
  const second = place.k > 1;
  const x = second ? place.x + place.wide + 16 : 8;
  const room = second ? at.right - x : place.x - 12;
  const { name, printed } = data.towers[place.k - 1];
  const top = place.asked ? at.top : Math.min(place.top, at.foot - TALL - (second ? 36 : 0));
  let y = top + 14;
  pen.text(x, y, name, { key: "name", size: 20, bold: true, fill: colour.quiet, room });
  y += 38;
  drawTotal(pen, scene, at, place, x, y);
  if (second) y += 34;
  if (second) drawRatio(pen, scene, x, y);
  y += 26;
  if (printed && !place.asked) pen.text(x, y, `printed: ${printed}`, { key: "printed", size: 15, fill: colour.quiet });
  y += 8;
  /** @type {[string, string][]} */
  const sizes = [
    ["N", place.stored < place.N ? "floors, 1 stored" : "floors"],
    ["d", "wide"],
    ["heads", "heads a floor"],
  ];
  if (place.e < place.d) sizes.splice(2, 0, ["e", "wide: E"]);
  for (const [each, what] of sizes) {
    y += 25;
    pen.text(x, y, `${counted(scene, place, each)} ${what}`, { key: each, size: 18, room });
  }
}

/** @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Place} place @param {number} x @param {number} y */
function drawTotal(pen, { text, narrow }, at, place, x, y) {
  const said = place.asked ? "? M" : `${text(nameOf(place, "total"))} M`;
  pen.markedText(x, y, said, !at.two, { key: "total", size: narrow ? 22 : 34, bold: true });
}

/** @param {Pen} pen @param {TowersScene} scene @param {number} x @param {number} y */
function drawRatio(pen, { text, data, narrow }, x, y) {
  const size = narrow ? 16 : 22;
  const ratio = text("ratio");
  pen.markedText(x, y, ratio, true, { key: "ratio", size, bold: true });
  pen.text(x + textWidth(ratio, size, true) + 10, y, `× ${data.towers[0].name}`, { key: "than", size });
}

/**
 * On a phone the words stand above the towers.
 *
 * @param {Pen} pen @param {TowersScene} scene @param {Places} at @param {Place} place
 */
function drawAbove(pen, scene, at, place) {
  const { data, colour } = scene;
  const { name } = data.towers[place.k - 1];
  const { x } = place;
  const room = place.k > 1 ? at.right - x : at.two ? Math.max(place.wide, 130) : at.right;
  pen.text(x, 18, name, { key: "name", size: 15, bold: true, fill: colour.quiet, room });
  drawTotal(pen, scene, at, place, x, 44);
  if (place.k > 1) drawRatio(pen, scene, x, 68);
  const sizes = `${counted(scene, place, "N")} floors, d = ${counted(scene, place, "d")}`;
  pen.text(x, 88, sizes, { key: "sizes", size: 13, room });
  pen.text(x, 106, `${counted(scene, place, "heads")} heads a floor`, { key: "heads", size: 13, room });
}

/**
 * How many rows the ground floor has: one height in both towers, if they have as many tokens.
 *
 * @param {Pen} pen @param {TowersScene} scene @param {Places} at
 */
export function drawTable(pen, scene, at) {
  if (at.narrow) return;
  const { colour, final } = scene;
  const [first, second] = at.towers;
  if (saysRows(at, first)) return;
  const left = first.x + first.wide + 8;
  const low = at.foot - first.ground * at.row;
  const same = !second || final("V1") === final("V2");
  const look = /** @type {const} */ ({ size: 17, bold: true, fill: colour.input });
  const line = { stroke: colour.input, width: 1.5, dash: "5 5" };
  pen.text(left, low - (same ? 29 : 8), `V = ${counted(scene, first, "V")}`, { key: "V", ...look });
  if (!second) return;
  if (same) {
    pen.text(left, low - 8, "rows in both", { key: "both", size: 17, fill: colour.input });
    pen.line(left - 6, low, second.x - 4, low, { key: "edge", ...line });
  } else if (!saysRows(at, second)) {
    pen.text(second.x - 10, at.foot - 10, counted(scene, second, "V"), { key: "V2", ...look, anchor: "end" });
  }
}
